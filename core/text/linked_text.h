// A text as it was written and, where there is one, its source with the links between them: what the case of words and
// the spaces between them are learned from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/id_text.h"
#include "text/lines.h"
#include "text/stored_links.h"

namespace dragoman::text {

struct LinkedSource {
  const IdText& text;
  const StoredLinks& links;
};

// Its sentences in the order in which a model learns from them: a sample of a long text, and a short one again and
// again.
class LinkedText {
 public:
  // Both must outlive it. Throws InputError if the line counts differ.
  explicit LinkedText(const IdText& target, const LinkedSource* source = nullptr);

  bool empty() const { return order_.empty(); }
  // How many buckets a model of it should have, and one of so many words; a power of two.
  uint64_t buckets() const { return buckets_; }
  static uint64_t buckets_for(uint64_t words);

  // Calls learn(target, source, links) with written tokens, for each sentence as often as it teaches. Throws InputError
  // if links point outside their sentences.
  template <class Learn>
  void teach(Monitor& monitor, Learn&& learn) {
    std::string target_line, source_line;
    std::vector<std::string_view> source;
    Links links;
    monitor.start(passes_ * order_.size());
    for (uint64_t pass = 0; pass < passes_; ++pass) {
      shuffle(pass + 1);
      size_t read = 0;
      for (const uint32_t line : order_) {
        if (read++ % poll_every == 0) monitor.poll();
        target_line.clear();
        target_.append_written(target_line, line);
        const std::vector<std::string_view> target = words_of(target_line);
        if (source_) {
          source_line.clear();
          source_->text.append_written(source_line, line);
          source = words_of(source_line);
          source_->links.read(line, source.size(), target.size(), links);
        }
        learn(target, source, links);
        monitor.add(1);
      }
    }
  }

 private:
  // The same on every platform.
  void shuffle(uint64_t seed);

  const IdText& target_;
  const LinkedSource* source_;
  std::vector<uint32_t> order_;
  uint64_t passes_ = 0;
  uint64_t buckets_ = 0;
};

}  // namespace dragoman::text
