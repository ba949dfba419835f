// naive_bayes.hpp: how often each feature occurs with each class, and the linear models that follow from it.
//
// Most features never meet most classes, so neither counts nor weights are ever written out as a table of
// features times classes. A class's counts are listed for the features that it has; a feature's weights are
// one number for the feature, one for the class, and a difference where the class has the feature. No
// function depends on n_threads in any bit of its result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/memory.hpp"
#include "assay/base/sparse.hpp"
#include "assay/linear/targets.hpp"

namespace assay::linear {

/// Class c has the features features[k], in ascending order and counts[k] times, for k in [begin[c], begin[c
/// + 1]).
struct ClassCounts {
    std::vector<std::int64_t> begin;
    ZeroedArray<std::int32_t> features;
    ZeroedArray<double> counts;
};

struct ClassCountsView {
    std::span<const std::int64_t> begin;
    std::span<const std::int32_t> features;
    std::span<const double> counts;

    std::int64_t n_classes() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

/// Returns `earlier` plus Σ weights[i]·X[i, j] over the rows i of each class c, added in the order of the
/// rows; a row of several classes counts in each. Rows may list their columns in any order and more than once. X has
/// fewer than 2³¹ columns.
template <class Value, class Index>
ClassCounts count_features(const CsrView<Value, Index>& X, const Targets& classes, std::span<const double> weights,
                           const ClassCountsView& earlier, int n_threads);

/// The weight of feature j for class c is  scale[c]·(of_feature[j] + of_class[c] + difference), where the
/// difference is differences[k] for that k in [begin[j], begin[j + 1]) with classes[k] = c, and 0 where there
/// is none. A feature that is listed with all classes lists them in order. of_feature holds a single number
/// when all features have the same.
struct SharedWeights {
    std::vector<std::int64_t> begin;
    ZeroedArray<std::int32_t> classes;
    ZeroedArray<double> differences;
    ZeroedArray<double> of_feature;
    std::vector<double> of_class;
    std::vector<double> scale;
    std::vector<double> biases;  // what the event model adds to the score of each class, the prior left out
};

struct SharedWeightsView {
    std::span<const std::int64_t> begin;
    std::span<const std::int32_t> classes;
    std::span<const double> differences;
    std::span<const double> of_feature;
    std::span<const double> of_class;
    std::span<const double> scale;

    std::int64_t n_features() const { return static_cast<std::int64_t>(begin.size()) - 1; }
    std::int64_t n_classes() const { return static_cast<std::int64_t>(of_class.size()); }
    double feature_part(std::int64_t feature) const {
        return of_feature[of_feature.size() == 1 ? 0 : static_cast<std::size_t>(feature)];
    }
};

// In what follows alpha holds the pseudo-count of each feature, above 0, or a single one for all of them.

/// Multinomial event model (McCallum & Nigam 1998): weight = log P(j | c) = log (n_jc + α_j) − log Σ_k (n_kc
/// + α_k).
SharedWeights multinomial_weights(const ClassCountsView& counts, std::int64_t n_features, std::span<const double> alpha,
                                  int n_threads);

/// Complement model (Rennie et al. 2003, table 4): with N_jc = Σ_{d ≠ c} n_jd + α_j, weight = −log N_jc / Σ_k
/// N_kc; `normalise` divides the weights of each class by their sum.
SharedWeights complement_weights(const ClassCountsView& counts, std::int64_t n_features, std::span<const double> alpha,
                                 bool normalise, int n_threads);

/// Bernoulli event model (McCallum & Nigam 1998), where n_jc counts the rows of class c that have feature j,
/// of N_c rows: P = (n_jc + α) / (N_c + 2α), weight = log P − log (1 − P), bias = Σ_j log (1 − P).
SharedWeights bernoulli_weights(const ClassCountsView& counts, std::int64_t n_features,
                                std::span<const double> class_sizes, double alpha, int n_threads);

/// table[j][c] = the weight of feature j for class c.
void write_out(const SharedWeightsView& weights, int n_threads, std::span<double> table);

/// scores[i][c] = Σ_j X[i, j]·weight of j for c + biases[c].
template <class Value, class Index>
void score_rows(const CsrView<Value, Index>& X, const SharedWeightsView& weights, std::span<const double> biases,
                int n_threads, std::span<double> scores);

}  // namespace assay::linear
