#include "nlm/direct_tensors.h"

#include <algorithm>

namespace dragoman::nlm {
namespace {

std::vector<DirectRecord> sorted_list(std::span<const int32_t> ids, std::span<const float> weights, uint64_t begin,
                                      uint64_t end, const std::string& name, auto&& number_of) {
  std::vector<DirectRecord> list;
  for (uint64_t i = begin; i < end; ++i) {
    const uint32_t id = number_of(ids[i]);
    if (id == no_row) throw ConfigError(name, std::to_string(ids[i]) + " cannot follow a context");
    list.push_back({id, weights[i]});
  }
  std::ranges::stable_sort(list, {}, &DirectRecord::id);
  // The same n-gram twice: both weights count.
  size_t kept = 0;
  for (size_t i = 0; i < list.size(); ++i)
    if (kept > 0 && list[kept - 1].id == list[i].id)
      list[kept - 1].weight += list[i].weight;
    else
      list[kept++] = list[i];
  list.resize(kept);
  return list;
}

}  // namespace

DirectTable direct_table(TensorReader& reader, const ModelDescription& description, const Header& header,
                         const OutputRows& rows) {
  const uint32_t width = description.order - 1;
  const auto contexts = reader.all<int32_t>("direct_contexts");
  if (contexts.size() % width) throw ConfigError("direct_contexts", "does not have order - 1 columns");
  const uint64_t count = contexts.size() / width;
  auto lists = [&](const std::string& kind, std::vector<int64_t>& begin, std::vector<int32_t>& ids,
                   std::vector<float>& weights) {
    const std::string plural = kind == "class" ? "direct_classes" : "direct_words";
    begin = reader.values<int64_t>("direct_" + kind + "_begin", count + 1);
    ids = reader.all<int32_t>(plural);
    weights = reader.values<float>("direct_" + kind + "_weights", ids.size());
    bool fits = begin[0] == 0 && static_cast<uint64_t>(begin[count]) == ids.size() && ids.size() < UINT32_MAX;
    for (uint64_t i = 0; i < count; ++i) fits = fits && begin[i] <= begin[i + 1];
    if (!fits) throw ConfigError("direct_" + kind + "_begin", "does not divide its list");
  };
  std::vector<int64_t> word_begin, class_begin;
  std::vector<int32_t> words, classes;
  std::vector<float> word_weights, class_weights;
  lists("word", word_begin, words, word_weights);
  if (description.output == Output::classes)
    lists("class", class_begin, classes, class_weights);
  else
    class_begin.assign(count + 1, 0);

  DirectTable table;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t hash = direct_seed;
    uint32_t length = 0;
    for (; length < width && contexts[i * width + length] >= 0; ++length) {
      const int32_t word = contexts[i * width + length];
      if (static_cast<uint32_t>(word) >= header.words) throw ConfigError("direct_contexts", "names words that are not");
      hash = direct_hash(hash, static_cast<WordId>(word));
    }
    if (length == 0) throw ConfigError("direct_contexts", "has a context without words");
    table.hashes.push_back(hash);
    const auto word_list =
        sorted_list(words, word_weights, word_begin[i], word_begin[i + 1], "direct_words", [&](int32_t id) {
          return id < 0 || static_cast<uint32_t>(id) >= header.words ? no_row : rows.row_of_word[id];
        });
    const auto class_list =
        sorted_list(classes, class_weights, class_begin[i], class_begin[i + 1], "direct_classes", [&](int32_t id) {
          return id < 0 || static_cast<uint32_t>(id) >= header.classes ? no_row : static_cast<uint32_t>(id);
        });
    table.words.insert(table.words.end(), word_list.begin(), word_list.end());
    table.classes.insert(table.classes.end(), class_list.begin(), class_list.end());
    table.word_begin.push_back(table.words.size());
    table.class_begin.push_back(table.classes.size());
  }
  return table;
}

}  // namespace dragoman::nlm
