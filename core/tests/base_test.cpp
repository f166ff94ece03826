#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/character_spans.h"
#include "base/container.h"
#include "base/hash.h"
#include "base/kernels.h"
#include "base/line_vector.h"
#include "base/namespaces.h"
#include "base/number.h"
#include "base/packed_array.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "tests/check.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;

namespace {

std::vector<std::byte> random_bytes(std::mt19937_64& random, size_t size) {
  std::vector<std::byte> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

Container parse(std::vector<std::byte> bytes, Trust trust = Trust::verify_hashes) {
  return Container::parse(Buffer::own(std::move(bytes)), "test", trust);
}

TEST(line_vectors_share_no_line_with_others) {
  const auto line_of = [](const void* at) { return reinterpret_cast<uintptr_t>(at) / cache_line; };
  std::vector<LineVector<char>> all;
  for (size_t size = 1; size < 200; ++size) all.emplace_back(size);
  std::set<uintptr_t> lines;
  for (const LineVector<char>& part : all) {
    CHECK(reinterpret_cast<uintptr_t>(part.data()) % cache_line == 0);
    for (uintptr_t line = line_of(part.data()); line <= line_of(&part.back()); ++line) CHECK(lines.insert(line).second);
  }
}

TEST(numbers_are_read_alike_by_both_libraries) {
  std::mt19937_64 random(11);
  const std::string_view letters = "0123456789.-+eExinfa \t,";
  auto compare = [](std::string_view text) {
    double one = 7, other = 7;
    const bool read = parse_number(text, one);
    CHECK(read == parse_number_by_strtod(text, other));
    CHECK(std::memcmp(&one, &other, sizeof one) == 0);
  };
  for (const char* text :
       {"", "-", "1", "-0", "+1", "1e5", "1e", "0x10", "1e999", " 1", "1 ", "inf", "-inf", ".5", "5."})
    compare(text);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t i = random() % 6; i > 0; --i) text += letters[random() % (round % 2 ? letters.size() : 16)];
    compare(text);
    compare(std::to_string(static_cast<double>(random()) / static_cast<double>(random() % 1000 + 1)));
  }
}

// A whole number is what it is written as again, leading zeros apart, and nothing else is one.
TEST(whole_numbers_are_digits_that_fit) {
  std::mt19937 random(8);
  auto read = [](std::string_view text) -> std::optional<uint32_t> {
    uint32_t value = 7;
    const bool is_number = parse_whole(text, value);
    CHECK(is_number || value == 7);
    return is_number ? std::optional(value) : std::nullopt;
  };
  for (int round = 0; round < 20000; ++round) {
    const uint32_t number = random() >> random() % 32;
    const std::string text = std::string(random() % 3, '0') + std::to_string(number);
    CHECK(read(text) == number);
    std::string wrong = text;
    wrong.insert(random() % (text.size() + 1), 1, " +-.xe\t"[random() % 7]);
    CHECK(!read(wrong));
  }
  CHECK(read("4294967295") == UINT32_MAX);
  for (const char* text : {"", "4294967296", "99999999999999999999"}) CHECK(!read(text));
  uint64_t wide = 0;
  CHECK(parse_whole("18446744073709551615", wide) && wide == UINT64_MAX);
}

TEST(spans_of_characters) {
  const std::string_view text = "aé日𝒳b";
  const TextSpan spans[] = {{0, 0}, {0, 1}, {1, 6}, {6, 10}, {10, 11}, {11, 11}};
  const TextSpan expected[] = {{0, 0}, {0, 1}, {1, 3}, {3, 4}, {4, 5}, {5, 5}};
  CHECK(std::ranges::equal(in_characters(text, spans), expected));
  CHECK(in_characters("", {}).empty());
}

}  // namespace

TEST(hash_known_values) {
  CHECK(hash_bytes("") == 0xef46db3751d8e999ull);
  CHECK(hash_bytes("abc") == 0x44bc2cf5ad770999ull);
}

TEST(kernel_levels_agree) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text(random() % 300, 'x');
    for (char& c : text) c = static_cast<char>(random() % 128);
    if (!text.empty() && round % 2) text[random() % text.size()] = static_cast<char>(0xc3);
    const auto& baseline = base_kernels(KernelLevel::baseline);
    for (int level = 0; level <= static_cast<int>(best_kernel_level()); ++level) {
      const auto& kernels = base_kernels(static_cast<KernelLevel>(level));
      CHECK(kernels.ascii_prefix(text.data(), text.size()) == baseline.ascii_prefix(text.data(), text.size()));
      CHECK(kernels.count_byte(text.data(), text.size(), 'a') ==
            static_cast<size_t>(std::count(text.begin(), text.end(), 'a')));
    }
  }
}

