#include "translate/text_job.h"

#include <algorithm>

#include "base/process.h"

namespace dragoman::translate {

TextJob::TextJob(std::shared_ptr<const TextTranslator> translator, std::vector<std::string> lines, uint64_t first_line,
                 const TranslateRequest& request, std::optional<Glossary> terms)
    : translator_(std::move(translator)),
      lines_(std::move(lines)),
      first_line_(first_line),
      request_(request),
      terms_(std::move(terms)) {
  if (!request_.decode.rules) request_.decode.rules = translator_->decoder().pin();
  for (const std::string& line : lines_) bytes_ += line.size() + 1;
}

double TextJob::share() const {
  const size_t done = bytes_done_ + (line_ ? line_->bytes_done() : 0);
  return bytes_ == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(bytes_));
}

bool TextJob::advance(uint32_t words, double max_seconds, Monitor& monitor) {
  Interrupt interrupt(monitor);
  monitor.start(lines_.size());
  monitor.add(translated_.size());
  monitor.poll();
  DecodeRequest request = request_.decode;
  request.options.max_seconds = max_seconds;
  request.interrupt = &interrupt;
  for (uint64_t done = 0; done < words && translated_.size() < lines_.size();) {
    if (!line_) {
      line_.emplace(*translator_, lines_[translated_.size()], first_line_ + translated_.size(), request_,
                    terms_ ? *terms_ : translator_->glossary());
      ++done;  // a line without words is some work too
    }
    if (!line_->done()) done += line_->advance(request);
    if (!line_->done()) continue;
    bytes_done_ += lines_[translated_.size()].size() + 1;
    translated_.push_back(line_->finish());
    line_.reset();
    monitor.add(1);
  }
  const bool all = translated_.size() == lines_.size();
  if (all) return_free_memory();
  return all;
}

}  // namespace dragoman::translate
