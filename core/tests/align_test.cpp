#include <cmath>
#include <filesystem>
#include <random>

#include "align/alignment_model.h"
#include "align/diagonal.h"
#include "align/kernels.h"
#include "align/linking.h"
#include "align/maximization.h"
#include "align/shard_text.h"
#include "align/training.h"
#include "align/training_step.h"
#include "base/errors.h"
#include "base/namespaces.h"
#include "base/scratch.h"
#include "check.h"
#include "text/id_text_builder.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;
using namespace dragoman::align;

namespace {

std::string random_text(uint32_t seed, size_t lines, char first) {
  std::mt19937 random(seed);
  std::string text;
  for (size_t n = 0; n < lines; ++n) {
    for (size_t words = 1 + random() % 9; words > 0; --words) {
      text += static_cast<char>(first + random() % 12);
      text += static_cast<char>('a' + random() % 3);
      text += ' ';
    }
    text += '\n';
  }
  return text;
}

float uniform(std::mt19937& random) { return static_cast<float>(random() % 1000 + 1) / 1000; }

}  // namespace

TEST(alignment_is_the_same_for_any_number_of_threads) {
  Monitor monitor;
  const Bitext bitext = read_bitext(encode_text(random_text(1, 300, 'a')), encode_text(random_text(2, 300, 'm')));
  for (ModelKind kind : {ModelKind::ibm1, ModelKind::diagonal, ModelKind::hmm, ModelKind::agreement}) {
    TrainingOptions options;
    options.model = kind;
    options.shard_cells = 200;  // many shards
    const TrainedModel one = train(bitext, options, monitor);
    for (size_t threads : {2, 7}) {
      options.threads = threads;
      const TrainedModel many = train(bitext, options, monitor);
      CHECK(one.table.forward == many.table.forward);
      CHECK(one.table.backward == many.table.backward);
      CHECK(one.table.null_target == many.table.null_target);
      CHECK(one.log_likelihoods == many.log_likelihoods);
      CHECK(one.parameters.diagonal_forward.tension == many.parameters.diagonal_forward.tension);
      CHECK(std::equal(one.parameters.hmm_forward.jumps.weights().begin(),
                       one.parameters.hmm_forward.jumps.weights().end(),
                       many.parameters.hmm_forward.jumps.weights().begin()));
    }
  }
}

TEST(alignment_in_a_scratch_space_is_that_in_memory) {
  Monitor monitor;
  // Three times what may be open at once.
  const IdText source = encode_text(random_text(1, 220'000, 'a')), target = encode_text(random_text(2, 220'000, 'm'));
  TrainingOptions options;
  options.model = ModelKind::ibm1;
  options.ibm1_iterations = 3;
  options.threads = 4;
  const TrainedModel in_memory = train(read_bitext(source, target), options, monitor);
  ScratchSpace space(std::filesystem::temp_directory_path().string(), 1);
  const TrainedModel in_files = train(read_bitext(source, target, &space), options, monitor);
  CHECK(space.peak_bytes() > size_t{8} << 20);
  CHECK(in_memory.table.forward == in_files.table.forward);
  CHECK(in_memory.table.backward == in_files.table.backward);
  CHECK(in_memory.log_likelihoods == in_files.log_likelihoods);
}

