// The ways the core refuses. Each says what happened and what to do, in one sentence; the binding raises the
// Python exception of the same name with the same fields. The core never prints, exits or aborts.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace dragoman {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file that is damaged, truncated, foreign or newer than this program.
class FormatError : public Error {
 public:
  FormatError(std::string path, uint64_t offset, const std::string& what)
      : Error(path + ": " + what + " (at byte " + std::to_string(offset) + ")"),
        path_(std::move(path)),
        offset_(offset) {}
  const std::string& path() const { return path_; }
  uint64_t offset() const { return offset_; }

 private:
  std::string path_;
  uint64_t offset_;
};

// An option whose value cannot be used.
class ConfigError : public Error {
 public:
  ConfigError(std::string option, const std::string& why) : Error(option + ": " + why), option_(std::move(option)) {}
  const std::string& option() const { return option_; }

 private:
  std::string option_;
};

// Text or data that cannot be used; line is 1-based, 0 where there is none to name.
class InputError : public Error {
 public:
  InputError(uint64_t line, const std::string& why)
      : Error(line ? "line " + std::to_string(line) + ": " + why : why), line_(line) {}
  uint64_t line() const { return line_; }

 private:
  uint64_t line_;
};

// The caller asked a long call to stop (Ctrl-C); nothing was written.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

// The operating system refused to read or write a file.
class IoError : public Error {
 public:
  IoError(std::string path, int code);
  const std::string& path() const { return path_; }
  int code() const { return code_; }

 private:
  std::string path_;
  int code_;
};

}  // namespace dragoman
