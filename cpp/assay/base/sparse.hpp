// sparse.hpp: a matrix of examples in compressed sparse rows, seen but not owned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::inline base {

/// Row i holds values[k] in column columns[k] for k in [row_begin[i], row_begin[i + 1]).
template <class Value, class Index>
struct CsrView {
    std::int64_t n_columns = 0;
    std::span<const Index> row_begin;  // n_rows + 1
    std::span<const Index> columns;    // non-zeros
    std::span<const Value> values;     // non-zeros

    std::int64_t n_rows() const { return static_cast<std::int64_t>(row_begin.size()) - 1; }
    std::int64_t begin(std::int64_t row) const {
        return static_cast<std::int64_t>(row_begin[static_cast<std::size_t>(row)]);
    }
    std::int64_t end(std::int64_t row) const { return begin(row + 1); }
    std::int64_t column(std::int64_t at) const {
        return static_cast<std::int64_t>(columns[static_cast<std::size_t>(at)]);
    }
    Value value(std::int64_t at) const { return values[static_cast<std::size_t>(at)]; }
};

/// Expands instantiate(Value, Index) for each kind of matrix that kernels are compiled for.
#define ASSAY_FOR_EACH_MATRIX(instantiate)                                                              \
    instantiate(float, std::int32_t) instantiate(float, std::int64_t) instantiate(double, std::int32_t) \
        instantiate(double, std::int64_t)

/// Throws std::invalid_argument unless every offset and every column index stays inside the arrays.
template <class Value, class Index>
void check_csr(const CsrView<Value, Index>& X) {
    if (X.row_begin.empty()) throw std::invalid_argument("row offsets are empty; one more than rows is needed");
    const auto n_stored = static_cast<std::int64_t>(X.columns.size());
    if (X.values.size() != X.columns.size() || X.row_begin.front() != 0 ||
        static_cast<std::int64_t>(X.row_begin.back()) != n_stored) {
        throw std::invalid_argument("row offsets must run from 0 to the number of stored values, " +
                                    std::to_string(n_stored));
    }
    for (std::int64_t row = 0; row < X.n_rows(); ++row) {
        if (X.begin(row) > X.end(row)) {
            throw std::invalid_argument("row offsets must not fall; they do after row " + std::to_string(row));
        }
    }
    Index lowest = 0, highest = 0;
    for (const Index column : X.columns) {
        lowest = column < lowest ? column : lowest;
        highest = column > highest ? column : highest;
    }
    if (lowest < 0 || (n_stored > 0 && static_cast<std::int64_t>(highest) >= X.n_columns)) {
        const auto wrong = static_cast<std::int64_t>(lowest < 0 ? lowest : highest);
        throw std::invalid_argument("column index " + std::to_string(wrong) + " is outside a matrix of " +
                                    std::to_string(X.n_columns) + " columns");
    }
}

/// Whether some row names a column more than once. Requires a matrix that check_csr accepts.
template <class Value, class Index>
bool repeats_a_column(const CsrView<Value, Index>& X) {
    std::vector<std::int64_t> last_row(static_cast<std::size_t>(X.n_columns), -1);
    for (std::int64_t row = 0; row < X.n_rows(); ++row) {
        for (std::int64_t at = X.begin(row); at < X.end(row); ++at) {
            std::int64_t& last = last_row[static_cast<std::size_t>(X.column(at))];
            if (last == row) return true;
            last = row;
        }
    }
    return false;
}

}  // namespace assay::inline base
