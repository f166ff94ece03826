#include "text/splitter.h"

#include <random>
#include <string>

#include "base/namespaces.h"
#include "base/utf8.h"
#include "tests/check.h"
#include "text/case_shape.h"
#include "text/sentence_marks.h"
#include "text/sentence_words.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;

namespace {

// In order, apart, trimmed, and nothing but white space left out.
bool spans_hold(std::string_view text, const std::vector<TextSpan>& spans) {
  size_t at = 0;
  auto blank = [&](size_t begin, size_t end) {
    while (begin < end) {
      const ReadChar c = read_char(text, begin);
      if (!is_space(c.value)) return false;
      begin += c.bytes;
    }
    return begin == end;
  };
  for (const TextSpan& span : spans) {
    if (span.begin < at || span.end <= span.begin || span.end > text.size() || !blank(at, span.begin)) return false;
    if (is_space(read_char(text, span.begin).value) || is_space(read_char_before(text, span.end).value)) return false;
    at = span.end;
  }
  return blank(at, text.size());
}

}  // namespace

TEST(splitter_survives_any_bytes) {
  std::mt19937_64 random(7);
  const std::string_view telling = ".!?\n\r<>{}[]\"'() aA1\xe2\x80\xa6\xe3\x80\x82\xd8\x9f\xef\xbc\x81";
  const SentenceSplitter splitters[] = {SentenceSplitter("en"), SentenceSplitter("de", Newlines::blank_lines_end),
                                        SentenceSplitter("", Newlines::are_spaces)};
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 60, ' ');
    for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? random() : telling[random() % telling.size()]);
    CHECK(spans_hold(text, splitters[round % 3].split(text)));
  }
}

TEST(splitter_cuts_well_formed_text_at_characters) {
  std::mt19937_64 random(8);
  const char32_t telling[] = {'.',   '!',   '?',  ' ',  ' ',  '\n', 'a', 'A', U'é',
                              U'。', U'」', U'…', U'»', U'“', '1',  '<', '>'};
  const SentenceSplitter splitter("fr");
  for (int round = 0; round < 10000; ++round) {
    std::string text;
    for (uint64_t i = random() % 40; i > 0; --i) {
      char32_t c = random() % 4 ? telling[random() % std::size(telling)] : static_cast<char32_t>(random() % 0x110000);
      if (c >= 0xd800 && c < 0xe000) c = ' ';
      append_utf8(text, c);
    }
    // A protected span between two characters that are no white space.
    std::vector<size_t> places;
    for (size_t at = 0; at < text.size(); at += read_char(text, at).bytes)
      if (!is_space(read_char(text, at).value)) places.push_back(at);
    if (places.size() < 2) continue;
    size_t first = places[random() % places.size()];
    size_t last = places[random() % places.size()];
    if (first > last) std::swap(first, last);
    const TextSpan kept{first, last + read_char(text, last).bytes};
    const auto spans = splitter.split(text, std::span(&kept, 1));
    CHECK(spans_hold(text, spans));
    for (const TextSpan& span : spans) {
      CHECK(find_invalid_utf8(std::string_view(text).substr(span.begin, span.end - span.begin)) == std::string::npos);
      CHECK(span.end <= kept.begin || span.end >= kept.end);
    }
  }
}

TEST(many_protected_spans_at_one_place) {
  const std::string_view text = "a.\"\"\"\"\"\" B.";
  const std::vector<TextSpan> quotes = {{2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 9}};
  const std::vector<TextSpan> whole = {{0, text.size()}};
  CHECK(SentenceSplitter("en").split(text, quotes) == whole);
}

TEST(language_codes_in_any_case) {
  for (const char* code : {"en", "EN", "en-GB", "En_us"})
    CHECK(SentenceSplitter(code).split("He met Messrs. Smith. Bye.").size() == 2);
  CHECK(dotted_i_of("TR") == DottedI::two_letters);
}

TEST(token_shapes) {
  CHECK(shape_of("U.S").is_dotted && !shape_of("example.com").is_dotted);
  CHECK(shape_of("IV").is_roman && shape_of("XC").is_roman && !shape_of("IC").is_roman && !shape_of("Mix").is_roman);
  CHECK(shape_of("Bldg").lacks_vowel && !shape_of("BBC").lacks_vowel && !shape_of("hmm").lacks_vowel);
  CHECK(shape_of("27").is_number && shape_of("27").digits == 2 && shape_of("1.2").is_dotted_number);
  CHECK(token_before_end("see (p") == "p" && token_before_end("l'art") == "art" && token_before_end("a.b") == "a.b");
  CHECK(is_camel("iPhone") && is_camel("data_X") && !is_camel("Word"));
}
