#include "assay/linear/primal/design.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace assay::linear {

void check_width(std::int64_t n_features) {
    if (n_features >= std::numeric_limits<std::int32_t>::max()) {
        throw std::invalid_argument("a problem of " + std::to_string(n_features) + " features is too wide");
    }
}

Design::Design(SparseHalf rows, std::int64_t n_features, double intercept_scale, DenseMatrix dense_columns)
    : dense(dense_columns), n_columns(n_features), has_constant(intercept_scale >= 0) {
    check_width(n_features);
    if (has_constant) {
        constant = intercept_scale > 0 ? intercept_scale : 1.0;
        constant_is_free = intercept_scale == 0;
        SparseHalf wider;
        wider.entries.reserve(rows.entries.size() + static_cast<std::size_t>(rows.size()));
        wider.begin.push_back(0);
        for (std::int64_t i = 0; i < rows.size(); ++i) {
            const auto row = rows[i];
            wider.entries.insert(wider.entries.end(), row.begin(), row.end());
            wider.entries.push_back({static_cast<std::int32_t>(n_features), constant});
            wider.begin.push_back(static_cast<std::int64_t>(wider.entries.size()));
        }
        rows = std::move(wider);
        ++n_columns;
    }
    matrix.columns = transpose(rows, n_columns);
    matrix.rows = std::move(rows);
}

void Design::multiply(std::span<const double> weights, std::size_t n_lanes, int n_threads,
                      std::span<double> scores) const {
    linear::multiply(matrix.rows, weights, n_lanes, n_threads, scores);
    dense.add_product(weights, n_lanes, n_threads, scores);
}

void Design::multiply_transposed(std::span<const double> factors, std::size_t n_lanes, int n_threads,
                                 std::span<double> sums) const {
    linear::multiply(matrix.columns, factors, n_lanes, n_threads, sums);
    dense.add_transposed_product(factors, n_lanes, n_threads, sums);
}

}  // namespace assay::linear
