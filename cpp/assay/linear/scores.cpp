#include "assay/linear/scores.hpp"

#include <algorithm>
#include <cstddef>

#include "assay/base/parallel.hpp"

namespace assay::linear {

// The weights of a feature lie side by side, but features lie all over a table that is larger than the
// caches: the lines of an entry are asked for well before its turn, across the end of the row.
template <class Value, class Index>
void score_rows(const CsrView<Value, Index>& X, std::span<const double> weights, std::span<const double> biases,
                int n_threads, std::span<double> scores) {
    constexpr std::int64_t entries_ahead = 12;
    constexpr std::int64_t doubles_in_a_cache_line = 8;
    const auto n_outputs = static_cast<std::int64_t>(biases.size());
    const auto n_stored = static_cast<std::int64_t>(X.columns.size());
    for_each_block(X.n_rows(), 64, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t row = begin; row < end; ++row) {
            double* const sums = scores.data() + row * n_outputs;
            std::fill(sums, sums + n_outputs, 0.0);
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                const double* const ahead =
                    weights.data() + X.column(std::min(k + entries_ahead, n_stored - 1)) * n_outputs;
                for (std::int64_t o = 0; o < n_outputs; o += doubles_in_a_cache_line) __builtin_prefetch(ahead + o);
                const double* const weight = weights.data() + X.column(k) * n_outputs;
                const auto value = static_cast<double>(X.value(k));
                for (std::int64_t o = 0; o < n_outputs; ++o) sums[o] += value * weight[o];
            }
            for (std::int64_t o = 0; o < n_outputs; ++o) sums[o] += biases[static_cast<std::size_t>(o)];
        }
    });
}

template void score_rows(const CsrView<float, std::int32_t>&, std::span<const double>, std::span<const double>, int,
                         std::span<double>);
template void score_rows(const CsrView<float, std::int64_t>&, std::span<const double>, std::span<const double>, int,
                         std::span<double>);
template void score_rows(const CsrView<double, std::int32_t>&, std::span<const double>, std::span<const double>, int,
                         std::span<double>);
template void score_rows(const CsrView<double, std::int64_t>&, std::span<const double>, std::span<const double>, int,
                         std::span<double>);

}  // namespace assay::linear
