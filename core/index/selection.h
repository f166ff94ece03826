// Which sentence pairs to keep when not all of them fit: those that teach most for their bytes.
//
// An n-gram of the source (one to three words) is worth the square root of how often new text may be expected to need
// it, its count less 0.7 (about the discount of singletons), and each further chosen occurrence is worth less: the
// k-th brings a share of 1/(k+1). A pair's gain is what its n-grams bring, times the share of its words that found a
// partner (a pair that is no translation links little), over its bytes. Pairs are taken greedily by gain; since gains
// only fall, a heap with stale entries re-evaluated on top is exact (Minoux 1978). Related to feature decay (Biçici and
// Yuret 2011), with the corpus itself in place of a known test set; n-grams of a given text may be made worth more.
//
// n-grams are counted in hashed slots, so memory is a byte per source word and 8 per slot. A pair that no longer fits
// is passed over, so that shorter ones fill what room is left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/id_text.h"
#include "text/stored_links.h"

namespace dragoman::index {

struct SelectionOptions {
  // Bytes the chosen pairs may take together, and what a source word, a target word and a pair take.
  double max_bytes = 0;
  double source_word_bytes = 1;
  double target_word_bytes = 1;
  double pair_bytes = 0;
  // n-grams of the text to translate, where some is known, are worth this many times as much.
  double wanted_factor = 3;
};

// Numbers of pairs in the order they were chosen. `wanted` is source text like that to be translated,
// or nothing.
std::vector<uint64_t> select_pairs(const IdText& source, const IdText& target, const StoredLinks& links,
                                   const IdText& wanted, const SelectionOptions& options, Monitor& monitor);

// The choice as a container of kind `chosen`: one section `pairs`, rising numbers of 64 bits.
inline constexpr std::string_view chosen_kind = "chosen";
void write_chosen(const std::string& path, std::vector<uint64_t> pairs);
std::vector<uint64_t> read_chosen(const std::string& path, Trust trust = Trust::verify_hashes);

}  // namespace dragoman::index
