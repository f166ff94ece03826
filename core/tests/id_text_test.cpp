// Texts as numbers against the lines they were made of.
#include "text/id_text.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "tests/check.h"
#include "text/id_text_builder.h"
#include "text/lines.h"
#include "text/stored_links.h"

namespace dragoman {
using namespace text;
namespace {

IdText reopened(const IdText& text) {
  ContainerWriter writer(IdText::kind);
  text.add_to(writer);
  return IdText::open(Container::parse(Buffer::own(writer.bytes()), IdText::kind));
}

std::string words_of(const IdText& text) {
  std::string lines;
  for (uint64_t n = 0; n < text.sentences(); ++n) text.append_words(lines, n), lines += '\n';
  return lines;
}

std::string written_of(const IdText& text) {
  std::string lines;
  for (uint64_t n = 0; n < text.sentences(); ++n) text.append_written(lines, n), lines += '\n';
  return lines;
}

// Words that fall in frequency, some of them names of marks, with up to three spellings.
struct RandomText {
  std::string words, written, both;

  RandomText(uint32_t seed, size_t lines) {
    std::mt19937 random(seed);
    for (size_t n = 0; n < lines; ++n) {
      for (size_t length = random() % 9, i = 0; i < length; ++i) {
        const uint32_t number = random() % (1 + random() % 40);
        const std::string word = number == 7 ? "<unk>" : number == 9 ? "<s>" : "w" + std::to_string(number);
        const std::string form = random() % 3 ? word : (random() % 2 ? "W" : "É") + word;
        const std::string blank(i > 0, ' ');
        words += blank + word;
        written += blank + form;
        both += blank + word + " " + form;
      }
      for (std::string* text : {&words, &written, &both}) *text += '\n';
    }
  }
};

}  // namespace

TEST(id_text_gives_the_lines_again) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const RandomText random(seed, seed * 7);
    const IdText plain = encode_text(random.words);
    IdTextBuilder builder;
    // In two pieces of whole lines.
    const size_t cut = random.both.find('\n', random.both.size() / 2) + 1;
    builder.add_written(std::string_view(random.both).substr(0, cut));
    builder.add_written(std::string_view(random.both).substr(cut));
    const IdText forms = builder.finish();
    for (const IdText& text : {plain, reopened(plain), forms, reopened(forms)}) {
      CHECK(words_of(text) == random.words);
      std::vector<WordId> ids;
      const auto lines = split_lines(random.words);
      for (uint64_t n = 0; n < text.sentences(); ++n) {
        text.read(n, ids);
        CHECK(ids == text.words().ids(lines[n]));
      }
    }
    CHECK(written_of(plain) == random.words);
    CHECK(written_of(reopened(forms)) == random.written);
  }
}

TEST(id_text_has_the_vocabulary_of_its_words) {
  const RandomText random(3, 300);
  WordCounts counts;
  for (std::string_view line : split_lines(random.words)) counts.count(line);
  const Vocabulary expected = Vocabulary::build(counts.take());
  IdTextBuilder builder;
  builder.add_written(random.both);
  for (const IdText& text : {encode_text(random.words), builder.finish()}) {
    CHECK(text.words().size() == expected.size());
    for (WordId id = 0; id < expected.size(); ++id) CHECK(text.words().word(id) == expected.word(id));
    std::map<std::string, uint64_t> occurrences;
    for_each_word(random.words, [&](std::string_view word) { ++occurrences[std::string(word)]; });
    const std::vector<uint64_t> frequencies = text.counts();
    for (WordId id = Vocabulary::first_word; id < expected.size(); ++id)
      CHECK(frequencies[id] == occurrences[std::string(expected.word(id))]);
  }
}

TEST(id_text_of_nothing_and_of_empty_lines) {
  CHECK(reopened(encode_text("")).sentences() == 0);
  const IdText lines = reopened(encode_text("\n\n"));
  CHECK(lines.sentences() == 2 && lines.tokens() == 0 && words_of(lines) == "\n\n");
  IdTextBuilder builder;
  builder.add_written("\n");
  CHECK(reopened(builder.finish()).sentences() == 1);
}

TEST(a_word_without_its_written_form_is_refused) {
  IdTextBuilder builder;
  CHECK_THROWS(builder.add_written("a A\nb B c\n"), InputError);
}

TEST(stored_links_give_the_lines_again) {
  const IdText text = encode_text("a b c\n\na b c d\n");
  const std::string lines = "0-0 1-2 2-1\n\n0-3 3-0\n";
  const StoredLinks built = StoredLinks::parse(lines, text, text);
  ContainerWriter writer(StoredLinks::kind);
  built.add_to(writer);
  const StoredLinks read = StoredLinks::open(Container::parse(Buffer::own(writer.bytes()), StoredLinks::kind));
  for (const StoredLinks* links : {&built, &read}) {
    std::string again;
    for (uint64_t pair = 0; pair < links->pairs(); ++pair) links->append_pharaoh(again, pair), again += '\n';
    CHECK(again == lines && links->links() == 5);
    Links pair_links;
    CHECK_THROWS(links->read(2, 3, 4, pair_links), InputError);
  }
  CHECK_THROWS(StoredLinks::parse("0-0\n\n4-0\n", text, text), InputError);
  CHECK_THROWS(StoredLinks::parse("0-0\n", text, text), InputError);
}

}  // namespace dragoman
