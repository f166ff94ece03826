#include "text/case_context.h"

#include "base/hash.h"
#include "text/sentence_words.h"

namespace dragoman::text {
namespace {

// A capital elsewhere than at the beginning, yet not all in capitals.
bool is_mixed(const TokenCase& shape) {
  return shape.upper > 0 && !shape.is_all_upper() && !(shape.begins_upper && shape.upper == 1);
}

}  // namespace

WordCase word_case(const TokenCase& shape) {
  if (shape.is_all_upper()) return WordCase::upper;
  return shape.begins_upper ? WordCase::capital : WordCase::small;
}

std::vector<CaseContext::SourceWord> CaseContext::read_source(const Casing* casing, Tokens source) {
  std::vector<SourceWord> read(source.size());
  size_t inside_words = 0, inside_capitals = 0;
  size_t upper_words = 0, shouted_words = 0, other_words = 0;
  bool first = true;
  Places places;
  for (size_t i = 0; i < source.size(); ++i) {
    const BareToken token = take_marks(source[i]);
    const TokenCase shape = case_of(token.word);
    const SentenceRole role = sentence_role(token.word, shape);
    const CasePosition place = places.next(role, token);
    if (role != SentenceRole::word) continue;
    // What has no case, or a capital inside only (iPhone), says nothing about how the sentence begins.
    if (first && shape.letters > 0 && shape.caseless == 0 && shape.digits == 0)
      begins_upper_ = shape.begins_upper || shape.upper > 0;
    first = false;
    if (shape.letters == 0) continue;
    const bool inside = place != CasePosition::sentence_start;
    inside_words += inside;
    inside_capitals += inside && shape.upper > 0;
    std::string usual;
    if (casing && shape.upper > 0) {
      const std::string model = word_form(token.word);
      const WordId id = casing->find(model, source[i]);
      // How a source word that was learned is usually written nobody has counted.
      if (id != Vocabulary::unknown && !casing->vocabulary().learned(id)) casing->append_form(usual, id, model);
    }
    SourceCase& kind = read[i].kind;
    if (shape.upper == 0)
      kind = SourceCase::small;
    else if (is_mixed(shape))
      kind = SourceCase::mixed;
    else if (shape.is_all_upper())
      kind = SourceCase::upper;
    else if (!inside)
      kind = SourceCase::start;
    else
      kind = !usual.empty() && case_of(usual).is_lower() ? SourceCase::name : SourceCase::capital;
    if (shape.letters < 2) continue;
    if (!shape.is_all_upper()) {
      ++other_words;
      continue;
    }
    ++upper_words;
    // A word that is always in capitals (NATO) and a Roman numeral are no evidence of emphasis.
    if (usual == token.word || dragoman::text::shape_of(token.word).is_roman) continue;
    read[i].shouted = true;
    ++shouted_words;
  }
  if (inside_words > 0) source_capitals_ = static_cast<uint32_t>(1 + 3 * inside_capitals / inside_words);
  all_upper_ = other_words == 0 && upper_words >= enough_upper_words && shouted_words > 0;
  return read;
}

CaseContext::CaseContext(const Casing& target_casing, const Casing* source_casing, Tokens target,
                         std::span<const Link> links, Tokens source)
    : words_(target.size()) {
  const std::vector<SourceWord> read = read_source(source_casing, source);
  Places places;
  for (size_t i = 0; i < target.size(); ++i) {
    Word& word = words_[i];
    word.token = take_marks(target[i]);
    word.shape = case_of(word.token.word);
    word.hash = hash_bytes(word.token.word);
    const SentenceRole role = sentence_role(word.token.word, word.shape);
    word.place = places.next(role, word.token);
    // A bracket or a quotation mark may follow the full stop.
    if (role == SentenceRole::word || role == SentenceRole::end) is_sentence_ = role == SentenceRole::end;
    word.id = target_casing.find(word.token.word, target[i]);
    if (word.shape.letters == 0 || word.shape.upper > 0 || is_protected_word(word.token.word)) {
      word.as_is = true;
      continue;
    }
    target_casing.append_form(word.form, word.id, word.token.word);
    const TokenCase form = case_of(word.form);
    word.usual = word_case(form);
    // A name that was taught is written as it was given.
    word.own_case = is_mixed(form) || (!form.is_lower() && target_casing.vocabulary().learned(word.id));
    if (word.place == CasePosition::sentence_start)
      word.fixed = begins_upper_ && word.usual == WordCase::small ? WordCase::capital : word.usual;
  }
  // Links with case, and those of them that are shouted.
  struct Count {
    uint32_t cased = 0;
    uint32_t shouted = 0;
  };
  std::vector<Count> counts(target.size());
  for (const Link& link : links) {
    if (link.target >= target.size() || link.source >= source.size()) continue;
    const SourceWord& from = read[link.source];
    if (from.kind == SourceCase::none) continue;
    Word& word = words_[link.target];
    Count& count = counts[link.target];
    if (count.cased == 0)
      word.linked = from.kind;
    else
      word.linked_differ = word.linked_differ || word.linked != from.kind;
    ++count.cased;
    count.shouted += from.shouted;
    const std::string_view surface = take_marks(source[link.source]).word;
    if (word_form(surface) != word.token.word) continue;
    word.same = from.kind;
    if (from.kind == SourceCase::name || from.kind == SourceCase::mixed) word.copied = surface;
  }
  for (size_t i = 0; i < target.size(); ++i) {
    if (!all_upper_ && (counts[i].cased == 0 || counts[i].shouted < counts[i].cased)) continue;
    words_[i].fixed = WordCase::upper;
    words_[i].copied = {};
  }
}

}  // namespace dragoman::text
