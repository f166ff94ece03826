#include "base/errors.h"

#include <system_error>

namespace dragoman {

IoError::IoError(std::string path, int code)
    : Error(path + ": " + std::generic_category().message(code)), path_(std::move(path)), code_(code) {}

}  // namespace dragoman
