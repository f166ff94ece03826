#include "search/forced.h"

#include <algorithm>

#include "search/coverage.h"

namespace dragoman::search {
namespace {

// Wider searches are tried with this many times the hypotheses.
constexpr uint32_t wider = 10;

bool possible(const Decoder& decoder, const SourceSentence& sentence, const std::vector<std::string>& translation,
              DecodeRequest request) {
  request.explain = false;
  request.kbest = 1;
  return !decoder.force(sentence, translation, request).decoded.candidates.empty();
}

// The least value of a limit up to `most` with which it is possible; it is known to be with `most`.
template <class Possible>
uint32_t least(uint32_t known_not, uint32_t most, Possible&& possible_with) {
  while (most - known_not > 1) {
    const uint32_t middle = known_not + (most - known_not) / 2;
    (possible_with(middle) ? most : known_not) = middle;
  }
  return most;
}

std::vector<Relaxation> relaxations(const Decoder& decoder, const SourceSentence& sentence,
                                    const std::vector<std::string>& translation, const DecodeRequest& request) {
  const uint32_t size = static_cast<uint32_t>(sentence.tokens.size());
  const uint32_t free_distortion = std::min<uint32_t>(size, Coverage::max_distortion);
  auto with = [&](auto&& change) {
    DecodeRequest changed = request;
    change(changed);
    return possible(decoder, sentence, translation, changed);
  };
  const bool phrases = request.algorithm == Algorithm::phrase_based;
  if (phrases) {
    auto with_limit = [&](uint32_t limit) {
      return with([&](DecodeRequest& changed) { changed.options.distortion_limit = limit; });
    };
    const uint32_t now = request.options.distortion_limit;
    if (now < free_distortion && with_limit(free_distortion))
      return {{"distortion_limit", std::to_string(least(now, free_distortion, with_limit))}};
  } else if (request.options.max_span != 0 && request.options.max_span < size) {
    auto with_limit = [&](uint32_t limit) {
      return with([&](DecodeRequest& changed) { changed.options.max_span = limit; });
    };
    if (with_limit(size)) return {{"max_span", std::to_string(least(request.options.max_span, size, with_limit))}};
  }
  auto widen = [&](DecodeRequest& changed) {
    changed.options.pop_limit = request.options.pop_limit * wider;
    changed.options.stack_size = request.options.stack_size * wider;
    changed.options.scratch_bytes = request.options.scratch_bytes * wider;
    changed.options.stack_threshold = 0;
    changed.options.max_seconds = 0;
  };
  auto free_order = [&](DecodeRequest& changed) {
    changed.options.distortion_limit = free_distortion;
    changed.options.max_span = 0;
  };
  const std::string pops = std::to_string(request.options.pop_limit * wider);
  if (with(widen)) return {{"pop_limit", pops}};
  if (with([&](DecodeRequest& changed) { widen(changed), free_order(changed); })) {
    if (phrases) return {{"pop_limit", pops}, {"distortion_limit", std::to_string(free_distortion)}};
    return {{"pop_limit", pops}, {"max_span", "0"}};
  }
  // What one decoder cannot order, the other may.
  auto other = [&](DecodeRequest& changed) {
    changed.algorithm = phrases ? Algorithm::hierarchical : Algorithm::phrase_based;
  };
  const std::string name = phrases ? "hierarchical" : "phrase-based";
  if (with(other)) return {{"decoder", name}};
  if (with([&](DecodeRequest& changed) { other(changed), free_order(changed); })) {
    if (phrases) return {{"decoder", name}, {"max_span", "0"}};
    return {{"decoder", name}, {"distortion_limit", std::to_string(free_distortion)}};
  }
  return {};
}

std::vector<Span> pieces_of(const std::vector<uint32_t>& reach) {
  std::vector<Span> pieces;
  for (uint32_t at = 0; at < reach.size(); at = pieces.back().end) pieces.push_back({at, std::max(reach[at], at + 1)});
  return pieces;
}

}  // namespace

Forced force(const Decoder& decoder, const SourceSentence& sentence, const std::vector<std::string>& translation,
             const DecodeRequest& request) {
  Decoder::ForcedSearch search = decoder.force(sentence, translation, request);
  Forced forced{std::move(search.decoded), {}, {}, 0, {}};
  if (!forced.decoded.candidates.empty()) return forced;
  for (const std::string& word : translation)
    if (!search.reachable.contains(word) && std::ranges::find(forced.missing, word) == forced.missing.end())
      forced.missing.push_back(word);
  std::vector<uint32_t> reach = std::move(search.reach);
  if (request.algorithm == Algorithm::phrase_based) {
    // The stacks know of beginnings alone; the chart knows what any part of the source gives.
    DecodeRequest chart = request;
    chart.algorithm = Algorithm::hierarchical;
    chart.explain = false;
    const auto charted = decoder.force(sentence, translation, chart).reach;
    for (size_t i = 0; i < reach.size(); ++i) reach[i] = std::max(reach[i], charted[i]);
  }
  forced.pieces = pieces_of(reach);
  forced.prefix = reach.empty() ? 0 : reach[0];
  if (forced.missing.empty()) forced.relaxations = relaxations(decoder, sentence, translation, request);
  return forced;
}

}  // namespace dragoman::search
