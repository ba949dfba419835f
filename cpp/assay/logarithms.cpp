#include "assay/logarithms.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

void logarithms(std::span<const double> x, std::span<double> out) {
    std::ranges::transform(x, out.begin(), [](double value) { return std::log(value); });
}

}  // namespace assay
