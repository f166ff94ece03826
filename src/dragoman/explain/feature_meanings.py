"""What each feature of a translation's score says, in a sentence for people."""

from __future__ import annotations

from dragoman.model.weights import LANGUAGE_MODELS

MEANINGS = {
    "EgivenFCoherent": "How often the source phrase is translated in just this way.",
    "SampleCountF": "How often the source phrase was found in the training text.",
    "CountEF": "How often both phrases were found as translations of each other.",
    "MaxLexFgivenE": "How well each source word is accounted for by a word of the translation.",
    "MaxLexEgivenF": "How well each word of the translation is accounted for by a source word.",
    "IsSingletonF": "Phrases whose source side was found only once, and may be chance.",
    "IsSingletonFE": "Phrases that were found as translations of each other only once.",
    "WordPenalty": "The length of the translation in words.",
    "SourceWordPenalty": "The length of the source in words.",
    "RuleCount": "How many phrases the translation is made of.",
    "Glue": "Phrases set side by side, in the order of the source.",
    "PassThrough": "Words without a phrase of their own, kept as they are or made what they are linked to.",
    "Distortion": "How far phrases were moved from the order of the source.",
    "MonotoneBefore": "Phrases that follow the one before, as they do in the training text.",
    "SwapBefore": "Phrases that change places with the one before, as they do in the training text.",
    "DiscontinuousBefore": "Phrases that stand away from the one before, as they do in the training text.",
    "MonotoneAfter": "Phrases that are followed by the next, as they are in the training text.",
    "SwapAfter": "Phrases that change places with the next, as they do in the training text.",
    "DiscontinuousAfter": "Phrases that stand away from the next, as they do in the training text.",
    "SentenceMemory": "A correction for this very sentence, which goes before all else.",
    "Judge": "How likely the whole translation is, to a network that has read the whole sentence.",
    "JudgePieces": "The length of the translation in the pieces of words that the judge reads.",
    "Consistency": "How many words become what the document made of them before.",
}
OF_LANGUAGE_MODELS = {
    "LanguageModel": "How well the words follow each other in the target language.",
    "NeuralLM": "The same, as a network sees it that knows which words are alike.",
    "SourceNeuralLM": "How well the words follow each other, given the source around them.",
}
OTHER = "A feature of the grammar that was given."


def meaning_of(feature: str) -> str:
    """One sentence about a feature of any model."""
    model = feature.removesuffix("_OOV")
    if model in LANGUAGE_MODELS.values():
        return OF_LANGUAGE_MODELS[model] if model == feature else "Words that this language model does not know."
    return MEANINGS.get(feature, OTHER)