TEST(kernels_of_every_level_filter_alike) {
  std::mt19937 random(3);
  for (size_t size : {1, 2, 15, 16, 17, 40, 100}) {
    const size_t room = pad_left + (size + state_block) / state_block * state_block + pad_right;
    std::vector<float> in(room), other(room), out(room), taps(jump_taps);
    for (size_t i = 0; i < size; ++i) in[pad_left + i] = uniform(random), other[pad_left + i] = uniform(random);
    for (float& tap : taps) tap = uniform(random) - 0.3f;
    constexpr auto reach = static_cast<int64_t>(jump_reach);
    auto at = [&](const std::vector<float>& row, int64_t i) {
      return i < 0 || i >= static_cast<int64_t>(size) ? 0.0f : row[pad_left + i];
    };
    for (KernelLevel level : {KernelLevel::baseline, KernelLevel::avx2, KernelLevel::avx512}) {
      if (level > best_kernel_level()) continue;
      const AlignKernels& kernels = align_kernels(level);
      for (bool spreading : {true, false}) {
        (spreading ? kernels.spread : kernels.collect)(in.data() + pad_left, taps.data(), 0.25f, out.data() + pad_left,
                                                       size);
        for (int64_t i = 0; i < static_cast<int64_t>(size); ++i) {
          double sum = 0.25;
          for (int64_t d = -reach; d <= reach; ++d) sum += taps[reach + d] * at(in, spreading ? i - d : i + d);
          CHECK(std::abs(sum - out[pad_left + i]) < 1e-4);
        }
      }
      std::vector<float> lanes(jump_taps * state_block);
      kernels.correlate(in.data() + pad_left, other.data() + pad_left, lanes.data(), size);
      for (int64_t d = -reach; d <= reach; ++d) {
        double sum = 0, lane_sum = 0;
        for (int64_t i = 0; i < static_cast<int64_t>(size); ++i) sum += at(in, i) * at(other, i + d);
        for (size_t k = 0; k < state_block; ++k) lane_sum += lanes[(reach + d) * state_block + k];
        CHECK(std::abs(sum - lane_sum) < 1e-3);
      }
    }
  }
}

// The gradient of the log-likelihood in the tension, by EM's identity the same as that of the expected one at the
// current point, against a difference quotient; and the curvature against that of the prior's normalizer.
TEST(tension_gradient_equals_the_numeric_one) {
  std::mt19937 random(5);
  for (auto [states, steps] : {std::pair<size_t, size_t>{1, 4}, {3, 3}, {7, 4}, {5, 11}}) {
    std::vector<float> emissions(states * steps), nulls(steps);
    for (float& value : emissions) value = uniform(random);
    for (float& value : nulls) value = uniform(random);
    auto sums_at = [&, states = states, steps = steps](float tension) {
      auto cells = emissions;
      auto null = nulls;
      DiagonalSums sums;
      Diagonal().posteriors({tension, 0.08f}, states, steps, cells.data(), null.data(), &sums);
      for (size_t j = 0; j < steps; ++j) {
        double total = null[j];
        for (size_t i = 0; i < states; ++i) total += cells[j * states + i];
        CHECK(std::abs(total - 1) < 1e-4);
      }
      return sums;
    };
    for (float tension : {0.5f, 4.0f, 9.0f}) {
      const float step = 0.05f;
      const double numeric =
          (sums_at(tension + step).log_likelihood - sums_at(tension - step).log_likelihood) / (2 * step);
      CHECK(std::abs(numeric - sums_at(tension).gradient) < 2e-3 + 0.01 * std::abs(numeric));
      CHECK(sums_at(tension).curvature >= 0);
    }
  }
}

TEST(exp_digamma_equals_known_values) {
  // digamma(1) is minus Euler's constant; digamma(1/2) = -gamma - 2 ln 2; digamma(x + 1) = digamma(x) + 1/x.
  const double gamma = 0.5772156649015329;
  auto near = [](double a, double b) { return std::abs(a - b) < 1e-5 * std::abs(b); };
  CHECK(near(exp_digamma(1), std::exp(-gamma)));
  CHECK(near(exp_digamma(0.5f), std::exp(-gamma - 2 * std::log(2.0))));
  CHECK(near(exp_digamma(2), std::exp(1 - gamma)));
  CHECK(near(exp_digamma(1000), 999.5));
}

TEST(jump_probabilities_sum_to_one) {
  const JumpTable jumps;
  for (size_t size : {1, 2, 12, 13, 30, 200})
    for (size_t position = 0; position <= size; ++position) {
      double sum = 0;
      for (size_t to = 1; to <= size; ++to)
        sum += jumps.weight(static_cast<int64_t>(to) - static_cast<int64_t>(position));
      CHECK(std::abs(sum - jumps.sum(position, size)) < 1e-5 * sum);
    }
}

namespace {

Container as_message(std::vector<std::byte> bytes, std::string_view kind) {
  return Container::parse(Buffer::own(std::move(bytes)), kind);
}

}  // namespace

