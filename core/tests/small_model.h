// A model small enough to make in a test: source words are letters from a on, each translated by the letter twelve
// further on.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

#include "base/atomic_file.h"
#include "base/monitor.h"
#include "index/index_builder.h"
#include "lm/compact.h"
#include "lm/estimate.h"
#include "text/id_text_builder.h"
#include "text/stored_links.h"
#include "translate/open_model.h"

namespace dragoman::tests {

using namespace text;
using namespace index;

// A folder for a test, which goes with it.
struct Folder {
  std::filesystem::path path;
  explicit Folder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("dragoman-" + name + "-" + std::to_string(::getpid()))) {
    std::filesystem::create_directory(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

inline std::string random_line(std::mt19937_64& random, char first, uint32_t letters) {
  std::string line;
  for (uint64_t i = 0, length = 2 + random() % 7; i < length; ++i)
    line += std::string(i > 0, ' ') + static_cast<char>(first + random() % letters);
  return line;
}

inline void write_small_model(const Folder& folder) {
  std::mt19937_64 random(5);
  std::string source, target, links;
  for (int pair = 0; pair < 300; ++pair) {
    const std::string line = random_line(random, 'a', 6);
    source += line + "\n";
    for (size_t i = 0; i < line.size(); i += 2) {
      target += std::string(i > 0, ' ') + static_cast<char>(line[i] + 12);
      links += std::string(i > 0, ' ') + std::to_string(i / 2) + "-" + std::to_string(i / 2);
    }
    target += "\n";
    links += "\n";
  }
  Monitor monitor;
  const text::IdText source_text = text::encode_text(source), target_text = text::encode_text(target);
  const auto stored = text::StoredLinks::parse(links, source_text, target_text);
  index::build_index(folder.path.string(), {source_text, target_text, stored}, {}, monitor);
  lm::TextEncoder text;
  text.add(target);
  lm::EstimateOptions options;
  options.order = 3;
  const auto bytes = lm::make_compact(lm::estimate(text.finish(), options, monitor).trie, {0, 0}, monitor);
  AtomicFile file(folder / "lm.bin");
  file.write(bytes);
  file.commit();
}

inline translate::ModelParts small_model_parts() {
  translate::ModelParts parts{
      .source_tokenizer = "fr", .target_tokenizer = "en", .language_models = {{"LanguageModel", "lm.bin"}}};
  parts.weights = {{"LanguageModel", 0.5}, {"EgivenFCoherent", -1}, {"Glue", 0.1}, {"Distortion", 0.2}};
  parts.live = {3, 4, true};
  return parts;
}

}  // namespace dragoman::tests
