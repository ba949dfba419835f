// scores.hpp: what a linear model says about each row of a matrix.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/feature_weights.hpp"
#include "assay/base/sparse.hpp"

namespace assay::linear {

/// scores[i][o] = Σ_j X[i, j]·weights[j][o] + biases[o], each sum in double precision and in the order of the row's
/// entries. The number of outputs is biases.size(). Rows are scored in parallel; n_threads does not change a bit.
template <class Value, class Index, class Weight>
void score_rows(const CsrView<Value, Index>& X, const FeatureWeights<Weight>& weights, std::span<const double> biases,
                int n_threads, std::span<double> scores);

}  // namespace assay::linear
