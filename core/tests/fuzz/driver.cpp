// Runs every target a fixed number of times on files that a fixed seed changes, without a fuzzing engine:
//
//   fuzz_readers [--runs N] [--seed S] [target ...]     all targets unless some are named
//   fuzz_readers --seeds FOLDER                         writes the files that mutations begin with
//   fuzz_readers --file PATH target                     one file, such as a finding
//
// Each run is mutations of a seed, or of what an earlier run left. A finding ends the program, is named, and lies in
// the working folder as finding-<target>.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/fuzz/mutation.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
// Files are small here: what asks for more than this has believed a number.
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=64:hard_rss_limit_mb=2048"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }
#endif

namespace {

using namespace dragoman::fuzz;

constexpr unsigned most_seconds = 30;  // of a run
constexpr uint64_t generations = 3;    // of mutations upon mutations

const Target* const targets[] = {&container_target, &vocabulary_target, &bitext_target, &lexicon_target,
                                 &sources_target,   &alignment_target,  &ngram_target,  &neural_target,
                                 &judge_target,     &id_text_target,    &links_target,  &grammar_target};

const Target* current = nullptr;
uint64_t current_run = 0;
Bytes current_file;

void report() {
  if (!current) return;
  const std::string path = "finding-" + std::string(current->name);
  std::fprintf(stderr, "\nfinding in %s, run %llu: see %s\n", path.c_str() + 8,
               static_cast<unsigned long long>(current_run), path.c_str());
  if (std::FILE* out = std::fopen(path.c_str(), "wb")) {
    std::fwrite(current_file.data(), 1, current_file.size(), out);
    std::fclose(out);
  }
  current = nullptr;
}

void on_signal(int number) {
  std::fprintf(stderr, number == SIGALRM ? "\na run took too long\n" : "\nended by signal %d\n", number);
  report();
  std::_Exit(1);
}

void run_once(const Target& target, uint64_t number) {
  current = &target;
  current_run = number;
  alarm(most_seconds);
  run(target, current_file);
  alarm(0);
  current = nullptr;
}

void campaign(const Target& target, uint64_t runs, uint64_t seed) {
  const std::vector<Bytes> seeds = target.seeds();
  for (const Bytes& file : seeds) {
    current_file = file;
    run_once(target, 0);
  }
  for (uint64_t number = 1; number <= runs; ++number) {
    // Every run can be made again by itself.
    Random random(seed << 32 ^ number);
    current_file = seeds[random() % seeds.size()];
    for (uint64_t times = 1 + random() % generations; times > 0; --times)
      current_file = mutated(target, current_file, random);
    run_once(target, number);
  }
  std::printf("%.*s: %llu runs\n", static_cast<int>(target.name.size()), target.name.data(),
              static_cast<unsigned long long>(runs));
  std::fflush(stdout);
}

Bytes read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void write_seeds(const std::string& folder) {
  for (const Target* target : targets) {
    size_t number = 0;
    for (const Bytes& file : target->seeds()) {
      std::ofstream out(folder + "/" + std::string(target->name) + "-" + std::to_string(number++), std::ios::binary);
      out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  uint64_t runs = 200, seed = 1;
  std::string file;
  std::vector<std::string_view> names;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : "";
    if (argument == "--seeds") return write_seeds(value), 0;
    if (argument == "--runs")
      runs = std::strtoull(value, nullptr, 10), ++i;
    else if (argument == "--seed")
      seed = std::strtoull(value, nullptr, 10), ++i;
    else if (argument == "--file")
      file = value, ++i;
    else
      names.push_back(argument);
  }
  for (int number : {SIGALRM, SIGABRT}) std::signal(number, on_signal);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_set_death_callback(report);
#endif
  size_t done = 0;
  for (const Target* target : targets) {
    if (!names.empty() && std::ranges::find(names, target->name) == names.end()) continue;
    ++done;
    if (file.empty()) {
      campaign(*target, runs, seed);
    } else {
      current_file = read(file);
      run_once(*target, 0);
    }
  }
  if (done < std::max<size_t>(1, names.size())) return std::fputs("there is no such target\n", stderr), 2;
  return 0;
}
