#include "nlm/session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/hash.h"

namespace dragoman::nlm {
namespace {

constexpr uint32_t chunk = 256;  // queries worked on together
constexpr uint32_t table_size = 2 * chunk;
constexpr uint32_t block = 4;  // contexts that share a pass over weights
constexpr uint32_t none = UINT32_MAX;
constexpr float largest_score = 1e4f;

size_t activation_bytes(const Header& header) {
  return header.output_precision == Precision::int8 ? header.stride : size_t{header.stride} * sizeof(float);
}

size_t context_bytes(const Header& header, uint32_t lists) {
  return sizeof(uint64_t) + 2 * sizeof(float) + activation_bytes(header) + lists * sizeof(DirectLists);
}

// Damaged weights must not give what no search can order.
float checked(float score) {
  return std::isfinite(score) ? std::clamp(score, -largest_score, largest_score) : -largest_score;
}

float log_sigmoid(float x) { return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x)); }

}  // namespace

// Half of the memory holds contexts, a quarter scores, an eighth normalisers.
Session::Session(const NeuralModel& model, size_t cache_bytes)
    : model_(model),
      header_(model.header()),
      projection_(model),
      context_words_(model.order() - 1),
      lists_(model.direct().empty() ? 0 : context_words_),
      codes_(header_.output_precision == Precision::int8),
      context_keys_(cache_bytes / 2 / context_bytes(header_, lists_)),
      context_factors_(context_keys_.slots()),
      context_activations_(context_keys_.slots() * activation_bytes(header_)),
      context_lists_(context_keys_.slots() * lists_),
      normalisers_(cache_bytes / 8),
      words_(cache_bytes / 4),
      keys_(2 * size_t{chunk}),
      table_(table_size),
      values_(size_t{chunk} * header_.stride),
      bytes_(codes_ ? size_t{chunk} * header_.stride : 0),
      direct_(size_t{chunk} * lists_),
      logits_(size_t{block} * padded(std::max({model.largest_class(), header_.classes, 1u}))) {}

void Session::begin(std::span<const WordId> source) {
  projection_.set_source(source);
  ++salt_;
  counts_ = {};
}

Activation Session::activation(uint32_t context) const {
  return {values_.data() + size_t{context} * header_.stride,
          codes_ ? bytes_.data() + size_t{context} * header_.stride : nullptr, contexts_[context].activation_scale};
}

void Session::score(std::span<const Query> queries, float* scores) {
  for (size_t at = 0; at < queries.size(); at += chunk)
    score_chunk(queries.subspan(at, std::min<size_t>(chunk, queries.size() - at)), scores + at);
}

void Session::score_chunk(std::span<const Query> queries, float* scores) {
  pending_.clear();
  contexts_.clear();
  std::ranges::fill(table_, none);
  counts_.queries += queries.size();
  for (size_t i = 0; i < queries.size(); ++i) {
    const Query& query = queries[i];
    uint64_t key = mix(salt_ ^ (model_.reads_source() ? uint64_t{query.source} << 32 : 0));
    for (uint32_t place = 0; place < context_words_; ++place) key = mix(key ^ query.context[place]);
    keys_[2 * i] = key;
    keys_[2 * i + 1] = mix(key ^ (uint64_t{query.word} << 1 | 1));
    words_.prefetch(keys_[2 * i + 1]);
  }
  for (size_t i = 0; i < queries.size(); ++i) {
    const Query& query = queries[i];
    const uint64_t key = keys_[2 * i], word_key = keys_[2 * i + 1];
    if (const float* known = words_.find(word_key)) {
      ++counts_.word_hits;
      scores[i] = *known;
      continue;
    }
    if (!model_.is_predicted(query.word)) {
      scores[i] = -largest_score;
      continue;
    }
    const uint32_t context = context_of(query, key);
    const uint32_t of = header_.output == Output::tree ? 0 : model_.class_of(query.word);
    if (header_.output != Output::tree) model_.word_weights().prefetch(model_.row_of(query.word));
    pending_.push_back({&query, scores + i, word_key, context, contexts_[context].first_pending, of, 0});
    contexts_[context].first_pending = static_cast<uint32_t>(pending_.size() - 1);
  }
  if (pending_.empty()) return;
  load_contexts();
  if (header_.output == Output::classes) normalise_classes();
  store_contexts();
  score_words();
  for (const Pending& each : pending_) {
    *each.score = checked(*each.score);
    // Twice the same in one batch is stored once.
    if (!words_.find(each.key)) words_.insert(each.key, *each.score);
  }
}

uint32_t Session::context_of(const Query& query, uint64_t key) {
  uint32_t slot = static_cast<uint32_t>(key) & (table_size - 1);
  while (table_[slot] != none && contexts_[table_[slot]].key != key) slot = (slot + 1) & (table_size - 1);
  if (table_[slot] == none) {
    table_[slot] = static_cast<uint32_t>(contexts_.size());
    contexts_.push_back({key, &query, 0, 0, none, false});
    context_keys_.prefetch(key);
    projection_.prefetch(query.context);
  }
  return table_[slot];
}

