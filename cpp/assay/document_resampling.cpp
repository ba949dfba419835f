#include "assay/document_resampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/counter_random.hpp"
#include "assay/parallel.hpp"

namespace assay {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kResamplesPerBlock = 8;

double ratio(double numerator, double denominator) {
    return denominator > 0.0 ? numerator / denominator : kNaN;
}

void write_means(const DocumentMetrics& metrics, std::span<const std::int32_t> weights, double total, double* values) {
    const auto n_means = static_cast<std::size_t>(metrics.n_means);
    std::fill(values, values + n_means, 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0) continue;
        const double weight = static_cast<double>(weights[i]);
        const double* row = metrics.means_of.data() + i * n_means;
        for (std::size_t m = 0; m < n_means; ++m) values[m] += weight * row[m];
    }
    for (std::size_t m = 0; m < n_means; ++m) values[m] = ratio(values[m], total);
}

/// Σ_bins |Σ (correct - confidence)| / documents: the gaps of the bins, weighted by how many documents they
/// hold.
double calibration_error(const DocumentMetrics& metrics, std::span<const std::int32_t> weights, double total) {
    std::vector<double> sums(static_cast<std::size_t>(metrics.n_bins), 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        sums[static_cast<std::size_t>(metrics.bins[i])] += static_cast<double>(weights[i]) * metrics.gaps[i];
    }
    double error = 0.0;
    for (const double sum : sums) error += std::fabs(sum);
    return ratio(error, total);
}

/// One pass down the ranks: the ROC area by trapezoids, average precision by steps, ties taken together.
void write_areas(const Ranking& ranking, std::span<const std::int32_t> weights, double* values) {
    double above[2] = {0.0, 0.0};  // documents passed: [not of the class, of the class]
    double tied[2] = {0.0, 0.0};
    double roc = 0.0;
    double precision_sum = 0.0;
    for (std::size_t rank = 0; rank < ranking.order.size(); ++rank) {
        tied[ranking.positive[rank]] += static_cast<double>(weights[static_cast<std::size_t>(ranking.order[rank])]);
        if (!ranking.last_of_tie[rank]) continue;
        roc += tied[0] * (above[1] + 0.5 * tied[1]);
        above[0] += tied[0];
        above[1] += tied[1];
        if (tied[1] > 0.0) precision_sum += tied[1] * above[1] / (above[0] + above[1]);
        tied[0] = tied[1] = 0.0;
    }
    values[0] = ratio(roc, above[0] * above[1]);
    values[1] = ratio(precision_sum, above[1]);
}

}  // namespace

void weighted_metrics(const DocumentMetrics& metrics, std::span<const std::int32_t> weights, std::span<double> values) {
    double total = 0.0;
    for (const std::int32_t weight : weights) total += static_cast<double>(weight);
    double* next = values.data();
    write_means(metrics, weights, total, next);
    next += metrics.n_means;
    if (metrics.n_bins > 0) *next++ = calibration_error(metrics, weights, total);
    for (const Ranking& ranking : metrics.rankings) {
        write_areas(ranking, weights, next);
        next += 2;
    }
}

void draw_documents(std::span<const std::int32_t> members, std::span<const std::int64_t> bounds, std::uint64_t seed,
                    std::uint64_t resample, std::span<std::int32_t> weights) {
    CounterRandom random(seed, resample);
    std::fill(weights.begin(), weights.end(), 0);
    for (std::size_t s = 0; s + 1 < bounds.size(); ++s) {
        const auto first = static_cast<std::size_t>(bounds[s]);
        const auto n = static_cast<std::uint32_t>(bounds[s + 1] - bounds[s]);
        for (std::uint32_t i = 0; i < n; ++i) {
            ++weights[static_cast<std::size_t>(members[first + random.below(n)])];
        }
    }
}

void bootstrap_documents(const DocumentMetrics& metrics, std::span<const std::int32_t> members,
                         std::span<const std::int64_t> bounds, std::int64_t n_resamples, std::uint64_t seed,
                         int n_threads, std::span<double> values) {
    const auto row = static_cast<std::size_t>(metrics.size());
    for_each_block(n_resamples, kResamplesPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<std::int32_t> weights(static_cast<std::size_t>(metrics.n_documents));
        for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
            draw_documents(members, bounds, seed, r, weights);
            weighted_metrics(metrics, weights, values.subspan(r * row, row));
        }
    });
}

void randomize_documents(const DocumentMetrics& both, std::int64_t n_resamples, std::uint64_t seed, int n_threads,
                         std::span<double> values) {
    const auto row = static_cast<std::size_t>(both.size());
    const auto n = static_cast<std::size_t>(both.n_documents / 2);
    for_each_block(n_resamples, kResamplesPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<std::int32_t> weights(2 * n);
        for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
            CounterRandom random(seed, r);
            std::uint64_t bits = 0;
            for (std::size_t i = 0; i < n; ++i) {
                bits = i % 64 == 0 ? random.next() : bits >> 1;
                weights[i] = static_cast<std::int32_t>(bits & 1);
                weights[n + i] = 1 - weights[i];
            }
            weighted_metrics(both, weights, values.subspan(2 * r * row, row));
            for (std::int32_t& weight : weights) weight = 1 - weight;
            weighted_metrics(both, weights, values.subspan((2 * r + 1) * row, row));
        }
    });
}

void jackknife_documents(const DocumentMetrics& metrics, std::int64_t n_blocks, int n_threads,
                         std::span<double> values) {
    const auto row = static_cast<std::size_t>(metrics.size());
    const auto step = static_cast<std::size_t>(n_blocks);
    for_each_block(n_blocks, kResamplesPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<std::int32_t> weights(static_cast<std::size_t>(metrics.n_documents), 1);
        for (auto b = static_cast<std::size_t>(begin); b < static_cast<std::size_t>(end); ++b) {
            for (std::size_t i = b; i < weights.size(); i += step) weights[i] = 0;
            weighted_metrics(metrics, weights, values.subspan(b * row, row));
            for (std::size_t i = b; i < weights.size(); i += step) weights[i] = 1;
        }
    });
}

}  // namespace assay
