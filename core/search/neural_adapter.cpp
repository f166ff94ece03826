#include "search/neural_adapter.h"

#include <algorithm>
#include <cstring>
#include <numbers>

namespace dragoman::search {
namespace {

struct Head {
  uint32_t kept;
  uint32_t closed;  // the words kept are all that the left context matters to
};

struct Kept {
  LmItem item;
  float score;  // as scored provisionally
};

size_t context_at(uint32_t order) { return sizeof(Head) + (order - 1) * sizeof(Kept); }

// Few bytes, most often the context of a model of order 5, for which no function is worth calling.
void copy(void* to, const void* from, size_t bytes) {
  if (bytes == 4 * sizeof(WordId))
    std::memcpy(to, from, 4 * sizeof(WordId));
  else
    std::memcpy(to, from, bytes);
}

class NeuralSession : public LanguageModelSession {
 public:
  NeuralSession(const NeuralModel& model, std::unique_ptr<nlm::Session> session)
      : model_(model),
        session_(std::move(session)),
        order_(session_->model().order()),
        words_(order_ - 1),
        context_bytes_(words_ * sizeof(WordId)) {}
  ~NeuralSession() override { model_.give_back(std::move(session_)); }

  void begin_context(std::byte* state) override {
    WordId context[nlm::max_order];
    std::fill_n(context, words_, nlm::sentence_begin);
    std::memcpy(state, context, context_bytes_);
  }

  double score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) override {
    PhraseRequest request{state, words, next, 0};
    score_phrases({&request, 1});
    return request.log10_prob;
  }

  void score_phrases(std::span<PhraseRequest> requests) override {
    size_t words = 0;
    for (const PhraseRequest& request : requests) words += request.items.size();
    start(words, requests.size());
    for (size_t i = 0; i < requests.size(); ++i) {
      copy(begin_stretch(), requests[i].state, context_bytes_);
      for (const LmItem& word : requests[i].items) ask(i, word, 0, nullptr);
      copy(requests[i].next, context_, context_bytes_);
      requests[i].log10_prob = 0;
    }
    answer();
    for (size_t i = 0; i < count_; ++i) requests[asked_[i].request].log10_prob += change(i);
    for (PhraseRequest& request : requests) request.log10_prob = bounded(request.log10_prob / std::numbers::ln10);
  }

  double score_fragment(std::span<const LmItem> items, const std::byte* const* children, bool sentence_begin,
                        std::byte* state) override {
    FragmentRequest request{items, children, sentence_begin, state, 0};
    score_fragments({&request, 1});
    return request.log10_prob;
  }

  void score_fragments(std::span<FragmentRequest> requests) override {
    // A gap asks for as many words as a context has, at most, and may leave another context behind.
    size_t items = 0;
    for (const FragmentRequest& request : requests) items += request.items.size();
    start(items * words_, items + requests.size());
    for (size_t i = 0; i < requests.size(); ++i) {
      requests[i].log10_prob = 0;
      walk(i, requests[i]);
    }
    answer();
    for (size_t i = 0; i < count_; ++i) {
      requests[asked_[i].request].log10_prob += change(i);
      if (std::byte* kept = asked_[i].kept) std::memcpy(kept + offsetof(Kept, score), &scores_[i], sizeof(float));
    }
    for (FragmentRequest& request : requests) request.log10_prob = bounded(request.log10_prob / std::numbers::ln10);
  }

  ModelQueries queries() const override {
    const nlm::QueryCounts& counts = session_->counts();
    return {counts.queries, counts.word_hits, counts.contexts, counts.context_hits};
  }

 private:
  struct Asked {
    size_t request;
    float before;     // what the word had been given already
    std::byte* kept;  // where its provisional score goes
  };

  // Room for so many words, in so many stretches.
  void start(size_t words, size_t stretches) {
    count_ = 0;
    if (asked_.size() < words) {
      asked_.resize(words);
      queries_.resize(words);
      scores_.resize(words);
    }
    const size_t places = words + stretches * words_;
    if (places_.size() < places) places_.resize(places);
    context_ = places_.data() + places;
  }

