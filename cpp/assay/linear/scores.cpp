#include "assay/linear/scores.hpp"

#include <algorithm>
#include <cstddef>

#include "assay/base/parallel.hpp"

namespace assay::linear {

// The lines of an entry's weights are asked for across the end of the row.
template <class Value, class Index, class Weight>
void score_rows(const CsrView<Value, Index>& X, const FeatureWeights<Weight>& weights, std::span<const double> biases,
                int n_threads, std::span<double> scores) {
    constexpr std::int64_t entries_ahead = 12;
    const std::size_t n_outputs = biases.size();
    const auto n_stored = static_cast<std::int64_t>(X.columns.size());
    for_each_block(X.n_rows(), 64, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t row = begin; row < end; ++row) {
            const std::span<double> sums = scores.subspan(static_cast<std::size_t>(row) * n_outputs, n_outputs);
            std::fill(sums.begin(), sums.end(), 0.0);
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                const std::int64_t ahead = std::min(k + entries_ahead, n_stored - 1);
                weights.prefetch(static_cast<std::size_t>(X.column(ahead)), n_outputs);
                weights.add(static_cast<std::size_t>(X.column(k)), static_cast<double>(X.value(k)), sums);
            }
            for (std::size_t o = 0; o < n_outputs; ++o) sums[o] += biases[o];
        }
    });
}

#define ASSAY_SCORE(Value, Index)                                                                                      \
    template void score_rows(const CsrView<Value, Index>&, const FeatureWeights<float>&, std::span<const double>, int, \
                             std::span<double>);                                                                       \
    template void score_rows(const CsrView<Value, Index>&, const FeatureWeights<double>&, std::span<const double>,     \
                             int, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_SCORE)
#undef ASSAY_SCORE

}  // namespace assay::linear
