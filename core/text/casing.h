// Each type's commonest surface form, beside the vocabulary of model forms it belongs to. Two bits per type say whether
// the form is the model form itself, that with a first capital, or all capitals; the few others (`iPhone`, `McDonald`,
// `l’` where ’ is commoner than ') are spelled out, sorted by id. Opening builds nothing; a look-up is one load, for a
// spelled-out form a binary search.
//
// Beside the forms is the model that chooses another case for a word where its context asks for one (case_model.h).
//
// In a container: `<prefix>.size`, `.shapes`, `.ids`, `.offsets`, `.strings`, and `.weights` of the model.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/container.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "text/case_counts.h"
#include "text/case_model.h"
#include "text/case_shape.h"
#include "text/vocabulary.h"

namespace dragoman::text {

class Casing {
 public:
  // The vocabulary's words may carry joiner marks; their forms do not.
  static Casing build(Vocabulary vocabulary, const CaseCounts& counts, DottedI dotted_i = DottedI::one_letter);
  // The forms of a vocabulary's words, given one by one; the rest is as in `like`.
  static Casing from_forms(Vocabulary vocabulary, const std::function<std::string(WordId)>& form_of,
                           const Casing& like);
  // These forms for this vocabulary with an overlay's words after its own.
  Casing extended(const Vocabulary& vocabulary) const;
  // Throws FormatError if the sections do not fit together or do not fit the vocabulary.
  static Casing open(const Container& container, const std::string& prefix, Vocabulary vocabulary);
  // The casing must outlive writer.write(). The vocabulary is written by its owner.
  void add_to(ContainerWriter& writer, const std::string& prefix) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  DottedI dotted_i() const { return dotted_i_; }
  const CaseModel& model() const { return model_; }
  void set_model(CaseModel model) { model_ = std::move(model); }

  // Appends the form of a word, without marks; `word` is the model form that belongs to the id.
  void append_form(std::string& out, WordId id, std::string_view word) const;
  // The id of a model form, tried bare and with the marks it came with; unknown if there is none.
  WordId find(std::string_view word, std::string_view token) const;

 private:
  enum Shape : uint8_t { as_model = 0, capitalized = 1, all_upper = 2, spelled = 3 };
  static constexpr uint32_t shape_bits = 2;

  // Stores the forms; "" and the model form itself mean that a word has no other form.
  void set_forms(const std::function<std::string(WordId)>& form_of);
  explicit Casing(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  std::string_view spelled_form(WordId id) const;

  struct Owned {
    PackedWriter shapes;
    PackedWriter ids;
    PackedWriter offsets;
    std::string strings;
  };
  std::shared_ptr<const Owned> owned_;
  std::shared_ptr<const Buffer> buffer_;
  Vocabulary vocabulary_;
  DottedI dotted_i_ = DottedI::one_letter;
  CaseModel model_;
  PackedArray shapes_;   // one per id
  PackedArray ids_;      // of the spelled-out forms, rising
  PackedArray offsets_;  // one more than ids
  std::string_view strings_;
};

}  // namespace dragoman::text
