#include "assay/linear/primal/dense_curvature.hpp"

#include <algorithm>
#include <cmath>

#include "assay/base/parallel.hpp"
#include "assay/linear/dense_products.hpp"

namespace assay::linear {
namespace {

constexpr std::int64_t rows_at_once = 48, columns_at_once = 96;

/// M → L with M = LLᵀ, row by row, in panels: one read of an earlier row serves all rows of a panel.
struct Factorisation {
    double* matrix;
    std::size_t n, stride;

    template <int Bytes>
    ASSAY_INLINE void run() {
        constexpr std::size_t panel = 8;
        double top = 0;
        for (std::size_t i = 0; i < n; ++i) top = std::max(top, matrix[i * stride + i]);
        for (std::size_t first = 0; first < n; first += panel) {
            const std::size_t last = std::min(first + panel, n);
            for (std::size_t j = 0; j < last; ++j) {
                const double* const earlier = matrix + j * stride;
                for (std::size_t i = std::max(first, j); i < last; ++i) {
                    double* const row = matrix + i * stride;
                    const double left =
                        row[j] - product<double, 1, Bytes>(std::span<const double>(row, j), earlier).part[0];
                    // A preconditioner may be off where rounding has left nothing; it must stay positive.
                    row[j] = i == j ? std::sqrt(std::max(left, 1e-12 * top)) : left / earlier[j];
                }
            }
        }
    }
};

/// x ← L⁻ᵀ L⁻¹ x.
struct Substitution {
    const double* factor;
    std::size_t n, stride;
    double* x;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<double, 1, Bytes>;
        for (std::size_t i = 0; i < n; ++i) {
            const double* const row = factor + i * stride;
            x[i] = (x[i] - product<double, 1, Bytes>(std::span<const double>(row, i), x).part[0]) / row[i];
        }
        for (std::size_t i = n; i-- > 0;) {
            const double* const row = factor + i * stride;
            x[i] /= row[i];
            add_row<double, 1, Bytes>(std::span<const double>(row, i), L::all(-x[i]), x);
        }
    }
};

}  // namespace

DenseCurvature::DenseCurvature(const DenseMatrix& matrix, std::span<const double> bends, double penalty, int n_threads)
    : n_(matrix.n_columns), stride_(spread_stride<double>(matrix.n_columns)), factor_(n_ * stride_, 0.0) {
    const auto n_rows = static_cast<std::int64_t>(matrix.n_rows()), n_columns = static_cast<std::int64_t>(n_);
    for_each_block(n_columns, columns_at_once, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        const auto begin = static_cast<std::size_t>(first), end = static_cast<std::size_t>(last);
        std::vector<double> weighted(static_cast<std::size_t>(rows_at_once) * stride_, 0.0);
        for (std::int64_t i = 0; i < n_rows; i += rows_at_once) {
            const auto rows = matrix.rows(i, std::min(i + rows_at_once, n_rows));
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const double bend = bends[static_cast<std::size_t>(i) + r];
                for (std::size_t j = 0; j < end; ++j) weighted[r * stride_ + j] = bend * rows[r][j];
            }
            DenseUpdate<double> work{rows,           weighted.data(),          stride_, begin, end,
                                     factor_.data(), tiled_stride<double>(end)};
            with_widest_vectors(work);
        }
    });
    for (std::size_t j = 0; j < n_; ++j) factor_[j * stride_ + j] += penalty;
    Factorisation work{factor_.data(), n_, stride_};
    with_widest_vectors(work);
}

void DenseCurvature::solve(std::span<double> x) const {
    Substitution work{factor_.data(), n_, stride_, x.data()};
    with_widest_vectors(work);
}

}  // namespace assay::linear
