#include "nlm/session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/finite.h"
#include "base/hash.h"
#include "base/prefetch.h"

namespace dragoman::nlm {
namespace {

constexpr uint32_t strip = 64;                    // queries that are looked up together
constexpr uint32_t most_pending = 512;            // scores that are computed together
constexpr uint32_t block = 4;                     // contexts that share a pass over a class
constexpr size_t first_bytes = size_t{4} << 10;   // of a class that are asked for at once
constexpr size_t near_bytes = size_t{384} << 10;  // that may be read ahead: they stay near until they are wanted
constexpr uint32_t none = UINT32_MAX;
constexpr float largest_score = 1e4f;

// A score that is being computed stands in the cache as a number that no score can be.
constexpr uint32_t pending_mark = 0x7fc00000u;  // not a number
constexpr uint32_t pending_mask = 0x003fffffu;
float mark_of(uint32_t pending) { return std::bit_cast<float>(pending_mark | pending); }
bool is_mark(float score) { return std::isnan(score); }
uint32_t pending_of(float mark) { return std::bit_cast<uint32_t>(mark) & pending_mask; }

// Odd factors for the words of a context, its source position and the word asked about: their sum, mixed, is a key.
constexpr uint64_t factors[max_order + 1] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9,
                                             0xd6e8feb86659fd93, 0xa0761d6478bd642f, 0xe7037ed1a0b428db,
                                             0x8ebc6af09c88c6e3, 0x589965cc75374cc3, 0x1d8e4e27c47d124f,
                                             0xeb44accab455d165, 0xff51afd7ed558ccd};
constexpr uint64_t source_factor = factors[max_order - 1], word_factor = factors[max_order];

// A loop of known length, for the order that models have unless somebody asks for another, is none.
template <uint32_t count>
uint64_t weighted_sum(const WordId* context) {
  uint64_t sum = 0;
  for (uint32_t place = 0; place < count; ++place) sum += context[place] * factors[place];
  return sum;
}
uint64_t weighted_sum(const WordId* context, uint32_t count) {
  if (count == 4) return weighted_sum<4>(context);
  uint64_t sum = 0;
  for (uint32_t place = 0; place < count; ++place) sum += context[place] * factors[place];
  return sum;
}

uint64_t normaliser_key(uint32_t context, uint32_t of) { return mix(uint64_t{context} << 32 | of); }

float log_sigmoid(float x) { return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x)); }

}  // namespace

// Half of the memory is for contexts, a quarter for scores, an eighth for normalisers.
Session::Session(const NeuralModel& model, size_t cache_bytes)
    : model_(model),
      header_(model.header()),
      context_words_(model.order() - 1),
      contexts_(model, cache_bytes / 2, most_pending),
      normalisers_(cache_bytes / 8),
      words_(cache_bytes / 4),
      sums_(strip),
      keys_(strip),
      logits_(size_t{block} * padded(std::max(model.largest_class(), 1u))) {}

void Session::begin(std::span<const WordId> source) {
  contexts_.begin(source);
  normalisers_.forget();
  words_.forget();
  counts_ = {};
}

void Session::score(std::span<const Query> queries, float* scores) {
  counts_.queries += queries.size();
  const bool reads = model_.reads_source();
  for (size_t begin = 0; begin < queries.size(); begin += strip) {
    const auto part = queries.subspan(begin, std::min<size_t>(strip, queries.size() - begin));
    for (size_t i = 0; i < part.size(); ++i) {
      const uint64_t sum = (reads ? part[i].source * source_factor : 0) + weighted_sum(part[i].context, context_words_);
      sums_[i] = sum;
      keys_[i] = mix(sum + (part[i].word + uint64_t{1}) * word_factor);
      words_.prefetch(keys_[i]);
      contexts_.prefetch(mix(sum));
    }
    if (pending_.size() + strip > most_pending) settle();
    for (size_t i = 0; i < part.size(); ++i) {
      float& score = scores[begin + i];
      if (const float* known = words_.find(keys_[i])) {
        ++counts_.word_hits;
        score = *known;
        if (is_mark(score)) waiting_.push_back({&score, pending_of(score)});
      } else if (model_.is_predicted(part[i].word)) {
        waiting_.push_back({&score, add_pending(part[i], sums_[i], keys_[i])});
      } else {
        score = -largest_score;
      }
    }
  }
  settle();
}

