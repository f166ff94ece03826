#include "rules/grammar_pool.h"

#include <chrono>

#include "base/parallel.h"
#include "base/start_thread.h"
#include "rules/grammar_text.h"

namespace dragoman::rules {
namespace {

// For each thread.
constexpr uint64_t waiting_bytes = 1 << 20;
constexpr size_t waiting_sentences = 4;

}  // namespace

GrammarPool::GrammarPool(std::shared_ptr<Workspace> workspace, const ExtractOptions& options, size_t threads)
    : workspace_(std::move(workspace)), options_(options) {
  validate(options);
  if (threads == 0) threads = default_threads();
  most_waiting_ = waiting_bytes * threads;
  if (threads > 1) {
    threads_.reserve(threads);
    // Where the system grants fewer, those there are do all the work, or the caller does.
    for (std::thread thread; threads_.size() < threads && start_thread(thread, [this] { run(); });)
      threads_.push_back(std::move(thread));
  }
  enough_ = threads_.empty() ? 1 : waiting_sentences * threads_.size();
}

GrammarPool::~GrammarPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  may_begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void GrammarPool::add(std::string line, std::optional<uint64_t> leave_out) {
  {
    std::lock_guard lock(mutex_);
    sentences_.emplace_back();
    sentences_.back().line = std::move(line);
    sentences_.back().leave_out = leave_out;
  }
  may_begin_.notify_one();
}

void GrammarPool::extract(Sentence& sentence, std::optional<RuleExtractor>& extractor) const {
  try {
    if (!extractor) extractor.emplace(workspace_, options_);
    extractor->start(workspace_->snapshot().source_words().ids(sentence.line), sentence.leave_out);
    write_grammar(*extractor, [&](std::string&& piece) {
      sentence.bytes += piece.size();
      sentence.pieces.push_back(std::move(piece));
    });
  } catch (...) {
    sentence.failure = std::current_exception();
  }
}

void GrammarPool::run() {
  std::optional<RuleExtractor> extractor;
  std::unique_lock lock(mutex_);
  for (;;) {
    may_begin_.wait(lock,
                    [&] { return stop_ || (begun_ < sentences_.size() && (begun_ == 0 || waiting_ < most_waiting_)); });
    if (stop_) return;
    Sentence& sentence = sentences_[begun_++];  // stays where it is until it is taken
    lock.unlock();
    extract(sentence, extractor);
    lock.lock();
    sentence.done = true;
    waiting_ += sentence.bytes;
    done_.notify_one();
  }
}

std::vector<std::string> GrammarPool::take(Monitor& monitor) {
  monitor.poll();
  if (threads_.empty()) extract(sentences_.front(), own_);
  std::unique_lock lock(mutex_);
  while (!threads_.empty() &&
         !done_.wait_for(lock, std::chrono::milliseconds(100), [&] { return sentences_.front().done; })) {
    lock.unlock();
    monitor.poll();
    lock.lock();
  }
  Sentence taken = std::move(sentences_.front());
  sentences_.pop_front();
  if (!threads_.empty()) {
    --begun_;
    waiting_ -= taken.bytes;
  }
  lock.unlock();
  may_begin_.notify_all();
  if (taken.failure) std::rethrow_exception(taken.failure);
  return std::move(taken.pieces);
}

}  // namespace dragoman::rules
