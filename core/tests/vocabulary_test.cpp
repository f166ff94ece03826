#include "text/vocabulary.h"

#include "base/namespaces.h"
#include "tests/check.h"
#include "text/lines.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;

TEST(lines_end_every_way) {
  CHECK(split_lines("").empty());
  CHECK((split_lines("a\nb") == std::vector<std::string_view>{"a", "b"}));
  CHECK((split_lines("a\r\n\nb\n") == std::vector<std::string_view>{"a", "", "b"}));
}

TEST(vocabulary_round_trip) {
  WordCounts counts;
  counts.count("the cat the dog");
  counts.count(" the  cat \t é ");
  Vocabulary built = Vocabulary::build(counts.take());
  CHECK(built.size() == Vocabulary::first_word + 4);
  CHECK(built.word(2) == "the" && built.word(3) == "cat" && built.word(4) == "dog");

  ContainerWriter writer("vocab");
  built.add_to(writer, "source");
  Vocabulary read = Vocabulary::open(Container::parse(Buffer::own(writer.bytes()), "vocab"), "source");
  for (WordId id = 0; id < built.size(); ++id) CHECK(read.word(id) == built.word(id));
  for (WordId id = 2; id < built.size(); ++id) CHECK(read.find(read.word(id)) == id);
  CHECK(read.find("absent") == Vocabulary::unknown && read.word(Vocabulary::unknown) == "<unk>");
  CHECK((read.ids("cat absent the") == std::vector<WordId>{3, 1, 2}));
}

TEST(vocabulary_of_nothing) {
  Vocabulary empty = Vocabulary::build({});
  CHECK(empty.size() == 2 && empty.find("x") == Vocabulary::unknown);
}
