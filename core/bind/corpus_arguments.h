// A text or links as Python gives them: numbers already (IdText, StoredLinks), or lines, which become numbers here.
#pragma once

#include "bind/bind.h"
#include "text/id_text.h"
#include "text/stored_links.h"

namespace dragoman::bind {

// IdText, or bytes with lines of tokens, or the path of such a file as str. Call with the GIL.
IdText text_argument(const nb::object& given);
// StoredLinks, or bytes with lines of Pharaoh links of the pairs of two texts. Call with the GIL.
StoredLinks links_argument(const nb::object& given, const IdText& source, const IdText& target);

}  // namespace dragoman::bind
