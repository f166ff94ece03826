// Mapped memory of which a process has only so much at once, whatever else its threads and the machine do. All of it
// begins closed: no page of it can be read. A thread that touches a closed window is stopped by the fault, and goes on
// when that window is open and, where too much was, another one chosen at random has been closed and its pages let go.
// So there is nobody who has to look in time: what was not allowed has not happened. The system keeps the content of
// closed windows in the files that are mapped. Where faults cannot be told apart it does nothing.
//
// The system itself does not open windows: what is passed to a system call lies in ordinary memory. Faults that are not
// a pager's go to whoever handled them before the pager came. Who comes later, while windows are in use, is asked first
// and has to pass them on: Python's faulthandler, enabled only then, would report one as a crash. A debugger goes on
// with `handle SIGSEGV nostop noprint pass`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragoman {

class Pager {
 public:
  // With fewer windows threads would take them from each other again and again.
  static constexpr size_t least_windows = 64;

  // The limit is of all memory of the process: windows get what other memory leaves, but in any case a quarter.
  explicit Pager(size_t limit_bytes);
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;
  // Opens all there is left.
  ~Pager();

  // Closes mapped memory that begins with a page; that of another pager stays with it.
  void add(void* begin, size_t bytes, bool writable);
  // Before memory that may have been added to any pager is unmapped.
  static void remove(const void* begin);

  size_t window_bytes() const { return window_bytes_; }

 private:
  friend class PagedMemory;
  struct Window {
    std::byte* begin;
    size_t bytes;
    uint8_t* is_open;
  };

  // Makes room for a window and opens it; false if the system refuses. In the handler of a fault: takes no memory.
  bool open(Window window, int protection);
  void close(size_t number);
  void close_within(const std::byte* begin, size_t bytes);
  size_t allowed_bytes();

  const size_t limit_bytes_, window_bytes_, files_before_;
  std::vector<Window> open_;  // room for all there can be
  size_t allowed_bytes_ = 0;
  uint64_t opened_ = 0, random_ = 1;
};

}  // namespace dragoman
