// lane_totals.hpp: sums of a group's lanes, in double precision whatever the lanes are.
#pragma once

#include <array>
#include <cstddef>

#include "assay/base/lanes.hpp"
#include "assay/linear/dual/class_groups.hpp"

namespace assay::linear {

/// Adds each of the first Width lanes to its total.
template <std::size_t Width, class Real, class L>
ASSAY_INLINE void add_to(std::array<double, max_group_width>& total, const L& part) {
    std::array<Real, Width> values;
    part.store(values.data());
    for (std::size_t k = 0; k < Width; ++k) total[k] += static_cast<double>(values[k]);
}

/// The totals as lanes again.
template <class L, class Real>
ASSAY_INLINE L narrow(const std::array<double, max_group_width>& total) {
    std::array<Real, max_group_width> values;
    for (std::size_t k = 0; k < max_group_width; ++k) values[k] = static_cast<Real>(total[k]);
    return L::load(values.data());
}

}  // namespace assay::linear
