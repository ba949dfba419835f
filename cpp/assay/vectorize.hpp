// vectorize.hpp: the rows of new documents, by a vocabulary or by hashing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/analyzer.hpp"
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

struct Hashing {
    std::uint32_t n_columns;  // at least 1
    bool alternate_sign;
};

struct HashedFeature {
    std::uint32_t column;
    bool negative;  // only with an alternating sign
};

/// Signed feature hashing (Weinberger et al. 2009) with 32-bit MurmurHash3: column = |h| mod n_columns, sign = that of
/// h.
HashedFeature hash_feature(const char* bytes, std::uint64_t length, const Hashing& hashing);

/// Columns and zigzag-coded sums of signs (see RowBlock::signed_counts), columns ascending; sums of zero stay.
RowStore hash_documents(std::span<const TextSpan> documents, const Analyzer& analyzer, const Hashing& hashing,
                        int n_threads);

}  // namespace assay
