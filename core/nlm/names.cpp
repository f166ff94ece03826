// Names of the kinds of models, as options and reports have them.
#include <array>
#include <utility>

#include "nlm/model_writer.h"

namespace dragoman::nlm {
namespace {

constexpr std::array precisions{std::pair{Precision::f32, "f32"}, std::pair{Precision::f16, "f16"},
                                std::pair{Precision::int8, "int8"}, std::pair{Precision::int4, "int4"}};
constexpr std::array normalisations{std::pair{Normalisation::exact, "exact"}, std::pair{Normalisation::self, "self"},
                                    std::pair{Normalisation::none, "none"}};
constexpr std::array outputs{std::pair{Output::classes, "class"}, std::pair{Output::tree, "tree"},
                             std::pair{Output::flat, "flat"}};

template <class Table>
auto value_of(const Table& table, std::string_view option, std::string_view name) {
  std::string known;
  for (const auto& [value, each] : table) {
    if (name == each) return value;
    known += (known.empty() ? "" : ", ") + std::string(each);
  }
  throw ConfigError(std::string(option), "is one of " + known + ", not '" + std::string(name) + "'");
}

template <class Table, class Value>
std::string_view find_name(const Table& table, Value wanted) {
  for (const auto& [value, name] : table)
    if (value == wanted) return name;
  return "?";
}

}  // namespace

Precision precision_of(std::string_view option, std::string_view name) { return value_of(precisions, option, name); }
Normalisation normalisation_of(std::string_view name) { return value_of(normalisations, "normalisation", name); }
Output output_of(std::string_view name) { return value_of(outputs, "output", name); }
std::string_view name_of(Precision precision) { return find_name(precisions, precision); }
std::string_view name_of(Normalisation normalisation) { return find_name(normalisations, normalisation); }
std::string_view name_of(Output output) { return find_name(outputs, output); }

}  // namespace dragoman::nlm
