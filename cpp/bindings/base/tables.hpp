// tables.hpp: two-dimensional arrays and checked indices, beside the plain arrays of arrays.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "bindings/base/matrices.hpp"

namespace assay::bindings {

template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<T> span_of(const Table<T>& table) {
    return {table.data(), table.size()};
}

/// A view of a CSR matrix whose offsets and columns have been checked, so that kernels may trust them.
template <class Value, class Index>
CsrView<Value, Index> checked_csr_view(std::int64_t n_columns, const InputArray<Index>& row_begin,
                                       const InputArray<Index>& columns, const InputArray<Value>& values) {
    const auto X = csr_view(n_columns, row_begin, columns, values);
    check_csr(X);
    return X;
}

/// Throws unless every element lies in [0, limit).
template <class T>
void require_range(const char* name, std::span<const T> found, T limit) {
    for (const T element : found) {
        if (element < 0 || element >= limit) {
            throw std::invalid_argument(std::string(name) + " " + std::to_string(element) + " is outside of 0 to " +
                                        std::to_string(limit - 1));
        }
    }
}

/// Lists are checked as a CSR matrix is: offsets that never fall, and indices inside of what they point to.
template <class Value>
void require_lists(std::span<const std::int64_t> begin, std::span<const std::int32_t> indices,
                   std::span<const Value> values, std::int64_t limit) {
    if (begin.empty() || begin.front() != 0 || !std::ranges::is_sorted(begin)) {
        throw std::invalid_argument("offsets of lists must begin with 0 and never fall");
    }
    require_size("indices of lists", indices.size(), static_cast<std::size_t>(begin.back()));
    require_size("values of lists", values.size(), indices.size());
    require_range("index", indices, static_cast<std::int32_t>(limit));
}

/// Runs work() while other Python threads may run.
template <class Work>
auto without_gil(Work&& work) {
    const nb::gil_scoped_release released;
    return work();
}

}  // namespace assay::bindings
