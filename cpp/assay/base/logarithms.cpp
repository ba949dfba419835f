#include "assay/base/logarithms.hpp"

#include <algorithm>
#include <cmath>

namespace assay::inline base {

void logarithms(std::span<const double> x, std::span<double> out) {
    std::ranges::transform(x, out.begin(), [](double value) { return std::log(value); });
}

}  // namespace assay::inline base
