// Tokens under the sanitizers: round trips of text put together at random from what the rules are about, bytes that
// are no text, and token lines that no tokenizer wrote.
#include "text/tokenizer.h"

#include <random>
#include <string>
#include <vector>

#include "base/errors.h"
#include "base/namespaces.h"
#include "base/utf8.h"
#include "check.h"
#include "text/lines.h"
#include "text/normalise.h"
#include "text/unicode.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;

namespace {

const char* const languages[] = {"en", "fr", "de", "cs", "it", "ca", "nl", "zh", "th", "xx", "none"};

const char* const pieces[] = {
    "a",      "Word",   "l'",   "d’",       "n't",    "'s",     "-t-il", "-li", "aujourd'hui", "Mr.",
    "z.B.",   "27.",    "IV.",  "1,000.5",  "10:30",  "\"",     "'",     "’",   "“",           "„",
    "«",      "»",      "(",    ")",        "[",      "]",      "{",     "}",   "<b>",         "</b>",
    "<",      ">",      "&",    ";",        "{0}",    "%s",     "%",     "$x|", "$",           "-",
    "--",     "–",      "/",    "...",      ".",      ",",      "@",     "://", "www.",        "￭",
    "▁",      "￮",      "￮20;", "漢",       "。",     "か",     "ไ",     "ก",   "ខ្ញុំ",          "한",
    "😀",     "\u200d", "🇫",    "\ufe0f",   "\u20e3", "\u0301", "É",     "İ",   "Σ",           "\u00ad",
    "\u200b", "צ\"ל",   "·",    "=\"x y\"", "_"};
const char* const spaces[] = {"", "", "", " ", "  ", "\t", "\u00a0", "\u2003", "\u0085"};

std::string random_text(std::mt19937& random) {
  std::string text;
  for (size_t i = random() % 20; i > 0; --i) {
    text += pieces[random() % std::size(pieces)];
    text += spaces[random() % std::size(spaces)];
  }
  return text;
}

std::string squeezed(std::string_view text) {
  std::string out;
  bool space = false;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    if (is_space(c.value)) {
      space = true;
    } else {
      if (space && !out.empty()) out.push_back(' ');
      space = false;
      out.append(text.substr(at, c.bytes));
    }
    at += c.bytes;
  }
  return out;
}

}  // namespace

TEST(tokens_round_trip) {
  std::mt19937 random(1);
  std::vector<Token> tokens;
  for (const char* language : languages) {
    const Tokenizer tokenizer(language);
    for (int round = 0; round < 300; ++round) {
      const std::string text = random_text(random);
      tokenizer.tokenize(text, tokens);
      uint64_t last = 0;
      for (const Token& token : tokens) {
        CHECK(token.begin >= last && token.begin < token.end && token.end <= text.size());
        last = token.end;
      }
      std::string line, model, back;
      tokenizer.append_tokens(line, text, tokens, Form::written);
      tokenizer.append_tokens(model, text, tokens, Form::word);
      tokenizer.append_detokenized(back, line);
      CHECK(squeezed(back) == squeezed(text));
      CHECK(find_invalid_utf8(model) == std::string_view::npos);
      std::string any;
      tokenizer.append_detokenized(any, text);  // as if it were a token line
      CHECK(find_invalid_utf8(any) == std::string_view::npos);
    }
  }
}

