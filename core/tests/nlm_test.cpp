// Neural models: the same scores on every instruction set and from every batch, and damaged files under sanitizers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "base/namespaces.h"
#include "nlm/brown.h"
#include "nlm/model_writer.h"
#include "nlm/neural_model.h"
#include "nlm/session.h"
#include "nlm/text_scores.h"
#include "nlm/word_trees.h"
#include "tests/check.h"

namespace {

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;
using namespace dragoman::nlm;

struct Parts {
  ModelDescription description;
  std::map<std::string, std::vector<float>> floats;
  std::map<std::string, std::vector<int32_t>> ints;
  std::map<std::string, std::vector<int64_t>> longs;
};

Parts random_parts(Output output, uint32_t seed, uint32_t words = 30, uint32_t dimension = 70) {
  Parts parts;
  std::mt19937 source(seed);
  std::normal_distribution<float> normal(0, 0.5f);
  auto fill = [&](const std::string& name, size_t count) {
    auto& values = parts.floats[name];
    values.resize(count);
    for (float& value : values) value = normal(source);
  };
  const uint32_t size = words + first_real_word;
  parts.description.order = 4;
  parts.description.dimension = dimension;
  parts.description.output = output;
  for (uint32_t i = 0; i < words; ++i) parts.description.words.push_back("w" + std::to_string(i));
  fill("input", size_t{size} * dimension);
  fill("context", size_t{3} * dimension);
  fill("hidden_bias", dimension);
  if (output == Output::tree) {
    parts.ints["node_children"] = huffman_tree(std::vector<uint64_t>(size, 3));
    fill("node_weights", size_t{size - 3} * dimension);
    fill("node_bias", size - 3);
    return parts;
  }
  fill("word_weights", size_t{size} * dimension);
  fill("word_bias", size);
  if (output == Output::classes) {
    const uint32_t classes = 5;
    auto& of = parts.ints["class_of_word"];
    for (uint32_t i = 0; i < size; ++i) of.push_back(static_cast<int32_t>(i % classes));
    fill("class_weights", size_t{classes} * dimension);
    fill("class_bias", classes);
    // Every word as a context of one word, and some of two.
    auto& contexts = parts.ints["direct_contexts"];
    for (int32_t i = 1; i < static_cast<int32_t>(size); ++i)
      contexts.insert(contexts.end(), {i, i % 3 ? -1 : i / 2 + 1, -1});
    for (size_t i = 0; i <= contexts.size() / 3; ++i) {
      parts.longs["direct_word_begin"].push_back(static_cast<int64_t>(2 * i));
      parts.longs["direct_class_begin"].push_back(static_cast<int64_t>(i));
    }
    for (size_t i = 0; i < contexts.size() / 3; ++i) {
      parts.ints["direct_words"].insert(parts.ints["direct_words"].end(), {3, static_cast<int32_t>(4 + i % words)});
      parts.ints["direct_classes"].push_back(static_cast<int32_t>(i % classes));
    }
    fill("direct_word_weights", contexts.size() / 3 * 2);
    fill("direct_class_weights", contexts.size() / 3);
  }
  return parts;
}

struct TemporaryFile {
  std::string path;
  explicit TemporaryFile(const std::string& name)
      : path((std::filesystem::temp_directory_path() / ("dragoman-" + name + std::to_string(std::random_device()())))
                 .string()) {}
  ~TemporaryFile() { std::remove(path.c_str()); }
};

std::vector<std::byte> bytes_of(const Parts& parts) {
  Tensors tensors;
  for (const auto& [name, values] : parts.floats) tensors[name] = std::as_bytes(std::span(values));
  for (const auto& [name, values] : parts.ints) tensors[name] = std::as_bytes(std::span(values));
  for (const auto& [name, values] : parts.longs) tensors[name] = std::as_bytes(std::span(values));
  const TemporaryFile file("nlm");
  write_model(parts.description, tensors, file.path);
  const auto buffer = Buffer::map(file.path);
  return {buffer->bytes().begin(), buffer->bytes().end()};
}

NeuralModel model_of(std::vector<std::byte> bytes, Trust trust = Trust::verify_hashes) {
  return NeuralModel::parse(Container::parse(Buffer::own(std::move(bytes)), file_kind, trust));
}

std::vector<float> some_scores(const NeuralModel& model, uint32_t seed, size_t batch) {
  std::mt19937 source(seed);
  const uint32_t size = model.header().words;
  std::vector<WordId> ids;
  for (size_t i = 0; i < 200 * 4; ++i) ids.push_back(source() % (size + 2));
  // Some contexts and words more than once.
  for (size_t i = 0; i < 200; ++i) ids.push_back(ids[i * 4]);
  Session session(model);
  session.begin();
  std::vector<Query> queries;
  for (size_t i = 0; i + 4 <= ids.size(); i += 4) queries.push_back({ids.data() + i / 8 * 4, ids[i + 3], 0});
  std::vector<float> scores(queries.size());
  for (size_t at = 0; at < queries.size(); at += batch)
    session.score(std::span(queries).subspan(at, std::min(batch, queries.size() - at)), scores.data() + at);
  CHECK(session.counts().queries == queries.size());
  return scores;
}

TEST(neural_scores_agree_on_all_instruction_sets) {
  for (Output output : {Output::classes, Output::tree, Output::flat})
    for (Precision precision : {Precision::f32, Precision::f16, Precision::int8, Precision::int4}) {
      Parts parts = random_parts(output, 1);
      parts.description.input_precision = precision;
      parts.description.output_precision = precision == Precision::int4 ? Precision::int8 : precision;
      parts.description.direct_bits = precision == Precision::f32 ? 32 : 6;
      const NeuralModel model = model_of(bytes_of(parts));
      const auto baseline = some_scores(model.with_kernels(KernelLevel::baseline), 2, 1000);
      for (KernelLevel level : {KernelLevel::avx2, KernelLevel::avx512}) {
        if (level > best_kernel_level()) continue;
        const auto scores = some_scores(model.with_kernels(level), 2, 1000);
        float worst = 0;
        for (size_t i = 0; i < scores.size(); ++i) worst = std::max(worst, std::fabs(scores[i] - baseline[i]));
        // Hidden layers may differ in the last bit, and their codes by one.
        CHECK(worst < (precision == Precision::int8 || precision == Precision::int4 ? 0.05f : 1e-4f));
      }
      CHECK(some_scores(model, 2, 1) == some_scores(model, 2, 1000));
      CHECK(some_scores(model, 2, 7) == some_scores(model, 2, 1000));
    }
}

// Every number of rows, layers and lines that kernels treat in a way of their own, against plain sums.
TEST(products_of_bytes_are_exact) {
  std::mt19937 source(9);
  auto value = [&] { return static_cast<float>(source() % 2001) / 1000 - 1; };
  const uint32_t most = 9;
  for (uint32_t stride : {64u, 128u, 192u, 256u, 320u})
    for (uint32_t rows : {1u, 3u, 16u, 31u, 75u, 130u}) {
      const EncodedMatrix encoded = encode_matrix(Precision::int8, rows, stride, [&](uint32_t, float* values) {
        for (uint32_t i = 0; i < stride; ++i) values[i] = value();
      });
      const MatrixView matrix{encoded.data.data(), encoded.scales.data(), Precision::int8, rows, stride};
      std::vector<float> bias(rows);
      for (float& row_bias : bias) row_bias = value();
      std::vector<uint8_t> codes(size_t{most} * stride);
      for (uint8_t& code : codes) code = static_cast<uint8_t>(source());
      std::vector<Activation> layers;
      for (uint32_t c = 0; c < most; ++c)
        layers.push_back({nullptr, codes.data() + size_t{c} * stride, 0.01f * static_cast<float>(c + 1)});
      const size_t width = padded(rows);
      auto expected = [&](uint32_t c, uint32_t r, bool fused) {
        int32_t sum = 0;
        for (uint32_t i = 0; i < stride; ++i)
          sum += int32_t{codes[c * stride + i]} * static_cast<int8_t>(matrix.row(r)[i]);
        const float scale = encoded.scales[r] * layers[c].scale, product = static_cast<float>(sum);
        return fused ? std::fma(product, scale, bias[r]) : bias[r] + product * scale;
      };
      const InterleavedRows interleaved_rows = InterleavedRows::of(matrix, bias.data());
      for (KernelLevel level : {KernelLevel::baseline, KernelLevel::avx2, KernelLevel::avx512}) {
        if (level > best_kernel_level()) continue;
        for (uint32_t many : {1u, 2u, 3u, most}) {
          ReadAhead ahead;
          ahead.add(encoded.data.data(), encoded.data.size());
          std::vector<float> one(many * width), other(many * width);
          nlm_kernels(level).logits(matrix, 0, rows, bias.data(), layers.data(), many, one.data(), width, ahead);
          nlm_kernels(level).interleaved_logits(interleaved_rows, layers.data(), many, other.data(), width, ahead);
          for (uint32_t c = 0; c < many; ++c)
            for (uint32_t r = 0; r < width; ++r) {
              CHECK(other[c * width + r] == (r < rows ? one[c * width + r] : no_logit));
              if (r >= rows) continue;
              const float logit = one[c * width + r];
              CHECK(logit == expected(c, r, true) ||
                    (level == KernelLevel::baseline && logit == expected(c, r, false)));
            }
        }
      }
    }
}

TEST(neural_small_caches_change_nothing) {
  const NeuralModel model = model_of(bytes_of(random_parts(Output::classes, 3)));
  std::vector<WordId> ids;
  std::mt19937 source(5);
  for (uint32_t i = 0; i < 3000; ++i) ids.push_back(1 + source() % 31);
  std::vector<Query> queries;
  for (uint32_t round = 0; round < 2; ++round)
    for (size_t i = 0; i + 4 < ids.size(); ++i) queries.push_back({ids.data() + i, ids[i + 3], 0});
  std::vector<float> large(queries.size()), small(queries.size());
  Session wide(model), narrow(model, 2000);
  wide.begin();
  narrow.begin();
  wide.score(queries, large.data());
  narrow.score(queries, small.data());
  CHECK(large == small);
  CHECK(wide.counts().word_hits > narrow.counts().word_hits);
  // A new sentence begins with nothing known.
  wide.begin();
  wide.score(std::span(queries).first(1), large.data());
  CHECK(wide.counts().word_hits == 0 && large[0] == small[0]);
}

TEST(neural_damaged_files_are_refused_or_harmless) {
  std::mt19937 source(5);
  for (Output output : {Output::classes, Output::tree, Output::flat}) {
    Parts parts = random_parts(output, 7, 8, 10);
    parts.description.direct_bits = 4;
    parts.description.output_precision = Precision::int8;
    const auto good = bytes_of(parts);
    size_t read = 0;
    for (int round = 0; round < 400; ++round) {
      auto bad = good;
      // Half of the changes where they hurt most: among the numbers that are sizes and places.
      const size_t limit = round % 2 ? bad.size() : std::min<size_t>(bad.size(), 6000);
      for (uint32_t i = 0; i < 1 + source() % 4; ++i)
        bad[source() % limit] ^= static_cast<std::byte>(1 + source() % 255);
      if (source() % 5 == 0) bad.resize(source() % bad.size());
      CHECK_THROWS(model_of(bad), FormatError);
      try {
        const NeuralModel model = model_of(bad, Trust::skip_hashes);
        if (model.order() > 8) continue;
        for (float score : some_scores(model, 1, 64)) CHECK(std::isfinite(score));
        ++read;
      } catch (const FormatError&) {
      }
    }
    CHECK(read > 0);
  }
}

TEST(neural_text_scores_ask_for_the_source) {
  const NeuralModel model = model_of(bytes_of(random_parts(Output::classes, 1)));
  Monitor monitor;
  const auto scores = score_text(model, "w1 w2 w3\n\nw1 what", nullptr, true, 2, monitor);
  CHECK(scores.sentences.size() == 3 && scores.tokens.size() == 8);
  CHECK(scores.sentences[2].unknown == 1 && scores.sentences[1].tokens == 1);
  const SourceLines source{"a b\n", "0-0\n"};
  CHECK_THROWS(score_text(model, "w1\n", &source, false, 1, monitor), InputError);
}

TEST(brown_refuses_what_is_no_text) {
  Monitor monitor;
  using Ids = std::vector<WordId>;
  for (const Ids& ids : {Ids{2, 4}, {4, 3}, {2, 2, 3}, {2, 9, 3}, {2, UINT32_MAX, 3}, {2, 0, 3}})
    CHECK_THROWS(brown_classes({ids}, 6, 2, 1, monitor), InputError);
  const Ids first{2, 4, 5, 3}, second{2, 5, 4, 3}, both{2, 4, 5, 3, 2, 5, 4, 3};
  CHECK_THROWS(brown_classes({first}, 6, 0, 1, monitor), ConfigError);
  const auto classes = brown_classes({both}, 6, 2, 2, monitor);
  CHECK(brown_classes({first, second}, 6, 2, 2, monitor) == classes);
  CHECK(classes[0] == no_class && classes[2] == no_class && classes[4] >= 0);
  CHECK(brown_classes({}, 6, 3, 1, monitor)[3] == 0);
}

}  // namespace
