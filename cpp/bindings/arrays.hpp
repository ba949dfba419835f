// arrays.hpp: numpy arrays to spans, with their shapes checked.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "assay/sparse.hpp"

namespace assay::bindings {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T, class... Shape>
std::span<T> span_of(const nb::ndarray<T, Shape...>& array) {
    return {array.data(), array.size()};
}

inline void check_size(const char* name, std::size_t found, std::size_t expected) {
    if (found != expected) {
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(found) +
                                    " elements instead of " + std::to_string(expected));
    }
}

/// Throws unless every element lies in [0, limit).
template <class T>
void check_range(const char* name, std::span<const T> found, T limit) {
    for (const T element : found) {
        if (element < 0 || element >= limit) {
            throw std::invalid_argument(std::string(name) + " " + std::to_string(element) +
                                        " is outside of 0 to " + std::to_string(limit - 1));
        }
    }
}

/// The arrays of a scipy CSR matrix as a view; offsets and columns are checked, so that kernels may trust
/// them.
template <class Value, class Index>
CsrView<Value, Index> csr_view(const Array<const Index>& offsets, const Array<const Index>& columns,
                               const Array<const Value>& values, std::int64_t n_columns) {
    const CsrView<Value, Index> X{n_columns, span_of(offsets), span_of(columns), span_of(values)};
    check_csr(X);
    return X;
}

/// A vector handed over to numpy without a copy.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_numpy(std::vector<T>&& values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* const data = owned->data();
    const std::size_t size = owned->size();
    nb::capsule owner(owned.get(),
                      [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
    owned.release();
    return {data, {size}, owner};
}

}  // namespace assay::bindings
