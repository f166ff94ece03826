#include "tests/fuzz/target.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "tests/fuzz/sections.h"

namespace dragoman::fuzz {

void run(const Target& target, std::span<const std::byte> data) {
  attempt([&] {
    Bytes file(data.begin(), data.end());
    if (target.sealed)
      if (const auto sections = Sections::read(data)) file = sections->sealed();
    target.use(std::move(file));
  });
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "finding: %s\n", what);
  std::abort();
}

const std::string& temporary_path() {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("dragoman-fuzz" + std::to_string(std::random_device()()))).string();
  return path;
}

}  // namespace dragoman::fuzz
