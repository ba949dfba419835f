// design.hpp: the examples with the constant feature that carries the intercept, by rows and by columns.
#pragma once

#include <cstdint>

#include "assay/linear/dense_matrix.hpp"
#include "assay/linear/primal/row_column_matrix.hpp"

namespace assay::linear {

/// The last column is constant when there is an intercept. `intercept_scale` > 0: a feature of that value,
/// penalised like every other; 0: a feature of value 1 without penalty; negative: none.
struct Design {
    RowColumnMatrix matrix;
    DenseMatrix dense;           // the first columns, when they are dense: `matrix` has nothing there
    std::int64_t n_columns = 0;  // the constant one included
    bool has_constant = false;
    double constant = 1;
    bool constant_is_free = false;

    Design(SparseHalf rows, std::int64_t n_features, double intercept_scale, DenseMatrix dense_columns = {});

    /// scores[i · n_lanes + k] = Σⱼ x · weights[j · n_lanes + k].
    void multiply(std::span<const double> weights, std::size_t n_lanes, int n_threads, std::span<double> scores) const;

    /// sums[j · n_lanes + k] = Σᵢ x · factors[i · n_lanes + k].
    void multiply_transposed(std::span<const double> factors, std::size_t n_lanes, int n_threads,
                             std::span<double> sums) const;
};

}  // namespace assay::linear
