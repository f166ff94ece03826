#include "text/casing.h"

#include <random>
#include <string>

#include "base/namespaces.h"
#include "tests/check.h"
#include "text/case_restorer.h"
#include "text/case_trainer.h"
#include "text/id_text_builder.h"
#include "text/lines.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;

namespace {

constexpr std::string_view corpus =
    "The NATO chief met Peter in Berlin .\n"
    "Peter likes his iPhone and the chief of NATO .\n"
    "The chief said : \" The war is over . \" He left the house .\n"
    "THE CHIEF OF BERLIN\n"
    "My ￭iPhone￭ is l’ ami .\n";

Casing learned(size_t threads = 1) {
  Monitor monitor;
  const CaseCounts counts = count_cases(encode_text(corpus), {}, threads, monitor);
  return Casing::build(Vocabulary::build(counts.word_counts()), counts);
}

// The same with the model that chooses among cases, of this text alone.
Casing taught(std::string_view text) {
  Monitor monitor;
  const IdText encoded = encode_text(text);
  const CaseCounts counts = count_cases(encoded, {}, 1, monitor);
  Casing casing = Casing::build(Vocabulary::build(counts.word_counts()), counts);
  casing.set_model(learn_case_model(casing, LinkedText(encoded), nullptr, monitor));
  return casing;
}

std::string form(const Casing& casing, std::string_view word) {
  std::string out;
  casing.append_form(out, casing.find(word, word), word);
  return out;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> tokens;
  for_each_word(line, [&](std::string_view token) { tokens.push_back(token); });
  return tokens;
}

std::string restored(const Casing& casing, std::string_view target, Links links, std::string_view source,
                     const Casing* source_casing = nullptr) {
  std::string line;
  for (const std::string& token : CaseRestorer(casing, source_casing).restore(words(target), links, words(source)))
    line += (line.empty() ? "" : " ") + token;
  return line;
}

std::vector<std::byte> written(const Casing& casing) {
  ContainerWriter writer("casing");
  casing.vocabulary().add_to(writer, "words");
  casing.add_to(writer, "case");
  return writer.bytes();
}

Casing reopened(std::vector<std::byte> bytes, Trust trust = Trust::verify_hashes) {
  const Container container = Container::parse(Buffer::own(std::move(bytes)), "casing", trust);
  return Casing::open(container, "case", Vocabulary::open(container, "words"));
}

}  // namespace

TEST(casing_learns_forms) {
  const Casing casing = learned();
  CHECK(form(casing, "the") == "the" && form(casing, "nato") == "NATO" && form(casing, "peter") == "Peter");
  CHECK(form(casing, "iphone") == "iPhone" && form(casing, "l'") == "l’" && form(casing, "chief") == "chief");
  CHECK(form(casing, "never") == "never");
}

TEST(casing_is_the_same_for_any_number_of_threads) { CHECK(written(learned(1)) == written(learned(4))); }

TEST(casing_round_trip_and_damage) {
  const Casing casing = taught(corpus);
  const std::vector<std::byte> bytes = written(casing);
  const Casing read = reopened(bytes);
  for (WordId id = 2; id < casing.vocabulary().size(); ++id) {
    const std::string_view word = casing.vocabulary().word(id);
    CHECK(form(read, word) == form(casing, word));
  }
  CHECK(written(read) == bytes);

  // Every section of the vocabulary and of the casing.
  std::mt19937_64 random(3);
  const Container container = Container::parse(Buffer::own(bytes), "casing");
  for (const Section& section : container.sections()) {
    for (int round = 0; round < 10000 && !section.bytes.empty(); ++round) {
      auto damaged = bytes;
      for (uint64_t n = 1 + random() % 3; n > 0; --n)
        damaged[section.offset + random() % section.bytes.size()] ^= static_cast<std::byte>(1 + random() % 255);
      if (damaged == bytes) continue;
      CHECK_THROWS(reopened(damaged), FormatError);
      // With trust the hashes are not looked at; whatever comes out, nothing outside is touched.
      try {
        const Casing trusted = reopened(std::move(damaged), Trust::skip_hashes);
        restored(trusted, "the chief met peter in berlin", {}, "Der Chef");
        for (WordId id = 0; id < trusted.vocabulary().size() && id < 8; ++id)
          form(trusted, trusted.vocabulary().word(static_cast<WordId>(random() % trusted.vocabulary().size())));
      } catch (const FormatError&) {
      }
    }
  }
}

TEST(casing_of_another_vocabulary_is_refused) {
  ContainerWriter writer("casing");
  const Casing casing = learned();
  const Vocabulary other = Vocabulary::build({{"x", 1}});
  other.add_to(writer, "words");
  casing.add_to(writer, "case");
  CHECK_THROWS(reopened(writer.bytes()), FormatError);
}

