// A model in memory translates as the same model on disk does: in one thread, and without a file.
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/errors.h"
#include "tests/check.h"
#include "tests/live_pairs.h"
#include "tests/small_model.h"
#include "translate/open_model.h"
#include "translate/translate.h"

namespace dragoman::translate {
namespace {

using Files = std::map<std::string, std::vector<std::byte>>;

Files read_all(const tests::Folder& folder) {
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto view = std::as_bytes(std::span(bytes));
    files[entry.path().filename().string()] = {view.begin(), view.end()};
  }
  return files;
}

// While this lives the system opens no file. Sanitizers open pipes of their own to find out whether memory can be read,
// so the limit stays as it is for them.
class NoFiles {
 public:
  NoFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
#endif
  }
  ~NoFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoFiles(const NoFiles&) = delete;
  NoFiles& operator=(const NoFiles&) = delete;

 private:
  rlimit before_{};
};

size_t threads_now() {
#if defined(__linux__)
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
#else
  return 1;
#endif
}

std::vector<std::string> translations(const TextTranslator& translator) {
  std::vector<std::string> texts;
  std::mt19937_64 random(7);
  Monitor monitor;
  std::vector<std::string> lines = {"<keep>x. Y</keep> a b <t to=\"q|r\">zz</t> c.", "", "a  {d0} a. b"};
  for (int i = 0; i < 20; ++i) lines.push_back(tests::random_line(random, 'a', 8));
  for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::phrase_based}) {
    TranslateRequest request;
    request.decode.algorithm = algorithm;
    request.decode.kbest = 3;
    request.markup = true;
    for (const auto& line : translate_all(translator, lines, 1, request, translator.glossary(), 1, monitor))
      for (const auto& alternative : line.alternatives)
        texts.push_back(alternative.text + " " + std::to_string(alternative.score));
  }
  return texts;
}

TEST(a_model_in_memory_needs_neither_files_nor_threads) {
  Files files;
  std::vector<std::string> expected;
  {
    const tests::Folder folder("buffers");
    tests::write_small_model(folder);
    files = read_all(folder);
    expected = translations(*open_model(files_in(folder.path.string()), tests::small_model_parts()).translator);
  }
  ModelParts parts = tests::small_model_parts();
  parts.live.background = false;
  const size_t threads = threads_now();
  OpenModel model;
  std::vector<std::string> from_memory;
  {
    const NoFiles no_files;
    model = open_model(files_in_memory(std::move(files)), parts);
    from_memory = translations(*model.translator);
    std::mt19937_64 random(1);
    // Enough for segments to be merged.
    for (uint64_t id = 1000; id < 1040; ++id)
      model.index->apply(std::vector<LiveChange>{tests::random_addition(random, id)});
    CHECK(!translations(*model.translator).empty());
  }
  CHECK(from_memory == expected);
  CHECK(threads_now() == threads);
}

TEST(a_model_in_memory_says_what_is_missing) {
  Files files;
  {
    const tests::Folder folder("missing");
    tests::write_small_model(folder);
    files = read_all(folder);
  }
  for (const char* name : {"vocab.bin", "bitext.bin", "lexicon.bin", "lm.bin"}) {
    Files without = files;
    without.erase(name);
    try {
      open_model(files_in_memory(std::move(without)), tests::small_model_parts());
      CHECK(false);
    } catch (const IoError& error) {
      CHECK(std::string(error.what()).find(name) != std::string::npos);
    }
    Files cut = files;
    cut[name].resize(cut[name].size() / 2);
    CHECK_THROWS(open_model(files_in_memory(std::move(cut)), tests::small_model_parts()), FormatError);
  }
}

}  // namespace
}  // namespace dragoman::translate