TEST(utf8_validity) {
  const std::string accents(100, 'a');
  CHECK(find_invalid_utf8(accents + "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == std::string_view::npos);
  for (const char* bad :
       {"\xc3", "\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe2\x82"})
    CHECK(find_invalid_utf8(accents + bad) == accents.size());
  CHECK_THROWS(require_text("a\nb\xff"), InputError);
  CHECK_THROWS(require_text(std::string_view("a\0b", 3)), InputError);
}

TEST(packed_array_round_trip) {
  std::mt19937_64 random(2);
  for (uint32_t width = 1; width <= PackedArray::max_width; ++width) {
    const size_t count = random() % 200;
    std::vector<uint64_t> values(count);
    PackedWriter writer(count, width);
    for (size_t i = 0; i < count; ++i) writer.set(i, values[i] = random() & ((uint64_t{1} << width) - 1));
    ContainerWriter file("test");
    file.add("values", writer.bytes());
    Container container = parse(file.bytes());
    PackedArray read(container, "values", count, width);
    for (size_t i = 0; i < count; ++i) CHECK(read[i] == values[i]);
    CHECK_THROWS(PackedArray(container, "values", count + 8, width), FormatError);
  }
}

TEST(container_round_trip) {
  std::mt19937_64 random(3);
  for (size_t sections = 0; sections < 6; ++sections) {
    std::vector<std::vector<std::byte>> contents;
    for (size_t i = 0; i < sections; ++i) contents.push_back(random_bytes(random, random() % 300));
    ContainerWriter writer("test");
    for (size_t i = 0; i < sections; ++i) writer.add("section" + std::to_string(i), contents[i]);
    Container read = parse(writer.bytes());
    CHECK(read.sections().size() == sections);
    for (size_t i = 0; i < sections; ++i) {
      auto bytes = read.bytes("section" + std::to_string(i));
      CHECK(std::equal(bytes.begin(), bytes.end(), contents[i].begin(), contents[i].end()));
      CHECK(reinterpret_cast<uintptr_t>(read.sections()[i].offset) % 64 == 0);
    }
    CHECK_THROWS(read.bytes("absent"), FormatError);
    CHECK_THROWS(Container::parse(Buffer::own(writer.bytes()), "other"), FormatError);
  }
}

// Any change of any byte is refused, never a crash; with trust the sections may differ but stay in bounds.
TEST(container_mutations) {
  std::mt19937_64 random(4);
  std::vector<std::vector<std::byte>> contents = {random_bytes(random, 100), random_bytes(random, 0),
                                                  random_bytes(random, 64)};
  ContainerWriter writer("test");
  for (size_t i = 0; i < contents.size(); ++i) writer.add("section" + std::to_string(i), contents[i]);
  const std::vector<std::byte> good = writer.bytes();
  for (int round = 0; round < 30000; ++round) {
    std::vector<std::byte> bad = good;
    switch (random() % 4) {
      case 0:
        bad.resize(random() % bad.size());
        break;
      case 1:
        bad.resize(bad.size() + 1 + random() % 100);
        break;
      default:
        for (uint64_t n = 1 + random() % 3; n > 0; --n)
          bad[random() % bad.size()] ^= static_cast<std::byte>(1 + random() % 255);
    }
    if (bad == good) continue;
    CHECK_THROWS(parse(bad), FormatError);
    try {
      Container read = parse(bad, Trust::skip_hashes);
      unsigned sum = 0;
      for (const Section& section : read.sections())
        for (std::byte byte : section.bytes) sum += static_cast<unsigned>(byte);
      CHECK(sum < 1u << 30);
    } catch (const FormatError&) {
    }
  }
}

TEST(shards_cover_all_items_once) {
  for (size_t items : {0u, 1u, 7u, 1000u}) {
    size_t next = 0;
    for (size_t shard = 0; shard < 16; ++shard) {
      auto range = shard_range(items, 16, shard);
      CHECK(range.begin == next && range.end >= range.begin);
      next = range.end;
    }
    CHECK(next == items);
  }
}

TEST(shards_run_and_fail_cleanly) {
  for (size_t threads : {1u, 2u, 5u}) {
    Monitor monitor;
    std::vector<std::atomic<int>> seen(64);
    for_each_shard(64, threads, monitor, [&](size_t shard) { ++seen[shard]; });
    for (auto& count : seen) CHECK(count == 1);
    CHECK_THROWS(for_each_shard(64, threads, monitor,
                                [&](size_t shard) {
                                  if (shard == 13) throw InputError(13, "bad");
                                }),
                 InputError);
    Monitor stopped([](uint64_t, uint64_t) { return false; });
    CHECK_THROWS(for_each_shard(64, threads, stopped, [](size_t) {}), Cancelled);
  }
}

TEST(an_exception_of_the_caller_reaches_the_workers) {
  // The work never ends by itself: without the signal this test would hang.
  Monitor monitor([](uint64_t, uint64_t) -> bool { throw std::runtime_error("the caller's"); });
  CHECK_THROWS(for_each_shard(2, 2, monitor,
                              [&](size_t) {
                                while (!monitor.cancelled()) std::this_thread::yield();
                              }),
               std::runtime_error);
}

TEST(a_pipe_is_not_replaced) {
  const std::string path = (std::filesystem::temp_directory_path() / ("pipe" + std::to_string(::getpid()))).string();
  CHECK(::mkfifo(path.c_str(), 0600) == 0);
  ContainerWriter writer("test");
  CHECK_THROWS(writer.write(path), IoError);
  CHECK(std::filesystem::is_fifo(path));
  std::filesystem::remove(path);
}
