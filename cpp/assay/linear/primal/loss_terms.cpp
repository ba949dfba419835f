#include "assay/linear/primal/loss_terms.hpp"

#include <algorithm>
#include <cmath>

namespace assay::linear {

LossTerms::LossTerms(SmoothLoss loss, std::span<const std::int32_t> labels_of_rows, std::span<const double> costs,
                     std::span<const double> label_weight, std::int32_t first_label, std::size_t problem)
    : kind(loss),
      n_lanes(loss == SmoothLoss::multinomial ? label_weight.size() : 1),
      labels(labels_of_rows),
      cost(costs.begin(), costs.end()),
      positive_label(first_label + static_cast<std::int32_t>(problem)) {
    for (std::size_t i = 0; i < cost.size(); ++i) {
        if (kind == SmoothLoss::multinomial) {
            cost[i] *= label_weight[static_cast<std::size_t>(labels[i])];
        } else if (is_own(i)) {
            cost[i] *= label_weight[problem];
        }
    }
}

double LossTerms::value(std::span<const double> scores) const {
    double total = 0;
    for (std::size_t i = 0; i < cost.size(); ++i) {
        if (kind == SmoothLoss::multinomial) {
            const auto z = scores.subspan(i * n_lanes, n_lanes);
            const double top = *std::max_element(z.begin(), z.end());
            double sum = 0;
            for (const double score : z) sum += std::exp(score - top);
            total += cost[i] * (std::log(sum) + top - z[static_cast<std::size_t>(labels[i])]);
            continue;
        }
        const double margin = sign(i) * scores[i];
        if (kind == SmoothLoss::logistic) {
            total += cost[i] * (std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin))));
        } else {
            const double slack = std::max(0.0, 1 - margin);
            total += cost[i] * slack * slack;
        }
    }
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
                slope[i * n_lanes + k] = cost[i] * (p[k] - (static_cast<std::size_t>(labels[i]) == k ? 1.0 : 0.0));
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

double LossTerms::diagonal(std::span<const double> state, std::size_t i, std::size_t k) const {
    if (kind != SmoothLoss::multinomial) return state[i];
    const double p = state[i * n_lanes + k];
    return cost[i] * p * (1 - p);
}

}  // namespace assay::linear
