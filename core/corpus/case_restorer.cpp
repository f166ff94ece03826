#include "corpus/case_restorer.h"

#include <algorithm>

#include "corpus/sentence_words.h"
#include "corpus/token_text.h"

namespace dragoman {
namespace {

// Words in capitals a line must have to count as all in capitals.
constexpr size_t enough_upper_words = 2;

std::string model_form(std::string_view word) {
  std::string form;
  append_word_form(form, word);
  return form;
}

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

// Where in a line a word stands.
enum class Place : uint8_t { inside, sentence_start, after_colon, speech_start };

// Follows the places of a line: sentence starts, and what a colon and a quotation mark introduce.
class Places {
 public:
  // The place of this token; call for every token in turn. After a full stop that is written together with what
  // follows (*.odb) no sentence begins.
  Place next(SentenceRole role, const BareToken& token) {
    Place place = Place::inside;
    if (colon_) place = quote_ ? Place::speech_start : Place::after_colon;
    if (start_) place = Place::sentence_start;
    switch (role) {
      case SentenceRole::end:
        start_ = start_ || token.after != join_mark;
        colon_ = quote_ = false;
        break;
      case SentenceRole::word:
        start_ = colon_ = quote_ = false;
        break;
      case SentenceRole::colon:
        colon_ = true;
        break;
      case SentenceRole::quote:
        quote_ = true;
        break;
      case SentenceRole::neutral:
        break;
    }
    return place;
  }

