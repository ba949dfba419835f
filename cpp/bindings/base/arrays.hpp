// arrays.hpp: NumPy arrays as spans, and kernel results as NumPy arrays, without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <span>
#include <tuple>
#include <utility>

namespace assay::bindings {

namespace nb = nanobind;

template <class T>
using InputArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using OutputArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
using NumpyArray = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class... Described>
auto span_of(const nb::ndarray<Described...>& array) {
    return std::span(array.data(), array.size());
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

/// The same for several of them.
template <class... Containers>
auto to_arrays(Containers&&... containers) {
    return std::tuple(to_numpy(std::forward<Containers>(containers))...);
}

/// Runs work() while other Python threads may run.
template <class Work>
auto without_gil(Work&& work) {
    const nb::gil_scoped_release released;
    return work();
}

}  // namespace assay::bindings
