// design.hpp: the examples with the constant feature that carries the intercept, by rows and by columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/base/parallel.hpp"
#include "assay/linear/dense_matrix.hpp"
#include "assay/linear/primal/row_column_matrix.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// Throws where there are more features than 32 bits number.
void check_width(std::int64_t n_features);

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

/// Calls solve(p, n_threads) for each problem p that is not solved yet, several at once where there are threads for it;
/// the threads are divided among them.
template <class Solve>
void for_each_problem(std::size_t n_problems, const SolverSettings& settings, Solve&& solve) {
    std::vector<std::size_t> left;
    for (std::size_t p = 0; p < n_problems; ++p) {
        if (settings.solved.empty() || settings.solved[p] == 0) left.push_back(p);
    }
    const int across = static_cast<int>(std::min(left.size(), static_cast<std::size_t>(settings.n_threads)));
    const int within = std::max(1, settings.n_threads / std::max(across, 1));
    for_each_block(static_cast<std::int64_t>(left.size()), 1, across,
                   [&](std::int64_t at, std::int64_t, int) { solve(left[static_cast<std::size_t>(at)], within); });
}

}  // namespace assay::linear
