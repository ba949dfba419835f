#include "assay/linear/bayes/naive_bayes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "assay/base/parallel.hpp"

namespace assay::linear {
namespace {

constexpr std::int64_t kFeatureBlock = 8192;  // features that one thread weighs at a time
constexpr std::int64_t kRowBlock = 64;        // rows that one thread scores at a time

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// Row numbers, those of each class together and in order.
struct RowsByClass {
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> rows;

    RowsByClass(const Targets& classes, std::int64_t n_classes)
        : begin(at(n_classes + 1)), rows(classes.members.size()) {
        for (const std::int32_t c : classes.members) ++begin[at(c) + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
        for (std::size_t row = 0; row < classes.n_rows(); ++row) {
            for (const std::int32_t c : classes.of(row)) rows[at(next[at(c)]++)] = static_cast<std::int64_t>(row);
        }
    }
};

// The entries of class c in the features [first, last).
std::pair<std::int64_t, std::int64_t> entries_within(const ClassCountsView& counts, std::int64_t c, std::int64_t first,
                                                     std::int64_t last) {
    const auto begin = counts.features.begin() + counts.begin[at(c)];
    const auto end = counts.features.begin() + counts.begin[at(c + 1)];
    const auto lower = std::lower_bound(begin, end, first);
    return {lower - counts.features.begin(), std::lower_bound(lower, end, last) - counts.features.begin()};
}

// The sum of the counts of each class.
std::vector<double> class_totals(const ClassCountsView& counts, int n_threads) {
    std::vector<double> totals(at(counts.n_classes()));
    for_each_block(counts.n_classes(), 1, n_threads, [&](std::int64_t c, std::int64_t, int) {
        totals[at(c)] = std::accumulate(counts.counts.begin() + counts.begin[at(c)],
                                        counts.counts.begin() + counts.begin[at(c + 1)], 0.0);
    });
    return totals;
}

struct Smoothing {
    std::span<const double> alpha;
    std::int64_t n_features;

    double operator[](std::int64_t feature) const { return alpha.size() == 1 ? alpha[0] : alpha[at(feature)]; }
    double sum() const {
        if (alpha.size() == 1) return alpha[0] * static_cast<double>(n_features);
        return std::accumulate(alpha.begin(), alpha.end(), 0.0);
    }
};

// Features that many classes have are listed for all of them, in order, which is quicker to read.
bool is_listed_in_full(std::int64_t n_listed, std::int64_t n_classes) {
    return 3 * n_listed >= n_classes && n_listed > 0;
}

// Turns counts listed by class into differences listed by feature: difference(feature, class, count) is asked
// for every count.
template <class Difference>
SharedWeights share_weights(const ClassCountsView& counts, std::int64_t n_features, ZeroedArray<double> of_feature,
                            int n_threads, Difference&& difference) {
    const std::int64_t n_classes = counts.n_classes();
    SharedWeights weights;
    weights.begin.assign(at(n_features + 1), 0);
    weights.of_feature = std::move(of_feature);
    weights.of_class.resize(at(n_classes));
    weights.scale.assign(at(n_classes), 1.0);
    weights.biases.assign(at(n_classes), 0.0);
    for_each_block(n_features, kFeatureBlock, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        std::int64_t* const sizes = weights.begin.data() + 1;
        for (std::int64_t c = 0; c < n_classes; ++c) {
            const auto [begin, end] = entries_within(counts, c, first, last);
            for (std::int64_t k = begin; k < end; ++k) ++sizes[counts.features[at(k)]];
        }
        for (std::int64_t j = first; j < last; ++j) {
            if (is_listed_in_full(sizes[j], n_classes)) sizes[j] = n_classes;
        }
    });
    std::partial_sum(weights.begin.begin(), weights.begin.end(), weights.begin.begin());
    weights.classes = ZeroedArray<std::int32_t>(at(weights.begin.back()));
    weights.differences = ZeroedArray<double>(at(weights.begin.back()));
    for_each_block(n_features, kFeatureBlock, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        std::vector<std::int64_t> next(weights.begin.begin() + first, weights.begin.begin() + last);
        for (std::int64_t j = first; j < last; ++j) {
            if (weights.begin[at(j + 1)] - weights.begin[at(j)] != n_classes) continue;
            std::iota(weights.classes.data() + weights.begin[at(j)], weights.classes.data() + weights.begin[at(j + 1)],
                      0);
        }
        for (std::int64_t c = 0; c < n_classes; ++c) {
            const auto [begin, end] = entries_within(counts, c, first, last);
            for (std::int64_t k = begin; k < end; ++k) {
                const std::int64_t j = counts.features[at(k)];
                const bool in_full = weights.begin[at(j + 1)] - weights.begin[at(j)] == n_classes;
                const std::int64_t place = in_full ? weights.begin[at(j)] + c : next[at(j - first)]++;
                weights.classes[at(place)] = static_cast<std::int32_t>(c);
                weights.differences[at(place)] = difference(j, c, counts.counts[at(k)]);
            }
        }
    });
    return weights;
}

// log (1 − part / whole), without loss of digits for small and for large parts.
double log_complement(double part, double whole) {
    return part < 0.5 * whole ? std::log1p(-part / whole) : std::log((whole - part) / whole);
}

}  // namespace

