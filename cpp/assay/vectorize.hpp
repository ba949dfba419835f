// vectorize.hpp: the rows of new documents, by a vocabulary or by hashing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/analyzer.hpp"
#include "assay/feature_lookup.hpp"
#include "assay/row_store.hpp"
#include "assay/text.hpp"
#include "assay/vocabulary.hpp"

namespace assay {

/// Where documents are looked up, and how they are read for it.
struct LookupPlace {
    const Analyzer* analyzer;
    const Vocabulary* vocabulary;
};

/// For each place, the columns and counts of each document's known features, columns ascending; one pass for all
/// places.
std::vector<RowStore> look_up(std::span<const TextSpan> documents, std::span<const LookupPlace> places, int n_threads);

/// Columns and zigzag-coded sums of signs (see RowBlock::signed_counts), columns ascending; sums of zero stay.
RowStore hash_documents(std::span<const TextSpan> documents, const Analyzer& analyzer, const Hashing& hashing,
                        int n_threads);

}  // namespace assay
