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

constexpr auto begin_mark = static_cast<int32_t>(sentence_begin), end_mark = static_cast<int32_t>(sentence_end);

// Sentences of a stream, one after another, each with its marks.
class SentenceReader {
 public:
  explicit SentenceReader(const std::vector<int32_t>& ids) : ids_(ids) {}
  std::span<const int32_t> next() {
    const size_t begin = at_;
    while (ids_[at_] != end_mark) ++at_;
    return std::span(ids_).subspan(begin, ++at_ - begin);
  }

 private:
  const std::vector<int32_t>& ids_;
  size_t at_ = 0;
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

void append(IdStream& stream, std::span<const int32_t> sentence) {
  stream.ids.insert(stream.ids.end(), sentence.begin(), sentence.end());
}

// Adds a source sentence, and the places in it that the words of the target sentence look at: its mark and its end
// included, of which the one looks nowhere and the other at the last word.
void append_source(IdStream& stream, std::span<const int32_t> sentence, std::span<const uint32_t> places) {
  const auto first = static_cast<uint32_t>(stream.source_ids.size() + 1);
  stream.source_ids.insert(stream.source_ids.end(), sentence.begin(), sentence.end());
  stream.centres.push_back(first);
  for (uint32_t place : places) stream.centres.push_back(first + place);
  stream.centres.push_back(first + static_cast<uint32_t>(std::max<size_t>(sentence.size(), 3) - 3));
}

}  // namespace

uint64_t IdStream::tokens() const { return ids.size() - static_cast<uint64_t>(std::ranges::count(ids, begin_mark)); }

void IdStream::read_context(uint64_t position, std::span<WordId> context) const {
  bool begun = false;
  for (WordId& word : context) {
    if (!begun) begun = ids[--position] == begin_mark;
    word = begun ? sentence_begin : static_cast<WordId>(ids[position]);
  }
}

void IdStream::read_window(uint64_t position, std::span<WordId> window) const {
  const size_t middle = window.size() / 2;
  const uint64_t centre = centres[position];
  window[middle] = static_cast<WordId>(source_ids[centre]);
  bool begun = false, ended = source_ids[centre] == end_mark;
  for (size_t back = 1; back <= middle; ++back) {
    if (!begun) begun = source_ids[centre - back] == begin_mark;
    window[middle - back] = begun ? sentence_begin : static_cast<WordId>(source_ids[centre - back]);
  }
  for (size_t ahead = 1; ahead <= middle; ++ahead) {
    if (!ended) ended = source_ids[centre + ahead] == end_mark;
    window[middle + ahead] = ended ? sentence_end : static_cast<WordId>(source_ids[centre + ahead]);
  }
}

TrainingText::TrainingText(CorpusIds target, std::optional<SourceText> source, const HeldOut& heldout)
    : words_(std::move(target.words)), counts_(std::move(target.counts)), reads_source_(source.has_value()) {
  const auto sentences = static_cast<uint64_t>(std::ranges::count(target.ids, end_mark));
  if (sentences == 0) throw InputError(0, "the text is empty; give at least one sentence to train on");
  counts_[sentence_begin] = 0;  // nothing predicts it
  if (source) {
    require_equal_lines(source->source.sentences(), sentences, source->links.pairs());
    source_words_ = std::move(source->corpus.words);
  }
  const std::vector<bool> held = hold_out(sentences, heldout);
  SentenceReader targets(target.ids);
  std::optional<SentenceReader> sources;
  if (source) sources.emplace(source->corpus.ids);
  train_.ids.reserve(target.ids.size());
  Links links;
  for (uint64_t number = 0; number < sentences; ++number) {
    IdStream& stream = held[number] ? heldout_ : train_;
    append(stream, targets.next());
    if (!source) continue;
    const uint64_t source_length = source->source.length(number), target_length = source->target.length(number);
    source->links.read(number, source_length, target_length, links);
    append_source(stream, sources->next(),
                  affiliations(links, static_cast<uint32_t>(source_length), static_cast<uint32_t>(target_length)));
  }
  if (sentences == 1) heldout_ = train_;
}

std::vector<int32_t> TrainingText::all_ids() const {
  std::vector<int32_t> all = train_.ids;
  if (counts_[sentence_end] > 1) all.insert(all.end(), heldout_.ids.begin(), heldout_.ids.end());
  return all;
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
