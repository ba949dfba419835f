// scores.hpp: what a linear model says about each row of a matrix.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"

namespace assay::linear {

/// scores[i][o] = Σ_j X[i, j]·weights[j][o] + biases[o], each sum in the order of the row's entries. The
/// number of outputs is biases.size(). Rows are scored in parallel; n_threads does not change a bit.
template <class Value, class Index>
void score_rows(const CsrView<Value, Index>& X, std::span<const double> weights, std::span<const double> biases,
                int n_threads, std::span<double> scores);

}  // namespace assay::linear
