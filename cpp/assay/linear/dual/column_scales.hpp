// column_scales.hpp: columns as they are, or scaled by each class on its own, for the passes of one_vs_rest.hpp.
//
// A class that scales the columns by r sees the rows r∘x. Its score Σ rⱼxⱼwⱼ is that of the row as it is with weights
// v = r∘w, and a step d of the row's dual variable, which adds d·rⱼxⱼ to wⱼ, adds d·xⱼ·rⱼ² to vⱼ. So v is kept in place
// of w, with r² beside it: no row is ever scaled, all classes share the same ones, and one read of memory brings both.
#pragma once

#include "assay/base/lanes.hpp"

namespace assay::linear {

/// A column is a column: weights [column][lane].
struct PlainColumns {
    static constexpr bool scaled = false;
    static constexpr std::size_t n_parts = 1;  // of what is kept for each column

    template <class Real, int Width, int Bytes>
    static ASSAY_INLINE void add(const MixedRow<Real>& row, const Lanes<Real, Width, Bytes>& step, Real* weights) {
        add_row<Real, Width, Bytes>(row, step, weights);
    }
    /// w² of the weight that is kept at `weight`, or the square of a change of it.
    template <int Width, class Real>
    static double square(double value, const Real*) {
        return value * value;
    }
};

/// Scaled by r of its own in each lane: [column][r·w of each lane, then r² of each lane]. More than one lane.
struct ScaledColumns {
    static constexpr bool scaled = true;
    static constexpr std::size_t n_parts = 2;

    template <class Real, int Width, int Bytes>
    static ASSAY_INLINE void add(const MixedRow<Real>& row, const Lanes<Real, Width, Bytes>& step, Real* weights) {
        using L = Lanes<Real, Width, Bytes>;
        for_each_entry<Width>(row, weights, [&](Real value, Real* at) ASSAY_INLINE_LAMBDA {
            (L::load(at) + value * step * L::load(at + Width)).store(at);
        });
    }
    /// Σ (rⱼxⱼ)².
    template <class Real, int Width, int Bytes>
    static ASSAY_INLINE Lanes<Real, Width, Bytes> sum_squares(const MixedRow<Real>& row, Real* weights) {
        using L = Lanes<Real, Width, Bytes>;
        L sum = L::all(0);
        for_each_entry<Width>(row, weights, [&](Real value, const Real* at) ASSAY_INLINE_LAMBDA {
            sum += (value * value) * L::load(at + Width);
        });
        return sum;
    }
    /// Calls work(value, what is kept for its column) for all values of a row.
    template <int Width, class Real, class Work>
    static ASSAY_INLINE void for_each_entry(const MixedRow<Real>& row, Real* weights, Work&& work) {
        constexpr std::size_t stride = n_parts * Width;
        for (std::size_t j = 0; j < row.head.size(); ++j) work(row.head[j], weights + j * stride);
        for (const Entry<Real>& entry : row.tail) {
            work(entry.value, weights + static_cast<std::size_t>(entry.column) * stride);
        }
    }
    template <int Width, class Real>
    static double square(double value, const Real* weight) {
        const auto scale_square = static_cast<double>(weight[Width]);
        return scale_square > 0 ? value * value / scale_square : 0.0;
    }
};

}  // namespace assay::linear
