#include "translate/model_files.h"

#include <filesystem>
#include <system_error>

namespace dragoman::translate {

FileSource files_in(const std::string& directory, ScratchSpace* scratch) {
  return [folder = std::filesystem::path(directory), scratch](const std::string& name) -> std::shared_ptr<const Buffer> {
    const std::filesystem::path path = folder / name;
    std::error_code error;
    if (!std::filesystem::exists(path, error) && !error) return nullptr;
    auto file = Buffer::map(path.string());
    if (scratch) scratch->watch(file);
    return file;
  };
}

FileSource files_in_memory(std::map<std::string, std::vector<std::byte>> files) {
  std::map<std::string, std::shared_ptr<const Buffer>> buffers;
  for (auto& [name, bytes] : files) buffers[name] = Buffer::own(std::move(bytes), name);
  return [buffers = std::move(buffers)](const std::string& name) {
    const auto entry = buffers.find(name);
    return entry == buffers.end() ? nullptr : entry->second;
  };
}

}  // namespace dragoman::translate
