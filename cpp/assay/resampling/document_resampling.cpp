#include "assay/resampling/document_resampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/base/instruction_set.hpp"
#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"

namespace assay::resampling {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Eight resamples go down the documents together, side by side: what is looked up of a document serves all of them, and
// the compiler makes vectors of them. Each one's sums run in the same order as if it were alone.
constexpr std::size_t kLanes = 8;

ASSAY_INLINE double ratio(double numerator, double denominator) {
    return denominator > 0.0 ? numerator / denominator : kNaN;
}

/// sums[m * kLanes + lane] of the columns of `means_of`.
ASSAY_INLINE void sum_means(const DocumentMetrics& metrics, const std::int32_t* weights, double* sums) {
    const auto n_means = static_cast<std::size_t>(metrics.n_means);
    const auto n = static_cast<std::size_t>(metrics.n_documents);
    std::fill(sums, sums + n_means * kLanes, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t* weight = weights + i * kLanes;
        for (std::size_t m = 0; m < n_means; ++m) {
            const double value = metrics.means_of[i * n_means + m];
            for (std::size_t k = 0; k < kLanes; ++k) sums[m * kLanes + k] += static_cast<double>(weight[k]) * value;
        }
    }
}

/// Σ_bins |Σ (correct - confidence)| / documents: the gaps of the bins, weighted by how many documents they hold.
ASSAY_INLINE void sum_gaps(const DocumentMetrics& metrics, const std::int32_t* weights, double* errors) {
    std::vector<double> sums(static_cast<std::size_t>(metrics.n_bins) * kLanes, 0.0);
    const auto n = static_cast<std::size_t>(metrics.n_documents);
    for (std::size_t i = 0; i < n; ++i) {
        double* sum = sums.data() + static_cast<std::size_t>(metrics.bins[i]) * kLanes;
        const double gap = metrics.gaps[i];
        for (std::size_t k = 0; k < kLanes; ++k) sum[k] += static_cast<double>(weights[i * kLanes + k]) * gap;
    }
    std::fill(errors, errors + kLanes, 0.0);
    for (std::size_t b = 0; b < static_cast<std::size_t>(metrics.n_bins); ++b) {
        for (std::size_t k = 0; k < kLanes; ++k) errors[k] += std::fabs(sums[b * kLanes + k]);
    }
}

/// One pass down the ranks: the ROC area by trapezoids, average precision by steps, ties taken together.
ASSAY_INLINE void sum_areas(const Ranking& ranking, const std::int32_t* weights, double* roc_areas,
                            double* average_precisions) {
    double negatives[kLanes] = {};  // documents passed that are not of the class
    double positives[kLanes] = {};  // and that are
    double roc[kLanes] = {};
    double precisions[kLanes] = {};
    const std::size_t n = ranking.order.size();
    for (std::size_t rank = 0; rank < n;) {
        double tied[2][kLanes] = {};
        bool any[2] = {false, false};
        bool last = false;
        for (; !last; ++rank) {
            const std::size_t side = ranking.positive[rank] ? 1 : 0;
            const std::int32_t* weight = weights + static_cast<std::size_t>(ranking.order[rank]) * kLanes;
            for (std::size_t k = 0; k < kLanes; ++k) tied[side][k] += static_cast<double>(weight[k]);
            any[side] = true;
            last = ranking.last_of_tie[rank] || rank + 1 == n;
        }
        if (any[0]) {
            for (std::size_t k = 0; k < kLanes; ++k) {
                roc[k] += tied[0][k] * (positives[k] + 0.5 * tied[1][k]);
                negatives[k] += tied[0][k];
            }
        }
        if (any[1]) {
            for (std::size_t k = 0; k < kLanes; ++k) {
                positives[k] += tied[1][k];
                // Where nothing was passed yet there is nothing to add either: the 1 only keeps 0/0 away.
                const double passed = std::max(negatives[k] + positives[k], 1.0);
                precisions[k] += tied[1][k] * positives[k] / passed;
            }
        }
    }
    for (std::size_t k = 0; k < kLanes; ++k) {
        roc_areas[k] = ratio(roc[k], negatives[k] * positives[k]);
        average_precisions[k] = ratio(precisions[k], positives[k]);
    }
}

/// A resample in each lane: document i counts weights[i * kLanes + lane] times in it.
/// values[lane * size() + m] for the first n_used lanes.
struct Measurement {
    const DocumentMetrics& metrics;
    const std::vector<std::int32_t>& weights;
    std::size_t n_used;
    double* values;