// Counting
//
//   n_jc = earlier + Σ_{i of class c} weights[i]·X[i, j]
//
// One class at a time, its counts are added up in an array of all features, which fits the last-level cache
// and serves again for the next class; what is not zero is then listed in order. When there are few classes
// for many threads, the features are cut into ranges, and every range of every class is a piece of work of
// its own.
template <class Value, class Index>
ClassCounts count_features(const CsrView<Value, Index>& X, const Targets& classes, std::span<const double> weights,
                           const ClassCountsView& earlier, int n_threads) {
    const std::int64_t n_classes = earlier.n_classes();
    const RowsByClass by_class(classes, n_classes);
    n_threads = std::max(n_threads, 1);
    const std::int64_t n_ranges = (n_threads + n_classes - 1) / n_classes;
    const std::int64_t width = std::max<std::int64_t>((X.n_columns + n_ranges - 1) / n_ranges, 1);

    // Room for as many counts as there could be; memory that is never written is never taken.
    std::vector<std::int64_t> place(at(n_classes * n_ranges + 1));
    for (std::int64_t c = 0; c < n_classes; ++c) {
        std::int64_t most = earlier.begin[at(c + 1)] - earlier.begin[at(c)];
        for (std::int64_t r = by_class.begin[at(c)]; r < by_class.begin[at(c + 1)]; ++r) {
            most += X.end(by_class.rows[at(r)]) - X.begin(by_class.rows[at(r)]);
        }
        for (std::int64_t range = 0; range < n_ranges; ++range) {
            place[at(c * n_ranges + range + 1)] = place[at(c * n_ranges + range)] + std::min(most, width);
        }
    }
    ClassCounts found;
    found.begin.resize(at(n_classes + 1));
    found.features = ZeroedArray<std::int32_t>(at(place.back()));
    found.counts = ZeroedArray<double>(at(place.back()));

    constexpr std::int64_t entries_ahead = 16;
    const std::int64_t last_entry = X.begin(X.n_rows()) - 1;
    std::vector<std::int64_t> size(at(n_classes * n_ranges));
    std::vector<ZeroedArray<double>> sums_of(at(n_threads));
    for_each_block(n_classes * n_ranges, 1, n_threads, [&](std::int64_t piece, std::int64_t, int thread) {
        const std::int64_t c = piece / n_ranges;
        const std::int64_t first = piece % n_ranges * width;
        const std::int64_t last = std::min(first + width, X.n_columns);
        ZeroedArray<double>& sums = sums_of[at(thread)];
        if (sums.size() == 0) sums = ZeroedArray<double>(at(width));
        const auto in_range = [&](std::int64_t column) {
            return at(column >= first && column < last ? column - first : 0);
        };
        const auto [begin, end] = entries_within(earlier, c, first, last);
        for (std::int64_t k = begin; k < end; ++k) sums[at(earlier.features[at(k)] - first)] = earlier.counts[at(k)];
        for (std::int64_t r = by_class.begin[at(c)]; r < by_class.begin[at(c + 1)]; ++r) {
            const std::int64_t row = by_class.rows[at(r)];
            const double weight = weights[at(row)];
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                __builtin_prefetch(&sums[in_range(X.column(std::min(k + entries_ahead, last_entry)))], 1);
                const std::int64_t column = X.column(k);
                if (column < first || column >= last) continue;
                sums[at(column - first)] += weight * static_cast<double>(X.value(k));
            }
        }
        std::int64_t to = place[at(piece)];
        for (std::int64_t j = first; j < last; ++j) {
            if (sums[at(j - first)] == 0) continue;
            found.features[at(to)] = static_cast<std::int32_t>(j);
            found.counts[at(to)] = sums[at(j - first)];
            sums[at(j - first)] = 0;
            ++to;
        }
        size[at(piece)] = to - place[at(piece)];
    });

    std::int64_t end = 0;
    for (std::int64_t piece = 0; piece < n_classes * n_ranges; ++piece) {
        if (piece % n_ranges == 0) found.begin[at(piece / n_ranges)] = end;
        const std::int64_t from = place[at(piece)];
        std::copy_n(found.features.data() + from, size[at(piece)], found.features.data() + end);
        std::copy_n(found.counts.data() + from, size[at(piece)], found.counts.data() + end);
        end += size[at(piece)];
    }
    found.begin.back() = end;
    return found;
}

