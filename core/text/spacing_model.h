// Whether a token is written together with the one before it, where the language's habits (spacing.h) are not all there
// is to say: what the training text shows of such tokens, and how the source tokens are written that they are linked
// to. A linear model over hashed features (spacing_context.h), learned from the written text (spacing_trainer.h). What
// the habits or a copied source token say has a head start.
#pragma once

#include "base/namespaces.h"
#include "text/linear_model.h"

namespace dragoman::text {

// The second alternative is to join.
using SpacingModel = LinearModel<2>;

}  // namespace dragoman::text