 private:
  bool start_ = true;
  bool colon_ = false;
  bool quote_ = false;
};

}  // namespace

CaseRestorer::SourceCase CaseRestorer::read(Tokens source) const {
  SourceCase read;
  read.shouted.resize(source.size());
  read.has_case.resize(source.size());
  read.name.resize(source.size());
  read.capital.resize(source.size());
  size_t inside_words = 0;
  size_t inside_capitals = 0;
  size_t upper_words = 0;
  size_t shouted_words = 0;
  size_t other_words = 0;
  bool first = true;
  Places places;
  for (size_t i = 0; i < source.size(); ++i) {
    const BareToken token = take_marks(source[i]);
    const TokenCase shape = case_of(token.word);
    const SentenceRole role = sentence_role(token.word, shape);
    const Place place = places.next(role, token);
    // A bracket or a quotation mark may follow the full stop.
    if (role == SentenceRole::word || role == SentenceRole::end) read.heading = role == SentenceRole::word;
    if (role != SentenceRole::word) continue;
    if (place == Place::inside && shape.letters > 0) {
      read.capital[i] = shape.begins_upper;
      ++inside_words;
      inside_capitals += shape.begins_upper;
    }
    if (place == Place::speech_start && shape.letters > 0)
      read.speech_upper = shape.begins_upper || read.speech_upper.value_or(false);
    read.has_case[i] = shape.letters > 0;
    // What has no case, or a capital inside only (iPhone), says nothing about how the sentence begins.
    if (first && shape.letters > 0 && shape.caseless == 0 && shape.digits == 0)
      read.begins_upper = shape.begins_upper || shape.upper > 0;
    first = false;
    if (shape.letters < 2) continue;
    std::string usual;
    if (source_ && shape.upper > 0) {
      const std::string model = model_form(token.word);
      const WordId id = source_->find(model, source[i]);
      // How a source word that was learned is usually written nobody has counted.
      if (id != Vocabulary::unknown && !source_->vocabulary().learned(id)) source_->append_form(usual, id, model);
    }
    if (!shape.is_all_upper()) {
      ++other_words;
      read.name[i] = place == Place::inside && shape.begins_upper && !usual.empty() && case_of(usual).is_lower();
      continue;
    }
    ++upper_words;
    if (usual == token.word || dragoman::shape_of(token.word).is_roman) continue;
    read.shouted[i] = true;
    ++shouted_words;
  }
  read.heading = read.heading && 2 * inside_capitals > inside_words;
  read.all_upper = other_words == 0 && upper_words >= enough_upper_words && shouted_words > 0;
  return read;
}

std::vector<bool> CaseRestorer::names(const SourceCase& read, std::span<const CaseLink> links, Tokens target) const {
  std::vector<bool> begins(target.size());
  const bool alike =
      source_ && target_.name_share() > 0 && 2 * uint32_t{target_.name_share()} >= uint32_t{source_->name_share()};
  if (!alike || !capitals_name_ || read.heading || read.all_upper) return begins;
  constexpr uint32_t none = UINT32_MAX;
  std::vector<uint32_t> first(read.capital.size(), none);  // by source word: the first target word linked to it
  for (const CaseLink& link : links)
    if (link.source < first.size() && link.target < target.size())
      first[link.source] = std::min(first[link.source], link.target);
  for (size_t at = 0; at < read.capital.size();) {
    bool named = false;
    uint32_t leftmost = none;
    const size_t begin = at;
    for (; at < read.capital.size() && read.capital[at]; ++at) {
      named = named || read.name[at];
      leftmost = std::min(leftmost, first[at]);
    }
    if (named && leftmost != none) begins[leftmost] = true;
    if (at == begin) ++at;
  }
  return begins;
}

std::vector<std::string> CaseRestorer::restore(Tokens target, std::span<const CaseLink> links, Tokens source) const {
  const SourceCase read = this->read(source);
  // Per target word: links to source words with case, and those of them that are shouted; whether one is a name.
  struct Linked {
    uint32_t cased = 0;
    uint32_t shouted = 0;
    bool name = false;
  };
  std::vector<Linked> linked(target.size());
  for (const CaseLink& link : links) {
    if (link.target >= target.size() || link.source >= source.size()) continue;
    linked[link.target].cased += read.has_case[link.source];
    linked[link.target].shouted += read.shouted[link.source];
    linked[link.target].name = linked[link.target].name || read.name[link.source];
  }
  // The source token that a passed-through word came from: a linked one first, then, if it may be
  // anywhere, any of the same form.
  auto original = [&](uint32_t position, std::string_view word, bool anywhere) -> std::string_view {
    for (const CaseLink& link : links)
      if (link.target == position && link.source < source.size()) {
        const std::string_view surface = take_marks(source[link.source]).word;
        if (model_form(surface) == word) return surface;
      }
    if (!anywhere) return {};
    for (std::string_view token : source) {
      const std::string_view surface = take_marks(token).word;
      if (model_form(surface) == word) return surface;
    }
    return {};
  };

  const std::vector<bool> begins_name = names(read, links, target);
  auto begins_capital = [&](Place place) {
    switch (place) {
      case Place::sentence_start:
        return read.begins_upper;
      case Place::speech_start:
        return read.speech_upper.value_or(target_.capital_after_speech());
      case Place::after_colon:
        return target_.capital_after_colon() && read.begins_upper;
      default:
        return false;
    }
  };

  std::vector<std::string> written;
  written.reserve(target.size());
  Places places;
  std::string form;
  std::string cased;
  for (size_t i = 0; i < target.size(); ++i) {
    const BareToken token = take_marks(target[i]);
    const TokenCase shape = case_of(token.word);
    const Place place = places.next(sentence_role(token.word, shape), token);
    const WordId id = target_.find(token.word, target[i]);
    form.clear();
    if ((id == Vocabulary::unknown && shape.is_word()) || (linked[i].name && !read.all_upper)) {
      form = original(static_cast<uint32_t>(i), token.word, id == Vocabulary::unknown);
      if (!form.empty()) {
        written.push_back(marked(token, form));
        continue;
      }
    }
    if (shape.letters == 0 || shape.upper > 0 || is_protected_word(token.word)) {
      written.emplace_back(target[i]);
      continue;
    }
    target_.append_form(form, id, token.word);
    cased.clear();
    if (read.all_upper || (linked[i].cased > 0 && linked[i].shouted == linked[i].cased)) {
      append_all_upper(cased, form, target_.dotted_i());
    } else if ((begins_name[i] || begins_capital(place)) && case_of(form).is_lower()) {
      append_capitalized(cased, form, target_.dotted_i());
    } else {
      cased = form;
    }
    written.push_back(marked(token, cased));
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
    const bool at_start = places.next(sentence_role(token.word, shape), token) == Place::sentence_start;
    // A capital inside (iPhone, NATO) is the word's own, save in a line of capitals.
    const bool replace = all_upper ? shape.upper > 0 : at_start && shape.begins_upper && shape.upper == 1;
    if (replace) {
      const std::string model = model_form(token.word);
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

}  // namespace dragoman