#define ASSAY_COUNT(Value, Index)                                                                              \
    template ClassCounts count_features(const CsrView<Value, Index>&, const Targets&, std::span<const double>, \
                                        const ClassCountsView&, int);
ASSAY_FOR_EACH_MATRIX(ASSAY_COUNT)
#undef ASSAY_COUNT

SharedWeights multinomial_weights(const ClassCountsView& counts, std::int64_t n_features, std::span<const double> alpha,
                                  int n_threads) {
    const Smoothing smoothing{alpha, n_features};
    ZeroedArray<double> log_alpha(alpha.size());
    std::ranges::transform(alpha, log_alpha.data(), [](double a) { return std::log(a); });
    const Smoothing log_smoothing{log_alpha.span(), n_features};
    SharedWeights weights = share_weights(
        counts, n_features, std::move(log_alpha), n_threads,
        [&](std::int64_t j, std::int64_t, double count) { return std::log(count + smoothing[j]) - log_smoothing[j]; });
    const std::vector<double> totals = class_totals(counts, n_threads);
    for (std::size_t c = 0; c < totals.size(); ++c) weights.of_class[c] = -std::log(totals[c] + smoothing.sum());
    return weights;
}

SharedWeights complement_weights(const ClassCountsView& counts, std::int64_t n_features, std::span<const double> alpha,
                                 bool normalise, int n_threads) {
    const Smoothing smoothing{alpha, n_features};
    ZeroedArray<double> everywhere(at(n_features));  // Σ_c n_jc + α_j
    ZeroedArray<double> of_feature(at(n_features));
    for_each_block(n_features, kFeatureBlock, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        for (std::int64_t c = 0; c < counts.n_classes(); ++c) {
            const auto [begin, end] = entries_within(counts, c, first, last);
            for (std::int64_t k = begin; k < end; ++k) everywhere[at(counts.features[at(k)])] += counts.counts[at(k)];
        }
        for (std::int64_t j = first; j < last; ++j) {
            everywhere[at(j)] += smoothing[j];
            of_feature[at(j)] = -std::log(everywhere[at(j)]);
        }
    });
    SharedWeights weights = share_weights(counts, n_features, std::move(of_feature), n_threads,
                                          [&](std::int64_t j, std::int64_t, double count) {
                                              // Written as the definition has it: 1 − count / everywhere loses the
                                              // digits of a small α.
                                              return std::log(everywhere[at(j)]) - std::log(everywhere[at(j)] - count);
                                          });
    const std::vector<double> totals = class_totals(counts, n_threads);
    for (std::size_t c = 0; c < totals.size(); ++c) {
        double others = 0;
        for (std::size_t d = 0; d < totals.size(); ++d) others += d == c ? 0 : totals[d];
        weights.of_class[c] = std::log(others + smoothing.sum());
    }
    if (!normalise) return weights;
    std::vector<double> sums(totals.size());
    for (std::size_t k = 0; k < weights.classes.size(); ++k) sums[at(weights.classes[k])] += weights.differences[k];
    const double of_features = std::accumulate(weights.of_feature.data(), weights.of_feature.data() + n_features, 0.0);
    for (std::size_t c = 0; c < totals.size(); ++c) {
        weights.scale[c] = 1 / (sums[c] + of_features + static_cast<double>(n_features) * weights.of_class[c]);
    }
    return weights;
}

