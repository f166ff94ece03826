"""Evaluation: scores of translations with signatures and intervals, comparison of systems, speed and memory."""

from dragoman.evaluate.evaluation import Comparison, Evaluation, evaluate_model, evaluate_texts
from dragoman.evaluate.scores import MetricScore

__all__ = ["Comparison", "Evaluation", "MetricScore", "evaluate_model", "evaluate_texts"]
