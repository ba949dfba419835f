// dense_matrix.hpp: products with a dense matrix and with its transpose, for methods that need both. Each element of a
// product is summed by one thread in a fixed order, so that threads change no bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::linear {

/// values[i · n_columns + j], seen but not owned.
struct DenseMatrix {
    std::span<const double> values;
    std::size_t n_columns = 0;

    std::size_t n_rows() const { return n_columns == 0 ? 0 : values.size() / n_columns; }
    std::span<const double> row(std::size_t i) const { return values.subspan(i * n_columns, n_columns); }

    /// Where rows [first, last) begin.
    std::vector<const double*> rows(std::int64_t first, std::int64_t last) const;

    /// out[i · n_lanes + k] += Σⱼ value · weights[j · n_lanes + k].
    void add_product(std::span<const double> weights, std::size_t n_lanes, int n_threads, std::span<double> out) const;

    /// out[j · n_lanes + k] += Σᵢ value · factors[i · n_lanes + k].
    void add_transposed_product(std::span<const double> factors, std::size_t n_lanes, int n_threads,
                                std::span<double> out) const;

    /// The same with value².
    void add_transposed_squares(std::span<const double> factors, std::size_t n_lanes, int n_threads,
                                std::span<double> out) const;
};

}  // namespace assay::linear
