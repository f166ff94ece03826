// align.bin, of each kind of model.
#include <cstdio>

#include "align/alignment_model.h"
#include "align/training.h"
#include "tests/fuzz/target.h"
#include "text/id_text_builder.h"

namespace dragoman::fuzz {
namespace {

using namespace align;

constexpr std::string_view source = "a b c\nb c d é\na a d\nc b\nd é a c b\n",
                           target = "A B C\nB C D E\nA A D\nC B\nD E A C B\n";

std::vector<Bytes> seeds() {
  std::vector<Bytes> files;
  Monitor monitor;
  const Bitext bitext = read_bitext(encode_text(source), encode_text(target));
  for (ModelKind kind : {ModelKind::ibm1, ModelKind::diagonal, ModelKind::hmm, ModelKind::agreement}) {
    TrainingOptions options;
    options.model = kind;
    AlignmentModel::pack(bitext, train(bitext, options, monitor)).save(temporary_path());
    const auto buffer = Buffer::map(temporary_path());
    files.emplace_back(buffer->bytes().begin(), buffer->bytes().end());
    std::remove(temporary_path().c_str());
  }
  return files;
}

void use(Bytes file) {
  Monitor monitor;
  const AlignmentModel model = AlignmentModel::parse(Buffer::own(std::move(file), "file"), Trust::verify_hashes);
  auto align = [&](const AlignmentModel& with) {
    for (Decoding decoding : {Decoding::posterior, Decoding::viterbi})
      attempt([&] {
        with.align("a b c d é x\nc\n", "A D C B E x\nC A\n", decoding, Symmetrization::grow_diag_final_and, 1, monitor);
      });
    attempt([&] { with.posteriors("a b x c", "B y A"); });
    for (WordId one : {0u, 1u, 2u, 5u, 9u, 1000000u})
      for (WordId other : {0u, 1u, 3u, 8u, UINT32_MAX}) with.probabilities(one, other);
  };
  align(model);
  attempt([&] { align(model.without({"b", "x"}, {"A"})); });
  attempt([&] { align(model.without({}, {})); });
}

}  // namespace

const Target alignment_target{"alignment", seeds, use};

}  // namespace dragoman::fuzz
