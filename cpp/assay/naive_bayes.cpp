#include "assay/naive_bayes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "assay/parallel.hpp"

namespace assay {
namespace {

// Rows and features that are summed by one thread at a time. Part of the definition of the result, since the
// sums of the blocks are added in the order of the blocks.
constexpr std::int64_t kRowBlock = 256;
constexpr std::int64_t kFeatureBlock = 4096;

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// Runs work(begin, end, sums) over blocks of [0, size) and returns the blocks' sums, one a class, added in
// order.
template <class Work>
std::vector<double> sum_over_blocks(std::int64_t size, std::int64_t block, std::int64_t n_classes,
                                    int n_threads, Work&& work) {
    const std::int64_t n_blocks = (size + block - 1) / block;
    std::vector<double> block_sums(at(n_blocks * n_classes));
    for_each_block(size, block, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        work(begin, end, block_sums.data() + begin / block * n_classes);
    });
    std::vector<double> sums(at(n_classes));
    for (std::int64_t b = 0; b < n_blocks; ++b) {
        for (std::int64_t c = 0; c < n_classes; ++c) sums[at(c)] += block_sums[at(b * n_classes + c)];
    }
    return sums;
}

// The smoothing of each feature: alpha holds one number for all features or one for each.
struct Smoothing {
    std::span<const double> alpha;
    std::int64_t n_features;

    double operator[](std::int64_t feature) const {
        return alpha.size() == 1 ? alpha[0] : alpha[at(feature)];
    }
    bool changes_at(std::int64_t feature, std::int64_t begin) const {
        return feature == begin || alpha.size() > 1;
    }
    double sum() const {
        if (alpha.size() == 1) return alpha[0] * static_cast<double>(n_features);
        return std::accumulate(alpha.begin(), alpha.end(), 0.0);
    }
};

// log (1 − part / whole), without loss of digits for small and for large parts.
double log_complement(double part, double whole) {
    return part < 0.5 * whole ? std::log1p(-part / whole) : std::log((whole - part) / whole);
}

}  // namespace

// Counting
//
//   counts[j][c] += Σ_{i: classes[i] = c} weights[i]·X[i, j]        totals[c] += Σ_j (what was added to
//   counts[j][c])
//
// The table is far larger than the caches and rows touch it everywhere, so the time goes into waiting for
// memory. A row's increments are therefore first collected, each asking for its cache line, and then made.
// Every thread owns a range of features and reads all the rows, which keeps the order of the additions to any
// entry that of the rows.
template <class Value, class Index>
void count_features(const CsrView<Value, Index>& X, std::span<const std::int32_t> classes,
                    std::span<const double> weights, int n_threads, std::span<double> counts,
                    std::span<double> totals) {
    struct Increment {
        double* entry;
        double value;
    };
    const auto n_classes = static_cast<std::int64_t>(totals.size());
    std::int64_t longest_row = 0;
    for (std::int64_t row = 0; row < X.n_rows(); ++row) {
        longest_row = std::max<std::int64_t>(longest_row, X.end(row) - X.begin(row));
    }
    const std::int64_t range = (X.n_columns + n_threads - 1) / n_threads;
    for_each_block(X.n_columns, range, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<Increment> increments(at(longest_row + 1));
        for (std::int64_t row = 0; row < X.n_rows(); ++row) {
            const double weight = weights[at(row)];
            double* const first_entry = counts.data() + classes[at(row)];
            std::size_t found = 0;
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                const std::int64_t column = X.column(k);
                const bool owned = column >= begin && column < end;
                double* const entry = first_entry + (owned ? column : begin) * n_classes;
                __builtin_prefetch(entry, 1);
                increments[found] = {entry, weight * static_cast<double>(X.value(k))};
                found += owned;  // one that is not owned is overwritten by the next
            }
            for (std::size_t k = 0; k < found; ++k) *increments[k].entry += increments[k].value;
        }
    });

    const std::vector<double> added = sum_over_blocks(
        X.n_rows(), kRowBlock, n_classes, n_threads, [&](std::int64_t begin, std::int64_t end, double* sums) {
            for (std::int64_t row = begin; row < end; ++row) {
                double sum = 0;
                for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                    sum += static_cast<double>(X.value(k));
                }
                sums[classes[at(row)]] += weights[at(row)] * sum;
            }
        });
    for (std::size_t c = 0; c < totals.size(); ++c) totals[c] += added[c];
}

template void count_features(const CsrView<float, std::int32_t>&, std::span<const std::int32_t>,
                             std::span<const double>, int, std::span<double>, std::span<double>);
template void count_features(const CsrView<float, std::int64_t>&, std::span<const std::int32_t>,
                             std::span<const double>, int, std::span<double>, std::span<double>);
template void count_features(const CsrView<double, std::int32_t>&, std::span<const std::int32_t>,
                             std::span<const double>, int, std::span<double>, std::span<double>);
template void count_features(const CsrView<double, std::int64_t>&, std::span<const std::int32_t>,
                             std::span<const double>, int, std::span<double>, std::span<double>);

// Weights from counts
//
// The tables have as many entries as features times classes, nearly all of them zero counts, whose logarithm
// is shared: what is left is a logarithm for every feature that a class does have, and writing each entry
// once.

