// score_texts.hpp: from documents straight to the scores of a linear model; their matrix is never written.
//
//   score[k] = bias[k] + Σ over blocks ( Σ_j tf(count[j]) · idf[j] · weight[j][k] ) / norm of the block's row
//
// A document's sums are taken by one thread, block after block, in the order in which its features are first found: the
// bits do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/feature_weights.hpp"
#include "assay/ngrams/feature_lookup.hpp"
#include "assay/ngrams/term_frequency.hpp"
#include "assay/ngrams/vocabulary.hpp"
#include "assay/text/analyzer.hpp"
#include "assay/text/text.hpp"

namespace assay::prediction {

/// Features that stand side by side in the weights, from `first_column` on.
struct ScoredBlock {
    const text::Analyzer* analyzer;
    const ngrams::Vocabulary* vocabulary;  // nullptr: the features are hashed
    ngrams::Hashing hashing;
    ngrams::Weighting weighting;
    std::int64_t first_column;
};

/// Requires scores.size() == documents.size() * bias.size(), and weights for every column of every block.
template <class Value>
void score_texts(std::span<const text::TextSpan> documents, std::span<const ScoredBlock> blocks,
                 const FeatureWeights<Value>& weights, std::span<const double> bias, int n_threads,
                 std::span<double> scores);

}  // namespace assay::prediction
