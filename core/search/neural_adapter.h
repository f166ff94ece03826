// A neural model of core/nlm behind the decoders' interface (thesis 4.3 to 4.9). A context is the last order - 1 words.
// A fragment keeps its first order - 1 words with the scores they got in the context they had; words that are not known
// yet add nothing to the hidden layer, and the scores are put right when the context arrives. All words of a batch of
// fragments or phrases are asked for at once.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/namespaces.h"
#include "nlm/neural_model.h"
#include "nlm/session.h"
#include "search/language_model.h"

namespace dragoman::search {

class NeuralModel : public LanguageModel {
 public:
  // `expensive`: other models order the search and this one judges what they chose.
  NeuralModel(std::shared_ptr<const nlm::NeuralModel> model, bool expensive)
      : model_(std::move(model)), expensive_(expensive) {}

  uint32_t find(std::string_view word) const override { return model_->find(word); }
  uint32_t unknown() const override { return nlm::unknown_word; }
  uint32_t sentence_end() const override { return nlm::sentence_end; }
  size_t context_bytes() const override;
  size_t fragment_bytes() const override;
  bool reads_source() const override { return model_->reads_source(); }
  bool expensive() const override { return expensive_; }
  bool gains_from_batches() const override { return true; }
  std::unique_ptr<LanguageModelSession> begin(std::span<const std::string_view> source) const override;

  // The caches of a session are large, so they are used again; what they hold is not.
  std::unique_ptr<nlm::Session> take_session() const;
  void give_back(std::unique_ptr<nlm::Session> session) const;

 private:
  std::shared_ptr<const nlm::NeuralModel> model_;
  bool expensive_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<nlm::Session>> idle_;
};

}  // namespace dragoman::search
