#include "text/casing.h"

#include <algorithm>

#include "text/stored_words.h"

namespace dragoman::text {
namespace {

struct CasingSize {
  uint64_t types;
  uint64_t spelled;
  uint64_t flags;
};
// Above the flag, files of before hold what is now in the weights: 2 and 4, and a share of 16 bits.
enum Flag : uint64_t { two_letter_i = 1, known_flags = 0xffff0007 };

}  // namespace

Casing Casing::build(Vocabulary vocabulary, const CaseCounts& counts, DottedI dotted_i) {
  Casing casing(std::move(vocabulary));
  casing.dotted_i_ = dotted_i;
  const auto forms = counts.finish();
  casing.set_forms([&](WordId id) -> std::string {
    const std::string_view word = take_marks(casing.vocabulary_.word(id)).word;
    const auto entry = std::lower_bound(forms.begin(), forms.end(), word,
                                        [](const auto& form, std::string_view key) { return form.first < key; });
    return entry == forms.end() || entry->first != word ? std::string() : entry->second;
  });
  return casing;
}

Casing Casing::from_forms(Vocabulary vocabulary, const std::function<std::string(WordId)>& form_of,
                          const Casing& like) {
  Casing casing(std::move(vocabulary));
  casing.dotted_i_ = like.dotted_i_;
  casing.model_ = like.model_;
  casing.set_forms(form_of);
  return casing;
}

Casing Casing::extended(const Vocabulary& vocabulary) const {
  Casing casing = *this;
  casing.vocabulary_ = vocabulary;
  return casing;
}

void Casing::set_forms(const std::function<std::string(WordId)>& form_of) {
  const WordId types = vocabulary_.size();
  std::vector<Shape> shapes(types, as_model);
  std::vector<WordId> ids;
  std::vector<uint64_t> offsets = {0};
  std::string strings;
  std::string rebuilt;
  for (WordId id = Vocabulary::first_word; id < types; ++id) {
    const std::string_view word = take_marks(vocabulary_.word(id)).word;
    const std::string form = form_of(id);
    if (form.empty() || form == word) continue;
    rebuilt.clear();
    append_capitalized(rebuilt, word, dotted_i_);
    if (rebuilt == form) {
      shapes[id] = capitalized;
      continue;
    }
    rebuilt.clear();
    append_all_upper(rebuilt, word, dotted_i_);
    if (rebuilt == form) {
      shapes[id] = all_upper;
      continue;
    }
    shapes[id] = spelled;
    ids.push_back(id);
    strings += form;
    offsets.push_back(strings.size());
  }
  auto owned =
      std::make_shared<Owned>(Owned{PackedWriter(types, shape_bits), PackedWriter(ids.size(), bits_for(types)),
                                    PackedWriter(offsets.size(), bits_for(strings.size())), std::move(strings)});
  for (WordId id = 0; id < types; ++id) owned->shapes.set(id, shapes[id]);
  for (size_t i = 0; i < ids.size(); ++i) owned->ids.set(i, ids[i]);
  for (size_t i = 0; i < offsets.size(); ++i) owned->offsets.set(i, offsets[i]);
  shapes_ = owned->shapes.view();
  ids_ = owned->ids.view();
  offsets_ = owned->offsets.view();
  strings_ = owned->strings;
  owned_ = std::move(owned);
}

Casing Casing::open(const Container& container, const std::string& prefix, Vocabulary vocabulary) {
  Casing casing(std::move(vocabulary));
  const auto size = container.record<CasingSize>(prefix + ".size");
  const WordId types = casing.vocabulary_.size();
  if (size.types != types) container.fail(prefix + ".size", "belongs to another vocabulary");
  if (size.spelled > types) container.fail(prefix + ".size", "counts more forms than there are words");
  if (size.flags & ~uint64_t{known_flags})
    container.fail(prefix + ".size", "holds a flag that this version does not know");
  const auto strings = container.bytes(prefix + ".strings");
  casing.dotted_i_ = size.flags & two_letter_i ? DottedI::two_letters : DottedI::one_letter;
  casing.model_ = CaseModel::open(container, prefix);
  casing.strings_ = {reinterpret_cast<const char*>(strings.data()), strings.size()};
  casing.shapes_ = PackedArray(container, prefix + ".shapes", types, shape_bits);
  casing.ids_ = PackedArray(container, prefix + ".ids", size.spelled, bits_for(types));
  casing.offsets_ = PackedArray(container, prefix + ".offsets", size.spelled + 1, bits_for(strings.size()));
  require_words(container, prefix, casing.strings_, casing.offsets_);
  casing.buffer_ = container.buffer();
  return casing;
}

void Casing::add_to(ContainerWriter& writer, const std::string& prefix) const {
  const uint64_t flags = dotted_i_ == DottedI::two_letters ? uint64_t{two_letter_i} : 0;
  writer.add_record(prefix + ".size", CasingSize{shapes_.size(), ids_.size(), flags});
  writer.add(prefix + ".shapes", shapes_.bytes());
  writer.add(prefix + ".ids", ids_.bytes());
  writer.add(prefix + ".offsets", offsets_.bytes());
  writer.add(prefix + ".strings", std::as_bytes(std::span(strings_)));
  model_.add_to(writer, prefix);
}

std::string_view Casing::spelled_form(WordId id) const {
  uint64_t low = 0;
  uint64_t high = ids_.size();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    (ids_[middle] < id ? low : high) = ids_[middle] < id ? middle + 1 : middle;
  }
  if (low == ids_.size() || ids_[low] != id) return {};
  const uint64_t begin = offsets_[low];
  return {strings_.data() + begin, static_cast<size_t>(offsets_[low + 1] - begin)};
}

void Casing::append_form(std::string& out, WordId id, std::string_view word) const {
  if (const std::string_view learned = vocabulary_.written_form(id); !learned.empty()) {
    out += learned;
    return;
  }
  const uint64_t shape = id < shapes_.size() ? shapes_[id] : uint64_t{as_model};
  switch (shape) {
    case capitalized:
      append_capitalized(out, word, dotted_i_);
      return;
    case all_upper:
      append_all_upper(out, word, dotted_i_);
      return;
    case spelled:
      if (const std::string_view form = spelled_form(id); !form.empty()) {
        out += form;
        return;
      }
      [[fallthrough]];
    default:
      out += word;
  }
}

WordId Casing::find(std::string_view word, std::string_view token) const {
  const WordId id = vocabulary_.find(word);
  return id == Vocabulary::unknown && token != word ? vocabulary_.find(token) : id;
}

}  // namespace dragoman::text
