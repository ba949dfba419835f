// fold_features.hpp: a fold's document-term matrix out of the whole corpus's counts.
//   Text is tokenised once. For each fold the training rows alone decide which columns exist and what they
//   weigh, so the result is what refitting the vectorizer on the fold's training texts would give.
#pragma once

#include <cstdint>
#include <span>

#include "assay/ngrams/term_frequency.hpp"

namespace assay::ngrams {

/// Compressed rows (columns are best numbered by falling frequency: most look-ups then stay in the cache). Row i's
/// counts are counts[offsets[i], offsets[i + 1]) in the columns `columns` of that
/// range.
struct CountRows {
    std::span<const std::int64_t> offsets;
    std::span<const std::int32_t> columns;
    std::span<const std::int32_t> counts;
};

/// What a fold makes of column j: its number there, or -1, and how many training documents hold it.
class FoldColumns {
 public:
    /// pairs[2 j] is the number, pairs[2 j + 1] the documents.
    explicit FoldColumns(std::span<const std::int32_t> pairs) : pairs_(pairs) {}

    std::size_t size() const { return pairs_.size() / 2; }
    std::int32_t number(std::size_t j) const { return pairs_[2 * j]; }
    std::int32_t documents(std::size_t j) const { return pairs_[2 * j + 1]; }
    void prefetch(std::size_t j) const { __builtin_prefetch(&pairs_[2 * j]); }

 private:
    std::span<const std::int32_t> pairs_;
};

/// documents[j] rows of `rows` hold column j, occurrences[j] times in total (not counted where it is empty).
void count_columns(const CountRows& corpus, std::span<const std::int32_t> rows, int n_threads,
                   std::span<std::int32_t> documents, std::span<std::int64_t> occurrences);

/// offsets[i]: where row rows[i] of the fold's matrix begins.
void measure_rows(const CountRows& corpus, std::span<const std::int32_t> rows, const FoldColumns& fold, int n_threads,
                  std::span<std::int64_t> offsets);

/// Fills the fold's matrix, whose row offsets measure_rows() has found. The idf of the weighting is by number of
/// training documents. Instantiated for float and double.
template <class Real>
void weight_rows(const CountRows& corpus, std::span<const std::int32_t> rows, const FoldColumns& fold,
                 const Weighting& weighting, std::span<const std::int64_t> offsets, int n_threads,
                 std::span<std::int32_t> columns, std::span<Real> values);

}  // namespace assay::ngrams
