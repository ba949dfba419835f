// joint_classes.hpp: products of one example with the weights of all classes, for solvers whose classes share
// a problem.
#pragma once

#include <cstddef>
#include <span>

#include "assay/base/lanes.hpp"

namespace assay::linear {

inline constexpr std::size_t class_chunk = 8;        // classes that a step on one example takes together
inline constexpr std::size_t widest_class_row = 32;  // classes that one product takes together

/// The number of classes rounded up to whole lanes: weights are [column][stride].
inline std::size_t class_stride(std::size_t n_classes) {
    const std::size_t unit = n_classes <= widest_class_row ? class_chunk : widest_class_row;
    return (n_classes + unit - 1) / unit * unit;
}

/// Calls run.template operator()<Width>() with the width of product that suits the stride. Double, which is for small
/// data and fine tolerances, takes any stride in parts of one width: a solver is compiled anew for every width.
template <class Real, class Run>
auto with_class_width(std::size_t stride, Run&& run) {
    if constexpr (sizeof(Real) == 4) {
        if (stride % 32 == 0) return run.template operator()<32>();
        if (stride == 24) return run.template operator()<24>();
        if (stride % 16 == 0) return run.template operator()<16>();
    }
    return run.template operator()<8>();
}

/// out[k] = Σ value · weights[column][k]; the row is sparse or mixed.
template <int Width, class Real, int Bytes, class Row, class Ahead = NothingAhead>
ASSAY_INLINE void multiply_row(const Row& row, const Real* weights, std::size_t stride, Real* out,
                               const Ahead& ahead = {}) {
    product<Real, Width, Bytes>(row, weights, static_cast<std::ptrdiff_t>(stride), ahead).store(out);
    for (std::size_t k = Width; k < stride; k += Width) {
        product<Real, Width, Bytes>(row, weights + k, static_cast<std::ptrdiff_t>(stride)).store(out + k);
    }
}

/// weights[column][k] += value · step[k].
template <int Width, class Real, int Bytes, class Row>
ASSAY_INLINE void add_to_row(const Row& row, const Real* step, std::size_t stride, Real* weights) {
    using L = Lanes<Real, Width, Bytes>;
    for (std::size_t k = 0; k < stride; k += Width) {
        add_row<Real, Width, Bytes>(row, L::load(step + k), weights + k, static_cast<std::ptrdiff_t>(stride));
    }
}

}  // namespace assay::linear
