#include "text/number_format.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "text/language.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

constexpr std::string_view no_break_space = "\xc2\xa0";
constexpr std::string_view narrow_space = "\xe2\x80\xaf";

struct NumberFormat {
  std::string_view languages;
  std::string_view decimal, group;
};
// A language with its country comes before the language.
constexpr NumberFormat formats[] = {
    {"es-mx es-us es-419 es-gt es-pr", ".", ","},
    {"de-ch de-li it-ch gsw rm", ".", "’"},
    {"de-at fr-ca pt-pt", ",", no_break_space},
    {"en zh ja ko th he ga cy mt ms fil sw", ".", ","},
    {"de es it nl da tr el id pt ro hr sr sl bs is ca gl eu vi az mk fo", ",", "."},
    {"cs sk pl ru uk be bg hu fi sv no nb nn lt lv et kk ka hy sq af uz eo", ",", no_break_space},
    {"fr", ",", narrow_space},
};

// Longer numbers are codes.
constexpr size_t max_number_bytes = 64;

const NumberFormat* format_of(std::string_view language) {
  std::string exact;
  append_lower(exact, language);
  std::ranges::replace(exact, '_', '-');
  for (const std::string& code : {exact, base_language(exact)})
    for (const NumberFormat& format : formats)
      if (is_listed(format.languages, code)) return &format;
  return nullptr;
}

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

// A number taken apart: runs of digits, and the signs between them.
struct NumberParts {
  std::vector<std::string_view> digits, signs;
  std::string_view unit;

  size_t groups() const { return digits.size(); }
};

std::optional<NumberParts> parts_of(std::string_view written) {
  NumberParts parts;
  for (size_t at = 0; at < written.size();) {
    size_t end = at;
    while (end < written.size() && is_ascii_digit(written[end])) ++end;
    if (end == at) return std::nullopt;
    parts.digits.push_back(written.substr(at, end - at));
    if (end == written.size()) break;
    const CodePoint sign = decode_utf8(written, end);
    if (is_letter(sign.value)) {
      parts.unit = written.substr(end);
      break;
    }
    parts.signs.push_back(written.substr(end, sign.bytes));
    at = end + sign.bytes;
  }
  for (size_t at = 0; at < parts.unit.size();) {
    const CodePoint c = decode_utf8(parts.unit, at);
    if (!is_letter(c.value)) return std::nullopt;
    at += c.bytes;
  }
  if (parts.digits.size() != parts.signs.size() + 1) return std::nullopt;
  return parts;
}

// 192.168.100.200 is no number, and neither is 603 123 456 for certain.
bool is_address(const NumberParts& whole) {
  return whole.groups() == 4 &&
         std::ranges::all_of(whole.digits, [](std::string_view part) { return part <= "255" && part.size() == 3; });
}
bool is_telephone(const NumberParts& whole) {
  return whole.groups() == 3 && whole.digits[0].size() == 3 && is_space(decode_utf8(whole.signs[0], 0).value);
}

bool separates_groups(std::string_view sign, const NumberFormat& format) {
  return sign == format.group || is_space(decode_utf8(sign, 0).value) || (format.group == "’" && sign == "'");
}

// Takes the decimals off; whether there were any.
std::optional<std::string_view> take_decimals(NumberParts& number, const NumberFormat& format) {
  if (number.signs.empty() || number.signs.back() != format.decimal) return std::nullopt;
  const std::string_view decimals = number.digits.back();
  number.digits.pop_back();
  number.signs.pop_back();
  return decimals;
}

// Whether it is a number, or the first three digits and more of one, in groups of three.
bool is_grouped(const NumberParts& whole, const NumberFormat& format) {
  if (whole.signs.empty()) return true;
  const std::string_view sign = whole.signs[0];
  return separates_groups(sign, format) &&
         std::ranges::all_of(whole.signs, [&](auto other) { return other == sign; }) && whole.digits[0].size() <= 3 &&
         whole.digits[0][0] != '0' &&
         std::all_of(whole.digits.begin() + 1, whole.digits.end(), [](auto group) { return group.size() == 3; });
}

// Whether a number with decimals is one for certain. Where they are three, people write 10,000 for ten thousand in any
// language; 007,5 is none.
bool is_certain(const NumberParts& whole, std::string_view decimals) {
  const std::string_view first = whole.digits[0];
  if (first[0] == '0') return first.size() == 1;
  return whole.groups() > 1 || decimals.size() != 3 || first.size() > 3;
}

}  // namespace

std::optional<std::string> number_in(std::string_view target_language, std::string_view source_language,
                                     std::string_view written) {
  if (written.size() > max_number_bytes || written.empty() || !is_ascii_digit(written[0])) return std::nullopt;
  std::optional<NumberParts> number = parts_of(written);
  if (!number || number->signs.empty()) return std::nullopt;
  const NumberFormat *source = format_of(source_language), *target = format_of(target_language);
  if (!source || !target) return std::nullopt;
  const auto decimals = take_decimals(*number, *source);
  if (!is_grouped(*number, *source)) return std::nullopt;
  if (!decimals && (is_address(*number) || is_telephone(*number))) return std::nullopt;
  if (decimals && !is_certain(*number, *decimals)) return std::nullopt;
  std::string rewritten(number->digits[0]);
  for (size_t i = 1; i < number->groups(); ++i) (rewritten += target->group) += number->digits[i];
  if (decimals) (rewritten += target->decimal) += *decimals;
  rewritten += number->unit;
  return rewritten == written ? std::nullopt : std::optional(rewritten);
}

bool may_be_version(std::string_view written) {
  return std::ranges::count(written, '.') == 1 && written.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace dragoman::text
