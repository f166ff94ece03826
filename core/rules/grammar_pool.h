// Grammars of sentences as text, in the order in which the sentences were added, made by threads that share the index
// and keep their extractors, with what those remember, from sentence to sentence. The text of a sentence may take
// megabytes. So that what is finished and not yet taken stays little, however long the first of them takes, no thread
// begins a further sentence while much text waits, unless it is the one to be taken next.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "rules/rule_extractor.h"

namespace dragoman::rules {

class GrammarPool {
 public:
  // 0 threads: one for each core.
  GrammarPool(std::shared_ptr<Workspace> workspace, const ExtractOptions& options, size_t threads);
  GrammarPool(std::shared_ptr<const Snapshot> snapshot, const ExtractOptions& options, size_t threads)
      : GrammarPool(std::make_shared<Workspace>(std::move(snapshot)), options, threads) {}
  GrammarPool(const GrammarPool&) = delete;
  GrammarPool& operator=(const GrammarPool&) = delete;
  // Waits for sentences that are being worked on; the others are dropped.
  ~GrammarPool();

  // All of these from one thread.
  void add(std::string line, std::optional<uint64_t> leave_out);
  // Sentences that were added and not taken.
  size_t size() const { return sentences_.size(); }
  // Whether there are enough for all threads, so that one should be taken before the next is added.
  bool full() const { return size() >= enough_; }
  // The grammar of the first of them, in pieces that follow each other. Throws what its extraction threw; polls the
  // monitor while it waits.
  std::vector<std::string> take(Monitor& monitor);

 private:
  struct Sentence {
    std::string line;
    std::optional<uint64_t> leave_out;
    bool done = false;
    std::vector<std::string> pieces;
    uint64_t bytes = 0;
    std::exception_ptr failure;
  };

  void run();
  void extract(Sentence& sentence, std::optional<RuleExtractor>& extractor) const;

  const std::shared_ptr<Workspace> workspace_;
  const ExtractOptions options_;
  uint64_t most_waiting_;  // bytes
  size_t enough_;
  std::optional<RuleExtractor> own_;  // of the caller, where there are no threads

  std::mutex mutex_;
  std::condition_variable may_begin_, done_;
  bool stop_ = false;
  std::deque<Sentence> sentences_;
  size_t begun_ = 0;      // of these
  uint64_t waiting_ = 0;  // bytes of those that are done
  std::vector<std::thread> threads_;
};

}  // namespace dragoman::rules
