// hinge_rule.hpp: the step of Hsieh, Chang, Lin, Keerthi & Sundararajan (2008, algorithm 1) for the two hinges.
//
// For the dual variable α of one example with margin m = y(w·x + b) and curvature Q = ‖x‖² + s²:
//
//     squared hinge   G = m − 1 + α/(2C),   α ← max(0, α − G / (Q + 1/(2C)))
//     plain hinge     G = m − 1,            α ← min(C, max(0, α − G / Q))
#pragma once

#include <limits>

#include "assay/base/lanes.hpp"
#include "assay/linear/dual/dual_step.hpp"
#include "assay/linear/dual/pass_habits.hpp"

namespace assay::linear {

template <bool squared>
struct HingeRule {
    /// What the dual adds to the curvature in one variable.
    static double dual_diagonal(double cost) { return squared ? 0.5 / cost : 0.0; }

    // A bounded dual variable has settled early, so that the gap falls little once weights are at rest.
    static constexpr PassHabits habits{.met = squared ? 1.5 : 1.1};

    static constexpr bool bounded = !squared;  // whether a dual variable has an upper bound

    /// Of the dual in one variable.
    template <class Real, class L>
    static ASSAY_INLINE L gradient(const DualExample<L>& example) {
        if constexpr (squared) return example.margin - Real(1) + example.alpha * (Real(0.5) / example.cost);
        return example.margin - Real(1);
    }
    template <class Real, class L>
    static ASSAY_INLINE DualStep<L> step(const DualExample<L>& example) {
        const L zero = L::all(0), one = L::all(1);
        const L slack = max(zero, one - example.margin);
        const L excess = max(zero, example.margin - one);
        DualStep<L> result;
        // The gaps are Fenchel–Young terms, written so that none of them is a difference of near equals.
        if constexpr (squared) {
            const L softness = Real(0.5) / example.cost;  // the dual's extra diagonal
            const L distance = slack - example.alpha * softness;
            const L gradient = example.margin - one + example.alpha * softness;
            result.next = max(zero, example.alpha - gradient / (example.curvature + softness));
            result.loss = example.cost * slack * slack;
            result.gap = example.cost * distance * distance + example.alpha * excess;
        } else {
            const L curvature = max(example.curvature, L::all(std::numeric_limits<Real>::min()));
            const L gradient = example.margin - one;
            result.next = min(max(zero, example.alpha - gradient / curvature), example.cost);
            result.loss = example.cost * slack;
            result.gap = (example.cost - example.alpha) * slack + example.alpha * excess;
        }
        return result;
    }
};

}  // namespace assay::linear
