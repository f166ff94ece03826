// Seconds of CPU to sort the suffixes of a text by our suffix array: suffix_arrays TEXT words|bytes
// Words are numbered in the order in which they come; prints symbols, different ones and seconds as JSON.
#include <cstdio>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/suffix_array.h"

int main(int count, char** arguments) {
  if (count != 3) return 2;
  std::ifstream in(arguments[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<uint32_t> symbols;
  uint32_t alphabet = 256;
  if (std::string_view(arguments[2]) == "bytes") {
    for (const char c : text) symbols.push_back(static_cast<unsigned char>(c));
  } else {
    std::unordered_map<std::string, uint32_t> numbers;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find_first_of(" \n", at), text.size());
      if (end > at)
        symbols.push_back(numbers.try_emplace(text.substr(at, end - at), static_cast<uint32_t>(numbers.size())).first->second);
      at = end + 1;
    }
    alphabet = static_cast<uint32_t>(numbers.size());
  }
  const std::clock_t begin = std::clock();
  const auto sorted = dragoman::index::suffix_array<int32_t>(symbols, alphabet);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf("{\"symbols\": %zu, \"alphabet\": %u, \"seconds\": %.3f, \"middle\": %d}\n", sorted.size(), alphabet,
              seconds, sorted.empty() ? 0 : sorted[sorted.size() / 2]);
}
