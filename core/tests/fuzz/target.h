// One reader of model files under attack: files it is known to read, and everything a program does with one.
//
// A stranger's file has right hashes, so fuzzers need not guess them: what they make is taken apart into sections and
// sealed again before a reader sees it. A reader may refuse a file with an Error at any time; anything else it does
// that is not an answer (a crash, undefined behaviour, another exception, too much memory or time) is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/container.h"
#include "tests/fuzz/sections.h"

namespace dragoman::fuzz {

using Random = std::mt19937_64;

struct Target {
  std::string_view name;
  std::vector<Bytes> (*seeds)();
  void (*use)(Bytes file);
  // Whether the reader gets containers with right hashes; else the bytes as they are.
  bool sealed = true;
};

// Gives a reader what a fuzzer made, sealed.
void run(const Target& target, std::span<const std::byte> data);

// Runs a part of a target; a refusal ends this part alone.
template <class Part>
void attempt(Part&& part) {
  try {
    part();
  } catch (const Error&) {
  }
}

// A finding that no sanitizer would see.
void require(bool condition, const char* what);

// Where this process may write what it reads again.
const std::string& temporary_path();

// One for each kind of file.
extern const Target container_target, vocabulary_target, bitext_target, lexicon_target, sources_target,
    alignment_target, ngram_target, neural_target, judge_target, id_text_target, links_target, grammar_target;

}  // namespace dragoman::fuzz
