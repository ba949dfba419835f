// set_resampling.hpp: bootstrap and approximate randomization where a text has a set of labels.
//   A text is drawn whole, with all that was said of it: labels that come together, and mistakes that do, stay
//   together. Texts with the same outcome are exchangeable and make one cell. One resample serves all metrics.
#pragma once

#include <cstdint>
#include <span>

#include "assay/resampling/resampling.hpp"

namespace assay::resampling {

/// Slots of a cell and a system: outcome · n_labels + label, where the outcome is 0 for a label that is true and was
/// said, 1 for one that was said only and 2 for one that is true only.
struct SetCells {
    std::span<const std::int64_t> counts;  // texts of each cell, more than 0; the largest first where speed matters
    std::span<const std::int64_t> begin;   // slots[begin[c * n_systems + s], begin[c * n_systems + s + 1])
    std::span<const std::int32_t> slots;
    std::span<const double> means_of;  // cells x n_systems x n_means: a text's values; NaN: no part of the mean
    std::int32_t n_labels;
    std::int32_t n_systems;  // 1 or 2
    std::int32_t n_means;
};

/// Resample r draws as many texts as there are, with replacement.
/// values[(r * n_systems + s) * (metrics + n_means) + m]: the metrics of counts, then the means.
void bootstrap_sets(const SetCells& cells, const ResamplingPlan& plan, std::span<double> values);

/// Shuffle r exchanges all that the two systems said of a text with probability 1/2 (Noreen 1989).
/// Requires n_systems == 2.  values as above.
void randomize_sets(const SetCells& cells, const ResamplingPlan& plan, std::span<double> values);

}  // namespace assay::resampling
