// A text or links as Python gives them: numbers already (IdText, StoredLinks), or lines, which become numbers here.
#pragma once

#include <optional>

#include "bind/bind.h"
#include "index/index_casing.h"
#include "text/id_text.h"
#include "text/stored_links.h"

namespace dragoman::bind {

// IdText, or bytes with lines of tokens, or the path of such a file as str. Call with the GIL.
IdText text_argument(const nb::object& given);
// StoredLinks, or bytes with lines of Pharaoh links of the pairs of two texts. Call with the GIL.
StoredLinks links_argument(const nb::object& given, const IdText& source, const IdText& target);

// The source of a text whose case is learned, as Python gives it: both or neither.
class SourceArgument {
 public:
  SourceArgument(const nb::object& source, const nb::object& links, const IdText& written);
  const LinkedSource* get() const { return source_ ? &*source_ : nullptr; }

 private:
  std::optional<IdText> text_;
  std::optional<StoredLinks> links_;
  std::optional<LinkedSource> source_;
};

}  // namespace dragoman::bind
