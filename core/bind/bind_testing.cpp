// What only tests and benchmarks ask of the core: `_core.testing`.
#include "base/container.h"
#include "base/cpu.h"
#include "base/errors.h"
#include "base/inflate.h"
#include "bind/bind.h"
#include "index/suffix_array.h"
#include "rules/grammar_text.h"
#include "text/unicode.h"

namespace dragoman::bind {
namespace {

// Against Python's unicodedata: (category, script, space, lower, upper, class) of every code point.
nb::list character_table() {
  nb::list rows;
  for (char32_t c = 0; c < 0x110000; ++c)
    rows.append(nb::make_tuple(static_cast<int>(category(c)), static_cast<int>(script(c)), is_space(c),
                               static_cast<uint32_t>(to_lower(c)), static_cast<uint32_t>(to_upper(c)),
                               static_cast<int>(combining_class(c))));
  return rows;
}

nb::dict read_container(const nb::bytes& data, const std::string& kind, bool trust) {
  const auto bytes = std::as_bytes(std::span(view(data)));
  const Container container = Container::parse(Buffer::own({bytes.begin(), bytes.end()}), kind,
                                               trust ? Trust::skip_hashes : Trust::verify_hashes);
  nb::dict sections;
  for (const Section& section : container.sections()) sections[section.name.c_str()] = to_bytes(section.bytes);
  return sections;
}

void write_container(const std::string& path, const std::string& kind, const nb::dict& sections) {
  ContainerWriter writer(kind);
  std::vector<nb::bytes> kept;  // the dict may change while the GIL is away
  for (auto [name, content] : sections) {
    kept.push_back(nb::cast<nb::bytes>(content));
    writer.add(nb::cast<std::string>(name), std::as_bytes(std::span(view(kept.back()))));
  }
  nb::gil_scoped_release release;
  writer.write(path);
}

nb::bytes inflate_bytes(const nb::bytes& data, uint64_t size, const nb::bytes& dictionary) {
  const auto known = std::as_bytes(std::span(view(dictionary)));
  std::vector<std::byte> out(known.begin(), known.end());
  out.resize(known.size() + size);
  if (!inflate(std::as_bytes(std::span(view(data))), out, known.size()))
    throw InputError(0, "these bytes are no DEFLATE stream of that size");
  return to_bytes(std::span(out).subspan(known.size()));
}

std::vector<int32_t> sorted_suffixes(const std::vector<uint32_t>& text, uint32_t alphabet) {
  for (uint32_t symbol : text)
    if (symbol >= alphabet) throw ConfigError("alphabet", "must be larger than every symbol");
  return suffix_array<int32_t>(text, alphabet);
}

// A string of what a function appends.
template <auto append>
std::string appended(std::string_view text) {
  std::string out;
  append(out, text);
  return out;
}

}  // namespace

void register_testing(nb::module_& core) {
  nb::module_ module = core.def_submodule("testing", "What only tests and benchmarks ask of the core.");
  module.def(
      "kernel_level", [] { return std::string(kernel_level_name(best_kernel_level())); },
      "Name of the instruction set the hot loops use on this processor.");
  module.def("read_container", &read_container, nb::arg("data"), nb::arg("kind"), nb::arg("trust") = false,
             "The sections of a container held in memory.");
  module.def("write_container", &write_container, nb::arg("path"), nb::arg("kind"), nb::arg("sections"),
             "Writes a .bin file, whole or not at all.");
  module.def("inflate", &inflate_bytes, nb::arg("data"), nb::arg("size"), nb::arg("dictionary") = nb::bytes("", 0),
             "Decompresses raw DEFLATE to exactly `size` bytes.");
  module.def("unicode_version", [] { return std::string(unicode_version()); });
  module.def("character_table", &character_table, "Rows (category, script, space, lower, upper, combining class).");
  module.def("nfc", &appended<append_nfc>, nb::arg("text"), "Normalization form C.");
  module.def("suffix_array", &sorted_suffixes, nb::arg("text"), nb::arg("alphabet"),
             "Suffix array of a list of integers.");
  module.def("escape_word", &appended<append_rule_word>, nb::arg("word"));
  module.def("unescape_word", [](std::string_view word) { return read_rule_word(word); }, nb::arg("word"));
}

}  // namespace dragoman::bind
