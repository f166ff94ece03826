#include "translate/text_translator.h"

namespace dragoman::translate {

TextTranslator::TextTranslator(std::shared_ptr<const Decoder> decoder, std::shared_ptr<const TextTools> tools)
    : decoder_(std::move(decoder)), tools_(std::move(tools)) {}

std::shared_ptr<TextTranslator> TextTranslator::with_decoder(std::shared_ptr<const Decoder> decoder) const {
  auto translator = std::make_shared<TextTranslator>(*this);
  translator->decoder_ = std::move(decoder);
  return translator;
}

std::shared_ptr<TextTranslator> TextTranslator::with_glossary(std::string_view text) const {
  auto translator = std::make_shared<TextTranslator>(*this);
  translator->glossary_ = std::make_shared<const Glossary>(text, tools_->source);
  translator->glossary_text_ = text;
  return translator;
}

}  // namespace dragoman::translate
