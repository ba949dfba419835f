// vectorize.hpp: the rows of new documents, by a vocabulary or by hashing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/ngrams/feature_lookup.hpp"
#include "assay/ngrams/row_store.hpp"
#include "assay/ngrams/vocabulary.hpp"
#include "assay/text/analyzer.hpp"
#include "assay/text/text.hpp"

namespace assay::ngrams {

/// Where documents are looked up, and how they are read for it.
struct LookupPlace {
    const text::Analyzer* analyzer;
    const Vocabulary* vocabulary;
};

/// For each place, the columns and counts of each document's known features, columns ascending; one pass for all
/// places.
std::vector<RowStore> look_up(std::span<const text::TextSpan> documents, std::span<const LookupPlace> places,
                              int n_threads);

/// Columns and zigzag-coded sums of signs (see RowBlock::signed_counts), columns ascending; sums of zero stay.
RowStore hash_documents(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                        const Hashing& hashing, int n_threads);

}  // namespace assay::ngrams
