// arrays.hpp: numpy arrays as the spans and views that kernels take, and kernel results as numpy arrays, without a
// copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "assay/sparse.hpp"

namespace assay::bindings {

namespace nb = nanobind;

template <class T>
using InputArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutputArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using NumpyArray = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> view(const InputArray<T>& array) {
    return {array.data(), array.size()};
}
template <class T>
std::span<T> view(const OutputArray<T>& array) {
    return {array.data(), array.size()};
}

template <class Value, class Index>
CsrView<Value, Index> csr_view(std::int64_t n_columns, const InputArray<Index>& row_begin,
                               const InputArray<Index>& columns, const InputArray<Value>& values) {
    return {n_columns, view(row_begin), view(columns), view(values)};
}

inline void require_size(const char* name, std::size_t found, std::size_t expected) {
    if (found != expected) {
        throw std::invalid_argument(std::string(name) + " must hold " + std::to_string(expected) +
                                    " values, but holds " + std::to_string(found));
    }
}

/// A container with data() and size() becomes an array that owns it.
template <class Container>
auto to_numpy(Container&& container) {
    using Owned = std::remove_cvref_t<Container>;
    using T = std::remove_pointer_t<decltype(std::declval<Owned&>().data())>;
    auto* owned = new Owned(std::forward<Container>(container));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Owned*>(p); });
    const std::size_t n = owned->size();
    return NumpyArray<T>(owned->data(), {n}, owner);
}

}  // namespace assay::bindings
