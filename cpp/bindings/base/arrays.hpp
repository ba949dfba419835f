// arrays.hpp: kernel results as numpy arrays, without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>

namespace assay::bindings {

namespace nb = nanobind;

template <class T>
using InputArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using NumpyArray = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> span_of(const InputArray<T>& array) {
    return {array.data(), array.size()};
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
