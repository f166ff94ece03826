// Text that is sent to a Python write(bytes), piece by piece, by work that runs without the GIL.
#pragma once

#include <string>
#include <string_view>

#include "bind/bind.h"

namespace dragoman::bind {

inline auto sending_to(const nb::object& write) {
  return [&write](std::string_view piece) {
    nb::gil_scoped_acquire acquire;
    write(bytes_of(piece));
  };
}

// Collects lines into pieces of about a megabyte.
class LineSender {
 public:
  explicit LineSender(const nb::object& write) : write_(write) {}

  // What a line is appended to.
  std::string& line() { return piece_; }
  void end_line() {
    piece_ += '\n';
    if (piece_.size() >= piece_bytes) send();
  }
  // Sends what is left.
  void finish() {
    if (!piece_.empty()) send();
  }

 private:
  static constexpr size_t piece_bytes = size_t{1} << 20;

  void send() {
    sending_to(write_)(piece_);
    piece_.clear();
  }

  const nb::object& write_;
  std::string piece_;
};

}  // namespace dragoman::bind
