// binomial.hpp: exact binomial draws, in constant time for large counts.
#pragma once

#include <cstdint>

#include "assay/base/random.hpp"

namespace assay::resampling {

/// Successes in n independent trials with probability p each.  Requires n >= 0 and 0 <= p <= 1.
///
/// min(p, 1 - p) · n < 10: inversion, one uniform. Otherwise transformed rejection (Hörmann 1993, algorithm
/// BTRS), whose acceptance test uses the exact probabilities: the draws follow the binomial law up to
/// rounding of doubles.
std::int64_t draw_binomial(Random& random, std::int64_t n, double p);

}  // namespace assay::resampling
