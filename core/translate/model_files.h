// Where the files of a model come from: a directory whose files are mapped, or memory, where there is no file system.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/buffer.h"
#include "base/namespaces.h"
#include "base/scratch.h"

namespace dragoman::translate {

// The bytes of a file by its name; nullptr if there is none.
using FileSource = std::function<std::shared_ptr<const Buffer>(const std::string& name)>;

// Names are paths relative to the directory, or absolute ones. With a scratch space, which has to live as long as the
// source, the files leave memory when the process has grown beyond its limit.
FileSource files_in(const std::string& directory, ScratchSpace* scratch = nullptr);
FileSource files_in_memory(std::map<std::string, std::vector<std::byte>> files);

}  // namespace dragoman::translate
