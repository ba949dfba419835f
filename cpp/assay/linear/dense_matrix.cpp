#include "assay/linear/dense_matrix.hpp"

#include <algorithm>
#include <vector>

#include "assay/base/parallel.hpp"
#include "assay/linear/dense_products.hpp"

namespace assay::linear {
namespace {

// Rows whose scores, and columns whose sums, are formed at once.
constexpr std::int64_t rows_at_once = 240, columns_at_once = 96;

/// [row][class] with the classes padded to whole tiles.
std::vector<double> pad(std::span<const double> given, std::size_t n_lanes, std::size_t stride) {
    std::vector<double> padded(given.size() / n_lanes * stride, 0.0);
    for (std::size_t i = 0; i < given.size() / n_lanes; ++i) {
        std::copy_n(given.data() + i * n_lanes, n_lanes, padded.data() + i * stride);
    }
    return padded;
}

void add_without_padding(std::span<const double> padded, std::size_t stride, std::size_t n_lanes, double* out) {
    for (std::size_t i = 0; i < padded.size() / stride; ++i) {
        for (std::size_t k = 0; k < n_lanes; ++k) out[i * n_lanes + k] += padded[i * stride + k];
    }
}

/// out[i] += row i · weights for rows [first, last).
struct RowProducts {
    const DenseMatrix& matrix;
    const double* weights;
    std::size_t first, last;
    double* out;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::size_t i = first; i < last; ++i) {
            const auto row = matrix.row(i);
            out[i] += product<double, 1, Bytes>(row, weights).part[0];
        }
    }
};

/// out[j] += Σᵢ factors[i] · value (or value²) for columns [first, last).
template <bool squared>
struct ColumnSums {
    const DenseMatrix& matrix;
    const double* factors;
    std::size_t first, last;
    double* out;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<double, 1, Bytes>;
        for (std::size_t i = 0; i < matrix.n_rows(); ++i) {
            const auto row = matrix.row(i).subspan(first, last - first);
            if constexpr (squared) {
                for (std::size_t j = 0; j < row.size(); ++j) out[first + j] += factors[i] * (row[j] * row[j]);
            } else {
                add_row<double, 1, Bytes>(row, L::all(factors[i]), out + first);
            }
        }
    }
};

template <bool squared>
void add_transposed(const DenseMatrix& matrix, std::span<const double> factors, std::size_t n_lanes, int n_threads,
                    std::span<double> out) {
    const auto n_columns = static_cast<std::int64_t>(matrix.n_columns);
    if (n_lanes == 1) {
        for_each_block(n_columns, 4 * columns_at_once, n_threads, [&](std::int64_t first, std::int64_t last, int) {
            ColumnSums<squared> work{matrix, factors.data(), static_cast<std::size_t>(first),
                                     static_cast<std::size_t>(last), out.data()};
            with_widest_vectors(work);
        });
        return;
    }
    const std::size_t stride = tiled_stride<double>(n_lanes);
    const std::vector<double> padded = pad(factors, n_lanes, stride);
    std::vector<double> sums(matrix.n_columns * stride, 0.0);
    const auto n_rows = static_cast<std::int64_t>(matrix.n_rows());
    for_each_block(n_columns, columns_at_once, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        for (std::int64_t i = 0; i < n_rows; i += rows_at_once) {
            const auto rows = matrix.rows(i, std::min(i + rows_at_once, n_rows));
            DenseUpdate<double, squared> work{rows,
                                              padded.data() + static_cast<std::size_t>(i) * stride,
                                              stride,
                                              static_cast<std::size_t>(first),
                                              static_cast<std::size_t>(last),
                                              sums.data()};
            with_widest_vectors(work);
        }
    });
    add_without_padding(sums, stride, n_lanes, out.data());
}

}  // namespace

std::vector<const double*> DenseMatrix::rows(std::int64_t first, std::int64_t last) const {
    std::vector<const double*> result;
    result.reserve(static_cast<std::size_t>(last - first));
    for (std::int64_t i = first; i < last; ++i) result.push_back(row(static_cast<std::size_t>(i)).data());
    return result;
}

void DenseMatrix::add_product(std::span<const double> weights, std::size_t n_lanes, int n_threads,
                              std::span<double> out) const {
    if (n_columns == 0) return;
    const std::size_t width = tiled_stride<double>(n_lanes);
    const std::vector<double> padded =
        n_lanes == 1 ? std::vector<double>() : pad(weights.first(n_columns * n_lanes), n_lanes, width);
    for_each_block(static_cast<std::int64_t>(n_rows()), rows_at_once, n_threads,
                   [&](std::int64_t first, std::int64_t last, int) {
                       const auto begin = static_cast<std::size_t>(first), end = static_cast<std::size_t>(last);
                       if (n_lanes == 1) {
                           RowProducts work{*this, weights.data(), begin, end, out.data()};
                           return with_widest_vectors(work);
                       }
                       std::vector<double> scores((end - begin) * width, 0.0);
                       const auto pointers = rows(first, last);
                       DenseScores<double> work{pointers, n_columns, padded.data(), width, scores.data()};
                       with_widest_vectors(work);
                       add_without_padding(scores, width, n_lanes, out.data() + begin * n_lanes);
                   });
}

void DenseMatrix::add_transposed_product(std::span<const double> factors, std::size_t n_lanes, int n_threads,
                                         std::span<double> out) const {
    if (n_columns > 0) add_transposed<false>(*this, factors, n_lanes, n_threads, out);
}

void DenseMatrix::add_transposed_squares(std::span<const double> factors, std::size_t n_lanes, int n_threads,
                                         std::span<double> out) const {
    if (n_columns > 0) add_transposed<true>(*this, factors, n_lanes, n_threads, out);
}

}  // namespace assay::linear
