#include "nlm/minibatch.h"

#include <algorithm>

namespace dragoman::nlm {

MinibatchMaker::MinibatchMaker(const NetworkShape& shape, const ClassedWords& words) : shape_(shape), words_(words) {}

void MinibatchMaker::sort(std::span<const WordId> words, Minibatch& batch) {
  // By class, those of a class in the order they came in.
  begin_.assign(words_.classes() + 1, 0);
  for (WordId word : words) ++begin_[words_.rows.class_of_word[word] + 1];
  batch.groups.clear();
  for (uint32_t number = 0; number < words_.classes(); ++number) {
    const uint32_t count = begin_[number + 1];
    begin_[number + 1] += begin_[number];
    if (count) batch.groups.push_back({number, begin_[number], begin_[number + 1]});
  }
  order_.resize(words.size());
  batch.classes.resize(words.size());
  batch.in_class.resize(words.size());
  for (uint32_t i = 0; i < words.size(); ++i) {
    const uint32_t number = words_.rows.class_of_word[words[i]], row = begin_[number]++;
    order_[row] = i;
    batch.classes[row] = number;
    batch.in_class[row] = words_.rows.row_of_word[words[i]] - words_.rows.class_begin[number];
  }
}

void MinibatchMaker::reserve(size_t rows, Minibatch& batch) {
  for (std::vector<uint32_t>* numbers : {&batch.classes, &batch.in_class, &order_, &predicted_}) numbers->reserve(rows);
  begin_.reserve(words_.classes() + 1);
  batch.groups.reserve(std::min<size_t>(rows, words_.classes()));
  const size_t contexts = rows * shape_.places(), sources = rows * shape_.source_places();
  batch.contexts.reserve(contexts);
  batch.sources.reserve(sources);
  batch.in_contexts.reserve(contexts, shape_.places(), shape_.words);
  batch.in_sources.reserve(sources, shape_.source_places(), shape_.source_words);
}

void MinibatchMaker::sort(const IdStream& text, std::span<const uint64_t> positions, Minibatch& batch) {
  predicted_.clear();
  for (uint64_t position : positions) predicted_.push_back(text.ids[position]);
  sort(predicted_, batch);
  batch.contexts.resize(positions.size() * shape_.places());
  batch.sources.resize(positions.size() * shape_.source_places());
}

void MinibatchMaker::read(const IdStream& text, std::span<const uint64_t> positions, size_t begin, size_t end,
                          Minibatch& batch) const {
  const uint32_t places = shape_.places(), source_places = shape_.source_places();
  for (size_t row = begin; row < end; ++row) {
    const uint64_t position = positions[order_[row]];
    text.read_context(position, std::span(batch.contexts).subspan(row * places, places));
    if (source_places) text.read_window(position, std::span(batch.sources).subspan(row * source_places, source_places));
  }
}

void MinibatchMaker::find_contexts(Minibatch& batch) const {
  batch.in_contexts.find(batch.contexts, shape_.places(), shape_.words);
}

void MinibatchMaker::find_sources(Minibatch& batch) const {
  batch.in_sources.find(batch.sources, shape_.source_places(), shape_.source_words);
}

void MinibatchMaker::make(const IdStream& text, std::span<const uint64_t> positions, Minibatch& batch) {
  sort(text, positions, batch);
  read(text, positions, 0, positions.size(), batch);
  find_contexts(batch);
  find_sources(batch);
}

void MinibatchMaker::make(std::span<const WordId> words, std::span<const WordId> contexts,
                          std::span<const WordId> sources, Minibatch& batch) {
  sort(words, batch);
  const auto reordered = [&](std::span<const WordId> from, uint32_t places, std::vector<WordId>& to) {
    to.resize(from.size());
    for (size_t row = 0; row < words.size(); ++row)
      std::copy_n(from.begin() + static_cast<ptrdiff_t>(order_[row] * places), places,
                  to.begin() + static_cast<ptrdiff_t>(row * places));
  };
  reordered(contexts, shape_.places(), batch.contexts);
  reordered(sources, shape_.source_places(), batch.sources);
  find_contexts(batch);
  find_sources(batch);
}

void Occurrences::reserve(size_t contexts, uint32_t places, uint32_t vocabulary) {
  const size_t words = std::min<size_t>(contexts, vocabulary);
  number_.reserve(vocabulary);
  words_.reserve(words);
  numbers_.reserve(contexts);
  begin_.reserve(words * places + 1);
  rows_.reserve(contexts);
}

void Occurrences::find(std::span<const WordId> contexts, uint32_t places, uint32_t vocabulary) {
  number_.resize(vocabulary, none);
  for (WordId word : words_) number_[word] = none;
  words_.clear();
  places_ = places;
  numbers_.resize(contexts.size());
  for (size_t i = 0; i < contexts.size(); ++i) {
    uint32_t& number = number_[contexts[i]];
    if (number == none) {
      number = static_cast<uint32_t>(words_.size());
      words_.push_back(contexts[i]);
    }
    numbers_[i] = number;
  }
  begin_.assign(words_.size() * places + 1, 0);
  const size_t rows = places ? contexts.size() / places : 0;
  for (size_t row = 0, i = 0; row < rows; ++row)
    for (uint32_t place = 0; place < places; ++place, ++i) ++begin_[size_t{numbers_[i]} * places + place];
  // Ends of stretches first, which then are filled from behind.
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  rows_.resize(contexts.size());
  for (size_t row = rows; row-- > 0;)
    for (uint32_t place = 0; place < places; ++place)
      rows_[--begin_[size_t{numbers_[row * places + place]} * places + place]] = static_cast<uint32_t>(row);
}

}  // namespace dragoman::nlm