SharedWeights bernoulli_weights(const ClassCountsView& counts, std::int64_t n_features,
                                std::span<const double> class_sizes, double alpha, int n_threads) {
    std::vector<double> log_absent(class_sizes.size());  // log (1 − P) of a feature that the class never shows
    for (std::size_t c = 0; c < class_sizes.size(); ++c) {
        log_absent[c] = log_complement(alpha, class_sizes[c] + 2 * alpha);
    }
    const double log_alpha = std::log(alpha);
    ZeroedArray<double> of_feature(1);
    of_feature[0] = log_alpha;
    const auto change_of_absence = [&](std::int64_t c, double count) {
        return log_complement(count + alpha, class_sizes[at(c)] + 2 * alpha) - log_absent[at(c)];
    };
    SharedWeights weights = share_weights(counts, n_features, std::move(of_feature), n_threads,
                                          [&](std::int64_t, std::int64_t c, double count) {
                                              return std::log(count + alpha) - log_alpha - change_of_absence(c, count);
                                          });
    for_each_block(counts.n_classes(), 1, n_threads, [&](std::int64_t c, std::int64_t, int) {
        weights.of_class[at(c)] = -std::log(class_sizes[at(c)] + 2 * alpha) - log_absent[at(c)];
        double changes = 0;
        for (std::int64_t k = counts.begin[at(c)]; k < counts.begin[at(c + 1)]; ++k) {
            changes += change_of_absence(c, counts.counts[at(k)]);
        }
        weights.biases[at(c)] = static_cast<double>(n_features) * log_absent[at(c)] + changes;
    });
    return weights;
}

void write_out(const SharedWeightsView& weights, int n_threads, std::span<double> table) {
    const std::int64_t n_classes = weights.n_classes();
    for_each_block(weights.n_features(), kFeatureBlock, n_threads, [&](std::int64_t first, std::int64_t last, int) {
        for (std::int64_t j = first; j < last; ++j) {
            double* const row = table.data() + j * n_classes;
            for (std::int64_t c = 0; c < n_classes; ++c) row[c] = weights.feature_part(j) + weights.of_class[at(c)];
            for (std::int64_t k = weights.begin[at(j)]; k < weights.begin[at(j + 1)]; ++k) {
                row[weights.classes[at(k)]] += weights.differences[at(k)];
            }
            for (std::int64_t c = 0; c < n_classes; ++c) row[c] *= weights.scale[at(c)];
        }
    });
}

// Scoring
//
//   scores[i][c] = scale[c]·(Σ_j x_j·of_feature[j] + of_class[c]·Σ_j x_j + Σ_j x_j·difference of j for c) +
//   biases[c]
//
// The lists of features lie all over memory: where a list begins is asked for some entries ahead of its turn,
// and the list itself halfway there.
template <class Value, class Index>
void score_rows(const CsrView<Value, Index>& X, const SharedWeightsView& weights, std::span<const double> biases,
                int n_threads, std::span<double> scores) {
    constexpr std::int64_t entries_ahead = 16;
    const std::int64_t n_classes = weights.n_classes();
    for_each_block(X.n_rows(), kRowBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        const std::int64_t last_entry = X.begin(end) - 1;
        for (std::int64_t row = begin; row < end; ++row) {
            double* const score = scores.data() + row * n_classes;
            std::fill(score, score + n_classes, 0.0);
            double mass = 0;
            double of_features = 0;
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                const auto far = at(X.column(std::min(k + entries_ahead, last_entry)));
                __builtin_prefetch(&weights.begin[far]);
                __builtin_prefetch(weights.of_feature.data() + (weights.of_feature.size() == 1 ? 0 : far));
                const auto near = at(weights.begin[at(X.column(std::min(k + entries_ahead / 2, last_entry)))]);
                __builtin_prefetch(weights.classes.data() + near);
                __builtin_prefetch(weights.differences.data() + near);
                const std::int64_t j = X.column(k);
                const auto value = static_cast<double>(X.value(k));
                mass += value;
                of_features += value * weights.feature_part(j);
                const std::int64_t listed = weights.begin[at(j + 1)] - weights.begin[at(j)];
                const std::int32_t* const classes = weights.classes.data() + weights.begin[at(j)];
                const double* const differences = weights.differences.data() + weights.begin[at(j)];
                if (listed == n_classes) {
                    for (std::int64_t c = 0; c < n_classes; ++c) score[c] += value * differences[c];
                } else {
                    for (std::int64_t d = 0; d < listed; ++d) score[classes[d]] += value * differences[d];
                }
            }
            for (std::int64_t c = 0; c < n_classes; ++c) {
                score[c] =
                    weights.scale[at(c)] * (score[c] + of_features + weights.of_class[at(c)] * mass) + biases[at(c)];
            }
        }
    });
}

#define ASSAY_SCORE(Value, Index)                                                                                  \
    template void score_rows(const CsrView<Value, Index>&, const SharedWeightsView&, std::span<const double>, int, \
                             std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_SCORE)
#undef ASSAY_SCORE

}  // namespace assay::linear