TEST(whole_spans_are_tokens_and_places_are_known) {
  std::mt19937 random(3);
  std::vector<Token> tokens;
  for (const char* language : languages) {
    const Tokenizer tokenizer(language);
    for (int round = 0; round < 300; ++round) {
      // Something that rules would take apart or put together with its neighbours, between any two texts.
      std::string text;
      std::vector<TextSpan> whole;
      for (size_t i = random() % 4; i > 0; --i) {
        text += random_text(random);
        const std::string hole = i % 2 ? "{d0}" : "a.b c";
        whole.push_back({text.size(), text.size() + hole.size()});
        text += hole;
      }
      text += random_text(random);
      tokenizer.tokenize(text, whole, tokens);
      uint64_t last = 0;
      size_t next_whole = 0;
      for (const Token& token : tokens) {
        CHECK(token.begin >= last && token.begin < token.end && token.end <= text.size());
        next_whole += next_whole < whole.size() && TextSpan{token.begin, token.end} == whole[next_whole];
        last = token.end;
      }
      CHECK(next_whole == whole.size());
      if (language == std::string_view("none")) continue;
      std::string line, back = "before ";
      tokenizer.append_tokens(line, text, tokens, Form::written);
      std::vector<TextPiece> pieces;
      for_each_word(line, [&](std::string_view word) { pieces.push_back({word}); });
      std::vector<TextSpan> places;
      tokenizer.append_joined(back, pieces, places);
      CHECK(squeezed(back) == squeezed("before " + text));
      CHECK(places.size() == tokens.size());
      for (size_t i = 0; i < places.size() && i < tokens.size(); ++i)
        CHECK(back.substr(places[i].begin, places[i].end - places[i].begin) ==
              text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin));
    }
  }
}

TEST(verbatim_pieces_are_written_as_they_are) {
  std::mt19937 random(4);
  for (const char* language : languages) {
    const Tokenizer tokenizer(language);
    for (int round = 0; round < 300; ++round) {
      std::vector<std::string> texts;
      std::vector<TextPiece> pieces;
      for (size_t i = 1 + random() % 6; i > 0; --i) texts.push_back(random_text(random));
      for (const std::string& text : texts) pieces.push_back({text, random() % 2 == 0});
      std::string out = "before";
      std::vector<TextSpan> places;
      tokenizer.append_joined(out, pieces, places);
      CHECK(places.size() == pieces.size());
      uint64_t last = 6;
      for (size_t i = 0; i < pieces.size() && i < places.size(); ++i) {
        CHECK(places[i].begin >= last && places[i].begin <= places[i].end && places[i].end <= out.size());
        if (pieces[i].verbatim) CHECK(out.substr(places[i].begin, places[i].size()) == pieces[i].text);
        last = places[i].end;
      }
    }
  }
}

TEST(random_bytes_are_refused_or_tokenized) {
  std::mt19937 random(2);
  const Tokenizer tokenizer("fr");
  Monitor monitor;
  for (int round = 0; round < 1500; ++round) {
    std::string bytes = round % 2 ? random_text(random) : std::string();
    for (size_t i = random() % 8; i > 0; --i)
      bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(random() % (bytes.size() + 1)), static_cast<char>(random()));
    const bool valid = find_invalid_utf8(bytes) == std::string_view::npos && bytes.find('\0') == std::string::npos;
    bool refused = false;
    try {
      const std::string tokens = tokenizer.tokenize_text(bytes, Form::written, 1, monitor);
      (void)tokenizer.detokenize_text(tokens, 1, monitor);
      NormaliseReport report;
      CHECK(find_invalid_utf8(normalise(bytes, report)) == std::string_view::npos);
    } catch (const InputError&) {
      refused = true;
    }
    CHECK(refused != valid);
  }
}

TEST(every_code_point_is_a_token) {
  const Tokenizer tokenizer("en");
  std::vector<Token> tokens;
  for (char32_t c = 1; c < 0x110000; c += c < 0x3100 ? 1 : 7 + c / 0x4000) {
    if (c >= 0xd800 && c < 0xe000) continue;
    std::string text = "a";
    append_utf8(text, c);
    text += "b ";
    append_utf8(text, c);
    tokenizer.tokenize(text, tokens);
    std::string line, back;
    tokenizer.append_tokens(line, text, tokens, Form::written);
    tokenizer.append_detokenized(back, line);
    if (squeezed(back) != squeezed(text)) CHECK(c == 0);
  }
}

TEST(forms_of_a_word) {
  auto model = [](std::string_view token, bool keep_case = false) {
    std::string out;
    append_model_form(out, token, keep_case);
    return out;
  };
  CHECK(model("HELLO") == "hello");
  CHECK(model("ÉTÉ") == "été");
  CHECK(model("E\u0301te\u0301") == "été");
  CHECK(model("L’") == "l'");
  CHECK(model("’") == "’");
  CHECK(model("%S", true) == "%S");
  CHECK(model("\u00ad") == "\u00ad");
}