void multinomial_log_probabilities(std::span<const double> counts, std::span<const double> totals,
                                   std::span<const double> alpha, int n_threads,
                                   std::span<double> log_probabilities) {
    const auto n_classes = static_cast<std::int64_t>(totals.size());
    const Smoothing smoothing{alpha, static_cast<std::int64_t>(counts.size()) / n_classes};
    std::vector<double> log_totals(totals.size());
    for (std::size_t c = 0; c < totals.size(); ++c) log_totals[c] = std::log(totals[c] + smoothing.sum());

    for_each_block(
        smoothing.n_features, kFeatureBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
            std::vector<double> log_unseen(at(n_classes));
            for (std::int64_t j = begin; j < end; ++j) {
                const double a = smoothing[j];
                if (smoothing.changes_at(j, begin)) {
                    for (std::size_t c = 0; c < totals.size(); ++c)
                        log_unseen[c] = std::log(a) - log_totals[c];
                }
                const double* const count = counts.data() + j * n_classes;
                double* const log_probability = log_probabilities.data() + j * n_classes;
                for (std::int64_t c = 0; c < n_classes; ++c) {
                    log_probability[c] =
                        count[c] == 0 ? log_unseen[at(c)] : std::log(count[c] + a) - log_totals[at(c)];
                }
            }
        });
}

void complement_weights(std::span<const double> counts, std::span<const double> totals,
                        std::span<const double> alpha, bool normalise, int n_threads,
                        std::span<double> weights) {
    const auto n_classes = static_cast<std::int64_t>(totals.size());
    const Smoothing smoothing{alpha, static_cast<std::int64_t>(counts.size()) / n_classes};
    std::vector<double> log_totals(totals.size());
    for (std::size_t c = 0; c < totals.size(); ++c) {
        double others = 0;
        for (std::size_t d = 0; d < totals.size(); ++d) others += d == c ? 0 : totals[d];
        log_totals[c] = std::log(others + smoothing.sum());
    }

    const std::vector<double> sums = sum_over_blocks(
        smoothing.n_features, kFeatureBlock, n_classes, n_threads,
        [&](std::int64_t begin, std::int64_t end, double* block_sums) {
            for (std::int64_t j = begin; j < end; ++j) {
                const double* const count = counts.data() + j * n_classes;
                const double everywhere = std::accumulate(count, count + n_classes, 0.0) + smoothing[j];
                const double log_everywhere = std::log(everywhere);
                double* const weight = weights.data() + j * n_classes;
                for (std::int64_t c = 0; c < n_classes; ++c) {
                    const double log_elsewhere =
                        count[c] == 0 ? log_everywhere : std::log(everywhere - count[c]);
                    weight[c] = log_totals[at(c)] - log_elsewhere;
                    block_sums[c] += weight[c];
                }
            }
        });
    if (!normalise) return;
    for_each_block(smoothing.n_features, kFeatureBlock, n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       for (std::int64_t j = begin; j < end; ++j) {
                           for (std::int64_t c = 0; c < n_classes; ++c)
                               weights[at(j * n_classes + c)] /= sums[at(c)];
                       }
                   });
}

void bernoulli_log_probabilities(std::span<const double> counts, std::span<const double> class_counts,
                                 std::span<const double> alpha, int n_threads,
                                 std::span<double> log_probabilities, std::span<double> weights,
                                 std::span<double> biases) {
    const auto n_classes = static_cast<std::int64_t>(class_counts.size());
    const Smoothing smoothing{alpha, static_cast<std::int64_t>(counts.size()) / n_classes};
    const std::vector<double> sums =
        sum_over_blocks(smoothing.n_features, kFeatureBlock, n_classes, n_threads,
                        [&](std::int64_t begin, std::int64_t end, double* block_sums) {
                            std::vector<double> log_totals(at(n_classes)), log_unseen(at(n_classes)),
                                log_absent(at(n_classes));
                            for (std::int64_t j = begin; j < end; ++j) {
                                const double a = smoothing[j];
                                if (smoothing.changes_at(j, begin)) {
                                    for (std::size_t c = 0; c < class_counts.size(); ++c) {
                                        log_totals[c] = std::log(class_counts[c] + 2 * a);
                                        log_unseen[c] = std::log(a) - log_totals[c];
                                        log_absent[c] = log_complement(a, class_counts[c] + 2 * a);
                                    }
                                }
                                const double* const count = counts.data() + j * n_classes;
                                double* const log_present = log_probabilities.data() + j * n_classes;
                                double* const weight = weights.data() + j * n_classes;
                                for (std::int64_t c = 0; c < n_classes; ++c) {
                                    double absent = log_absent[at(c)];
                                    log_present[c] = log_unseen[at(c)];
                                    if (count[c] != 0) {
                                        absent = log_complement(count[c] + a, class_counts[at(c)] + 2 * a);
                                        log_present[c] = std::log(count[c] + a) - log_totals[at(c)];
                                    }
                                    weight[c] = log_present[c] - absent;
                                    block_sums[c] += absent;
                                }
                            }
                        });
    std::ranges::copy(sums, biases.begin());
}

}  // namespace assay
