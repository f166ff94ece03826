#include "index/index_casing.h"

#include "base/container.h"
#include "base/errors.h"
#include "index/index.h"
#include "text/case_counts.h"
#include "text/case_trainer.h"

namespace dragoman::index {

void add_casing(const std::string& vocabulary_path, const std::string& side, const IdText& written,
                const LinkedSource* source, std::string_view language, size_t threads, Monitor& monitor) {
  if (side != "source" && side != "target") throw ConfigError("side", "must be source or target");
  // The mapping stays valid while the new file takes the old one's name.
  const Container old = Container::open(vocabulary_path, Index::vocabulary_kind);
  const CaseCounts counts = count_cases(written, {}, threads, monitor);
  monitor.poll();
  Casing casing = Casing::build(Vocabulary::open(old, side), counts, dotted_i_of(language));
  // Nothing is ever written in the source language.
  if (side == "target") {
    std::optional<Casing> source_casing;
    if (old.has("source.case.size")) source_casing = Casing::open(old, "source.case", Vocabulary::open(old, "source"));
    const Casing* known = source_casing ? &*source_casing : nullptr;
    casing.set_model(learn_case_model(casing, LinkedText(written, source), known, monitor));
  }
  const std::string prefix = side + ".case";
  ContainerWriter writer(Index::vocabulary_kind);
  add_sections_without(old, prefix + ".", writer);
  casing.add_to(writer, prefix);
  writer.write(vocabulary_path);
}

void add_sections_without(const Container& container, std::string_view prefix, ContainerWriter& writer) {
  for (const Section& section : container.sections())
    if (!section.name.starts_with(prefix)) writer.add(section.name, section.bytes);
}

}  // namespace dragoman::index
