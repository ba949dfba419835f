// arrays.hpp: NumPy arrays as the spans and views that kernels take.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "assay/sparse.hpp"

namespace assay {

template <class T>
using InputArray = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using OutputArray = nanobind::ndarray<T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

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

}  // namespace assay
