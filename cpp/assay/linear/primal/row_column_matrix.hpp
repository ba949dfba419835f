// row_column_matrix.hpp: a sparse matrix kept by rows and by columns, for methods that multiply by it and by
// its transpose. Each element of a product is summed by one thread in a fixed order, so that threads change
// no bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/base/sparse.hpp"

namespace assay::linear {

/// Row r (or column, when it is kept by columns) holds entries[begin[r], begin[r + 1]).
struct SparseHalf {
    std::vector<std::int64_t> begin;
    std::vector<Entry<double>> entries;

    std::int64_t size() const { return static_cast<std::int64_t>(begin.size()) - 1; }
    std::span<const Entry<double>> operator[](std::int64_t r) const {
        const auto first = static_cast<std::size_t>(begin[static_cast<std::size_t>(r)]);
        return {entries.data() + first, static_cast<std::size_t>(begin[static_cast<std::size_t>(r) + 1]) - first};
    }
};

struct RowColumnMatrix {
    SparseHalf rows;     // entries name columns
    SparseHalf columns;  // entries name rows
};

/// X by rows, in double.
template <class Value, class Index>
SparseHalf keep_rows(const CsrView<Value, Index>& X);

/// X by columns, in double.
template <class Value, class Index>
SparseHalf keep_columns(const CsrView<Value, Index>& X);

/// Folded rows with one more column for each row, at n_columns + row, that holds the norm of the row's own
/// features.
SparseHalf keep_rows(const FoldedRows<double>& folded);

/// The same matrix the other way round; n_other is the number of columns (or rows) that it gets.
SparseHalf transpose(const SparseHalf& half, std::int64_t n_other);

/// out[r · n_lanes + k] = Σ value · weights[other · n_lanes + k].
void multiply(const SparseHalf& half, std::span<const double> weights, std::size_t n_lanes, int n_threads,
              std::span<double> out);

/// Σ a·b, summed in blocks of fixed size.
double inner_product(std::span<const double> a, std::span<const double> b, int n_threads);

}  // namespace assay::linear
