// label_metrics.hpp: every metric of predicted labels, from three counts a class.
//   hits[k] documents of class k were called k; predicted[k] were called k; truth[k] are of class k.
//   Accuracy, precision, recall, F, balanced accuracy, Matthews correlation and kappa need nothing else.
//   Where a document may be of several classes, or of none, so do precision, recall and F.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::resampling {

enum class Measure : std::int32_t {
    accuracy = 0,
    balanced_accuracy = 1,  ///< mean recall of the classes that occur in the truth
    matthews = 2,           ///< Gorodkin's R_K, which is Matthews' correlation for two classes
    kappa = 3,              ///< Cohen's
    precision = 4,
    recall = 5,
    f_beta = 6,  ///< (1 + β²) hits / (β² truth + predicted)
};

enum class Average : std::int32_t {
    one_class = 0,  ///< the value of class `class_index`
    macro = 1,      ///< mean over the classes for which the value is defined
    micro = 2,      ///< from the one-vs-rest tables added up
    weighted = 3,   ///< mean over the defined ones, weighted by truth[k]
};

struct LabelMetric {
    Measure measure;
    Average average;           // of precision, recall and f_beta only
    std::int32_t class_index;  // of Average::one_class only
    double beta;               // of f_beta only
};

/// Counts, or shares of a law that documents could follow.
struct Tally {
    std::span<const double> hits;
    std::span<const double> predicted;
    std::span<const double> truth;
    double n_documents;        // unused by precision, recall and f_beta
    bool every_class = false;  ///< a class without any document, in truth and predictions, counts in averages, too
};

/// The metric's value; where it is 0/0, `undefined` (NaN keeps it undefined and out of averages).
double label_metric(const LabelMetric& metric, const Tally& tally, double undefined);

/// Row r of tallies has hits, predicted and truth, n_classes each, and the metrics of it go to values[r * metrics + m].
void tally_metrics(std::span<const double> tallies, std::size_t n_classes, std::span<const LabelMetric> metrics,
                   double undefined, int n_threads, std::span<double> values, bool every_class = false);

}  // namespace assay::resampling
