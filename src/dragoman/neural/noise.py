"""Loss of one softmax factor, by maximum likelihood or by noise contrastive estimation.

Both work on a block of logits: one row per training word, one column per candidate. Maximum likelihood needs all
candidates. Noise contrastive estimation (thesis section 4.5; Mnih and Teh 2012) tells the observed word from k noise
words and takes the logits as normalised; its noise here is shared by the rows of a block, so that logits are a dense
matrix product, and where there are no more candidates than k, the noise is taken in expectation: every candidate once,
weighted with k times its noise probability, which has the same mean and no variance.
"""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import softplus


def likelihood(logits: Tensor, observed: Tensor, self_normalisation: float) -> Tensor:
    """Loss per row, -log softmax + self_normalisation · log² Z. The last dimension is the candidates'; minus infinity
    marks a column that is no candidate."""
    log_normaliser = logits.logsumexp(-1)
    chosen = logits.gather(-1, observed.unsqueeze(-1)).squeeze(-1)
    return log_normaliser - chosen + self_normalisation * log_normaliser.square()


def against_noise(logits: Tensor, log_noise: Tensor, weights: Tensor) -> Tensor:
    """Loss per row of calling noise what is noise, Σ weight · softplus(logit - log(k q)). `log_noise` is log(k q) of
    the candidates."""
    return (softplus(logits - log_noise) * weights).sum(-1)


def for_data(logits: Tensor, log_noise: Tensor) -> Tensor:
    """Loss of calling the observed words data, softplus(log(k q) - logit)."""
    return softplus(log_noise - logits)
