// Names of the kinds of models, as options and reports have them.
#include "base/choices.h"
#include "nlm/model_writer.h"

namespace dragoman::nlm {
namespace {

constexpr Choice<Precision> precisions[] = {
    {"f32", Precision::f32}, {"f16", Precision::f16}, {"int8", Precision::int8}, {"int4", Precision::int4}};
constexpr Choice<Normalisation> normalisations[] = {
    {"exact", Normalisation::exact}, {"self", Normalisation::self}, {"none", Normalisation::none}};
constexpr Choice<Output> outputs[] = {{"class", Output::classes}, {"tree", Output::tree}, {"flat", Output::flat}};

}  // namespace

Precision precision_of(std::string_view option, std::string_view name) { return choose(precisions, option, name); }
Normalisation normalisation_of(std::string_view name) { return choose(normalisations, "normalisation", name); }
Output output_of(std::string_view name) { return choose(outputs, "output", name); }
std::string_view name_of(Precision precision) { return chosen_name(precisions, precision); }
std::string_view name_of(Normalisation normalisation) { return chosen_name(normalisations, normalisation); }
std::string_view name_of(Output output) { return chosen_name(outputs, output); }

}  // namespace dragoman::nlm
