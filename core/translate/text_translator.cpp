#include "translate/text_translator.h"

namespace dragoman::translate {

TextTranslator::TextTranslator(std::shared_ptr<const Decoder> decoder, std::shared_ptr<const TextTools> tools)
    : decoder_(std::move(decoder)), tools_(std::move(tools)) {}

std::shared_ptr<TextTranslator> TextTranslator::with_decoder(std::shared_ptr<const Decoder> decoder) const {
  auto made = std::make_shared<TextTranslator>(*this);
  made->decoder_ = std::move(decoder);
  return made;
}

std::shared_ptr<TextTranslator> TextTranslator::with_glossary(std::string_view text) const {
  auto made = std::make_shared<TextTranslator>(*this);
  made->glossary_ = std::make_shared<const Glossary>(text, tools_->source);
  made->glossary_text_ = text;
  return made;
}

}  // namespace dragoman::translate
