// A back-off model of core/lm behind the decoders' interface. Left and right states are minimised by the model; within
// a sentence each is kept once, and hypotheses carry its number.
#pragma once

#include <memory>

#include "base/namespaces.h"
#include "lm/language_model.h"
#include "search/language_model.h"

namespace dragoman::search {

class NgramModel : public LanguageModel {
 public:
  explicit NgramModel(std::shared_ptr<const lm::LanguageModel> model) : model_(std::move(model)) {}

  uint32_t find(std::string_view word) const override { return model_->find(word); }
  uint32_t unknown() const override { return lm::unknown_word; }
  uint32_t sentence_end() const override { return lm::sentence_end; }
  size_t context_bytes() const override { return sizeof(uint32_t); }
  size_t fragment_bytes() const override { return 2 * sizeof(uint32_t); }
  std::unique_ptr<LanguageModelSession> begin(std::span<const std::string_view> source) const override;
  std::unique_ptr<LanguageModelSession> begin_taught(std::span<const std::string_view> source,
                                                     const TaughtText& taught) const override;

 private:
  std::shared_ptr<const lm::LanguageModel> model_;
};

}  // namespace dragoman::search
