#include "nlm/training_state.h"

#include <cstdio>
#include <filesystem>

#include "base/container.h"

namespace dragoman::nlm {
namespace {

constexpr std::string_view state_kind = "nlm_state", best_kind = "nlm_best";

std::string section_of(const char* prefix, const std::string& table) { return prefix + table; }

void read_table(const Container& file, const std::string& section, LineVector<float>& values) {
  const auto stored = file.array<float>(section, values.size());
  std::ranges::copy(stored, values.begin());
}

}  // namespace

ConfigError Checkpoint::foreign(const std::string& what) const {
  return ConfigError("checkpoint", path_ + " is " + what + "; delete it to begin anew");
}

bool Checkpoint::exists() const { return std::filesystem::exists(path_); }

void Checkpoint::save(const TrainingState& state, const LearnedTables& tables) const {
  ContainerWriter writer(state_kind);
  writer.add("owner", std::as_bytes(std::span(owner_)));
  writer.add_record("progress", state.progress);
  writer.add("history", state.history);
  for (const auto& [name, table] : tables) {
    writer.add(section_of("w.", name), table->weights);
    writer.add(section_of("s.", name), table->squares);
  }
  writer.write(path_);
}

void Checkpoint::load(TrainingState& state, const LearnedTables& tables) const {
  try {
    const Container file = Container::open(path_, state_kind);
    const auto owner = file.array<char>("owner");
    if (std::string_view(owner.data(), owner.size()) != owner_)
      throw foreign("the checkpoint of a run on other text or with other options");
    state.progress = file.record<TrainingProgress>("progress");
    const auto history = file.array<EpochReport>("history");
    state.history.assign(history.begin(), history.end());
    for (const auto& [name, table] : tables) {
      read_table(file, section_of("w.", name), table->weights);
      read_table(file, section_of("s.", name), table->squares);
    }
  } catch (const FormatError&) {
    throw foreign("no checkpoint of training");
  }
}

void Checkpoint::save_best(uint32_t epoch, const LearnedTables& tables) const {
  ContainerWriter writer(best_kind);
  writer.add_record("epoch", epoch);
  for (const auto& [name, table] : tables) writer.add(section_of("w.", name), table->weights);
  writer.write(best_path());
}

void Checkpoint::load_best(uint32_t epoch, const LearnedTables& tables) const {
  try {
    const Container file = Container::open(best_path(), best_kind);
    if (file.record<uint32_t>("epoch") != epoch) throw foreign("without the weights of its best epoch");
    for (const auto& [name, table] : tables) read_table(file, section_of("w.", name), table->weights);
  } catch (const FormatError&) {
    throw foreign("without the weights of its best epoch");
  }
}

void Checkpoint::remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  std::filesystem::remove(best_path(), ignored);
}

}  // namespace dragoman::nlm