uint32_t Session::add_pending(const Query& query, uint64_t sum, uint64_t key) {
  if (pending_.empty() && !contexts_.make_room(most_pending)) normalisers_.forget();
  const auto number = static_cast<uint32_t>(pending_.size());
  const uint32_t before = contexts_.size();
  const uint32_t context = contexts_.find_or_add(mix(sum), query.context, query.source);
  const uint32_t of = header_.output == Output::tree ? 0 : model_.class_of(query.word);
  Pending pending{query.word, context, of, none, 0, 0, key};
  ++counts_.contexts;
  counts_.context_hits += contexts_.size() == before;
  const uint32_t first_new = contexts_.first_new();
  if (context < first_new) {
    normalisers_.prefetch(normaliser_key(context, of));
  } else {
    first_pending_.resize(std::max<size_t>(first_pending_.size(), context - first_new + 1), none);
    pending.next = std::exchange(first_pending_[context - first_new], number);
  }
  // An exact score of a new context reads the whole class, which is asked for later.
  if (header_.output != Output::tree && (context < first_new || header_.normalisation != Normalisation::exact))
    model_.word_weights().prefetch(model_.row_of(query.word));
  pending_.push_back(pending);
  words_.insert(key, mark_of(number));
  return number;
}

void Session::settle() {
  if (pending_.empty() && waiting_.empty()) return;
  const uint32_t first_new = contexts_.first_new();
  contexts_.compute_layers();
  score_words(first_new);
  if (header_.output == Output::classes) score_classes(first_new);
  score_groups();
  for (Pending& pending : pending_) {
    pending.score = finite(pending.score, largest_score);
    // Gone if the table was full since.
    if (float* known = words_.find(pending.key)) *known = pending.score;
  }
  for (const Waiting& waiting : waiting_) *waiting.score = pending_[waiting.pending].score;
  pending_.clear();
  waiting_.clear();
  first_pending_.clear();
}

void Session::score_words(uint32_t first_new) {
  groups_.clear();
  scored_groups_ = 0;
  if (header_.output == Output::tree) {
    for (Pending& pending : pending_) pending.score = tree_score(pending);
  } else if (header_.normalisation == Normalisation::exact) {
    group_by_class(first_new);
  } else {
    for (Pending& pending : pending_)
      pending.score = contexts_.word_logit(pending.context, model_.row_of(pending.word));
  }
}

// The factor of the class and that of the word in it need nothing of each other but the hidden layers. So groups of
// words are shared out over the passes over the class weights: while a pass computes, the next groups' rows come.
void Session::score_classes(uint32_t first_new) {
  const uint32_t end = contexts_.size();
  if (header_.normalisation != Normalisation::none)
    for (uint32_t at = first_new; at < end; at += ContextTable::block) {
      const uint32_t many = std::min(ContextTable::block, end - at);
      const size_t until = groups_.size() * (at + many - first_new) / (end - first_new);
      const size_t expected = expect_groups(scored_groups_, until, near_bytes);
      contexts_.normalise_classes(at, many, ahead_, [&](uint32_t context, const float* logits) {
        for (uint32_t i = first_pending_[context - first_new]; i != none; i = pending_[i].next)
          pending_[i].class_logit = logits[pending_[i].class_];
      });
      expect_groups(expected, until);
      while (scored_groups_ < until) score_group(groups_[scored_groups_++]);
    }
  for (Pending& pending : pending_) {
    if (pending.context < first_new || header_.normalisation == Normalisation::none)
      pending.class_logit = contexts_.class_logit(pending.context, pending.class_);
    pending.score += pending.class_logit - contexts_.class_normaliser(pending.context);
  }
}

// Those that are left where no class weights were read: the first rows are asked for now, all others so far ahead.
void Session::score_groups() {
  ahead_.clear();
  if (expect_groups(scored_groups_, groups_.size()) > scored_groups_) {
    auto& [from, to] = ahead_.stretches.front();
    for (const std::byte* start = from; from < to && from < start + first_bytes; from += ReadAhead::line)
      prefetch(from);
  }
  while (scored_groups_ < groups_.size()) score_group(groups_[scored_groups_++]);
  ahead_.clear();
}

