// A back-off model of core/lm behind the decoders' interface. States keep only the bytes that a model of this order
// uses; left and right states are minimised by the model.
#pragma once

#include <memory>

#include "decode/language_model.h"
#include "lm/language_model.h"

namespace dragoman::decode {

class NgramModel : public LanguageModel {
 public:
  explicit NgramModel(std::shared_ptr<const lm::LanguageModel> model) : model_(std::move(model)) {}

  uint32_t find(std::string_view word) const override { return model_->find(word); }
  uint32_t unknown() const override { return lm::unknown_word; }
  uint32_t sentence_end() const override { return lm::sentence_end; }
  size_t context_bytes() const override { return lm::State::bytes(model_->order()); }
  size_t fragment_bytes() const override {
    return lm::LeftState::bytes(model_->order()) + lm::State::bytes(model_->order());
  }
  std::unique_ptr<LanguageModelSession> begin(std::span<const std::string_view> source) const override;

 private:
  std::shared_ptr<const lm::LanguageModel> model_;
};

}  // namespace dragoman::decode
