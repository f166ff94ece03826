#include "corpus/case_restorer.h"

#include "corpus/sentence_words.h"

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

// Follows the sentence starts of a line.
class Starts {
 public:
  // Whether the word here begins a sentence; call for every token in turn.
  bool at_start(SentenceRole role) {
    const bool start = start_;
    switch (role) {
      case SentenceRole::end:
        start_ = true;
        break;
      case SentenceRole::word:
        start_ = false;
        break;
      default:
        break;
    }
    return start && role == SentenceRole::word;
  }

 private:
  bool start_ = true;
};

}  // namespace

CaseRestorer::SourceCase CaseRestorer::read(Tokens source) const {
  SourceCase read;
  read.shouted.resize(source.size());
  read.has_case.resize(source.size());
  size_t upper_words = 0;
  size_t shouted_words = 0;
  size_t other_words = 0;
  bool first = true;
  for (size_t i = 0; i < source.size(); ++i) {
    const BareToken token = take_marks(source[i]);
    const TokenCase shape = case_of(token.word);
    if (sentence_role(token.word, shape) != SentenceRole::word) continue;
    read.has_case[i] = shape.letters > 0;
    // What has no case, or a capital inside only (iPhone), says nothing about how the sentence begins.
    if (first && shape.letters > 0 && shape.caseless == 0 && shape.digits == 0)
      read.begins_upper = shape.begins_upper || shape.upper > 0;
    first = false;
    if (shape.letters < 2) continue;
    if (!shape.is_all_upper()) {
      ++other_words;
      continue;
    }
    ++upper_words;
    if (shape_of(token.word).is_roman) continue;
    std::string usual;
    if (source_) {
      const std::string model = model_form(token.word);
      const WordId id = source_->find(model, source[i]);
      if (id != Vocabulary::unknown) source_->append_form(usual, id, model);
    }
    if (usual == token.word) continue;
    read.shouted[i] = true;
    ++shouted_words;
  }
  read.all_upper = other_words == 0 && upper_words >= enough_upper_words && shouted_words > 0;
  return read;
}

std::vector<std::string> CaseRestorer::restore(Tokens target, std::span<const CaseLink> links, Tokens source) const {
  const SourceCase read = this->read(source);
  // Per target word: links to source words with case, and those of them that are shouted; the last link of all.
  struct Linked {
    uint32_t cased = 0;
    uint32_t shouted = 0;
  };
  std::vector<Linked> linked(target.size());
  for (const CaseLink& link : links) {
    if (link.target >= target.size() || link.source >= source.size()) continue;
    linked[link.target].cased += read.has_case[link.source];
    linked[link.target].shouted += read.shouted[link.source];
  }
  // The source token that a passed-through word came from: a linked one first, then any of the same form.
  auto original = [&](uint32_t position, std::string_view word) -> std::string_view {
    for (const CaseLink& link : links)
      if (link.target == position && link.source < source.size()) {
        const std::string_view surface = take_marks(source[link.source]).word;
        if (model_form(surface) == word) return surface;
      }
    for (std::string_view token : source) {
      const std::string_view surface = take_marks(token).word;
      if (model_form(surface) == word) return surface;
    }
    return {};
  };

  std::vector<std::string> written;
  written.reserve(target.size());
  Starts starts;
  std::string form;
  std::string cased;
  for (size_t i = 0; i < target.size(); ++i) {
    const BareToken token = take_marks(target[i]);
    const TokenCase shape = case_of(token.word);
    const bool at_start = starts.at_start(sentence_role(token.word, shape));
    const WordId id = target_.find(token.word, target[i]);
    form.clear();
    if (id == Vocabulary::unknown && shape.is_word()) {
      form = original(static_cast<uint32_t>(i), token.word);
      if (!form.empty()) {
        written.push_back(marked(token, form));
        continue;
      }
    }
    // A token with capitals is protected (a URL, a placeholder) and stays.
    if (shape.letters == 0 || shape.upper > 0) {
      written.emplace_back(target[i]);
      continue;
    }
    target_.append_form(form, id, token.word);
    cased.clear();
    if (read.all_upper || (linked[i].cased > 0 && linked[i].shouted == linked[i].cased)) {
      append_all_upper(cased, form, target_.dotted_i());
    } else if (at_start && read.begins_upper && case_of(form).is_lower()) {
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
  Starts starts;
  for (std::string_view whole : tokens) {
    const BareToken token = take_marks(whole);
    const TokenCase shape = case_of(token.word);
    const bool at_start = starts.at_start(sentence_role(token.word, shape));
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
