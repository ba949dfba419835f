#include "assay/embeddings/alias_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace assay::embeddings {

AliasSampler::AliasSampler(std::span<const double> weights) : columns_(weights.size()) {
    double total = 0;
    for (const double weight : weights) {
        if (!(weight >= 0) || !std::isfinite(weight)) {
            throw std::invalid_argument("a weight to draw by is " + std::to_string(weight));
        }
        total += weight;
    }
    if (!(total > 0)) throw std::invalid_argument("all weights to draw by are zero");
    const double scale = static_cast<double>(weights.size()) / total;
    std::vector<double> height(weights.size());
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t i = 0; i < weights.size(); ++i) {
        height[i] = weights[i] * scale;
        (height[i] < 1 ? small : large).push_back(i);
    }
    const auto set = [&](std::uint32_t i, double share, std::uint32_t other) {
        columns_[i] = {static_cast<std::uint32_t>(std::min(share * 0x1p32, 0x1p32 - 1)), other};
    };
    while (!small.empty() && !large.empty()) {
        const std::uint32_t low = small.back(), high = large.back();
        small.pop_back();
        set(low, height[low], high);
        height[high] -= 1 - height[low];
        if (height[high] < 1) {
            large.pop_back();
            small.push_back(high);
        }
    }
    // What is left differs from 1 only by rounding.
    for (const std::uint32_t i : small) set(i, 1, i);
    for (const std::uint32_t i : large) set(i, 1, i);
}

}  // namespace assay::embeddings
