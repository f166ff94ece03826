// Characters, normalisation and tokens.
#include "base/container.h"
#include "base/errors.h"
#include "base/utf8.h"
#include "bind/bind.h"
#include "text/normalise.h"
#include "text/tokenizer.h"
#include "text/unicode.h"
#include "text/vocabulary.h"

namespace dragoman::bind {
namespace {

// The most frequent words of one side of vocab.bin, or of any container with a vocabulary under that prefix.
std::vector<std::string> vocabulary_words(const std::string& path, const std::string& prefix, size_t most) {
  // Sizes and offsets are checked all the same.
  const Container container = Container::open_any(path, Trust::skip_hashes);
  const Vocabulary words = Vocabulary::open(container, prefix);
  std::vector<std::string> frequent_words;
  for (WordId id = Vocabulary::first_word; id < words.size() && frequent_words.size() < most; ++id)
    frequent_words.emplace_back(words.word(id));
  return frequent_words;
}

// The strings of a list as UTF-8, checked like the lines of a file. Keeps the strings themselves: without the GIL,
// another thread may change the list.
struct Views {
  std::vector<nb::object> strings;
  std::vector<std::string_view> views;

  explicit Views(const nb::list& lines) {
    strings.reserve(nb::len(lines));
    views.reserve(nb::len(lines));
    for (nb::handle line : lines) {
      Py_ssize_t size = 0;
      if (!PyUnicode_Check(line.ptr())) throw nb::type_error("lines must be a list of str, or bytes");
      const char* data = PyUnicode_AsUTF8AndSize(line.ptr(), &size);
      if (data == nullptr) {
        PyErr_Clear();
        throw InputError(views.size() + 1, "the text holds a lone surrogate, which is no character");
      }
      strings.push_back(nb::borrow(line));
      views.emplace_back(data, static_cast<size_t>(size));
      if (views.back().find('\0') != std::string_view::npos)
        throw InputError(views.size(), "the text holds a NUL character; is this text?");
    }
  }
};

Form form_of(bool model) { return model ? Form::word : Form::written; }

template <class Append>
nb::list convert_list(const nb::list& lines, const Append& append) {
  const Views text(lines);
  Monitor monitor = make_monitor(nb::none());
  std::vector<std::string> converted(text.views.size());
  {
    nb::gil_scoped_release release;
    for (size_t i = 0; i < text.views.size(); ++i) {
      if (i % poll_every == poll_every - 1) monitor.poll();
      append(converted[i], text.views[i]);
    }
  }
  nb::list result;
  for (const std::string& line : converted) result.append(nb::str(line.data(), line.size()));
  return result;
}

nb::list tokenize_list(const Tokenizer& tokenizer, const nb::list& lines, bool model) {
  std::vector<Token> tokens;
  return convert_list(lines, [&](std::string& out, std::string_view line) {
    tokenizer.tokenize(line, tokens);
    tokenizer.append_tokens(out, line, tokens, form_of(model));
  });
}

nb::bytes tokenized(const Tokenizer& tokenizer, const nb::bytes& text, Form form, size_t threads, nb::object progress) {
  Monitor monitor = make_monitor(std::move(progress));
  std::string out;
  {
    const std::string_view source = view(text);
    nb::gil_scoped_release release;
    out = tokenizer.tokenize_text(source, form, threads, monitor);
  }
  return bytes_of(out);
}

nb::bytes detokenize_bytes(const Tokenizer& tokenizer, const nb::bytes& text, size_t threads, nb::object progress) {
  Monitor monitor = make_monitor(std::move(progress));
  std::string out;
  {
    const std::string_view source = view(text);
    nb::gil_scoped_release release;
    out = tokenizer.detokenize_text(source, threads, monitor);
  }
  return bytes_of(out);
}

nb::dict as_dict(const NormaliseReport& report) {
  nb::dict counts;
  counts["composed"] = report.composed;
  counts["windows_1252"] = report.windows_1252;
  counts["controls"] = report.controls;
  counts["line_ends"] = report.line_ends;
  counts["byte_order_marks"] = report.byte_order_marks;
  counts["zero_width_spaces"] = report.zero_width_spaces;
  counts["soft_hyphens"] = report.soft_hyphens;
  counts["word_joiners"] = report.word_joiners;
  counts["noncharacters"] = report.noncharacters;
  counts["replacements"] = report.replacements;
  return counts;
}

nb::tuple normalise_bytes(const nb::bytes& text) {
  NormaliseReport report;
  std::string out;
  {
    const std::string_view source = view(text);
    nb::gil_scoped_release release;
    require_text(source);
    out = normalise(source, report);
  }
  return nb::make_tuple(bytes_of(out), as_dict(report));
}

// NUL is a control character here, removed and counted like the others.
nb::tuple normalise_string(std::string_view text) {
  NormaliseReport report;
  const std::string out = normalise(text, report);
  return nb::make_tuple(nb::str(out.data(), out.size()), as_dict(report));
}

}  // namespace

void register_text(nb::module_& module) {
  module.def(
      "script_of",
      [](std::string_view text) {
        return std::string(text.empty() ? "" : script_name(script(decode_utf8(text, 0).value)));
      },
      nb::arg("character"), "Script of the first character: latin, han, common, ...");
  module.def(
      "spaces_sentences", [](std::string_view language) { return text::Language(language).spaces_sentences(); },
      nb::arg("language"), "Whether a language writes a space between sentences.");
  module.def(
      "lower",
      [](std::string_view text) {
        std::string out;
        append_lower(out, text);
        return out;
      },
      nb::arg("text"), "Lower case, whatever the language.");
  module.def("normalise", &normalise_string, nb::arg("text"),
             "The normalised text and how many changes of each kind were made.");
  module.def("normalise", &normalise_bytes, nb::arg("text"));

  module.def("vocabulary_words", &vocabulary_words, nb::arg("path"), nb::arg("prefix"), nb::arg("most"),
             nb::call_guard<nb::gil_scoped_release>(), "The most frequent words of a vocabulary, best first.");

  nb::class_<Tokenizer>(module, "Tokenizer", "Lines to tokens and back, for one language; 'none' splits on spaces.")
      .def(nb::init<std::string_view>(), nb::arg("language"))
      .def_prop_ro("language", &Tokenizer::language)
      .def("tokenize", &tokenize_list, nb::arg("lines"), nb::kw_only(), nb::arg("model") = false,
           "A token line for each line: as written, with marks, or the words that models see.")
      .def(
          "tokenize",
          [](const Tokenizer& tokenizer, const nb::bytes& text, bool model, size_t threads, nb::object progress) {
            return tokenized(tokenizer, text, form_of(model), threads, std::move(progress));
          },
          nb::arg("text"), nb::kw_only(), nb::arg("model") = false, nb::arg("threads") = 1,
          nb::arg("progress").none() = nb::none(), "UTF-8 text in, token lines out, one per line.")
      .def(
          "tokenize_both",
          [](const Tokenizer& tokenizer, const nb::bytes& text, size_t threads) {
            return tokenized(tokenizer, text, Form::both, threads, nb::none());
          },
          nb::arg("text"), nb::kw_only(), nb::arg("threads") = 1,
          "The same, every word that models see being followed by the form it was written in.")
      .def(
          "detokenize",
          [](const Tokenizer& tokenizer, const nb::list& lines) {
            return convert_list(
                lines, [&](std::string& out, std::string_view line) { tokenizer.append_detokenized(out, line); });
          },
          nb::arg("lines"), "The text of each token line.")
      .def("detokenize", &detokenize_bytes, nb::arg("text"), nb::kw_only(), nb::arg("threads") = 1,
           nb::arg("progress").none() = nb::none(), "Token lines in, text out, one line per line.");
}

}  // namespace dragoman::bind
