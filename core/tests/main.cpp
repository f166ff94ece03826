#include <exception>

#include "tests/check.h"

int main() {
  auto& registry = dragoman::tests::Registry::instance();
  int failed = 0;
  for (const auto& test : registry.tests) {
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
  std::printf("core: %zu passed, %d failed\n", registry.tests.size() - static_cast<size_t>(failed), failed);
  return failed ? 1 : 0;
}
