// Judges of finished translations: their pieces, writing, opening, scoring.
#include <map>

#include "bind/buffer_argument.h"
#include "bind/options.h"
#include "bind/results.h"
#include "judge/judge.h"
#include "judge/judge_writer.h"
#include "judge/judging.h"
#include "judge/learn_pieces.h"
#include "judge/pieces.h"
#include "nlm/model_writer.h"

namespace dragoman::bind {
namespace {

constexpr Option<judge::Header> judge_shape_table[] = {
    option<&judge::Header::dimension>("dimension"),           option<&judge::Header::heads>("heads"),
    option<&judge::Header::feedforward>("feedforward"),       option<&judge::Header::encoder_layers>("encoder_layers"),
    option<&judge::Header::decoder_layers>("decoder_layers"), option<&judge::Header::backward_layers>("backward_layers"),
};

void write_judge_file(const std::string& path, const nb::dict& shape, const std::vector<std::string>& pieces,
                      const nb::dict& tensors, const std::string& precision) {
  judge::Header header = read_options(shape, judge_shape_table, "a judge's shape");
  header.precision = nlm::precision_of("precision", precision);
  std::map<std::string, std::unique_ptr<BufferArgument>> held;
  nlm::Tensors views;
  for (auto [key, value] : tensors) {
    const std::string name = nb::cast<std::string>(key);
    held[name] = std::make_unique<BufferArgument>(value, name);
    views[name] = held[name]->bytes();
  }
  nb::gil_scoped_release release;
  judge::write_judge(header, pieces, views, path);
}

// Ids of all lines, each ending with that of the end, and where they begin.
nb::tuple encode_in_pieces(const judge::Pieces& pieces, const nb::bytes& text) {
  const std::string_view all = view(text);
  std::vector<int32_t> ids;
  std::vector<int64_t> offsets{0};
  {
    nb::gil_scoped_release release;
    std::vector<judge::PieceId> line;
    for (size_t at = 0; at < all.size();) {
      const size_t end = std::min(all.find('\n', at), all.size());
      line.clear();
      while (at < end) {
        const size_t stop = std::min(all.find(' ', at), end);
        if (stop > at) pieces.encode(all.substr(at, stop - at), line);
        at = stop + (stop < end);
      }
      line.push_back(judge::end_piece);
      ids.insert(ids.end(), line.begin(), line.end());
      offsets.push_back(static_cast<int64_t>(ids.size()));
      at = end + 1;
    }
  }
  return nb::make_tuple(bytes_of(ids), bytes_of(offsets));
}

std::vector<double> judge_score(const judge::Judge& self, const std::vector<std::string>& source,
                                const std::vector<std::vector<std::string>>& candidates) {
  const std::vector<std::string_view> read(source.begin(), source.end());
  nb::gil_scoped_release release;
  std::vector<std::vector<std::string_view>> texts;
  for (const auto& words : candidates) texts.emplace_back(words.begin(), words.end());
  std::vector<double> scores;
  for (const judge::JudgedCandidate& judged : judge::score(self, read, texts)) scores.push_back(judged.log_prob);
  return scores;
}

nb::dict judge_shape(const judge::Judge& self) {
  nb::dict fields;
  const judge::Header& header = self.header();
  fields["dimension"] = header.dimension;
  fields["heads"] = header.heads;
  fields["feedforward"] = header.feedforward;
  fields["encoder_layers"] = header.encoder_layers;
  fields["decoder_layers"] = header.decoder_layers;
  fields["backward_layers"] = header.backward_layers;
  fields["pieces"] = header.pieces;
  fields["precision"] = std::string(nlm::name_of(header.precision));
  fields["bytes"] = self.file().file_size();
  return fields;
}

}  // namespace

void register_judge(nb::module_& module) {
  module.def(
      "learn_pieces",
      [](std::vector<std::pair<std::string, uint64_t>> counts, uint32_t size) {
        nb::gil_scoped_release release;
        return judge::learn_pieces(std::move(counts), size);
      },
      nb::arg("counts"), nb::arg("size"),
      "Pieces of words, frequent ones whole: texts of which those that begin a word begin with a space.");
  module.def("write_judge", &write_judge_file, nb::arg("path"), nb::arg("shape"), nb::arg("pieces"), nb::arg("tensors"),
             nb::arg("precision") = "int8", "Writes judge.bin; core/judge/judge_writer.h names the tensors.");
  nb::class_<judge::Pieces>(module, "JudgePieces", "Cuts words into pieces.")
      .def(nb::init<std::vector<std::string>>(), nb::arg("texts"))
      .def("__len__", &judge::Pieces::size)
      .def(
          "encode",
          [](const judge::Pieces& self, const std::vector<std::string>& words) {
            std::vector<judge::PieceId> ids;
            for (const std::string& word : words) self.encode(word, ids);
            return ids;
          },
          nb::arg("words"))
      .def("encode_text", &encode_in_pieces, nb::arg("text"),
           "Ids (int32) of all lines, each ending with 1, and where each begins (int64), with the end.");
  nb::class_<judge::Judge>(module, "Judge", "A network that says how probable a translation is, mapped from a file.")
      .def_static(
          "open",
          [](const std::string& path, bool trust) {
            return std::const_pointer_cast<judge::Judge>(judge::Judge::open(path, trust_of(trust)));
          },
          nb::arg("path"), nb::arg("trust") = false)
      .def_prop_ro("shape", &judge_shape)
      .def_prop_ro("pieces", [](const judge::Judge& self) { return self.pieces().texts(); })
      .def("score", &judge_score, nb::arg("source"), nb::arg("candidates"),
           "The natural logarithm of the probability of each translation, its end included.");
}

}  // namespace dragoman::bind
