// resampling.hpp: bootstrap, approximate randomization and jackknife of metrics of predicted labels.
//   Documents with the same (truth, prediction of each system) are exchangeable, so a resample is a draw of
//   counts for the non-empty cells: its price is the number of cells, not of documents.
#pragma once

#include <cstdint>
#include <span>

#include "assay/resampling/label_metrics.hpp"

namespace assay::resampling {

/// Cell c holds counts[c] > 0 documents of class truth[c], called predictions[c * n_systems + s] by system s.
/// Cells of one stratum stand together (strata[c] does not decrease), the largest first where speed matters.
struct Cells {
    std::span<const std::int32_t> truth;
    std::span<const std::int32_t> predictions;
    std::span<const std::int64_t> counts;
    std::span<const std::int32_t> strata;
    std::int32_t n_classes;
    std::int32_t n_systems;  // 1 or 2
};

struct ResamplingPlan {
    std::span<const LabelMetric> metrics;
    double undefined;  // value of 0/0 inside metrics
    std::int64_t n_resamples;
    std::uint64_t seed;
    int n_threads;
    bool every_class =
        false;  // of label sets: whether averages count labels without any text, in truth and predictions
};

/// values[s * metrics + m]: the metrics on the documents as they are.
void observed_metrics(const Cells& cells, std::span<const LabelMetric> metrics, double undefined,
                      std::span<double> values);

/// Resample r draws as many documents as each stratum has, with replacement.
/// values[(r * n_systems + s) * metrics + m].
void bootstrap_metrics(const Cells& cells, const ResamplingPlan& plan, std::span<double> values);

/// Shuffle r exchanges the two systems' predictions on each document with probability 1/2 (Noreen 1989).
/// Requires n_systems == 2.  values[(r * 2 + s) * metrics + m].
void randomize_metrics(const Cells& cells, const ResamplingPlan& plan, std::span<double> values);

/// values[(c * n_systems + s) * metrics + m]: the metrics when one document of cell c is left out.
void jackknife_metrics(const Cells& cells, std::span<const LabelMetric> metrics, double undefined, int n_threads,
                       std::span<double> values);

}  // namespace assay::resampling