    template <int Bytes>
    ASSAY_INLINE void run() {
        const auto row = static_cast<std::size_t>(metrics.size());
        const auto n_means = static_cast<std::size_t>(metrics.n_means);
        std::int64_t totals[kLanes] = {};
        for (std::size_t i = 0; i < weights.size(); ++i) totals[i % kLanes] += weights[i];
        std::vector<double> found(row * kLanes);  // [metric][lane]
        sum_means(metrics, weights.data(), found.data());
        std::size_t m = n_means;
        if (metrics.n_bins > 0) sum_gaps(metrics, weights.data(), found.data() + kLanes * m++);
        for (std::size_t k = 0; k < kLanes; ++k) {
            for (std::size_t mean = 0; mean < m; ++mean) {
                double& value = found[mean * kLanes + k];
                value = ratio(value, static_cast<double>(totals[k]));
            }
        }
        for (const Ranking& ranking : metrics.rankings) {
            sum_areas(ranking, weights.data(), found.data() + kLanes * m, found.data() + kLanes * (m + 1));
            m += 2;
        }
        for (std::size_t k = 0; k < n_used; ++k) {
            for (std::size_t metric = 0; metric < row; ++metric) values[k * row + metric] = found[metric * kLanes + k];
        }
    }
};

void measure_lanes(const DocumentMetrics& metrics, const std::vector<std::int32_t>& weights, std::size_t n_used,
                   double* values) {
    Measurement measurement{metrics, weights, n_used, values};
    with_widest_vectors(measurement);
}

/// Both areas of one ranking with each block left out, in one pass down the ranks: values[b * row] and the next one.
///
/// The ROC area is a sum over pairs, of which those of the block's own documents go away: pairs with its negatives and
/// pairs with its positives, those with both being taken away twice. Average precision needs the counts of every block
/// at every rank that holds a document of the class, and there only.
struct LeavingOut {
    const Ranking& ranking;
    std::size_t n_blocks;
    double* values;
    std::size_t row;

    template <int Bytes>
    ASSAY_INLINE void run() {
        const std::size_t n = ranking.order.size();
        double all[2] = {};  // negatives, positives
        for (std::size_t rank = 0; rank < n; ++rank) all[ranking.positive[rank] ? 1 : 0] += 1.0;
        std::vector<double> of_block[2] = {std::vector<double>(n_blocks, 0.0), std::vector<double>(n_blocks, 0.0)};
        std::vector<double> passed_of_block(n_blocks, 0.0);
        std::vector<double> tied_positives(n_blocks, 0.0);
        std::vector<double> without(n_blocks, 0.0);  // pairs in order that leaving out takes away
        std::vector<double> precisions(n_blocks, 0.0);
        std::vector<double> precision(n_blocks, 0.0);
        double pairs = 0.0;
        double passed[2] = {};
        for (std::size_t begin = 0; begin < n;) {
            std::size_t end = begin;
            double tied[2] = {};
            for (bool last = false; !last; ++end) {
                tied[ranking.positive[end] ? 1 : 0] += 1.0;
                last = ranking.last_of_tie[end] || end + 1 == n;
            }
            for (std::size_t rank = begin; rank < end; ++rank) {
                if (ranking.positive[rank]) tied_positives[block_of(rank)] += 1.0;
            }
            const double below = all[0] - passed[0] - 0.5 * tied[0];  // negatives under a positive of this tie
            for (std::size_t rank = begin; rank < end; ++rank) {
                const std::size_t b = block_of(rank);
                if (ranking.positive[rank]) {
                    without[b] += below;
                } else {
                    without[b] += passed[1] + 0.5 * tied[1] - of_block[1][b] - 0.5 * tied_positives[b];
                }
            }
            pairs += tied[0] * (passed[1] + 0.5 * tied[1]);
            for (std::size_t rank = begin; rank < end; ++rank) {
                const std::size_t b = block_of(rank);
                of_block[ranking.positive[rank] ? 1 : 0][b] += 1.0;
                passed_of_block[b] += 1.0;
                tied_positives[b] = 0.0;
            }
            passed[0] += tied[0];
            passed[1] += tied[1];
            if (tied[1] > 0.0) {
                const double together = passed[0] + passed[1];
                for (std::size_t b = 0; b < n_blocks; ++b) {
                    // Where nothing was passed without the block there is nothing to add either.
                    precision[b] = (passed[1] - of_block[1][b]) / std::max(together - passed_of_block[b], 1.0);
                    precisions[b] += tied[1] * precision[b];
                }
                for (std::size_t rank = begin; rank < end; ++rank) {
                    if (ranking.positive[rank]) precisions[block_of(rank)] -= precision[block_of(rank)];
                }
            }
            begin = end;
        }
        for (std::size_t b = 0; b < n_blocks; ++b) {
            const double negatives = all[0] - of_block[0][b];
            const double positives = all[1] - of_block[1][b];
            values[b * row] = ratio(pairs - without[b], negatives * positives);
            values[b * row + 1] = ratio(precisions[b], positives);
        }
    }

