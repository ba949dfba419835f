// feature_weights.hpp: the weights of a linear model, by feature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::inline base {

/// Weights of features: a table, or only those that are not zero.
template <class Value>
struct FeatureWeights {
    std::span<const Value> values;  // table: of feature j from j * n_outputs on; else from begin[j] to begin[j + 1]
    std::span<const std::int64_t> begin;    // empty: a table
    std::span<const std::int32_t> outputs;  // whose each of the values is

    bool is_table() const { return begin.empty(); }

    /// sums[k] += value · weight[feature][k], in double precision.
    void add(std::size_t feature, double value, std::span<double> sums) const {
        if (is_table()) {
            const Value* const of_feature = values.data() + feature * sums.size();
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += value * static_cast<double>(of_feature[k]);
            return;
        }
        const auto end = static_cast<std::size_t>(begin[feature + 1]);
        for (auto i = static_cast<std::size_t>(begin[feature]); i < end; ++i) {
            sums[static_cast<std::size_t>(outputs[i])] += value * static_cast<double>(values[i]);
        }
    }

    /// Ask for the lines of a feature well before its turn: features lie all over a table larger than the caches.
    void prefetch(std::size_t feature, std::size_t n_outputs) const {
        constexpr std::size_t cache_line = 64;
        if (!is_table()) {
            __builtin_prefetch(begin.data() + feature);
            return;
        }
        const auto* first = reinterpret_cast<const char*>(values.data() + feature * n_outputs);
        for (std::size_t byte = 0; byte < n_outputs * sizeof(Value); byte += cache_line) {
            __builtin_prefetch(first + byte);
        }
    }
};

}  // namespace assay::inline base