// Hidden layers and direct n-grams: from the cache, or computed.
void Session::load_contexts() {
  const size_t size = activation_bytes(header_);
  counts_.contexts += contexts_.size();
  for (uint32_t i = 0; i < contexts_.size(); ++i) {
    Context& context = contexts_[i];
    std::byte* layer = codes_ ? reinterpret_cast<std::byte*>(bytes_.data() + size_t{i} * header_.stride)
                              : reinterpret_cast<std::byte*>(values_.data() + size_t{i} * header_.stride);
    const uint32_t slot = context_keys_.find(context.key);
    context.known = slot != KeySets::absent;
    if (context.known) {
      ++counts_.context_hits;
      context.activation_scale = context_factors_[slot].activation_scale;
      context.class_normaliser = context_factors_[slot].class_normaliser;
      std::memcpy(layer, context_activations_.data() + slot * size, size);
      std::copy_n(context_lists_.begin() + size_t{slot} * lists_, lists_, direct_.begin() + size_t{i} * lists_);
      continue;
    }
    // Words that the model does not have would be read outside its tables.
    WordId words[max_order];
    for (uint32_t place = 0; place < context_words_; ++place)
      words[place] = context.query->context[place] < header_.words ? context.query->context[place] : unknown_word;
    float* values = values_.data() + size_t{i} * header_.stride;
    projection_.project(words, context.query->source, values);
    context.activation_scale =
        model_.kernels().rectify(values, header_.stride, codes_ ? bytes_.data() + size_t{i} * header_.stride : nullptr);
    if (lists_) model_.direct().find(words, context_words_, direct_.data() + size_t{i} * lists_);
  }
}

// The class factor of all new contexts, a few at a time, and the logits of the classes their queries ask for.
void Session::normalise_classes() {
  const uint32_t classes = header_.classes;
  const size_t stride = padded(classes);
  fresh_.clear();
  for (uint32_t i = 0; i < contexts_.size(); ++i)
    if (!contexts_[i].known && header_.normalisation != Normalisation::none) {
      fresh_.push_back(i);
    } else {
      for (uint32_t at = contexts_[i].first_pending; at != none; at = pending_[at].next)
        pending_[at].class_logit = class_logit(i, pending_[at].class_);
    }
  for (size_t at = 0; at < fresh_.size(); at += block) {
    const auto many = static_cast<uint32_t>(std::min<size_t>(block, fresh_.size() - at));
    Activation layers[block];
    for (uint32_t c = 0; c < many; ++c) layers[c] = activation(fresh_[at + c]);
    model_.kernels().logits(model_.class_weights(), 0, classes, model_.class_bias(), layers, many, logits_.data(),
                            stride);
    for (uint32_t c = 0; c < many; ++c) {
      float* logits = logits_.data() + c * stride;
      Context& context = contexts_[fresh_[at + c]];
      for (uint32_t list = 0; list < lists_; ++list) {
        const DirectList found = direct_[size_t{fresh_[at + c]} * lists_ + list].classes;
        for (uint32_t i = found.begin; i < found.end; ++i) {
          const DirectRecord record = model_.direct().class_(i);
          if (record.id < classes) logits[record.id] += record.weight;
        }
      }
      context.class_normaliser = model_.kernels().log_sum_exp(logits, classes);
      for (uint32_t i = context.first_pending; i != none; i = pending_[i].next)
        pending_[i].class_logit = logits[pending_[i].class_];
    }
  }
}

void Session::store_contexts() {
  const size_t size = activation_bytes(header_);
  for (uint32_t i = 0; i < contexts_.size(); ++i) {
    const Context& context = contexts_[i];
    if (context.known) continue;
    const uint32_t slot = context_keys_.insert(context.key);
    const Activation layer = activation(i);
    context_factors_[slot] = {context.activation_scale, context.class_normaliser};
    std::memcpy(context_activations_.data() + slot * size,
                codes_ ? reinterpret_cast<const void*>(layer.codes) : reinterpret_cast<const void*>(layer.values),
                size);
    std::copy_n(direct_.begin() + size_t{i} * lists_, lists_, context_lists_.begin() + size_t{slot} * lists_);
  }
}

float Session::class_logit(uint32_t context, uint32_t of) {
  const Activation layer = activation(context);
  float logit;
  model_.kernels().logits(model_.class_weights(), of, 1, model_.class_bias() + of, &layer, 1, &logit, 1);
  for (uint32_t list = 0; list < lists_; ++list)
    logit += model_.direct().class_weight(direct_[size_t{context} * lists_ + list].classes, of);
  return logit;
}

