// lane_weights.hpp: from the weights of folded columns, a few classes wide, to the coefficients of the
// original ones.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/folded_rows.hpp"
#include "assay/base/parallel.hpp"

namespace assay::linear {

/// Writes the coefficients of classes [first, first + n_lanes) into coefficients[j · n_classes + class].
/// weights[column · width + lane] are those of the columns that are left; dual(i, lane) is the factor of row
/// i in w, from which its own features get theirs.
template <class Real, class Value, class Index, class Dual>
void unfold_weights(const CsrView<Value, Index>& X, const FoldedRows<Real>& folded, std::span<const Real> weights,
                    std::size_t width, std::size_t first, std::size_t n_lanes, std::size_t n_classes, int n_threads,
                    Dual&& dual, std::span<Value> coefficients) {
    for_each_block(X.n_columns, 8192, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
            const std::int32_t home = folded.home[j];
            if (home == FoldedRows<Real>::own) continue;
            Value* to = coefficients.data() + j * n_classes + first;
            const Real* from = home >= 0 ? weights.data() + static_cast<std::size_t>(home) * width : nullptr;
            for (std::size_t lane = 0; lane < n_lanes; ++lane) {
                to[lane] = from != nullptr ? static_cast<Value>(from[lane]) : Value(0);
            }
        }
    });
    for_each_block(X.n_rows(), 256, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) {
            for (std::int64_t at = X.begin(i); at < X.end(i); ++at) {
                const auto j = static_cast<std::size_t>(X.column(at));
                if (folded.home[j] != FoldedRows<Real>::own) continue;
                Value* to = coefficients.data() + j * n_classes + first;
                const auto value = static_cast<double>(X.value(at));
                for (std::size_t lane = 0; lane < n_lanes; ++lane) to[lane] = static_cast<Value>(dual(i, lane) * value);
            }
        }
    });
}

}  // namespace assay::linear
