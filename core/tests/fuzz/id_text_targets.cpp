// A text as numbers, with written forms and without, and the links of its pairs.
#include "index/selection.h"
#include "lm/text_encoder.h"
#include "tests/fuzz/target.h"
#include "text/case_counts.h"
#include "text/id_text_builder.h"
#include "text/stored_links.h"

namespace dragoman::fuzz {

using namespace text;
using namespace index;

namespace {

constexpr std::string_view words = "the house is blue .\n\nthe house , the été\n<s> <unk> a\n",
                           written = "the The house house is IS blue Blue . .\n\nthe the house HOUSE\nx x\n",
                           links = "0-0 1-1 2-2 3-3 4-4\n\n0-4 4-0 2-2\n0-2\n";

IdText with_forms() {
  IdTextBuilder builder;
  builder.add_written(written);
  return builder.finish();
}

Bytes bytes_of(const IdText& text) {
  ContainerWriter writer(IdText::kind);
  text.add_to(writer);
  return writer.bytes();
}

std::vector<Bytes> text_seeds() {
  return {bytes_of(encode_text(words)), bytes_of(with_forms()), bytes_of(encode_text(""))};
}

void use_text(Bytes file) {
  const IdText text = IdText::open(Container::parse(Buffer::own(std::move(file), "file"), IdText::kind));
  std::vector<WordId> ids;
  std::string line, spelled;
  uint64_t tokens = 0;
  for (uint64_t n = 0; n < text.sentences(); ++n) {
    text.read(n, ids);
    require(ids.size() == text.length(n), "a sentence of another length");
    for (WordId id : ids) require(id >= Vocabulary::first_word && id < text.words().size(), "an id of no word");
    tokens += ids.size();
    text.append_words(line, n);
    text.append_written(spelled, n);
  }
  require(tokens == text.tokens(), "tokens outside all sentences");
  Monitor monitor;
  count_cases(text, {}, 1, monitor);
  lm::TextEncoder encoder;
  encoder.add(text);
  require(encoder.finish().sentences == text.sentences(), "a sentence that is lost");
}

std::vector<Bytes> links_seeds() {
  const IdText text = encode_text(words);
  const StoredLinks stored = StoredLinks::parse(links, text, text);
  ContainerWriter writer(StoredLinks::kind);
  stored.add_to(writer);
  return {writer.bytes()};
}

void use_links(Bytes file) {
  const StoredLinks stored =
      StoredLinks::open(Container::parse(Buffer::own(std::move(file), "file"), StoredLinks::kind));
  std::string line;
  for (uint64_t pair = 0; pair < stored.pairs(); ++pair) attempt([&] { stored.append_pharaoh(line, pair); });
  attempt([&] {
    const IdText text = encode_text(words);
    Monitor monitor;
    select_pairs(text, text, stored, text, {}, monitor);
  });
}

}  // namespace

const Target id_text_target{"id_text", text_seeds, use_text};
const Target links_target{"links", links_seeds, use_links};

}  // namespace dragoman::fuzz
