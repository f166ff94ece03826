// judge.bin, of floats and of bytes.
#include <cstdio>

#include "judge/judge.h"
#include "judge/judge_writer.h"
#include "judge/judging.h"
#include "judge/layout.h"
#include "tests/fuzz/target.h"

namespace dragoman::fuzz {
namespace {

using namespace judge;

Bytes random_judge(Precision precision, bool both_ways) {
  Header header{};
  header.dimension = 64;
  header.heads = 2;
  header.feedforward = 64;
  header.encoder_layers = header.decoder_layers = 1;
  header.backward_layers = both_ways;
  header.precision = precision;
  const std::vector<std::string> pieces{"", "", "", "", " a", "b", " c", "\u00e9"};
  Random random(3);
  std::normal_distribution<float> normal(0, 0.3f);
  std::map<std::string, std::vector<float>> floats;
  auto fill = [&](const std::string& name, size_t count) {
    for (size_t i = 0; i < count; ++i) floats[name].push_back(normal(random));
  };
  auto linear = [&](const std::string& name, size_t rows, size_t columns) {
    fill(name + ".weight", rows * columns);
    fill(name + ".bias", rows);
  };
  auto attention = [&](const std::string& name) {
    linear(name + "_norm", 64, 1);
    for (const char* part : {".query", ".key", ".value", ".out"}) linear(name + part, 64, 64);
  };
  fill("embedding", pieces.size() * 64);
  for (const std::string side : {"encoder", "decoder", "backward"}) {
    if (side == "backward" && !both_ways) continue;
    attention(side + ".0.attention");
    if (side != "encoder") attention(side + ".0.cross");
    linear(side + ".0.feedforward_norm", 64, 1);
    linear(side + ".0.feedforward.in", 64, 64);
    linear(side + ".0.feedforward.out", 64, 64);
    linear(side + "_norm", 64, 1);
  }
  nlm::Tensors tensors;
  for (const auto& [name, values] : floats) tensors[name] = std::as_bytes(std::span(values));
  write_judge(header, pieces, tensors, temporary_path());
  const auto buffer = Buffer::map(temporary_path());
  std::remove(temporary_path().c_str());
  return {buffer->bytes().begin(), buffer->bytes().end()};
}

std::vector<Bytes> seeds() { return {random_judge(Precision::f32, false), random_judge(Precision::int8, true)}; }

void use(Bytes file) {
  const auto judge = Judge::parse(Container::parse(Buffer::own(std::move(file), "file"), file_kind));
  const std::vector<std::string_view> source{"ab", "c", "x"};
  const std::vector<std::vector<std::string_view>> candidates{{"a", "b"}, {"a", "c", "\u00e9"}, {}, {"c"}};
  require(score(*judge, source, candidates).size() == candidates.size(), "a candidate without a score");
  score(*judge, {}, candidates, source);
}

}  // namespace

const Target judge_target{"judge", seeds, use};

}  // namespace dragoman::fuzz
