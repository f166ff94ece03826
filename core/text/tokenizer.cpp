#include "text/tokenizer.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/scanner.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

constexpr std::string_view no_language = "none";

// Shards of whole lines; their number depends on the text alone.
constexpr size_t shard_bytes = 1 << 20;

constexpr SpacingShape placeholder_shape{SpacingClass::placeholder, 0};

// Only signs and protected spans can hold a character that needs escaping, and words a space.
bool may_need_escape(std::string_view token, bool is_protected) {
  const unsigned char lead = static_cast<unsigned char>(token.front());
  return is_protected || lead == 0xe2 || lead == 0xef || token.find(' ') != std::string_view::npos;
}

// Line by line over a whole text: append(out, line) for each, a newline after each, shards in order.
template <class Append>
std::string convert_text(std::string_view text, size_t threads, Monitor& monitor, const Append& append) {
  require_text(text);
  const std::vector<std::string_view> lines = split_lines(text);
  const size_t shards = std::max<size_t>(1, std::min(lines.size(), text.size() / shard_bytes));
  std::vector<std::string> parts(shards);
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const Interval<size_t> range = shard_range(lines.size(), shards, shard);
    std::string& out = parts[shard];
    out.reserve(text.size() / shards * 5 / 4);
    append(out, std::span(lines).subspan(range.begin, range.end - range.begin));
  });
  if (shards == 1) return std::move(parts[0]);
  size_t size = 0;
  for (const std::string& part : parts) size += part.size();
  std::string whole;
  whole.reserve(size);
  for (std::string& part : parts) {
    whole += part;
    std::string().swap(part);
  }
  return whole;
}

}  // namespace

Tokenizer::Tokenizer(std::string_view language)
    : language_code_(language), none_(language == no_language), language_(language), spacing_(language_) {}

void Tokenizer::tokenize(std::string_view line, std::span<const TextSpan> whole, std::vector<Token>& tokens) const {
  tokens.clear();
  if (whole.empty()) {
    scan(line, tokens);
  } else {
    std::vector<Token> part;
    uint64_t at = 0;
    auto add = [&](Token token) {
      token.joined = !none_ && !tokens.empty() && tokens.back().end == token.begin;
      tokens.push_back(token);
    };
    auto add_stretch = [&](uint64_t end) {
      part.clear();
      scan(line.substr(at, end - at), part);
      for (Token token : part) {
        token.begin += at;
        token.end += at;
        add(token);
      }
    };
    for (const TextSpan& span : whole) {
      add_stretch(span.begin);
      add({span.begin, span.end, true, false});
      at = span.end;
    }
    add_stretch(line.size());
  }
  if (!none_) mark_deviations(line, tokens);
}

void Tokenizer::scan(std::string_view line, std::vector<Token>& tokens) const {
  if (none_) {
    size_t begin = 0;
    for (size_t at = 0; at < line.size();) {
      const CodePoint c = decode_utf8(line, at);
      if (is_space(c.value)) {
        if (at > begin) tokens.push_back({begin, at, true, false});
        begin = at + c.bytes;
      }
      at += c.bytes;
    }
    if (begin < line.size()) tokens.push_back({begin, line.size(), true, false});
    return;
  }
  Scanner(line, language_, tokens).scan();
}

void Tokenizer::mark_deviations(std::string_view line, std::vector<Token>& tokens) const {
  auto shape_at = [&](size_t i) {
    return spacing_.shape_of(line.substr(tokens[i].begin, tokens[i].end - tokens[i].begin));
  };
  SpacingWalk walk(spacing_);
  SpacingShape shape{}, next{};
  if (!tokens.empty()) next = shape_at(0);
  for (size_t i = 0; i < tokens.size(); ++i) {
    shape = next;
    const bool last = i + 1 == tokens.size();
    if (!last) next = shape_at(i + 1);
    Token& token = tokens[i];
    const bool expected = walk.reach(shape, last ? nullptr : &next);
    if (i > 0 && expected != token.joined)
      (walk.mark_stands_right() ? token.before : tokens[i - 1].after) = token.joined ? Mark::join : Mark::space;
    walk.settle(token.joined);
  }
}