  // Words are written from right to left, so that behind each lies its context, the nearest word first: a context
  // costs nothing but the word that is new in it. A stretch begins with a context, which the caller fills in.
  WordId* begin_stretch() { return context_ -= words_; }

  // One word, after which the context is one further.
  void ask(size_t request, const LmItem& word, float before, std::byte* kept) {
    asked_[count_] = {request, before, kept};
    queries_[count_++] = {context_, static_cast<WordId>(word.word), word.source};
    *--context_ = static_cast<WordId>(word.word);
  }

  void answer() { session_->score(std::span(queries_).first(count_), scores_.data()); }

  // In natural logarithms.
  double change(size_t i) const { return double{scores_[i]} - double{asked_[i].before}; }

  // Writes a fragment's state, but for the scores of the words it keeps, and asks for them.
  void walk(size_t number, const FragmentRequest& request) {
    std::byte* const state = request.state;
    std::memset(state, 0, context_at(order_) + context_bytes_);
    Head head{0, request.sentence_begin};
    std::fill_n(begin_stretch(), words_, request.sentence_begin ? nlm::sentence_begin : nlm::no_word);
    bool empty = !request.sentence_begin;
    auto add = [&](const LmItem& word, float before) {
      std::byte* place = nullptr;
      if (!head.closed) {
        const Kept mine{word, 0};
        place = state + sizeof(Head) + head.kept++ * sizeof(Kept);
        std::memcpy(place, &mine, sizeof mine);
        head.closed = head.kept == words_;
      }
      ask(number, word, before, place);
    };
    for (const LmItem& item : request.items) {
      if (item.word >= 0) {
        add(item, 0);
        empty = false;
        continue;
      }
      const std::byte* child = request.children[-1 - item.word];
      Head theirs;
      std::memcpy(&theirs, child, sizeof theirs);
      if (empty) {
        // Nothing to the left of it: nothing changes.
        head = theirs;
        std::memcpy(state + sizeof(Head), child + sizeof(Head), theirs.kept * sizeof(Kept));
        copy(begin_stretch(), child + context_at(order_), context_bytes_);
      } else {
        for (uint32_t i = 0; i < theirs.kept; ++i) {
          Kept kept;
          std::memcpy(&kept, child + sizeof(Head) + i * sizeof(Kept), sizeof kept);
          add(kept.item, kept.score);
        }
        if (theirs.closed) copy(begin_stretch(), child + context_at(order_), context_bytes_);
        head.closed |= theirs.closed;
      }
      empty = empty && head.kept == 0 && !head.closed;
    }
    std::memcpy(state, &head, sizeof head);
    copy(state + context_at(order_), context_, context_bytes_);
  }

  const NeuralModel& model_;
  std::unique_ptr<nlm::Session> session_;
  uint32_t order_, words_;
  size_t context_bytes_;
  // Of a batch. Vectors are used again and only grow.
  size_t count_ = 0;
  std::vector<Asked> asked_;
  std::vector<nlm::Query> queries_;
  std::vector<float> scores_;
  std::vector<WordId> places_;
  WordId* context_ = nullptr;  // of the next word
};

}  // namespace

size_t NeuralModel::context_bytes() const { return (model_->order() - 1) * sizeof(WordId); }

size_t NeuralModel::fragment_bytes() const { return context_at(model_->order()) + context_bytes(); }

std::unique_ptr<nlm::Session> NeuralModel::take_session() const {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<nlm::Session>(*model_);
  auto session = std::move(idle_.back());
  idle_.pop_back();
  return session;
}

void NeuralModel::give_back(std::unique_ptr<nlm::Session> session) const {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(session));
}

std::unique_ptr<LanguageModelSession> NeuralModel::begin(std::span<const std::string_view> source) const {
  std::vector<WordId> words;
  if (model_->reads_source())
    for (std::string_view word : source) words.push_back(model_->find_source(word));
  auto session = take_session();
  session->begin(words);
  return std::make_unique<NeuralSession>(*this, std::move(session));
}

}  // namespace dragoman::search