// By class, then by context, so that rows are read once; where the normaliser is known one row is enough.
void Session::group_by_class(uint32_t first_new) {
  order_.clear();
  for (uint32_t i = 0; i < pending_.size(); ++i) {
    Pending& query = pending_[i];
    ++counts_.normalisers;
    // Of a new context nothing is known.
    const float* known =
        query.context < first_new ? normalisers_.find(normaliser_key(query.context, query.class_)) : nullptr;
    if (known) {
      ++counts_.normaliser_hits;
      query.score = contexts_.word_logit(query.context, model_.row_of(query.word)) - *known;
    } else {
      order_.push_back(uint64_t{query.class_} << 32 | i);
    }
  }
  std::ranges::sort(order_, [&](uint64_t left, uint64_t right) {
    if (left >> 32 != right >> 32) return left < right;
    const uint32_t a = pending_[static_cast<uint32_t>(left)].context;
    const uint32_t b = pending_[static_cast<uint32_t>(right)].context;
    return a != b ? a < b : left < right;
  });
  auto pending = [&](size_t i) -> const Pending& { return pending_[static_cast<uint32_t>(order_[i])]; };
  for (size_t begin = 0; begin < order_.size();) {
    size_t end = begin;
    uint32_t contexts = 0;
    while (end < order_.size() && pending(end).class_ == pending(begin).class_) {
      const bool another = end == begin || pending(end).context != pending(end - 1).context;
      if (another && contexts == block) break;
      contexts += another;
      ++end;
    }
    groups_.push_back(std::span(order_).subspan(begin, end - begin));
    begin = end;
  }
}

// Their rows are to be read ahead, as many groups' as have so many bytes; returns the first that was left out.
size_t Session::expect_groups(size_t begin, size_t end, size_t most_bytes) {
  const MatrixView& weights = model_.word_weights();
  auto class_of = [&](size_t group) { return pending_[static_cast<uint32_t>(groups_[group][0])].class_; };
  for (size_t bytes = 0; begin < end && bytes < most_bytes; ++begin) {
    const uint32_t of = class_of(begin);
    if (begin > scored_groups_ && class_of(begin - 1) == of) continue;
    const size_t its = weights.row_bytes() * model_.class_size(of);
    ahead_.add(weights.row(model_.class_begin(of)), its);
    bytes += its;
  }
  return begin;
}

// Queries of one class in at most `block` contexts.
void Session::score_group(std::span<const uint64_t> group) {
  auto pending = [&](size_t i) -> Pending& { return pending_[static_cast<uint32_t>(group[i])]; };
  const uint32_t of = pending(0).class_;
  const uint32_t first = model_.class_begin(of), rows = model_.class_size(of);
  const size_t stride = padded(rows);
  Activation layers[block] = {};
  uint32_t contexts = 0;
  for (size_t i = 0; i < group.size(); ++i)
    if (i == 0 || pending(i).context != pending(i - 1).context) {
      layers[contexts++] = contexts_.activation(pending(i).context);
      normalisers_.prefetch(normaliser_key(pending(i).context, of));
    }
  model_.kernels().logits(model_.word_weights(), first, rows, model_.word_bias() + first, layers, contexts,
                          logits_.data(), stride, ahead_);
  float* logits = logits_.data() - stride;
  float normaliser = 0;
  for (size_t i = 0; i < group.size(); ++i) {
    Pending& query = pending(i);
    if (i == 0 || query.context != pending(i - 1).context) {
      logits += stride;
      contexts_.add_direct_words(query.context, first, rows, logits);
      normaliser = model_.kernels().log_sum_exp(logits, rows);
      normalisers_.insert(normaliser_key(query.context, of), normaliser);
    } else {
      ++counts_.normaliser_hits;
    }
    query.score += logits[model_.row_of(query.word) - first] - normaliser;
  }
}

float Session::tree_score(const Pending& pending) const {
  float total = 0;
  for (uint32_t link = model_.parent_of_word(pending.word); link != no_row; link = model_.parent_of_node(link / 2)) {
    const uint32_t node = link / 2;
    const float logit = contexts_.row_logit(model_.node_weights(), node, model_.node_bias(), pending.context);
    total += log_sigmoid(link % 2 ? logit : -logit);
  }
  return total;
}

}  // namespace dragoman::nlm
