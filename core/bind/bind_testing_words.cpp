// What unknown words are taken for by itself, in `_core.testing`.
#include <nanobind/stl/tuple.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bind/testing.h"
#include "text/language.h"
#include "text/unknown_words.h"

namespace dragoman::bind {
namespace {

// All that is needed to ask about words of a list.
class KnownWords {
 public:
  KnownWords(const std::vector<std::string>& forms, const std::vector<std::string_view>& words,
             const std::string& language)
      : vocabulary_(Vocabulary::from_words(words)),
        casing_(Casing::from_forms(
            vocabulary_, [&](WordId id) { return forms.at(id - Vocabulary::first_word); },
            Casing::build(vocabulary_, CaseCounts()))),
        unknown_(vocabulary_, &casing_, text::Language(language)) {}

  // Where each of them begins and ends, in bytes, and what it is.
  std::vector<std::tuple<uint64_t, uint64_t, std::string>> find(const std::string& word,
                                                                std::optional<bool> capital) const {
    std::vector<std::tuple<uint64_t, uint64_t, std::string>> stand_ins;
    for (const StandIn& known :
         unknown_.find(vocabulary_, word, capital, [](WordId) { return true; }, [](WordId) { return false; }))
      stand_ins.emplace_back(known.span.begin, known.span.end, known.word);
    return stand_ins;
  }

 private:
  Vocabulary vocabulary_;
  Casing casing_;
  UnknownWords unknown_;
};

}  // namespace

void register_testing_words(nb::module_& module) {
  nb::class_<KnownWords>(module, "KnownWords",
                         "Words of a model, the most frequent first, as they are usually written.")
      .def(
          "__init__",
          [](KnownWords* self, const std::vector<std::string>& forms, const std::string& language) {
            std::vector<std::string> words;
            for (const std::string& form : forms) words.push_back(word_form(form));
            new (self) KnownWords(forms, {words.begin(), words.end()}, language);
          },
          nb::arg("forms"), nb::arg("language"))
      .def("find", &KnownWords::find, nb::arg("word"), nb::arg("capital").none(),
           "What an unknown word is taken for: bytes of it, and a known word for each.");
}

}  // namespace dragoman::bind
