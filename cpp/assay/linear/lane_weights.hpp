// lane_weights.hpp: from the weights of folded columns, a few classes wide, to the coefficients of the
// original ones.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/base/parallel.hpp"

namespace assay::linear {

/// The original columns in blocks: first by their numbers, then those that one row only has, by rows.
struct ColumnBlocks {
    static constexpr std::int64_t columns = 8192, rows = 256;  // of a block
    std::int64_t n_columns, n_rows;

    std::size_t of_column(std::int64_t j) const { return static_cast<std::size_t>(j / columns); }
    std::size_t of_row(std::int64_t i) const {
        return of_column(n_columns + columns - 1) + static_cast<std::size_t>(i / rows);
    }
    std::size_t size() const { return of_row(n_rows + rows - 1); }
};

/// Calls shared(block, j, home) for every original column j but those that only one row has, and own(block, j, i,
/// value) for these, with their row and value. Threads take blocks as they come free.
template <class Real, class Value, class Index, class Shared, class Own>
void for_each_column(const CsrView<Value, Index>& X, const FoldedRows<Real>& folded, int n_threads, Shared&& shared,
                     Own&& own) {
    const ColumnBlocks blocks{X.n_columns, X.n_rows()};
    for_each_block(X.n_columns, blocks.columns, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t j = begin; j < end; ++j) {
            const std::int32_t home = folded.home[static_cast<std::size_t>(j)];
            if (home != FoldedRows<Real>::own) shared(blocks.of_column(begin), static_cast<std::size_t>(j), home);
        }
    });
    for_each_block(X.n_rows(), blocks.rows, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) {
            for (const Entry<Real>& entry : folded.own_entries(i)) {
                const std::int64_t at = X.begin(i) + entry.column;
                own(blocks.of_row(begin), static_cast<std::size_t>(X.column(at)), i, static_cast<double>(X.value(at)));
            }
        }
    });
}

/// The numbers first, first + 1, … of n classes: those of lanes that are in their order.
inline std::vector<std::int32_t> neighbouring_classes(std::size_t first, std::size_t n) {
    std::vector<std::int32_t> classes(n);
    std::iota(classes.begin(), classes.end(), static_cast<std::int32_t>(first));
    return classes;
}

/// Writes the coefficients of the class of each lane into coefficients[j · n_classes + class]; lanes of class −1 are
/// left out. weights[column · stride + lane] are those of the columns that are left; dual(i, lane) is the factor of row
/// i in w, from which its own features get theirs.
template <class Real, class Value, class Index, class Dual>
void unfold_weights(const CsrView<Value, Index>& X, const FoldedRows<Real>& folded, std::span<const Real> weights,
                    std::size_t stride, std::span<const std::int32_t> classes, std::size_t n_classes, int n_threads,
                    Dual&& dual, std::span<Value> coefficients) {
    const auto write = [&](std::size_t j, auto&& weight) {
        for (std::size_t lane = 0; lane < classes.size(); ++lane) {
            if (classes[lane] < 0) continue;
            coefficients[j * n_classes + static_cast<std::size_t>(classes[lane])] = static_cast<Value>(weight(lane));
        }
    };
    for_each_column(
        X, folded, n_threads,
        [&](std::size_t, std::size_t j, std::int32_t home) {
            const Real* from = home >= 0 ? weights.data() + static_cast<std::size_t>(home) * stride : nullptr;
            write(j, [&](std::size_t lane) { return from != nullptr ? from[lane] : Real(0); });
        },
        [&](std::size_t, std::size_t j, std::int64_t i, double value) {
            write(j, [&](std::size_t lane) { return dual(i, lane) * value; });
        });
}

/// The same where the class of each lane has scaled the columns by factors of its own, r = scales[j · n_classes +
/// class]: weights[column · stride + lane] are r·w, which score the columns as they were, and r·w is what is written
/// over r. Sums of |w| over all columns are added to magnitude[class], unless that is empty. The same bits for every
/// number of threads.
template <class Real, class Value, class Index, class Dual>
void unfold_scaled_weights(const CsrView<Value, Index>& X, const FoldedRows<Real>& folded,
                           std::span<const Real> weights, std::size_t stride, std::span<const std::int32_t> classes,
                           std::size_t n_classes, int n_threads, Dual&& dual, std::span<double> scales,
                           std::span<double> magnitude) {
    const ColumnBlocks blocks{X.n_columns, X.n_rows()};
    std::vector<double> magnitudes(magnitude.empty() ? 0 : blocks.size() * classes.size());
    const auto write = [&](std::size_t block, std::size_t j, auto&& weight) {
        for (std::size_t lane = 0; lane < classes.size(); ++lane) {
            if (classes[lane] < 0) continue;
            double& scale = scales[j * n_classes + static_cast<std::size_t>(classes[lane])];
            const double both = weight(lane, scale);
            if (!magnitudes.empty() && scale != 0) magnitudes[block * classes.size() + lane] += std::abs(both / scale);
            scale = both;
        }
    };
    for_each_column(
        X, folded, n_threads,
        [&](std::size_t block, std::size_t j, std::int32_t home) {
            const Real* from = home >= 0 ? weights.data() + static_cast<std::size_t>(home) * stride : nullptr;
            write(block, j,
                  [&](std::size_t lane, double) { return from != nullptr ? static_cast<double>(from[lane]) : 0.0; });
        },
        [&](std::size_t block, std::size_t j, std::int64_t i, double value) {
            write(block, j, [&](std::size_t lane, double scale) { return dual(i, lane) * value * scale * scale; });
        });
    for (std::size_t at = 0; at < magnitudes.size(); ++at) {
        const std::int32_t of = classes[at % classes.size()];
        if (of >= 0) magnitude[static_cast<std::size_t>(of)] += magnitudes[at];
    }
}

}  // namespace assay::linear
