#include "align/trainer.h"

#include "align/linking.h"
#include "align/training.h"

namespace dragoman::align {

TrainedModel train(const Bitext& bitext, const TrainingOptions& options, Monitor& monitor) {
  Training training(bitext, options, monitor);
  while (!training.done()) {
    training.sum(monitor);
    training.finish_step(monitor);
  }
  return training.finish();
}

LinkTable align_bitext(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how,
                       size_t threads, Monitor& monitor) {
  Linking linking(bitext, model, decoding, how);
  linking.link(threads, monitor);
  return linking.finish();
}

}  // namespace dragoman::align