TEST(case_is_restored_from_the_source) {
  const Casing casing = learned();
  CHECK(restored(casing, "the chief of nato left . he met peter", {}, "Der Chef ging .") ==
        "The chief of NATO left . He met Peter");
  CHECK(restored(casing, "the chief left", {}, "der chef ging") == "the chief left");
  CHECK(restored(casing, "iphone is over", {}, "Das iPhone") == "iPhone is over");
  CHECK(restored(casing, "the war", {}, "DER KRIEG") == "THE WAR");
  CHECK(restored(casing, "the war is over", {{1, 1}}, "Der KRIEG ist aus") == "The WAR is over");
  CHECK(restored(casing, "the war is over", {{0, 1}}, "I war dabei") == "The war is over");
  CHECK(restored(casing, "the war is over", {{1, 1}}, "Krieg II ist aus") == "The war is over");
  CHECK(restored(casing, "￭the war￭", {}, "Der Krieg") == "￭The war￭");
  CHECK(restored(casing, "the mcfly left http://x.Org", {{1, 1}}, "Der McFly ging") == "The McFly left http://x.Org");
  CHECK(restored(casing, "", {}, "") == "");
  CHECK(restored(casing, "the war", {{9, 9}}, "Der Krieg") == "The war");
}

TEST(an_acronym_of_the_source_is_no_shouting) {
  const Casing casing = learned();
  CHECK(restored(casing, "the chief is over", {{0, 1}}, "NATO ist aus", &casing) == "The chief is over");
  CHECK(restored(casing, "the chief is over", {{0, 1}}, "CHIEF ist aus", &casing) == "The CHIEF is over");
  // A name here, a small word elsewhere.
  CHECK(restored(casing, "the war met chief", {{1, 3}}, "Peter Chief", &casing) == "The war met Chief");
}

TEST(case_is_chosen_by_the_words_around) {
  const Casing casing = taught(
      "Open the File menu of the file .\nThe file has a menu and the File menu too .\n"
      "It has a file .\nClose the file with the File menu .\n");
  CHECK(form(casing, "file") == "file");
  CHECK(restored(casing, "it has the file menu of the file .", {}, "Das Menü .") ==
        "It has the File menu of the file .");
  // Forms of their own and words in capitals stay what they were.
  CHECK(restored(taught(corpus), "the iphone", {}, "Das iPhone") == "The iPhone");
  CHECK(restored(casing, "the file menu", {}, "DAS MENÜ") == "THE FILE MENU");
}

TEST(weights_of_a_wrong_size_are_refused) {
  const Casing casing = learned();
  ContainerWriter writer("casing");
  casing.vocabulary().add_to(writer, "words");
  casing.add_to(writer, "case");
  const std::vector<CaseModel::Weights> three(3);
  writer.add("case.weights", three);
  CHECK_THROWS(reopened(writer.bytes()), FormatError);
}

TEST(the_best_case_is_the_usual_one_among_equals) {
  CHECK(CaseModel().choose({}, index_of(WordCase::upper)) == index_of(WordCase::upper));
  CHECK(best_alternative<3>({0, 0}, index_of(WordCase::capital), 0) == index_of(WordCase::capital));
  CHECK(best_alternative<3>({2, 2}, index_of(WordCase::small), 1) == index_of(WordCase::capital));
  CHECK(best_alternative<3>({2, 3}, index_of(WordCase::small), 2) == index_of(WordCase::upper));
  CHECK(best_alternative<3>({2, 2}, index_of(WordCase::small), 2) == index_of(WordCase::small));
}

TEST(truecasing_changes_sentence_starts) {
  const Casing casing = learned();
  auto line = [&](std::string_view text) {
    std::string out;
    for (const std::string& token : truecase(casing, words(text))) out += (out.empty() ? "" : " ") + token;
    return out;
  };
  CHECK(line("The war . The chief likes The House") == "the war . the chief likes The House");
  CHECK(line("NATO left . Zwickau too") == "NATO left . Zwickau too");
  CHECK(line("THE CHIEF OF NATO") == "the chief of NATO");
  CHECK(line("L' ami . L’ ami") == "l' ami . l’ ami");
}

TEST(capitals_follow_full_case_rules) {
  auto upper = [](std::string_view word, DottedI i = DottedI::one_letter) {
    std::string out;
    append_all_upper(out, word, i);
    return out;
  };
  auto title = [](std::string_view word, DottedI i = DottedI::one_letter) {
    std::string out;
    append_capitalized(out, word, i);
    return out;
  };
  CHECK(upper("straße") == "STRASSE" && upper("ﬁn") == "FIN" && upper("ŉ") == "ʼN" && upper("ǆep") == "ǄEP");
  CHECK(title("ßa") == "Ssa" && title("ǆep") == "ǅep" && title("'tis") == "'Tis" && title("3d") == "3d");
  CHECK(title("ılık") == "Ilık" && title("için", DottedI::two_letters) == "İçin" && title("için") == "Için");
  CHECK(title("ქართული") == "ქართული" && title("élan") == "Élan" && title("") == "");
  CHECK(dotted_i_of("tr-TR") == DottedI::two_letters && dotted_i_of("de") == DottedI::one_letter);
}
