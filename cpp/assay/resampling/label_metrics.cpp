#include "assay/resampling/label_metrics.hpp"

#include <cmath>
#include <limits>

#include "assay/base/parallel.hpp"

namespace assay::resampling {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kRowsPerBlock = 64;

double ratio(double numerator, double denominator, double undefined) {
    return denominator > 0.0 ? numerator / denominator : undefined;
}

double from_counts(const LabelMetric& metric, double hits, double predicted, double truth, double undefined) {
    switch (metric.measure) {
        case Measure::precision:
            return ratio(hits, predicted, undefined);
        case Measure::recall:
            return ratio(hits, truth, undefined);
        default:
            break;
    }
    const double square = metric.beta * metric.beta;
    return ratio((1.0 + square) * hits, square * truth + predicted, undefined);
}

double averaged(const LabelMetric& metric, const Tally& tally, double undefined) {
    if (metric.average == Average::one_class) {
        const auto k = static_cast<std::size_t>(metric.class_index);
        return from_counts(metric, tally.hits[k], tally.predicted[k], tally.truth[k], undefined);
    }
    if (metric.average == Average::micro) {
        double sums[3] = {};  // of one label a document, the last two are the number of documents
        for (std::size_t k = 0; k < tally.hits.size(); ++k) {
            sums[0] += tally.hits[k];
            sums[1] += tally.predicted[k];
            sums[2] += tally.truth[k];
        }
        return from_counts(metric, sums[0], sums[1], sums[2], undefined);
    }
    double sum = 0.0;
    double weights = 0.0;
    for (std::size_t k = 0; k < tally.hits.size(); ++k) {
        // A class that is neither in the truth nor among the predictions is no class of this set.
        if (!tally.every_class && tally.truth[k] == 0.0 && tally.predicted[k] == 0.0) continue;
        const double value = from_counts(metric, tally.hits[k], tally.predicted[k], tally.truth[k], undefined);
        if (std::isnan(value)) continue;
        const double weight = metric.average == Average::macro ? 1.0 : tally.truth[k];
        sum += weight * value;
        weights += weight;
    }
    return ratio(sum, weights, undefined);
}

double balanced_accuracy(const Tally& tally) {
    double sum = 0.0;
    double classes = 0.0;
    for (std::size_t k = 0; k < tally.hits.size(); ++k) {
        if (tally.truth[k] == 0.0) continue;
        sum += tally.hits[k] / tally.truth[k];
        classes += 1.0;
    }
    return ratio(sum, classes, kNaN);
}

struct Moments {
    double hits = 0.0;       // Σ hits
    double agreement = 0.0;  // Σ predicted · truth
    double predicted = 0.0;  // Σ predicted²
    double truth = 0.0;      // Σ truth²
};

Moments moments(const Tally& tally) {
    Moments m;
    for (std::size_t k = 0; k < tally.hits.size(); ++k) {
        m.hits += tally.hits[k];
        m.agreement += tally.predicted[k] * tally.truth[k];
        m.predicted += tally.predicted[k] * tally.predicted[k];
        m.truth += tally.truth[k] * tally.truth[k];
    }
    return m;
}

}  // namespace

double label_metric(const LabelMetric& metric, const Tally& tally, double undefined) {
    const double n = tally.n_documents;
    switch (metric.measure) {
        case Measure::accuracy:
            return ratio(moments(tally).hits, n, kNaN);
        case Measure::balanced_accuracy:
            return balanced_accuracy(tally);
        case Measure::matthews: {
            const Moments m = moments(tally);
            const double spread = (n * n - m.predicted) * (n * n - m.truth);
            return spread > 0.0 ? (m.hits * n - m.agreement) / std::sqrt(spread) : kNaN;
        }
        case Measure::kappa: {
            const Moments m = moments(tally);
            return ratio(m.hits * n - m.agreement, n * n - m.agreement, kNaN);
        }
        default:
            return averaged(metric, tally, undefined);
    }
}

void tally_metrics(std::span<const double> tallies, std::size_t n_classes, std::span<const LabelMetric> metrics,
                   double undefined, int n_threads, std::span<double> values, bool every_class) {
    const auto n_rows = static_cast<std::int64_t>(tallies.size() / (3 * n_classes));
    for_each_block(n_rows, kRowsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
            const std::span<const double> row = tallies.subspan(r * 3 * n_classes, 3 * n_classes);
            Tally tally{row.first(n_classes), row.subspan(n_classes, n_classes), row.last(n_classes), 0.0, every_class};
            for (const double documents : tally.truth) tally.n_documents += documents;
            for (std::size_t m = 0; m < metrics.size(); ++m) {
                values[r * metrics.size() + m] = label_metric(metrics[m], tally, undefined);
            }
        }
    });
}

}  // namespace assay::resampling
