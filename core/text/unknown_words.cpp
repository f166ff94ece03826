#include "text/unknown_words.h"

#include <string>

#include "base/utf8.h"
#include "text/case_shape.h"

namespace dragoman::text {
namespace {

// Shorter ones are mostly articles and endings, unless they are nouns: der, ten, but Rad.
constexpr size_t least_part = 4;

}  // namespace

TokenCase UnknownWords::usual_case(const Vocabulary& words, WordId id) const {
  std::string form(words.written_form(id));
  if (form.empty() && casing_) casing_->append_form(form, id, words.word(id));
  return case_of(form);
}

std::vector<StandIn> UnknownWords::find(const Vocabulary& words, std::string_view word, std::optional<bool> capital,
                                        const Ask& fits, const Ask& is_name) const {
  if (!is_cased_word(word)) return {};
  auto is_capital = [&](WordId id) { return usual_case(words, id).begins_upper; };
  auto is_noun = [&](WordId id) {
    const TokenCase usual = usual_case(words, id);
    return nouns_are_capital_ && usual.begins_upper && usual.upper == 1;
  };
  // How the source words of lessons are written is not kept.
  auto fits_capital = [&](WordId id) {
    return !capital || *capital == is_capital(id) || (casing_ && id >= casing_->vocabulary().size());
  };
  // Words that are always written with a capital are names, whose endings may be other names, unless all nouns are.
  const WordId form = inflections_.find(word, [&](WordId id) {
    return fits(id) && fits_capital(id) && (nouns_are_capital_ || !is_capital(id)) && !is_name(id);
  });
  if (form != Vocabulary::unknown) return {{{0, word.size()}, words.word(form), is_capital(form)}};
  std::vector<StandIn> parts;
  const auto split = compounds_.split(word, [&](std::string_view piece, bool is_last) {
    const WordId id = words.find(piece);
    if (id == Vocabulary::unknown || !fits(id) || !is_cased_word(piece)) return Vocabulary::unknown;
    if (characters_of(piece) < least_part && !is_noun(id)) return Vocabulary::unknown;
    return is_last && (!fits_capital(id) || is_name(id)) ? Vocabulary::unknown : id;
  });
  for (const CompoundPart& part : split) parts.push_back({part.span, words.word(part.word), is_capital(part.word)});
  return parts;
}

}  // namespace dragoman::text
