// loss_terms.hpp: value, slope and curvature of the smooth losses at given scores.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "assay/linear/targets.hpp"

namespace assay::linear {

enum class SmoothLoss : std::uint8_t { logistic, squared_hinge, multinomial };

/// Scores, slopes and directions are [row][class], with one class for the losses of two labels.
struct LossTerms {
    SmoothLoss kind;
    std::size_t n_lanes;
    Targets labels;
    std::vector<double> cost;     // of each row, the weight of its label included
    std::int32_t positive_label;  // losses of two labels: y = +1 for this one, else −1

    /// The costs are those given, multiplied by label_weight[label] (multinomial) or, for examples of the
    /// positive label, by label_weight[problem].
    LossTerms(SmoothLoss kind, const Targets& labels, std::span<const double> cost,
              std::span<const double> label_weight, std::int32_t first_label, std::size_t problem);

    /// Losses of two labels: whether an example counts as +1. Nothing else says so.
    bool is_own(std::size_t i) const { return labels.has(i, positive_label); }
    double sign(std::size_t i) const { return is_own(i) ? 1.0 : -1.0; }

    /// Of one row, without its cost.
    double loss_of(std::span<const double> scores, std::size_t i) const;
    double value(std::span<const double> scores) const;

    /// slope = C ∂loss/∂z; state = probabilities (multinomial) or curvatures, which `bend` and `diagonal`
    /// take.
    void differentiate(std::span<const double> scores, std::span<double> slope, std::span<double> state) const;

    /// Second derivative times a direction of the scores, in place.
    void bend(std::span<const double> state, std::span<double> direction) const;

    /// First and second derivative of the losses of two labels at scores + length · turn, in the length.
    std::pair<double, double> along(std::span<const double> scores, std::span<const double> turn, double length) const;

    /// How far loss(z) + loss*(θ) is above z·θ, summed over the rows, where θ is `share` times the slope at z: 0 for
    /// share = 1. A Fenchel–Young term: what scaling a dual point costs. 0 ≤ share ≤ 1.
    double shrinkage(std::span<const double> scores, double share) const;

    /// Second derivative in one score.
    double diagonal(std::span<const double> state, std::size_t i, std::size_t k) const;
};

}  // namespace assay::linear