    std::size_t block_of(std::size_t rank) const { return static_cast<std::size_t>(ranking.order[rank]) % n_blocks; }
};

std::vector<std::int32_t> room_for_weights(const DocumentMetrics& metrics, std::int32_t value = 0) {
    return std::vector<std::int32_t>(static_cast<std::size_t>(metrics.n_documents) * kLanes, value);
}

}  // namespace

void weighted_metrics(const DocumentMetrics& metrics, std::span<const std::int32_t> weights, std::span<double> values) {
    std::vector<std::int32_t> lanes = room_for_weights(metrics);
    for (std::size_t i = 0; i < weights.size(); ++i) lanes[i * kLanes] = weights[i];
    measure_lanes(metrics, lanes, 1, values.data());
}

void draw_documents(std::span<const std::int32_t> members, std::span<const std::int64_t> bounds, std::uint64_t seed,
                    std::uint64_t resample, std::span<std::int32_t> weights) {
    Random random(seed, resample);
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
    for_each_block(n_resamples, kLanes, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<std::int32_t> lanes = room_for_weights(metrics);
        std::vector<std::int32_t> weights(static_cast<std::size_t>(metrics.n_documents));
        const auto first = static_cast<std::size_t>(begin);
        const auto used = static_cast<std::size_t>(end - begin);
        for (std::size_t k = 0; k < used; ++k) {
            draw_documents(members, bounds, seed, first + k, weights);
            for (std::size_t i = 0; i < weights.size(); ++i) lanes[i * kLanes + k] = weights[i];
        }
        measure_lanes(metrics, lanes, used, values.data() + first * row);
    });
}

void randomize_documents(const DocumentMetrics& both, std::int64_t n_resamples, std::uint64_t seed, int n_threads,
                         std::span<double> values) {
    const auto row = static_cast<std::size_t>(both.size());
    const auto n = static_cast<std::size_t>(both.n_documents / 2);
    for_each_block(n_resamples, kLanes / 2, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<std::int32_t> lanes = room_for_weights(both);
        const auto first = static_cast<std::size_t>(begin);
        const auto used = static_cast<std::size_t>(end - begin);
        for (std::size_t k = 0; k < used; ++k) {
            Random random(seed, first + k);
            std::uint64_t bits = 0;
            for (std::size_t i = 0; i < n; ++i) {
                bits = i % 64 == 0 ? random.next() : bits >> 1;
                const auto kept = static_cast<std::int32_t>(bits & 1);
                std::int32_t* one = lanes.data() + i * kLanes + 2 * k;
                std::int32_t* other = lanes.data() + (n + i) * kLanes + 2 * k;
                one[0] = other[1] = kept;
                one[1] = other[0] = 1 - kept;
            }
        }
        measure_lanes(both, lanes, 2 * used, values.data() + 2 * first * row);
    });
}

void jackknife_documents(const DocumentMetrics& metrics, std::int64_t n_blocks, int n_threads,
                         std::span<double> values) {
    const auto row = static_cast<std::size_t>(metrics.size());
    const auto n = static_cast<std::size_t>(metrics.n_documents);
    const auto step = static_cast<std::size_t>(n_blocks);
    DocumentMetrics means = metrics;
    means.rankings = {};
    const auto n_means = static_cast<std::size_t>(means.size());
    if (n_means > 0) {
        for_each_block(n_blocks, kLanes, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
            std::vector<std::int32_t> lanes = room_for_weights(metrics, 1);
            std::vector<double> found(n_means * kLanes);
            const auto first = static_cast<std::size_t>(begin);
            const auto used = static_cast<std::size_t>(end - begin);
            for (std::size_t k = 0; k < used; ++k) {
                for (std::size_t i = first + k; i < n; i += step) lanes[i * kLanes + k] = 0;
            }
            measure_lanes(means, lanes, used, found.data());
            for (std::size_t k = 0; k < used; ++k) {
                std::copy_n(found.data() + k * n_means, n_means, values.data() + (first + k) * row);
            }
        });
    }
    const auto n_rankings = static_cast<std::int64_t>(metrics.rankings.size());
    for_each_block(n_rankings, 1, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
            LeavingOut leaving{metrics.rankings[r], step, values.data() + n_means + 2 * r, row};
            with_widest_vectors(leaving);
        }
    });
}

}  // namespace assay::resampling
