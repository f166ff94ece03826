// A grammar or phrase table that translates instead of an index: text, of which every line may be anything.
#include <cstring>

#include "search/decoder.h"
#include "search/grammar_file.h"
#include "tests/fuzz/target.h"

namespace dragoman::fuzz {
namespace {

Bytes bytes_of(std::string_view text) {
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::vector<Bytes> seeds() {
  return {bytes_of("[X] ||| a ||| A ||| P=1 Q=-0.5 ||| 0-0\n"
                   "[X] ||| a [X,1] b [X,2] ||| [2] A [1] ||| P=2 ||| 0-1 2-1\n"
                   "[X] ||| b c ||| ||| P=0\n"),
          bytes_of("a b ||| A B ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 2 4 2\n"
                   "c ||| C ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n")};
}

void use(Bytes file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const auto rules = std::make_shared<search::GrammarFile>(text);
  const search::Decoder decoder(rules, {}, {});
  search::SourceSentence sentence;
  for (const char* word : {"a", "b", "c", "unseen", "a"}) sentence.tokens.push_back({word, {}});
  for (search::Algorithm algorithm : {search::Algorithm::hierarchical, search::Algorithm::phrase_based}) {
    search::DecodeRequest request;
    request.algorithm = algorithm;
    request.explain = true;
    require(!decoder.decode(sentence, request).candidates.empty(), "a sentence without a translation");
  }
}

}  // namespace

const Target grammar_target{"grammar", seeds, use, false};

}  // namespace dragoman::fuzz
