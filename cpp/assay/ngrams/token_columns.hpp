// token_columns.hpp: documents as sequences of the columns of their tokens.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/ngrams/vectorize.hpp"

namespace assay::ngrams {

/// Document d has the tokens columns[begin[d], begin[d + 1]), in their order; -1 where the vocabulary lacks one.
struct TokenColumns {
    std::vector<std::int64_t> begin{0};
    std::vector<std::int32_t> columns;
};

/// For analyzers of tokens, whose n-grams beyond single tokens are not looked at. Stop words are left out.
/// Throws std::invalid_argument for analyzers of characters.
TokenColumns token_columns(std::span<const text::TextSpan> documents, const LookupPlace& place, int n_threads);

}  // namespace assay::ngrams