void Tokenizer::append_tokens(std::string& out, std::string_view line, const std::vector<Token>& tokens,
                              Form form) const {
  std::string word;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const std::string_view text = line.substr(token.begin, token.end - token.begin);
    const bool escape = !none_ && may_need_escape(text, token.is_protected);
    auto append = [&](bool written, bool marks) {
      if (marks) append_mark(out, token.before);
      if (written) {
        escape ? append_escaped(out, text) : void(out.append(text));
      } else if (escape) {
        word.clear();
        append_model_form(word, text, token.is_protected);
        append_escaped(out, word);
      } else {
        append_model_form(out, text, false);
      }
      if (marks) append_mark(out, token.after);
    };
    if (i > 0) out.push_back(' ');
    append(form == Form::written, form == Form::written || form == Form::marked_word);
    if (form == Form::both) {
      out.push_back(' ');
      append(true, true);
    }
  }
}

void Tokenizer::append_detokenized(std::string& out, std::string_view token_line) const {
  std::vector<TextSpan> places;
  const TextPiece whole{token_line};
  append_joined(out, {&whole, 1}, places);
}

void Tokenizer::append_joined(std::string& out, std::span<const TextPiece> pieces,
                              std::vector<TextSpan>& places) const {
  uint64_t last = out.size();
  places.assign(pieces.size(), TextSpan::nothing());
  auto append = [&](std::string_view text, size_t piece) {
    places[piece].include({out.size(), out.size() + text.size()});
    out.append(text);
  };
  if (none_)
    join_by_spaces(out, pieces, append);
  else
    join_by_rules(out, pieces, append);
  for (TextSpan& place : places) {
    if (place == TextSpan::nothing()) place = {last, last};
    last = place.end;
  }
}

template <class Append>
void Tokenizer::join_by_spaces(std::string& out, std::span<const TextPiece> pieces, const Append& append) const {
  bool first = true;
  for (size_t piece = 0; piece < pieces.size(); ++piece) {
    auto add = [&](std::string_view word) {
      if (!first) out.push_back(' ');
      append(word, piece);
      first = false;
    };
    if (pieces[piece].verbatim)
      add(pieces[piece].text);
    else
      for_each_word(pieces[piece].text, add);
  }
}

template <class Append>
void Tokenizer::join_by_rules(std::string& out, std::span<const TextPiece> pieces, const Append& append) const {
  struct Word {
    std::string text;
    SpacingShape shape;
    Mark before, after;
    size_t piece;
  };
  std::vector<Word> words;
  for (size_t piece = 0; piece < pieces.size(); ++piece) {
    const TextPiece& text_piece = pieces[piece];
    if (text_piece.verbatim) {
      words.push_back({std::string(text_piece.text), placeholder_shape, text_piece.before, text_piece.after, piece});
      continue;
    }
    for_each_word(text_piece.text, [&](std::string_view written) {
      const MarkedToken token = parse_marks(written);
      if (token.text.empty()) {  // nothing but marks: they speak for the boundary
        if (!words.empty() && token.before != Mark::none) words.back().after = token.before;
        return;
      }
      Word word{{}, {}, token.before, token.after, piece};
      append_unescaped(word.text, token.text);
      word.shape = spacing_.shape_of(word.text);
      words.push_back(std::move(word));
    });
  }
  SpacingWalk walk(spacing_);
  for (size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    const bool expected = walk.reach(word.shape, i + 1 < words.size() ? &words[i + 1].shape : nullptr);
    const Mark before = i > 0 ? words[i - 1].after : Mark::none;
    const Mark mark = word.before != Mark::none ? word.before : before;
    const bool joined = mark == Mark::none ? expected : mark == Mark::join;
    if (i > 0 && !joined) out.push_back(' ');
    append(word.text, word.piece);
    walk.settle(i > 0 && joined);
  }
}

std::string Tokenizer::tokenize_text(std::string_view text, Form form, size_t threads, Monitor& monitor) const {
  return convert_text(text, threads, monitor, [&](std::string& out, std::span<const std::string_view> lines) {
    std::vector<Token> tokens;
    for (const std::string_view line : lines) {
      tokenize(line, tokens);
      append_tokens(out, line, tokens, form);
      out.push_back('\n');
    }
  });
}

std::string Tokenizer::detokenize_text(std::string_view text, size_t threads, Monitor& monitor) const {
  return convert_text(text, threads, monitor, [&](std::string& out, std::span<const std::string_view> lines) {
    for (const std::string_view line : lines) {
      append_detokenized(out, line);
      out.push_back('\n');
    }
  });
}

}  // namespace dragoman::text
