#include "assay/linear/primal/loss_terms.hpp"

#include <algorithm>
#include <cmath>

namespace assay::linear {

LossTerms::LossTerms(SmoothLoss loss, const Targets& labels_of_rows, std::span<const double> costs,
                     std::span<const double> label_weight, std::int32_t first_label, std::size_t problem)
    : kind(loss),
      n_lanes(loss == SmoothLoss::multinomial ? label_weight.size() : 1),
      labels(labels_of_rows),
      cost(costs.begin(), costs.end()),
      positive_label(first_label + static_cast<std::int32_t>(problem)) {
    for (std::size_t i = 0; i < cost.size(); ++i) {
        if (kind == SmoothLoss::multinomial) {
            cost[i] *= label_weight[static_cast<std::size_t>(labels.members[i])];
        } else if (is_own(i)) {
            cost[i] *= label_weight[problem];
        }
    }
}

double LossTerms::loss_of(std::span<const double> scores, std::size_t i) const {
    if (kind == SmoothLoss::multinomial) {
        const auto z = scores.subspan(i * n_lanes, n_lanes);
        const double top = *std::max_element(z.begin(), z.end());
        double sum = 0;
        for (const double score : z) sum += std::exp(score - top);
        return std::log(sum) + top - z[static_cast<std::size_t>(labels.members[i])];
    }
    const double margin = sign(i) * scores[i];
    if (kind == SmoothLoss::logistic) return std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin)));
    const double slack = std::max(0.0, 1 - margin);
    return slack * slack;
}

double LossTerms::value(std::span<const double> scores) const {
    double total = 0;
    for (std::size_t i = 0; i < cost.size(); ++i) total += cost[i] * loss_of(scores, i);
    return total;
}

void LossTerms::differentiate(std::span<const double> scores, std::span<double> slope, std::span<double> state) const {
    for (std::size_t i = 0; i < cost.size(); ++i) {
        if (kind == SmoothLoss::multinomial) {
            const auto z = scores.subspan(i * n_lanes, n_lanes);
            const auto p = state.subspan(i * n_lanes, n_lanes);
            const double top = *std::max_element(z.begin(), z.end());
            double sum = 0;
            for (std::size_t k = 0; k < n_lanes; ++k) sum += p[k] = std::exp(z[k] - top);
            for (std::size_t k = 0; k < n_lanes; ++k) {
                p[k] /= sum;
                slope[i * n_lanes + k] =
                    cost[i] * (p[k] - (static_cast<std::size_t>(labels.members[i]) == k ? 1.0 : 0.0));
            }
            continue;
        }
        const double y = sign(i), margin = y * scores[i];
        if (kind == SmoothLoss::logistic) {
            const double wrong = 1 / (1 + std::exp(margin));  // probability of the other label
            slope[i] = -cost[i] * y * wrong;
            state[i] = cost[i] * wrong * (1 - wrong);
        } else {
            slope[i] = -2 * cost[i] * y * std::max(0.0, 1 - margin);
            state[i] = margin < 1 ? 2 * cost[i] : 0.0;
        }
    }
}

void LossTerms::bend(std::span<const double> state, std::span<double> direction) const {
    for (std::size_t i = 0; i < cost.size(); ++i) {
        if (kind != SmoothLoss::multinomial) {
            direction[i] *= state[i];
            continue;
        }
        const auto p = state.subspan(i * n_lanes, n_lanes);
        const auto d = direction.subspan(i * n_lanes, n_lanes);
        double mean = 0;
        for (std::size_t k = 0; k < n_lanes; ++k) mean += p[k] * d[k];
        for (std::size_t k = 0; k < n_lanes; ++k) d[k] = cost[i] * p[k] * (d[k] - mean);
    }
}

std::pair<double, double> LossTerms::along(std::span<const double> scores, std::span<const double> turn,
                                           double length) const {
    double slope = 0, bend = 0;
    for (std::size_t i = 0; i < cost.size(); ++i) {
        const double y = sign(i), margin = y * (scores[i] + length * turn[i]);
        if (kind == SmoothLoss::logistic) {
            const double wrong = 1 / (1 + std::exp(margin));
            slope -= cost[i] * y * wrong * turn[i];
            bend += cost[i] * wrong * (1 - wrong) * turn[i] * turn[i];
        } else if (margin < 1) {
            slope -= 2 * cost[i] * y * (1 - margin) * turn[i];
            bend += 2 * cost[i] * turn[i] * turn[i];
        }
    }
    return {slope, bend};
}

double LossTerms::shrinkage(std::span<const double> scores, double share) const {
    if (share == 1) return 0;
    double total = 0;
    for (std::size_t i = 0; i < cost.size(); ++i) {
        if (kind == SmoothLoss::squared_hinge) {
            const double short_of = (1 - share) * std::max(0.0, 1 - sign(i) * scores[i]);
            total += cost[i] * short_of * short_of;
            continue;
        }
        // The divergence of two distributions: that of the scores, and one that errs `share` times as often.
        const double log_right = -loss_of(scores, i), wrong = -std::expm1(log_right), rarer = share * wrong;
        const double errs = rarer > 0 ? rarer * std::log(share) : 0.0;
        total += cost[i] * (errs + (1 - rarer) * (std::log1p(-rarer) - log_right));
    }
    return total;
}

double LossTerms::diagonal(std::span<const double> state, std::size_t i, std::size_t k) const {
    if (kind != SmoothLoss::multinomial) return state[i];
    const double p = state[i * n_lanes + k];
    return cost[i] * p * (1 - p);
}

}  // namespace assay::linear
