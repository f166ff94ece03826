#include "nlm/direct_features.h"

#include <algorithm>
#include <tuple>

#include "nlm/direct_ngrams.h"

namespace dragoman::nlm {
namespace {

// Keys of n-grams that are sorted at once.
constexpr uint64_t most_keys = uint64_t{1} << 23;
// The length of an n-gram stands in the last bits of its key.
constexpr uint64_t length_mask = 15;

template <class Visit>
void for_each_ngram(const IdStream& text, uint32_t order, Visit&& visit) {
  std::vector<WordId> context(order - 1);
  for (uint64_t position = 0; position < text.ids.size(); ++position) {
    if (!text.is_predicted(position)) continue;
    text.read_context(position, context);
    uint64_t hash = direct_seed;
    for (uint32_t length = 1; length < order; ++length) {
      hash = direct_hash(hash, context[length - 1]);
      const uint64_t key = direct_hash(~hash, text.ids[position]);
      visit(TextNgram{position, length}, (key & ~length_mask) | length);
    }
  }
}

struct CountedNgram {
  uint64_t key;
  uint64_t count;
};

bool comes_first(const CountedNgram& one, const CountedNgram& other) {
  if (one.count != other.count) return one.count > other.count;
  const uint64_t length = one.key & length_mask, other_length = other.key & length_mask;
  return length != other_length ? length < other_length : one.key < other.key;
}

void keep_first(std::vector<CountedNgram>& ngrams, size_t most) {
  if (ngrams.size() <= most) return;
  std::nth_element(ngrams.begin(), ngrams.begin() + static_cast<ptrdiff_t>(most), ngrams.end(), comes_first);
  ngrams.resize(most);
}

void add_repeated(std::vector<uint64_t>& keys, std::vector<CountedNgram>& ngrams) {
  std::ranges::sort(keys);
  for (size_t begin = 0, end; begin < keys.size(); begin = end) {
    for (end = begin + 1; end < keys.size() && keys[end] == keys[begin];) ++end;
    if (end - begin >= 2) ngrams.push_back({keys[begin], end - begin});
  }
}

}  // namespace

std::vector<TextNgram> frequent_ngrams(const IdStream& text, uint32_t order, size_t most) {
  const uint64_t passes = 1 + text.ids.size() * (order - 1) / most_keys;
  std::vector<CountedNgram> best;
  std::vector<uint64_t> keys;
  for (uint64_t pass = 0; pass < passes; ++pass) {
    keys.clear();
    for_each_ngram(text, order, [&](const TextNgram&, uint64_t key) {
      if ((key >> 32) % passes == pass) keys.push_back(key);
    });
    add_repeated(keys, best);
    keep_first(best, most);
  }
  FlatMap wanted;
  wanted.reserve(best.size());
  for (const CountedNgram& ngram : best) wanted[ngram.key] = 0;
  std::vector<TextNgram> first_places;
  for_each_ngram(text, order, [&](const TextNgram& ngram, uint64_t key) {
    if (wanted.find(key) != 0) return;
    wanted[key] = 1;
    first_places.push_back(ngram);
  });
  return first_places;
}

DirectFeatures::DirectFeatures(const IdStream& text, uint32_t order, std::span<const TextNgram> ngrams,
                               const ClassedWords& classed) {
  const uint32_t width = order - 1;
  std::vector<WordId> context(width);
  struct Feature {
    uint64_t hash;
    uint32_t number, word;  // class, and which of its words
    TextNgram ngram;
  };
  std::vector<Feature> features;
  for (const TextNgram& ngram : ngrams) {
    text.read_context(ngram.position, context);
    uint64_t hash = direct_seed;
    for (uint32_t i = 0; i < ngram.length; ++i) hash = direct_hash(hash, context[i]);
    const auto word = text.ids[ngram.position];
    const uint32_t number = classed.rows.class_of_word[word];
    features.push_back({hash, number, classed.rows.row_of_word[word] - classed.rows.class_begin[number], ngram});
  }
  std::ranges::sort(features, {},
                    [](const Feature& feature) { return std::tuple(feature.hash, feature.number, feature.word); });
  for (size_t i = 0; i < features.size(); ++i) {
    const Feature& feature = features[i];
    const bool is_new = i == 0 || features[i - 1].hash != feature.hash;
    if (is_new) {
      numbers_[feature.hash] = static_cast<uint32_t>(class_begin.size());
      class_begin.push_back(static_cast<uint32_t>(classes.size()));
      text.read_context(feature.ngram.position, context);
      for (uint32_t k = 0; k < width; ++k)
        context_words.push_back(k < feature.ngram.length ? static_cast<int32_t>(context[k]) : -1);
    }
    if (is_new || features[i - 1].number != feature.number) {
      classes.push_back(feature.number);
      word_begin.push_back(static_cast<uint32_t>(words.size()));
    }
    if (classed.size_of(feature.number) > 1) words.push_back(feature.word);
  }
  // Twice: the end of the last stretch, and an empty one.
  class_begin.insert(class_begin.end(), 2, static_cast<uint32_t>(classes.size()));
  word_begin.insert(word_begin.end(), 2, static_cast<uint32_t>(words.size()));
}

void DirectFeatures::find(std::span<const WordId> context, uint32_t* numbers) const {
  uint64_t hash = direct_seed;
  for (size_t i = 0; i < context.size(); ++i) {
    hash = direct_hash(hash, context[i]);
    numbers[i] = std::min(numbers_.find(hash), contexts());
  }
}

uint32_t DirectFeatures::class_feature(uint32_t context, uint32_t number) const {
  const auto begin = classes.begin() + class_begin[context], end = classes.begin() + class_begin[context + 1];
  const auto at = std::lower_bound(begin, end, number);
  return static_cast<uint32_t>(at != end && *at == number ? at - classes.begin() : classes.end() - classes.begin());
}

DirectTensors::DirectTensors(const DirectFeatures& features, const ClassedWords& classed)
    : contexts(features.context_words), classes(features.classes.begin(), features.classes.end()) {
  for (size_t feature = 0; feature < features.classes.size(); ++feature)
    for (uint32_t i = features.word_begin[feature]; i < features.word_begin[feature + 1]; ++i) {
      const uint32_t row = classed.rows.class_begin[features.classes[feature]] + features.words[i];
      words.push_back(static_cast<int32_t>(classed.rows.words[row]));
    }
  for (uint32_t context = 0; context <= features.contexts(); ++context) {
    class_begin.push_back(features.class_begin[context]);
    // Words of a context are those of its class features, which follow one another.
    word_begin.push_back(features.word_begin[features.class_begin[context]]);
  }
}

void DirectTensors::add_to(Tensors& tensors) const {
  tensors["direct_contexts"] = std::as_bytes(std::span(contexts));
  tensors["direct_classes"] = std::as_bytes(std::span(classes));
  tensors["direct_words"] = std::as_bytes(std::span(words));
  tensors["direct_class_begin"] = std::as_bytes(std::span(class_begin));
  tensors["direct_word_begin"] = std::as_bytes(std::span(word_begin));
}

}  // namespace dragoman::nlm
