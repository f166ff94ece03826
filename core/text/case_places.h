// Where in a line a word stands: at a sentence's start, or after a colon or a quotation mark that may ask for a
// capital.
#pragma once

#include <cstdint>

#include "base/namespaces.h"
#include "text/case_shape.h"
#include "text/token_text.h"

namespace dragoman::text {

enum class CasePosition : uint8_t { inside, sentence_start, after_colon, speech_start };

// Follows the places of a line.
class Places {
 public:
  // The place of this token; call for every token in turn. After a full stop that is written together with what
  // follows (*.odb) no sentence begins.
  CasePosition next(SentenceRole role, const BareToken& token) {
    CasePosition place = CasePosition::inside;
    if (colon_) place = quote_ ? CasePosition::speech_start : CasePosition::after_colon;
    if (start_) place = CasePosition::sentence_start;
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

}  // namespace dragoman::text
