// document_resampling.hpp: the same three ways of resampling for metrics of scores and probabilities, which
// need the
//   documents themselves. A resample is a weight for each document (how often it was drawn).
#pragma once

#include <cstdint>
#include <span>

namespace assay::resampling {

/// Documents in descending order of one class's score, for the areas under its ROC and precision-recall
/// curves.
struct Ranking {
    std::span<const std::int32_t> order;        // document at each rank
    std::span<const std::uint8_t> positive;     // of the document at each rank: is it of the class?
    std::span<const std::uint8_t> last_of_tie;  // is the next rank's score lower?
};

/// Metrics of one system, in this order: the means of `means_of`'s columns; where there are bins, the
/// expected calibration error; for each ranking its ROC area and its average precision, NaN where a side has
/// no documents.
struct DocumentMetrics {
    std::int64_t n_documents;
    std::span<const double> means_of;  // n_documents x n_means
    std::int64_t n_means;
    std::span<const double> gaps;        // correct - confidence, of each document
    std::span<const std::int32_t> bins;  // confidence bin of each document
    std::int32_t n_bins;                 // 0: no calibration error
    std::span<const Ranking> rankings;

    std::int64_t size() const {
        return n_means + (n_bins > 0 ? 1 : 0) + 2 * static_cast<std::int64_t>(rankings.size());
    }
};

/// values[0, size()): the metrics with document i counted weights[i] times.
void weighted_metrics(const DocumentMetrics& metrics, std::span<const std::int32_t> weights, std::span<double> values);

/// How often bootstrap resample `resample` draws each document. Stratum s holds the documents
/// members[bounds[s], bounds[s + 1]), and as many are drawn from it, with replacement.
void draw_documents(std::span<const std::int32_t> members, std::span<const std::int64_t> bounds, std::uint64_t seed,
                    std::uint64_t resample, std::span<std::int32_t> weights);

/// values[r * size() + m]. Two systems resampled with the same seed and strata are resampled as pairs.
void bootstrap_documents(const DocumentMetrics& metrics, std::span<const std::int32_t> members,
                         std::span<const std::int64_t> bounds, std::int64_t n_resamples, std::uint64_t seed,
                         int n_threads, std::span<double> values);

/// Approximate randomization. The documents stand twice: i is what the first system says of a document, n/2 +
/// i what the second says of it.  values[(r * 2 + s) * size() + m].
void randomize_documents(const DocumentMetrics& both, std::int64_t n_resamples, std::uint64_t seed, int n_threads,
                         std::span<double> values);

/// Leaves out block after block, document i being in block i mod n_blocks.  values[b * size() + m].
void jackknife_documents(const DocumentMetrics& metrics, std::int64_t n_blocks, int n_threads,
                         std::span<double> values);

}  // namespace assay::resampling
