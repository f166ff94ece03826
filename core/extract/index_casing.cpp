#include "extract/index_casing.h"

#include "base/container.h"
#include "base/errors.h"
#include "base/utf8.h"
#include "corpus/case_counts.h"
#include "corpus/casing.h"
#include "corpus/lines.h"
#include "extract/index.h"

namespace dragoman {

void add_casing(const std::string& vocabulary_path, const std::string& side, std::string_view written,
                std::string_view language, size_t threads, Monitor& monitor) {
  if (side != "source" && side != "target") throw ConfigError("side", "must be source or target");
  require_text(written);
  // The mapping stays valid while the new file takes the old one's name.
  const Container old = Container::open(vocabulary_path, Index::vocabulary_kind);
  const CaseCounts counts = count_cases(split_lines(written), {}, threads, monitor);
  monitor.poll();
  const Casing casing = Casing::build(Vocabulary::open(old, side), counts, dotted_i_of(language));
  const std::string prefix = side + ".case";
  ContainerWriter writer(Index::vocabulary_kind);
  for (const Section& section : old.sections())
    if (!section.name.starts_with(prefix + ".")) writer.add(section.name, section.bytes);
  casing.add_to(writer, prefix);
  writer.write(vocabulary_path);
}

}  // namespace dragoman
