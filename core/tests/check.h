// A test harness of one page: TEST(name) registers a body, CHECK and CHECK_THROWS count what fails.
#pragma once

#include <atomic>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace dragoman::tests {

struct Registry {
  struct Test {
    std::string name;
    std::function<void()> body;
  };
  std::vector<Test> tests;
  std::atomic<int> failures = 0;  // threads check too

  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  int add(std::string name, std::function<void()> body) {
    tests.push_back({std::move(name), std::move(body)});
    return 0;
  }
  void fail(const char* file, int line, const std::string& what) {
    ++failures;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
  }
};

}  // namespace dragoman::tests

#define DRAGOMAN_TEST_FAIL(what) ::dragoman::tests::Registry::instance().fail(__FILE__, __LINE__, what)
#define TEST(name)                                                                                      \
  static void test_##name();                                                                            \
  static const int registered_##name = ::dragoman::tests::Registry::instance().add(#name, test_##name); \
  static void test_##name()
#define CHECK(condition)                                         \
  do {                                                           \
    if (!(condition)) DRAGOMAN_TEST_FAIL("failed: " #condition); \
  } while (false)
#define CHECK_THROWS(expression, type)                                    \
  do {                                                                    \
    bool thrown = false;                                                  \
    try {                                                                 \
      (void)(expression);                                                 \
    } catch (const type&) {                                               \
      thrown = true;                                                      \
    }                                                                     \
    if (!thrown) DRAGOMAN_TEST_FAIL(#expression " did not throw " #type); \
  } while (false)
