// intercept.hpp: how the dual solvers of logistic regression carry the intercept.
#pragma once

#include <cstdint>
#include <numeric>

#include "assay/base/folded_rows.hpp"

namespace assay::linear {

/// The intercept is the weight of a constant feature. A penalised one has the feature's value s; a free one
/// has a small value τ, and its penalty is centred anew after each pass, until nothing of it is left (the
/// method of multipliers).
struct InterceptFeature {
    double square = 0;       // s² or τ²
    bool penalised = false;  // else free
    bool present = false;

    /// The first passes change w too much for the centre to be worth moving.
    static constexpr std::int32_t first_move = 3;
};

/// For examples of that mean square.
inline InterceptFeature make_intercept(double mean_square, double intercept_scale) {
    if (intercept_scale < 0) return {};
    if (intercept_scale > 0) return {intercept_scale * intercept_scale, true, true};
    // A tenth of a typical example's square: large enough to follow, small enough not to slow the descent.
    return {mean_square > 0 ? 0.1 * mean_square : 1.0, false, true};
}

template <class Real>
InterceptFeature make_intercept(const FoldedRows<Real>& rows, double intercept_scale) {
    const double total = std::accumulate(rows.square.begin(), rows.square.end(), 0.0);
    return make_intercept(rows.square.empty() ? 0.0 : total / static_cast<double>(rows.square.size()), intercept_scale);
}

}  // namespace assay::linear
