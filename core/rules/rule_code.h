// Parts of rules in bytes: as the rule cache and the memory of tuned sentences keep them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/link.h"
#include "base/namespaces.h"
#include "base/varint.h"
#include "rules/rule.h"

namespace dragoman::rules {

inline void append_float(std::vector<uint8_t>& bytes, float value) {
  uint8_t raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

inline void append_symbols(std::vector<uint8_t>& bytes, std::span<const Symbol> symbols) {
  append_varint(bytes, symbols.size());
  for (Symbol symbol : symbols) append_varint(bytes, symbol_code(symbol));
}

inline void append_links(std::vector<uint8_t>& bytes, std::span<const Link> links) {
  append_varint(bytes, links.size());
  for (Link link : links) {
    append_varint(bytes, link.source);
    append_varint(bytes, link.target);
  }
}

// These read what those wrote, and nothing else may be given to them.
inline uint32_t take_count(const uint8_t*& at) { return static_cast<uint32_t>(take_varint(at)); }

inline float take_float(const uint8_t*& at) {
  float value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

inline void take_symbols(const uint8_t*& at, std::vector<Symbol>& symbols) {
  symbols.resize(take_count(at));
  for (Symbol& symbol : symbols) symbol = symbol_of(take_count(at));
}

inline void take_links(const uint8_t*& at, Links& links) {
  links.resize(take_count(at));
  for (Link& link : links) {
    link.source = take_count(at);
    link.target = take_count(at);
  }
}

}  // namespace dragoman::rules