TEST(shards_that_are_worked_on_elsewhere_give_the_same_bits) {
  Monitor monitor;
  const Bitext bitext = read_bitext(encode_text(random_text(1, 300, 'a')), encode_text(random_text(2, 300, 'm')));
  for (ModelKind kind : {ModelKind::ibm1, ModelKind::diagonal, ModelKind::hmm, ModelKind::agreement}) {
    TrainingOptions options;
    options.model = kind;
    options.shard_cells = 200;
    const TrainedModel one = train(bitext, options, monitor);
    Training training(bitext, options, monitor);
    const Container pairs = as_message(training.pairs(), TrainingStep::pairs_kind);
    while (!training.done()) {
      const Container step = as_message(training.step(), TrainingStep::step_kind);
      // The last first, and not all at once.
      for (size_t last = training.shards(); last > 0;) {
        const size_t first = last > 3 ? last - 3 : 0;
        const Container text = as_message(training.text(first, last), ShardText::kind);
        const auto statistics = work_on_shards(pairs, step, text, 2, monitor);
        training.add(as_message(statistics, Statistics::kind));
        CHECK_THROWS(training.add(as_message(statistics, Statistics::kind)), InputError);
        last = first;
        if (last > 0) CHECK_THROWS(training.finish_step(monitor), InputError);
      }
      training.finish_step(monitor);
    }
    const TrainedModel other = training.finish();
    CHECK(one.table.forward == other.table.forward);
    CHECK(one.table.backward == other.table.backward);
    CHECK(one.table.null_target == other.table.null_target);
    CHECK(one.table.null_source == other.table.null_source);
    CHECK(one.log_likelihoods == other.log_likelihoods);
    CHECK(one.parameters.diagonal_backward.tension == other.parameters.diagonal_backward.tension);

    const LinkTable links =
        align_bitext(bitext, one, Decoding::posterior, Symmetrization::grow_diag_final_and, 1, monitor);
    Linking linking(bitext, other, Decoding::posterior, Symmetrization::grow_diag_final_and);
    const Container step = as_message(TrainingStep::pack_step(other.table, other.parameters), TrainingStep::step_kind);
    CHECK_THROWS(linking.finish(), InputError);
    for (size_t shard = linking.shards(); shard-- > 0;) {
      const Container text = as_message(linking.text(shard, shard + 1), ShardText::kind);
      linking.add(as_message(
          link_shards(pairs, step, text, Decoding::posterior, Symmetrization::grow_diag_final_and, 1, monitor),
          Linking::kind));
    }
    const LinkTable other_links = linking.finish();
    CHECK(other_links.size() == links.size());
    for (size_t n = 0; n < links.size(); ++n)
      CHECK(std::equal(links.code(n).begin(), links.code(n).end(), other_links.code(n).begin(),
                       other_links.code(n).end()));
  }
}

TEST(messages_that_do_not_fit_are_refused) {
  Monitor monitor;
  const Bitext bitext = read_bitext(encode_text(random_text(1, 50, 'a')), encode_text(random_text(2, 50, 'm')));
  const Bitext smaller = read_bitext(encode_text(random_text(3, 2, 'a')), encode_text(random_text(4, 2, 'm')));
  TrainingOptions options;
  Training training(bitext, options, monitor), other(smaller, options, monitor);
  const Container pairs = as_message(training.pairs(), TrainingStep::pairs_kind);
  const Container step = as_message(training.step(), TrainingStep::step_kind);
  const Container text = as_message(training.text(0, 1), ShardText::kind);
  const Container few_pairs = as_message(other.pairs(), TrainingStep::pairs_kind);
  const Container few_step = as_message(other.step(), TrainingStep::step_kind);
  CHECK_THROWS(work_on_shards(pairs, few_step, text, 1, monitor), FormatError);
  CHECK_THROWS(work_on_shards(few_pairs, few_step, text, 1, monitor), FormatError);
  const auto statistics = work_on_shards(pairs, step, text, 1, monitor);
  CHECK_THROWS(other.add(as_message(statistics, Statistics::kind)), FormatError);
  CHECK_THROWS(training.text(0, 2), InputError);
}
