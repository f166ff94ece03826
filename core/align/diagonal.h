// IBM 2 with one parameter (Dyer et al. 2013, thesis section 2.2): a generated word at position j of m comes from NULL
// with a fixed share, or from position i of n with a probability that falls off from the diagonal,
//   p(i | j) = (1 - null) exp(-tension |i/n - j/m|) / Z(j),   positions counted from 1.
// The tension is learned: the expected log-likelihood is concave in it, with gradient
//   sum over words of mass(j) E_model[|i/n - j/m|] - E_posterior[|i/n - j/m|],
// mass(j) being the posterior that the word is not NULL's, and one Newton step is taken per iteration.
#pragma once

#include <cstddef>
#include <vector>

namespace dragoman::align {

struct DiagonalParameters {
  float tension = 4;
  float null_share = 0.08f;
};

// What the tension's M-step needs.
struct DiagonalSums {
  double gradient = 0;
  double curvature = 0;  // of the negative log-likelihood; never below 0
  double log_likelihood = 0;

  void add(const DiagonalSums& other) {
    gradient += other.gradient;
    curvature += other.curvature;
    log_likelihood += other.log_likelihood;
  }
};

class Diagonal {
 public:
  // Probabilities become posteriors, as in Hmm::posteriors.
  void posteriors(const DiagonalParameters& parameters, size_t states, size_t steps, float* emissions,
                  float* null_emissions, DiagonalSums* sums);

 private:
  std::vector<float> weights_;
};

// The tension after a damped Newton step, kept within sensible bounds.
float updated_tension(float tension, const DiagonalSums& sums);

}  // namespace dragoman::align
