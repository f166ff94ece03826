// What it takes to translate raw text: a decoder of words, the tools that make words of text and text of words, and
// terms that always hold. Immutable and shared by threads: other weights, rules or terms make another translator, which
// shares all that is mapped. What it does is in translate.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/namespaces.h"
#include "search/decoder.h"
#include "translate/glossary.h"
#include "translate/text_tools.h"

namespace dragoman::translate {

class TextTranslator {
 public:
  TextTranslator(std::shared_ptr<const Decoder> decoder, std::shared_ptr<const TextTools> tools);

  const Decoder& decoder() const { return *decoder_; }
  const TextTools& tools() const { return *tools_; }
  // Terms that hold for every request, and their text.
  const Glossary& glossary() const { return *glossary_; }
  const std::string& glossary_text() const { return glossary_text_; }

  // The same translator with another decoder of the same words, or with these terms.
  std::shared_ptr<TextTranslator> with_decoder(std::shared_ptr<const Decoder> decoder) const;
  std::shared_ptr<TextTranslator> with_glossary(std::string_view text) const;

 private:
  std::shared_ptr<const Decoder> decoder_;
  std::shared_ptr<const TextTools> tools_;
  std::shared_ptr<const Glossary> glossary_ = std::make_shared<const Glossary>();
  std::string glossary_text_;
};

}  // namespace dragoman::translate
