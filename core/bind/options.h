// Options cross as a dictionary of the names in config.py, and a table says where each of them goes:
//   constexpr Option<ExtractOptions> extract_table[] = {option<&ExtractOptions::tight>("tight"), ...};
// What the table does not name is refused, and so is a value of the wrong type.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/errors.h"
#include "bind/bind.h"

namespace dragoman::bind {

template <class Options>
struct Option {
  const char* name;
  void (*set)(Options&, nb::handle);
};

// Sets a member, or one further inside: each pointer leads on from what the one before it names. Where a function comes
// last, the value is a string and the function says what it means.
template <auto... path>
struct OptionPath {
  const char* name;

  template <class Options>
  constexpr operator Option<Options>() const {
    return {name, [](Options& options, nb::handle value) { set<path...>(options, value); }};
  }

 private:
  template <auto first, auto... rest, class Object>
  static void set(Object& object, nb::handle value) {
    if constexpr (!std::is_member_object_pointer_v<decltype(first)>)
      object = first(nb::cast<std::string_view>(value));
    else if constexpr (sizeof...(rest) == 0)
      object.*first = nb::cast<std::remove_reference_t<decltype(object.*first)>>(value);
    else
      set<rest...>(object.*first, value);
  }
};

template <auto... path>
constexpr OptionPath<path...> option(const char* name) {
  return {name};
}

// `what` ends the sentence about a name that the table does not have: "is not an option of ...".
template <class Options, size_t count>
Options read_options(const nb::dict& values, const Option<Options> (&table)[count], const char* what) {
  Options options{};
  for (auto [key, value] : values) {
    const auto name = nb::cast<std::string>(key);
    const auto* entry = std::find_if(table, table + count, [&](const auto& row) { return row.name == name; });
    if (entry == table + count) throw ConfigError(name, std::string("is not an option of ") + what);
    try {
      entry->set(options, value);
    } catch (const nb::cast_error&) {
      throw ConfigError(name, "has a value that cannot be used");
    }
  }
  return options;
}

}  // namespace dragoman::bind
