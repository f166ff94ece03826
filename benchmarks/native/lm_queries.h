// What the query benchmarks of the two language models share: queries taken from a text, and the time they need.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/namespaces.h"

inline std::vector<std::vector<std::string>> read_words(const char* path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    lines.emplace_back();
    for (std::string word; words >> word;) lines.back().push_back(word);
  }
  return lines;
}

// Model has State, Word, begin(), find(string), end() and score(state, word, out state) -> float.
template <class Model>
int measure(const Model& model, const char* text_path, int repeats) {
  using State = typename Model::State;
  using Word = typename Model::Word;
  std::vector<Word> text;
  for (const auto& line : read_words(text_path)) {
    for (const std::string& word : line) text.push_back(model.find(word));
    text.push_back(model.end());
  }
  struct Query {
    State state;
    Word word;
  };
  std::vector<Query> queries;
  State state = model.begin();
  for (Word word : text) {
    queries.push_back({state, word});
    State next{};
    model.score(state, word, next);
    state = word == model.end() ? model.begin() : next;
  }
  std::shuffle(queries.begin(), queries.end(), std::mt19937(1));

  auto best_ns = [&](auto&& run) {
    double best = 1e300;
    double sum = 0;
    for (int i = 0; i < repeats; ++i) {
      const std::clock_t begin = std::clock();
      sum = run();
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      best = std::min(best, seconds / static_cast<double>(text.size()) * 1e9);
    }
    return std::pair(best, sum);
  };
  const auto sequential = best_ns([&] {
    double sum = 0;
    State states[2] = {model.begin(), {}};
    int now = 0;
    for (Word word : text) {
      sum += model.score(states[now], word, states[1 - now]);
      now = 1 - now;
      if (word == model.end()) states[now] = model.begin();
    }
    return sum;
  });
  const auto random = best_ns([&] {
    double sum = 0;
    State out{};
    for (const Query& query : queries) sum += model.score(query.state, query.word, out);
    return sum;
  });
  std::printf("{\"queries\": %zu, \"log10_prob\": %.4f, \"sequential_ns\": %.1f, \"random_ns\": %.1f}\n",
              text.size(), sequential.second, sequential.first, random.first);
  return 0;
}
