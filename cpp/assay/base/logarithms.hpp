// logarithms.hpp: ln of many numbers, each by the C library.
#pragma once

#include <span>

namespace assay::inline base {

/// out[i] = ln x[i]: -inf for 0, NaN below.  Requires out.size() == x.size().
void logarithms(std::span<const double> x, std::span<double> out);

}  // namespace assay::inline base
