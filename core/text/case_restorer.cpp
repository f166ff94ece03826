#include "text/case_restorer.h"

#include "text/case_features.h"
#include "text/token_text.h"

namespace dragoman::text {
namespace {

std::string marked(const BareToken& token, std::string_view word) {
  std::string whole(token.before);
  whole += word;
  whole += token.after;
  return whole;
}

// Gives the form the apostrophe that was written; truecasing changes nothing but case.
void keep_apostrophe(std::string& form, std::string_view surface) {
  constexpr std::string_view curly = "’";
  const bool wants_curly = surface.find(curly) != std::string_view::npos;
  const std::string_view wrong = wants_curly ? "'" : curly;
  const std::string_view right = wants_curly ? curly : "'";
  for (size_t at = form.find(wrong); at != std::string::npos; at = form.find(wrong, at + right.size()))
    form.replace(at, wrong.size(), right);
}

// The form in another case.
std::string in_case(const CaseContext::Word& word, WordCase wanted, DottedI dotted_i) {
  std::string cased;
  if (wanted == WordCase::upper)
    append_all_upper(cased, word.form, dotted_i);
  else if (word.own_case || wanted == word.usual)
    cased = word.form;
  else if (wanted == WordCase::small)
    cased = word.token.word;
  else
    append_capitalized(cased, word.usual == WordCase::small ? std::string_view(word.form) : word.token.word, dotted_i);
  return cased;
}

}  // namespace

std::vector<std::string> CaseRestorer::restore(Tokens target, std::span<const Link> links, Tokens source) const {
  const CaseContext context(target_, source_, target, links, source);
  // The source token that a passed-through word came from: a linked one first, then any of the same form.
  auto original = [&](size_t position, std::string_view word) -> std::string_view {
    for (const Link& link : links)
      if (link.target == position && link.source < source.size()) {
        const std::string_view surface = take_marks(source[link.source]).word;
        if (word_form(surface) == word) return surface;
      }
    for (std::string_view token : source) {
      const std::string_view surface = take_marks(token).word;
      if (word_form(surface) == word) return surface;
    }
    return {};
  };

  std::vector<std::string> written;
  written.reserve(target.size());
  std::optional<WordCase> before;
  for (size_t i = 0; i < target.size(); ++i) {
    const CaseContext::Word& word = context.words()[i];
    std::string form(word.copied);
    if (word.id == Vocabulary::unknown && word.shape.is_word()) form = original(i, word.token.word);
    if (form.empty() && word.as_is) form = word.token.word;
    if (form.empty()) {
      WordCase chosen = word.fixed.value_or(word.usual);
      if (word.is_open())
        chosen = static_cast<WordCase>(target_.model().choose(case_features(context, i, before), index_of(word.usual)));
      form = in_case(word, chosen, target_.dotted_i());
    }
    const TokenCase shape = case_of(form);
    before = shape.letters > 0 ? std::optional(word_case(shape)) : std::nullopt;
    written.push_back(marked(word.token, form));
  }
  return written;
}

std::vector<std::string> truecase(const Casing& casing, Tokens tokens) {
  std::vector<std::string> written;
  written.reserve(tokens.size());
  size_t upper_words = 0;
  size_t other_words = 0;
  for (std::string_view whole : tokens) {
    const TokenCase shape = case_of(take_marks(whole).word);
    if (shape.letters >= 2) ++(shape.is_all_upper() ? upper_words : other_words);
  }
  const bool all_upper = other_words == 0 && upper_words >= enough_upper_words;
  Places places;
  for (std::string_view whole : tokens) {
    const BareToken token = take_marks(whole);
    const TokenCase shape = case_of(token.word);
    const bool at_start = places.next(sentence_role(token.word, shape), token) == CasePosition::sentence_start;
    // A capital inside (iPhone, NATO) is the word's own, save in a line of capitals.
    const bool replace = all_upper ? shape.upper > 0 : at_start && shape.begins_upper && shape.upper == 1;
    if (replace) {
      const std::string model = word_form(token.word);
      if (const WordId id = casing.find(model, whole); id != Vocabulary::unknown) {
        std::string form;
        casing.append_form(form, id, model);
        keep_apostrophe(form, token.word);
        written.push_back(marked(token, form));
        continue;
      }
    }
    written.emplace_back(whole);
  }
  return written;
}

}  // namespace dragoman::text
