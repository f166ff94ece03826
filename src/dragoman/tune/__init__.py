"""Tuning: the weights of the log-linear model, learned so that held-out text is translated well (thesis 2.5)."""

from dragoman.tune.result import TuneResult, TuneRound, TuningInterrupted, write_tuned
from dragoman.tune.tuning import tune_model

__all__ = ["TuneResult", "TuneRound", "TuningInterrupted", "tune_model", "write_tuned"]
