#include "index/index_casing.h"

#include "base/container.h"
#include "base/errors.h"
#include "base/link.h"
#include "base/utf8.h"
#include "index/index.h"
#include "text/case_counts.h"
#include "text/case_trainer.h"
#include "text/lines.h"
#include "text/pharaoh.h"

namespace dragoman::index {
void learn_case(Casing& casing, std::string_view written, const WrittenSource& source, const Casing* source_casing,
                Monitor& monitor) {
  const std::vector<std::string_view> target_lines = split_lines(written);
  CaseText text{target_lines};
  const std::vector<std::string_view> source_lines = split_lines(source.text);
  const std::vector<std::string_view> link_lines = split_lines(source.links);
  if (!source.text.empty()) {
    require_text(source.text);
    if (source_lines.size() != target_lines.size() || link_lines.size() != target_lines.size())
      throw InputError(0, "target, source and links must have the same number of lines, but have " +
                              std::to_string(target_lines.size()) + ", " + std::to_string(source_lines.size()) +
                              " and " + std::to_string(link_lines.size()));
    text.source = &source_lines;
    text.source_casing = source_casing;
    text.links = [&](size_t line, Links& links) {
      parse_pharaoh(link_lines[line], line + 1, links, count_words(source_lines[line]),
                    count_words(target_lines[line]));
    };
  }
  casing.set_model(learn_case_model(casing, text, monitor));
}

void add_casing(const std::string& vocabulary_path, const std::string& side, std::string_view written,
                const WrittenSource& source, std::string_view language, size_t threads, Monitor& monitor) {
  if (side != "source" && side != "target") throw ConfigError("side", "must be source or target");
  require_text(written);
  // The mapping stays valid while the new file takes the old one's name.
  const Container old = Container::open(vocabulary_path, Index::vocabulary_kind);
  const CaseCounts counts = count_cases(split_lines(written), {}, threads, monitor);
  monitor.poll();
  Casing casing = Casing::build(Vocabulary::open(old, side), counts, dotted_i_of(language));
  // Nothing is ever written in the source language.
  if (side == "target") {
    std::optional<Casing> source_casing;
    if (old.has("source.case.size")) source_casing = Casing::open(old, "source.case", Vocabulary::open(old, "source"));
    learn_case(casing, written, source, source_casing ? &*source_casing : nullptr, monitor);
  }
  const std::string prefix = side + ".case";
  ContainerWriter writer(Index::vocabulary_kind);
  for (const Section& section : old.sections())
    if (!section.name.starts_with(prefix + ".")) writer.add(section.name, section.bytes);
  casing.add_to(writer, prefix);
  writer.write(vocabulary_path);
}

}  // namespace dragoman::index
