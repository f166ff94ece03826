#include "nlm/training_text.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "base/hash.h"
#include "base/random.h"
#include "nlm/affiliation.h"
#include "text/lines.h"

namespace dragoman::nlm {
namespace {

// Sentences of a stream, one after another, each with its marks. Those that are to stay move together at its beginning,
// so that a text is there but once.
class SentenceSplitter {
 public:
  explicit SentenceSplitter(Array<WordId>& ids) : ids_(ids) {}

  // Keeps the next sentence, or appends it to what is held out; returns its length with marks.
  size_t next(bool is_held, Array<WordId>& held) {
    const auto begin = ids_.begin() + static_cast<ptrdiff_t>(read_);
    const auto end = std::find(begin, ids_.end(), sentence_end) + 1;
    if (is_held)
      held.insert(held.end(), begin, end);
    else
      kept_ = static_cast<size_t>(std::copy(begin, end, ids_.begin() + static_cast<ptrdiff_t>(kept_)) - ids_.begin());
    read_ += static_cast<size_t>(end - begin);
    return static_cast<size_t>(end - begin);
  }
  size_t kept() const { return kept_; }
  void finish() { ids_.resize(kept_); }

 private:
  Array<WordId>& ids_;
  size_t read_ = 0, kept_ = 0;
};

// Which sentences perplexity is measured on.
std::vector<bool> hold_out(uint64_t sentences, const HeldOut& wanted) {
  std::vector<bool> held(sentences);
  const auto share = static_cast<uint64_t>(std::llround(static_cast<double>(sentences) * wanted.share));
  uint64_t count = std::min({wanted.most, std::max<uint64_t>(1, share), sentences - 1});
  for (Random random(wanted.seed); count;) {
    const size_t chosen = random.below(sentences);
    if (held[chosen]) continue;
    held[chosen] = true;
    --count;
  }
  return held;
}

// Adds the places that the words of a target sentence look at in a source sentence that begins at `begin`: its mark and
// its end included, of which the one looks nowhere and the other at the last word.
void append_centres(Array<uint32_t>& centres, size_t begin, size_t length, std::span<const uint32_t> places) {
  const auto first = static_cast<uint32_t>(begin + 1);
  centres.push_back(first);
  for (uint32_t place : places) centres.push_back(first + place);
  centres.push_back(first + static_cast<uint32_t>(std::max<size_t>(length, 3) - 3));
}

IdStream stream_of(Array<WordId> ids, Array<WordId> source_ids, ScratchSpace* scratch) {
  return {std::move(ids), std::move(source_ids), Array<uint32_t>(array_memory(scratch))};
}

}  // namespace

uint64_t IdStream::tokens() const {
  return ids.size() - static_cast<uint64_t>(std::ranges::count(ids, sentence_begin));
}

void IdStream::read_context(uint64_t position, std::span<WordId> context) const {
  bool begun = false;
  for (WordId& word : context) {
    if (!begun) begun = ids[--position] == sentence_begin;
    word = begun ? sentence_begin : ids[position];
  }
}

void IdStream::read_window(uint64_t position, std::span<WordId> window) const {
  const size_t middle = window.size() / 2;
  const uint64_t centre = centres[position];
  window[middle] = source_ids[centre];
  bool begun = false, ended = source_ids[centre] == sentence_end;
  for (size_t back = 1; back <= middle; ++back) {
    if (!begun) begun = source_ids[centre - back] == sentence_begin;
    window[middle - back] = begun ? sentence_begin : source_ids[centre - back];
  }
  for (size_t ahead = 1; ahead <= middle; ++ahead) {
    if (!ended) ended = source_ids[centre + ahead] == sentence_end;
    window[middle + ahead] = ended ? sentence_end : source_ids[centre + ahead];
  }
}

TrainingText::TrainingText(CorpusIds target, std::optional<SourceText> source, const HeldOut& heldout)
    : scratch_(std::move(target.scratch)),
      words_(std::move(target.words)),
      counts_(std::move(target.counts)),
      reads_source_(source.has_value()),
      train_(
          stream_of(std::move(target.ids), source ? std::move(source->corpus.ids) : Array<WordId>(), scratch_.get())) {
  const auto sentences = static_cast<uint64_t>(std::ranges::count(train_.ids, sentence_end));
  if (sentences == 0) throw InputError(0, "the text is empty; give at least one sentence to train on");
  counts_[sentence_begin] = 0;  // nothing predicts it
  if (source) {
    require_equal_lines(source->source.sentences(), sentences, source->links.pairs());
    source_words_ = std::move(source->corpus.words);
    source_scratch_ = std::move(source->corpus.scratch);
  }
  divide(source ? &*source : nullptr, hold_out(sentences, heldout));
  if (sentences == 1) heldout_ = train_;
}

void TrainingText::divide(const SourceText* source, const std::vector<bool>& held) {
  SentenceSplitter targets(train_.ids), sources(train_.source_ids);
  if (source) train_.centres.reserve(train_.ids.size());
  Links links;
  for (uint64_t number = 0; number < held.size(); ++number) {
    targets.next(held[number], heldout_.ids);
    if (!source) continue;
    const size_t begin = held[number] ? heldout_.source_ids.size() : sources.kept();
    const size_t length = sources.next(held[number], heldout_.source_ids);
    const uint64_t source_length = source->source.length(number), target_length = source->target.length(number);
    source->links.read(number, source_length, target_length, links);
    append_centres(held[number] ? heldout_.centres : train_.centres, begin, length,
                   affiliations(links, static_cast<uint32_t>(source_length), static_cast<uint32_t>(target_length)));
  }
  targets.finish();
  sources.finish();
}

std::vector<std::span<const WordId>> TrainingText::texts() const {
  if (counts_[sentence_end] > 1) return {train_.ids, heldout_.ids};
  return {train_.ids};
}

uint64_t TrainingText::hash() const {
  uint64_t total = 0;
  const auto add = [&](const auto& values) {
    total = hash_bytes(values.data(), values.size() * sizeof(values[0]), total);
  };
  for (const IdStream* stream : {&train_, &heldout_}) {
    add(stream->ids);
    add(stream->source_ids);
    add(stream->centres);
  }
  return total;
}

}  // namespace dragoman::nlm
