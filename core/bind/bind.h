// What the binding files share: one register_* function per folder of the core, and the bridge from a Python progress
// callable to a Monitor. Long calls release the GIL and take it back only to poll.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <span>
#include <vector>

#include "base/container.h"
#include "base/link.h"
#include "base/monitor.h"
#include "base/namespaces.h"

namespace nb = nanobind;

// A link is a pair of numbers in Python.
template <>
struct nanobind::detail::type_caster<dragoman::Link> {
  using Pair = std::pair<uint32_t, uint32_t>;
  NB_TYPE_CASTER(dragoman::Link, const_name("tuple[int, int]"))

  bool from_python(handle source, uint8_t flags, cleanup_list* cleanup) noexcept {
    make_caster<Pair> pair;
    if (!pair.from_python(source, flags, cleanup) || !pair.can_cast<Pair>()) return false;
    const Pair given = pair.operator cast_t<Pair>();
    value = {given.first, given.second};
    return true;
  }
  static handle from_cpp(const dragoman::Link& link, rv_policy policy, cleanup_list* cleanup) noexcept {
    return make_caster<Pair>::from_cpp(Pair{link.source, link.target}, policy, cleanup);
  }
};

namespace dragoman::translate {
struct TranslateRequest;
}

namespace dragoman::bind {

void register_base(nb::module_& module);
void register_align(nb::module_& module);
void register_align_shards(nb::module_& module);
void register_beads(nb::module_& module);
void register_text(nb::module_& module);
void register_clean(nb::module_& module);
void register_corpus(nb::module_& module);
void register_splitter(nb::module_& module);
void register_casing(nb::module_& module);
void register_lm(nb::module_& module);
void register_nlm(nb::module_& module);
void register_nlm_training(nb::module_& module);
void register_judge(nb::module_& module);
void register_index(nb::module_& module);
void register_live(nb::module_& module);
void register_sources(nb::module_& module);
void register_translate(nb::module_& module);
void register_tune(nb::module_& module);
void register_testing(nb::module_& core);

// Options of decoding and of text as a dictionary of the names in config.py.
translate::TranslateRequest translate_request(const nb::dict& options);

// progress is None or a callable (done, total) -> None; an exception it raises, or Ctrl-C, ends the call.
Monitor make_monitor(nb::object progress);

inline Trust trust_of(bool trust) { return trust ? Trust::skip_hashes : Trust::verify_hashes; }

inline std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
inline nb::bytes to_bytes(std::span<const std::byte> bytes) { return nb::bytes(bytes.data(), bytes.size()); }
inline nb::bytes bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }
template <class T>
nb::bytes bytes_of(const std::vector<T>& values) {
  return to_bytes(std::as_bytes(std::span(values)));
}

}  // namespace dragoman::bind
