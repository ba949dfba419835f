// logistic_slope.hpp: the slope of the logistic losses in the scores of one example, many classes side by side.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "assay/base/lanes.hpp"
#include "assay/linear/targets.hpp"

namespace assay::linear {

/// Scores of n_classes classes in the first of `stride` numbers, a multiple of Width.
template <class Real, int Width, int Bytes>
struct LogisticSlope {
    using L = Lanes<Real, Width, Bytes>;
    std::size_t n_classes, stride;

    /// z ← ∂/∂z s (log Σₖ e^{zₖ} − z_label). Returns s · loss if it is wanted.
    ASSAY_INLINE double softmax(Real* z, std::size_t label, Real s, bool wants_loss) const {
        const Real top = *std::max_element(z, z + n_classes), right = z[label] - top;
        for (std::size_t k = n_classes; k < stride; ++k) z[k] = std::numeric_limits<Real>::lowest();
        for (std::size_t k = 0; k < stride; k += Width) exp(L::load(z + k) - top).store(z + k);
        Real sum = 0;
        for (std::size_t k = 0; k < n_classes; ++k) sum += z[k];
        for (std::size_t k = 0; k < stride; ++k) z[k] = k < n_classes ? s * z[k] / sum : Real(0);
        z[label] -= s;
        return wants_loss ? static_cast<double>(s) * (std::log(static_cast<double>(sum)) - static_cast<double>(right))
                          : 0.0;
    }

    /// z ← ∂/∂z s Σₖ log(1 + e^{−yₖzₖ}) with yₖ = +1 for the labels of the row, of which class 0 is `first`, else −1.
    /// Returns s · loss if it is wanted.
    ASSAY_INLINE double one_vs_rest(Real* z, const Targets& labels, std::size_t row, std::size_t first,
                                    std::size_t n_problems, Real s, bool wants_loss) const {
        const auto turn = [&] {
            for (const std::int32_t label : labels.of(row)) {
                const std::size_t k = labels.problem_of(label, n_problems) - first;  // large where it is no class here
                if (k < n_classes) z[k] = -z[k];
            }
        };
        turn();
        double loss = 0;
        if (wants_loss) {
            for (std::size_t k = 0; k < n_classes; ++k) {
                const auto against = static_cast<double>(z[k]);  // −yz
                loss += std::max(0.0, against) + std::log1p(std::exp(-std::abs(against)));
            }
        }
        for (std::size_t k = 0; k < stride; k += Width) {
            (s / (Real(1) + exp(L::all(0) - L::load(z + k)))).store(z + k);  // s · probability of the wrong label
        }
        std::fill(z + n_classes, z + stride, Real(0));
        turn();
        return static_cast<double>(s) * loss;
    }
};

}  // namespace assay::linear
