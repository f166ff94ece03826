#include "index/index_spacing.h"

#include "base/container.h"
#include "index/index.h"
#include "text/spacing_trainer.h"

namespace dragoman::index {

void add_spacing(const std::string& vocabulary_path, const IdText& written, std::string_view target_language,
                 const LinkedSource* source, std::string_view source_language, Monitor& monitor) {
  const Language source_habits(source_language), target_habits(target_language);
  const Spacing source_rules(source_habits), target_rules(target_habits);
  const SpacingModel model = learn_spacing_model(LinkedText(written, source), target_rules, source_rules, monitor);
  const Container old = Container::open(vocabulary_path, Index::vocabulary_kind);
  ContainerWriter writer(Index::vocabulary_kind);
  add_sections_without(old, "target.spacing.", writer);
  model.add_to(writer, "target.spacing");
  writer.write(vocabulary_path);
}

}  // namespace dragoman::index
