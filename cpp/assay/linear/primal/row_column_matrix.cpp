#include "assay/linear/primal/row_column_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "assay/base/instruction_set.hpp"
#include "assay/base/parallel.hpp"

namespace assay::linear {
namespace {

struct RowProducts {
    const SparseHalf& half;
    const double* weights;
    std::size_t n_lanes;
    std::int64_t first, last;
    double* out;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::int64_t r = first; r < last; ++r) {
            double* const sums = out + static_cast<std::size_t>(r) * n_lanes;
            if (n_lanes == 1) {
                double sum = 0;
                for (const auto& entry : half[r]) sum += entry.value * weights[entry.column];
                *sums = sum;
                continue;
            }
            std::fill_n(sums, n_lanes, 0.0);
            for (const auto& entry : half[r]) {
                const double* const from = weights + static_cast<std::size_t>(entry.column) * n_lanes;
                for (std::size_t k = 0; k < n_lanes; ++k) sums[k] += entry.value * from[k];
            }
        }
    }
};

/// The other way round: of_row(r, take) calls take(other, value) for the entries of a row.
template <class OfRow>
SparseHalf turn_over(std::int64_t n_rows, std::int64_t n_other, OfRow&& of_row) {
    SparseHalf other;
    other.begin.assign(static_cast<std::size_t>(n_other) + 1, 0);
    for (std::int64_t r = 0; r < n_rows; ++r) of_row(r, [&](std::size_t j, double) { ++other.begin[j + 1]; });
    for (std::size_t j = 0; j < static_cast<std::size_t>(n_other); ++j) other.begin[j + 1] += other.begin[j];
    other.entries.resize(static_cast<std::size_t>(other.begin.back()));
    std::vector<std::int64_t> next(other.begin.begin(), other.begin.end() - 1);
    for (std::int64_t r = 0; r < n_rows; ++r) {
        of_row(r, [&](std::size_t j, double value) {
            other.entries[static_cast<std::size_t>(next[j]++)] = {static_cast<std::int32_t>(r), value};
        });
    }
    return other;
}

}  // namespace

template <class Value, class Index>
SparseHalf keep_rows(const CsrView<Value, Index>& X) {
    SparseHalf half;
    half.begin.assign(X.row_begin.begin(), X.row_begin.end());
    half.entries.resize(X.columns.size());
    for (std::size_t at = 0; at < X.columns.size(); ++at) {
        half.entries[at] = {static_cast<std::int32_t>(X.columns[at]), static_cast<double>(X.values[at])};
    }
    return half;
}

SparseHalf keep_rows(const FoldedRows<double>& folded) {
    SparseHalf half;
    half.begin.reserve(static_cast<std::size_t>(folded.n_rows()) + 1);
    half.begin.push_back(0);
    for (std::int64_t i = 0; i < folded.n_rows(); ++i) {
        const auto row = folded.row(i);
        half.entries.insert(half.entries.end(), row.begin(), row.end());
        const double own = folded.own_square[static_cast<std::size_t>(i)];
        if (own > 0) half.entries.push_back({folded.n_columns + static_cast<std::int32_t>(i), std::sqrt(own)});
        half.begin.push_back(static_cast<std::int64_t>(half.entries.size()));
    }
    return half;
}

template <class Value, class Index>
SparseHalf keep_columns(const CsrView<Value, Index>& X) {
    const auto of_row = [&](std::int64_t i, auto&& take) {
        const auto row = static_cast<std::size_t>(i);
        for (auto at = static_cast<std::size_t>(X.row_begin[row]); at < static_cast<std::size_t>(X.row_begin[row + 1]);
             ++at) {
            take(static_cast<std::size_t>(X.columns[at]), static_cast<double>(X.values[at]));
        }
    };
    return turn_over(X.n_rows(), X.n_columns, of_row);
}

SparseHalf transpose(const SparseHalf& half, std::int64_t n_other) {
    return turn_over(half.size(), n_other, [&](std::int64_t r, auto&& take) {
        for (const auto& entry : half[r]) take(static_cast<std::size_t>(entry.column), entry.value);
    });
}

void multiply(const SparseHalf& half, std::span<const double> weights, std::size_t n_lanes, int n_threads,
              std::span<double> out) {
    for_each_block(half.size(), 1024, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        RowProducts products{half, weights.data(), n_lanes, first, last, out.data()};
        with_widest_vectors(products);
    });
}

double inner_product(std::span<const double> a, std::span<const double> b, int n_threads) {
    constexpr std::int64_t block = 16384;
    const auto size = static_cast<std::int64_t>(a.size());
    std::vector<double> parts(static_cast<std::size_t>((size + block - 1) / block), 0.0);
    for_each_block(size, block, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        double sum = 0;
        for (auto at = static_cast<std::size_t>(first); at < static_cast<std::size_t>(last); ++at) sum += a[at] * b[at];
        parts[static_cast<std::size_t>(first / block)] = sum;
    });
    double total = 0;
    for (const double part : parts) total += part;
    return total;
}

#define ASSAY_KEEP(Value, Index)                                 \
    template SparseHalf keep_rows(const CsrView<Value, Index>&); \
    template SparseHalf keep_columns(const CsrView<Value, Index>&);
ASSAY_FOR_EACH_MATRIX(ASSAY_KEEP)
#undef ASSAY_KEEP

}  // namespace assay::linear
