"""Loss of one softmax factor, by maximum likelihood or by noise contrastive estimation, and its gradient.

Both work on a block of logits: one row per training word, one column per candidate. Maximum likelihood needs all
candidates. Noise contrastive estimation (thesis section 4.5; Mnih and Teh 2012) tells the observed word from k noise
words and takes the logits as normalised; its noise here is shared by the rows of a block, so that logits are a dense
matrix product, and where there are no more candidates than k, the noise is taken in expectation: every candidate once,
weighted with k times its noise probability, which has the same mean and no variance.
"""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import softplus


def likelihood(logits: Tensor, observed: Tensor, self_normalisation: float) -> tuple[Tensor, Tensor]:
    """Loss per row, -log softmax + self_normalisation · log² Z, and its gradient, which takes the logits' memory.

    The last dimension is the candidates'; minus infinity marks a column that is no candidate.
    """
    top = logits.amax(-1, keepdim=True)
    logits.sub_(top)
    at = observed.unsqueeze(-1)
    chosen = logits.gather(-1, at)
    logits.exp_()
    total = logits.sum(-1, keepdim=True)
    log_total = total.log()
    loss = log_total - chosen
    if self_normalisation:
        log_normaliser = log_total + top
        loss = loss + self_normalisation * log_normaliser.square()
        logits.mul_((1 + 2 * self_normalisation * log_normaliser) / total)
    else:
        logits.div_(total)
    logits.scatter_add_(-1, at, logits.new_full(at.shape, -1.0))
    return loss.squeeze(-1), logits


def against_noise(logits: Tensor, log_noise: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Loss per row of calling noise what is noise, Σ weight · softplus(logit - log(k q)), and its gradient, which takes
    the logits' memory. `log_noise` is log(k q) of the candidates."""
    logits.sub_(log_noise)
    loss = (softplus(logits) * weights).sum(-1)
    return loss, logits.sigmoid_().mul_(weights)


def for_data(logits: Tensor, log_noise: Tensor) -> tuple[Tensor, Tensor]:
    """Loss of calling the observed words data, softplus(log(k q) - logit), and its gradient."""
    margin = log_noise - logits
    return softplus(margin), -margin.sigmoid()
