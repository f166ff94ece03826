// Runs every test, or those whose names are given.
#include <algorithm>
#include <exception>
#include <string_view>

#include "tests/check.h"

int main(int count, char** arguments) {
  auto& registry = dragoman::tests::Registry::instance();
  int ran = 0, failed = 0;
  for (const auto& test : registry.tests) {
    const auto is_named = [&](std::string_view argument) { return argument == test.name; };
    if (count > 1 && std::none_of(arguments + 1, arguments + count, is_named)) continue;
    ++ran;
    const int before = registry.failures;
    try {
      test.body();
    } catch (const std::exception& error) {
      registry.fail(test.name.c_str(), 0, std::string("threw ") + error.what());
    }
    if (registry.failures != before) {
      ++failed;
      std::fprintf(stderr, "FAILED %s\n", test.name.c_str());
    }
  }
  std::printf("core: %d passed, %d failed\n", ran - failed, failed);
  return failed ? 1 : 0;
}
