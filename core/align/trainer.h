// Training: IBM 1 first, then iterations of the chosen model from its table (thesis section 2.2). Both directions are
// trained together, on one table and in one walk over the text. The agreement model is the hidden Markov model whose
// two directions are counted only as far as they agree (Liang et al. 2006).
#pragma once

#include "align/bitext.h"
#include "align/symmetrize.h"
#include "align/trained_model.h"
#include "align/training_options.h"
#include "base/monitor.h"

namespace dragoman::align {

TrainedModel train(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor);

// Links of all pairs of the text the model was trained on.
LinkTable align_bitext(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how,
                       size_t threads, Monitor& monitor);

}  // namespace dragoman::align
