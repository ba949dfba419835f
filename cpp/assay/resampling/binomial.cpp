#include "assay/resampling/binomial.hpp"

#include <array>
#include <cmath>

namespace assay::resampling {
namespace {

/// log k! minus Stirling's formula: log k! = (k + 1/2) log(k + 1) - (k + 1) + log(2π)/2 + stirling_tail(k).
double stirling_tail(double k) {
    static constexpr std::array<double, 10> kTail = {
        0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
        0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287};
    if (k < 10.0) return kTail[static_cast<std::size_t>(k)];
    const double inverse = 1.0 / (k + 1.0);
    const double square = inverse * inverse;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - square / 1680) * square) * square) * inverse;
}

std::int64_t by_inversion(Random& random, std::int64_t n, double p) {
    const double odds = p / (1.0 - p);
    const double first = std::exp(static_cast<double>(n) * std::log1p(-p));  // P(0) = (1 - p)^n
    for (;;) {
        double u = random.uniform();
        double probability = first;
        for (std::int64_t k = 0; k <= n; ++k) {
            if (u < probability) return k;
            u -= probability;
            probability *= odds * static_cast<double>(n - k) / static_cast<double>(k + 1);
        }
        // u fell into what rounding left over (about 1e-16 of all draws): draw again.
    }
}

std::int64_t by_transformed_rejection(Random& random, std::int64_t trials, double p) {
    const double n = static_cast<double>(trials);
    const double odds = p / (1.0 - p);
    const double deviation = std::sqrt(n * p * (1.0 - p));
    const double b = 1.15 + 2.53 * deviation;
    const double a = -0.0873 + 0.0248 * b + 0.01 * p;
    const double centre = n * p + 0.5;
    const double quick = 0.92 - 4.2 / b;
    const double alpha = (2.83 + 5.1 / b) * deviation;
    const double mode = std::floor((n + 1.0) * p);
    for (;;) {
        const double u = random.uniform() - 0.5;
        double v = random.uniform();
        const double us = 0.5 - std::fabs(u);
        const double k = std::floor((2.0 * a / us + b) * u + centre);
        if (us >= 0.07 && v <= quick) return static_cast<std::int64_t>(k);
        if (k < 0.0 || k > n) continue;
        v = std::log(v * alpha / (a / (us * us) + b));
        const double bound = (mode + 0.5) * std::log((mode + 1.0) / (odds * (n - mode + 1.0))) +
                             (n + 1.0) * std::log((n - mode + 1.0) / (n - k + 1.0)) +
                             (k + 0.5) * std::log(odds * (n - k + 1.0) / (k + 1.0)) + stirling_tail(mode) +
                             stirling_tail(n - mode) - stirling_tail(k) - stirling_tail(n - k);
        if (v <= bound) return static_cast<std::int64_t>(k);
    }
}

}  // namespace

std::int64_t draw_binomial(Random& random, std::int64_t n, double p) {
    if (n <= 0 || p <= 0.0) return 0;
    if (p >= 1.0) return n;
    if (p > 0.5) return n - draw_binomial(random, n, 1.0 - p);
    return static_cast<double>(n) * p < 10.0 ? by_inversion(random, n, p) : by_transformed_rejection(random, n, p);
}

}  // namespace assay::resampling
