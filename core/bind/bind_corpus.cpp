// Texts and links as numbers: what the stages of training hand to each other.
#include <nanobind/stl/shared_ptr.h>

#include "base/errors.h"
#include "bind/corpus_arguments.h"
#include "bind/sending.h"
#include "index/selection.h"
#include "text/id_text_builder.h"
#include "text/tokenizer.h"

namespace dragoman::bind {
namespace {

// Sends append(line, n) of all n below `count` to write(bytes), a newline after each.
template <class Append>
void write_lines(uint64_t count, const nb::object& write, Append&& append) {
  nb::gil_scoped_release release;
  LineSender sender(write);
  for (uint64_t n = 0; n < count; ++n) {
    append(sender.line(), n);
    sender.end_line();
  }
  sender.finish();
}

// A mapped text or links, which leave memory when a scratch space makes room.
template <class Stored>
Stored watched(const std::string& path, bool trust, ScratchSpace* scratch) {
  nb::gil_scoped_release release;
  Stored stored = Stored::open(path, trust_of(trust));
  if (scratch) scratch->watch(stored.buffer());
  return stored;
}

// How many different words are seen less often than each of the given counts, and how much of the text they are.
std::vector<std::pair<uint64_t, uint64_t>> rare(const IdText& text, const std::vector<uint64_t>& least) {
  nb::gil_scoped_release release;
  const std::vector<uint64_t> counts = text.counts();
  std::vector<std::pair<uint64_t, uint64_t>> totals;
  for (uint64_t limit : least) {
    auto& [types, tokens] = totals.emplace_back(0, 0);
    for (size_t id = Vocabulary::first_word; id < counts.size(); ++id)
      if (counts[id] < limit) ++types, tokens += counts[id];
  }
  return totals;
}

uint64_t type_bytes(const IdText& text) {
  uint64_t bytes = 0;
  for (WordId id = Vocabulary::first_word; id < text.words().size(); ++id) bytes += text.words().word(id).size();
  return bytes;
}

void register_text_builder(nb::module_& module) {
  nb::class_<IdTextBuilder>(module, "IdTextBuilder", "Makes an IdText of text that comes in pieces of whole lines.")
      .def(nb::init<std::shared_ptr<ScratchSpace>>(), nb::arg("scratch") = nb::none())
      .def(
          "add",
          [](IdTextBuilder& self, const nb::bytes& lines) {
            const auto text = view(lines);
            nb::gil_scoped_release release;
            self.add(text);
          },
          nb::arg("lines"), "Lines of tokens.")
      .def(
          "add_raw",
          [](IdTextBuilder& self, const Tokenizer& tokenizer, const nb::bytes& lines, size_t threads) {
            Monitor monitor = make_monitor(nb::none());
            const auto text = view(lines);
            nb::gil_scoped_release release;
            self.add_written(tokenizer.tokenize_text(text, Form::both, threads, monitor));
          },
          nb::arg("tokenizer"), nb::arg("lines"), nb::arg("threads") = 1,
          "Raw lines, whose tokens are kept as models see them and as they were written.")
      .def(
          "add_written",
          [](IdTextBuilder& self, const nb::bytes& lines) {
            const auto text = view(lines);
            nb::gil_scoped_release release;
            self.add_written(text);
          },
          nb::arg("lines"), "The same of lines that Tokenizer.tokenize_both has made.")
      .def_prop_ro("sentences", &IdTextBuilder::sentences)
      .def("finish", &IdTextBuilder::finish, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

IdText text_argument(const nb::object& given) {
  if (nb::isinstance<IdText>(given)) return nb::cast<IdText>(given);
  std::shared_ptr<const Buffer> mapped;
  std::string_view lines;
  if (nb::isinstance<nb::str>(given)) {
    mapped = Buffer::map(nb::cast<std::string>(given));
    lines = {reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size()};
  } else {
    lines = view(nb::cast<nb::bytes>(given));
  }
  nb::gil_scoped_release release;
  return encode_text(lines);
}

StoredLinks links_argument(const nb::object& given, const IdText& source, const IdText& target) {
  if (nb::isinstance<StoredLinks>(given)) return nb::cast<StoredLinks>(given);
  const auto lines = view(nb::cast<nb::bytes>(given));
  nb::gil_scoped_release release;
  return StoredLinks::parse(lines, source, target);
}

SourceArgument::SourceArgument(const nb::object& source, const nb::object& links, const IdText& written) {
  if (source.is_none() != links.is_none()) throw ConfigError("links", "go with a source: give both or neither");
  if (source.is_none()) return;
  text_.emplace(text_argument(source));
  links_.emplace(links_argument(links, *text_, written));
  source_.emplace(LinkedSource{*text_, *links_});
}

void register_corpus(nb::module_& module) {
  nb::class_<IdText>(module, "IdText", "A tokenized text as numbers; immutable, shared by threads.")
      .def_static(
          "open",
          [](const std::string& path, bool trust, std::shared_ptr<ScratchSpace> scratch) {
            return watched<IdText>(path, trust, scratch.get());
          },
          nb::arg("path"), nb::arg("trust") = false, nb::arg("scratch") = nb::none())
      .def("save", &IdText::write, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("sentences", &IdText::sentences)
      .def_prop_ro("tokens", &IdText::tokens)
      .def_prop_ro("types", [](const IdText& self) { return self.words().size() - Vocabulary::first_word; })
      .def_prop_ro("type_bytes", &type_bytes)
      .def("rare", &rare, nb::arg("least"), "(types, tokens) of the words seen less often than each of these counts.")
      .def(
          "write_lines",
          [](const IdText& self, const nb::object& write, bool written) {
            write_lines(self.sentences(), write, [&](std::string& out, uint64_t n) {
              written ? self.append_written(out, n) : self.append_words(out, n);
            });
          },
          nb::arg("write"), nb::arg("written") = false, "Sends the text to write(bytes), piece by piece.");
  register_text_builder(module);

  nb::class_<StoredLinks>(module, "StoredLinks", "The links of all pairs of a text; immutable, shared by threads.")
      .def_static(
          "open",
          [](const std::string& path, bool trust, std::shared_ptr<ScratchSpace> scratch) {
            return watched<StoredLinks>(path, trust, scratch.get());
          },
          nb::arg("path"), nb::arg("trust") = false, nb::arg("scratch") = nb::none())
      .def_static("parse", &links_argument, nb::arg("lines"), nb::arg("source"), nb::arg("target"),
                  "Lines of Pharaoh links of the pairs of two texts.")
      .def("save", &StoredLinks::write, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("pairs", &StoredLinks::pairs)
      .def_prop_ro("links", &StoredLinks::links)
      .def(
          "write_lines",
          [](const StoredLinks& self, const nb::object& write) {
            write_lines(self.pairs(), write, [&](std::string& out, uint64_t n) { self.append_pharaoh(out, n); });
          },
          nb::arg("write"), "Sends the links to write(bytes) as lines of Pharaoh links.");

  module.def("write_chosen", &write_chosen, nb::arg("path"), nb::arg("pairs"), "Keeps numbers of pairs, rising.");
  module.def(
      "read_chosen", [](const std::string& path, bool trust) { return read_chosen(path, trust_of(trust)); },
      nb::arg("path"), nb::arg("trust") = false);
}

}  // namespace dragoman::bind
