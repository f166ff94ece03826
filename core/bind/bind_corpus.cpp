// Characters, normalisation and tokens.
#include "bind/bind.h"
#include "corpus/unicode.h"

namespace dragoman::bind {
namespace {

// For the tests against Python's unicodedata: (category, script, space, lower, upper, class) of every code point.
nb::list character_table() {
  nb::list rows;
  for (char32_t c = 0; c < 0x110000; ++c)
    rows.append(nb::make_tuple(static_cast<int>(category(c)), static_cast<int>(script(c)), is_space(c),
                               static_cast<uint32_t>(to_lower(c)), static_cast<uint32_t>(to_upper(c)),
                               static_cast<int>(combining_class(c))));
  return rows;
}

}  // namespace

void register_corpus(nb::module_& module) {
  module.def("unicode_version", [] { return std::string(unicode_version()); });
  module.def("character_table", &character_table, "Rows (category, script, space, lower, upper, combining class).");
  module.def(
      "script_of",
      [](std::string_view text) {
        return std::string(text.empty() ? "" : script_name(script(decode_utf8(text, 0).value)));
      },
      nb::arg("character"), "Script of the first character: latin, han, common, ...");
  module.def(
      "nfc",
      [](std::string_view text) {
        std::string out;
        append_nfc(out, text);
        return out;
      },
      nb::arg("text"), "Normalization form C.");
  module.def(
      "lower",
      [](std::string_view text) {
        std::string out;
        append_lower(out, text);
        return out;
      },
      nb::arg("text"), "Lower case, whatever the language.");
  module.def(
      "upper",
      [](std::string_view text) {
        std::string out;
        append_upper(out, text);
        return out;
      },
      nb::arg("text"), "Upper case, whatever the language.");
}

}  // namespace dragoman::bind
