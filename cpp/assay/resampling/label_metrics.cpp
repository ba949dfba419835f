#include "assay/resampling/label_metrics.hpp"

#include <cmath>
#include <limits>

namespace assay::resampling {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double real(std::int64_t count) {
    return static_cast<double>(count);
}

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
        return from_counts(metric, real(tally.hits[k]), real(tally.predicted[k]), real(tally.truth[k]), undefined);
    }
    if (metric.average == Average::micro) {
        double hits = 0.0;
        for (const std::int64_t count : tally.hits) hits += real(count);
        return from_counts(metric, hits, real(tally.n_documents), real(tally.n_documents), undefined);
    }
    double sum = 0.0;
    double weights = 0.0;
    for (std::size_t k = 0; k < tally.hits.size(); ++k) {
        // A class that is neither in the truth nor among the predictions is no class of this set.
        if (tally.truth[k] == 0 && tally.predicted[k] == 0) continue;
        const double value =
            from_counts(metric, real(tally.hits[k]), real(tally.predicted[k]), real(tally.truth[k]), undefined);
        if (std::isnan(value)) continue;
        const double weight = metric.average == Average::macro ? 1.0 : real(tally.truth[k]);
        sum += weight * value;
        weights += weight;
    }
    return ratio(sum, weights, undefined);
}

double balanced_accuracy(const Tally& tally) {
    double sum = 0.0;
    double classes = 0.0;
    for (std::size_t k = 0; k < tally.hits.size(); ++k) {
        if (tally.truth[k] == 0) continue;
        sum += real(tally.hits[k]) / real(tally.truth[k]);
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
        m.hits += real(tally.hits[k]);
        m.agreement += real(tally.predicted[k]) * real(tally.truth[k]);
        m.predicted += real(tally.predicted[k]) * real(tally.predicted[k]);
        m.truth += real(tally.truth[k]) * real(tally.truth[k]);
    }
    return m;
}

}  // namespace

double label_metric(const LabelMetric& metric, const Tally& tally, double undefined) {
    const double n = real(tally.n_documents);
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

}  // namespace assay::resampling
