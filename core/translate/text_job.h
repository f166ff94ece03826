// Lines that are translated a little at a time, so that several texts can share a thread in turn.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "translate/line_job.h"

namespace dragoman::translate {

// For one thread at a time.
class TextJob {
 public:
  // Without terms of its own it has the translator's. All lines see the rules as they are now.
  TextJob(std::shared_ptr<const TextTranslator> translator, std::vector<std::string> lines, uint64_t first_line,
          const TranslateRequest& request, std::optional<Glossary> terms);

  // Goes on until `words` words more are translated, which a last piece may exceed; whether all is done.
  bool advance(uint32_t words, double max_seconds, Monitor& monitor);
  // How much of the text is done, from 0 to 1.
  double share() const;
  // When all is done.
  const std::vector<TranslatedLine>& lines() const { return translated_; }
  const TextTranslator& translator() const { return *translator_; }
  const TranslateRequest& request() const { return request_; }

 private:
  std::shared_ptr<const TextTranslator> translator_;
  std::vector<std::string> lines_;
  uint64_t first_line_;
  TranslateRequest request_;
  std::optional<Glossary> terms_;
  std::optional<LineJob> line_;
  std::vector<TranslatedLine> translated_;
  size_t bytes_ = 0, bytes_done_ = 0;  // of all lines, and of those that are done
};

}  // namespace dragoman::translate
