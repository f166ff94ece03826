// The parts of `_core.testing`.
#pragma once

#include "bind/bind.h"

namespace dragoman::bind {

void register_testing_casing(nb::module_& module);
void register_testing_spacing(nb::module_& module);
void register_testing_models(nb::module_& module);
void register_testing_decoder(nb::module_& module);
void register_testing_limits(nb::module_& module);
void register_testing_training(nb::module_& module);
void register_testing_words(nb::module_& module);

}  // namespace dragoman::bind