float Session::word_logit(uint32_t context, WordId word) {
  const Activation layer = activation(context);
  const uint32_t row = model_.row_of(word);
  float logit;
  model_.kernels().logits(model_.word_weights(), row, 1, model_.word_bias() + row, &layer, 1, &logit, 1);
  for (uint32_t list = 0; list < lists_; ++list)
    logit += model_.direct().word_weight(direct_[size_t{context} * lists_ + list].words, row);
  return logit;
}

void Session::add_direct_words(uint32_t context, uint32_t first_row, uint32_t rows, float* logits) const {
  for (uint32_t list = 0; list < lists_; ++list) {
    const DirectList found = direct_[size_t{context} * lists_ + list].words;
    if (found.begin == found.end) continue;
    for (uint32_t i = model_.direct().first_word_from(found, first_row); i < found.end; ++i) {
      const DirectRecord record = model_.direct().word(i);
      if (record.id - first_row >= rows) break;
      logits[record.id - first_row] += record.weight;
    }
  }
}

uint64_t Session::class_key(const Pending& pending) const {
  return mix(contexts_[pending.context].key ^ (uint64_t{pending.class_} << 1 | 1) << 32);
}

void Session::score_words() {
  if (header_.output == Output::tree) {
    for (Pending& each : pending_) score_in_tree(each);
    return;
  }
  for (Pending& each : pending_)
    *each.score =
        header_.output == Output::classes ? each.class_logit - contexts_[each.context].class_normaliser : 0.0f;
  if (header_.normalisation != Normalisation::exact) {
    for (Pending& each : pending_) *each.score += word_logit(each.context, each.query->word);
    return;
  }
  // By class, then by context, so that rows are read once; what the cache knows needs one row alone.
  order_.clear();
  for (uint32_t i = 0; i < pending_.size(); ++i) {
    ++counts_.normalisers;
    if (const float* known = normalisers_.find(class_key(pending_[i]))) {
      ++counts_.normaliser_hits;
      *pending_[i].score += word_logit(pending_[i].context, pending_[i].query->word) - *known;
    } else {
      order_.push_back(i);
    }
  }
  std::ranges::sort(order_, [&](uint32_t left, uint32_t right) {
    const Pending &a = pending_[left], &b = pending_[right];
    if (a.class_ != b.class_) return a.class_ < b.class_;
    return a.context != b.context ? a.context < b.context : left < right;
  });
  for (size_t begin = 0; begin < order_.size();) {
    size_t end = begin;
    uint32_t contexts = 0;
    while (end < order_.size() && pending_[order_[end]].class_ == pending_[order_[begin]].class_) {
      const bool another = end == begin || pending_[order_[end]].context != pending_[order_[end - 1]].context;
      if (another && contexts == block) break;
      contexts += another;
      ++end;
    }
    score_in_class(std::span(order_).subspan(begin, end - begin));
    begin = end;
  }
}

// Queries of one class in at most `block` contexts.
void Session::score_in_class(std::span<const uint32_t> group) {
  const uint32_t of = pending_[group[0]].class_;
  const uint32_t first = model_.class_begin(of), rows = model_.class_size(of);
  const size_t stride = padded(rows);
  Activation layers[block];
  uint32_t contexts = 0;
  for (size_t i = 0; i < group.size(); ++i)
    if (i == 0 || pending_[group[i]].context != pending_[group[i - 1]].context)
      layers[contexts++] = activation(pending_[group[i]].context);
  model_.kernels().logits(model_.word_weights(), first, rows, model_.word_bias() + first, layers, contexts,
                          logits_.data(), stride);
  float* logits = logits_.data() - stride;
  float normaliser = 0;
  for (size_t i = 0; i < group.size(); ++i) {
    const Pending& each = pending_[group[i]];
    if (i == 0 || each.context != pending_[group[i - 1]].context) {
      logits += stride;
      add_direct_words(each.context, first, rows, logits);
      normaliser = model_.kernels().log_sum_exp(logits, rows);
      normalisers_.insert(class_key(each), normaliser);
    } else {
      ++counts_.normaliser_hits;
    }
    *each.score += logits[model_.row_of(each.query->word) - first] - normaliser;
  }
}

void Session::score_in_tree(Pending& pending) {
  const Activation layer = activation(pending.context);
  float total = 0;
  for (uint32_t link = model_.parent_of_word(pending.query->word); link != no_row;
       link = model_.parent_of_node(link / 2)) {
    const uint32_t node = link / 2;
    float logit;
    model_.kernels().logits(model_.node_weights(), node, 1, model_.node_bias() + node, &layer, 1, &logit, 1);
    total += log_sigmoid(link % 2 ? logit : -logit);
  }
  *pending.score = total;
}

void Session::score_all(const WordId* context, uint32_t source, float* scores) {
  std::vector<Query> queries;
  for (WordId word = 0; word < header_.words; ++word) queries.push_back({context, word, source});
  score(queries, scores);
  scores[no_word] = scores[sentence_begin] = 0;
}

}  // namespace dragoman::nlm
