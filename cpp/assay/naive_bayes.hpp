// naive_bayes.hpp: how often each feature occurs with each class, and the linear models that follow from it.
//
// All tables are [feature][class]: the entries of feature j are table[j * n_classes, (j + 1) * n_classes), so
// that one read of a feature serves every class; `totals` holds their sum over the features. `alpha` is the
// pseudo-count of each feature (McCallum & Nigam 1998), or a single one for all features. No function depends
// on n_threads in any bit of its result.
#pragma once

#include <cstdint>
#include <span>

#include "assay/sparse.hpp"

namespace assay {

/// counts[j][c] += Σ weights[i]·X[i, j] over the rows i of class c, added in the order of the rows, and
/// totals[c] += the sum of all these. Rows may list their columns in any order and more than once.
template <class Value, class Index>
void count_features(const CsrView<Value, Index>& X, std::span<const std::int32_t> classes,
                    std::span<const double> weights, int n_threads, std::span<double> counts,
                    std::span<double> totals);

/// Multinomial event model: log_probabilities[j][c] = log (counts[j][c] + α_j) − log (totals[c] + Σ_k α_k).
void multinomial_log_probabilities(std::span<const double> counts, std::span<const double> totals,
                                   std::span<const double> alpha, int n_threads,
                                   std::span<double> log_probabilities);

/// Complement model (Rennie et al. 2003, table 4): with N[j][c] = Σ_{d ≠ c} counts[j][d] + α_j and
/// ℓ[j][c] = log N[j][c] − log Σ_k N[k][c], weights = −ℓ, or ℓ[j][c] / Σ_k ℓ[k][c] when `normalise`.
void complement_weights(std::span<const double> counts, std::span<const double> totals,
                        std::span<const double> alpha, bool normalise, int n_threads,
                        std::span<double> weights);

/// Bernoulli event model: P[j][c] = (counts[j][c] + α_j) / (class_counts[c] + 2α_j), log_probabilities = log
/// P, and the same decision as a linear one over x ∈ {0, 1}: weights = log P − log (1 − P), biases[c] = Σ_j
/// log (1 − P[j][c]).
void bernoulli_log_probabilities(std::span<const double> counts, std::span<const double> class_counts,
                                 std::span<const double> alpha, int n_threads,
                                 std::span<double> log_probabilities, std::span<double> weights,
                                 std::span<double> biases);

}  // namespace assay
