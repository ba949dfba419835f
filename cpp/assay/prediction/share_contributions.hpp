// share_contributions.hpp: what each character of a text contributes to a score.
//
// A feature that occurs several times gives each occurrence the same part of its contribution (a hashed one that partly
// cancels out gives each its sign's), an occurrence the same to each character of its symbols. What stands between the
// tokens of an n-gram gets nothing; the space that pads a word (char_wb), which has no characters, leaves its part to
// the word's nearest one.
#pragma once

#include <cstdint>
#include <span>

#include "assay/prediction/locate_features.hpp"

namespace assay::prediction {

/// Occurrences of features in one text, as in LocatedFeatures; symbols are counted from 0.
struct LocatedSpan {
    std::span<const std::int32_t> starts, ends;  // of each symbol, in characters
    std::span<const std::int32_t> columns;       // of each occurrence
    std::span<const std::int8_t> signs;
    std::span<const std::int64_t> first;
    std::span<const std::int32_t> lengths;
};

/// The features of texts, in compressed rows, and what each contributes; columns rise within a row.
struct ContributionRows {
    std::span<const std::int64_t> row_begin;
    std::span<const std::int32_t> columns;
    std::span<const double> contributions;
};

/// Adds to `characters`, which has an element for each character of the text, what `located` gives it. Occurrences of
/// columns that the row lacks are left out. Requires symbols that exist, and rising columns.
void share_contributions(const LocatedSpan& located, std::span<const std::int32_t> columns,
                         std::span<const double> contributions, std::span<double> characters);

/// The same for documents that are read here: document d has characters [character_begin[d], character_begin[d + 1]).
/// `first_column` is where the columns of the block begin in the rows.
void share_among_texts(std::span<const text::TextSpan> documents, const ngrams::LookupPlace& place,
                       const ContributionRows& rows, std::int32_t first_column,
                       std::span<const std::int64_t> character_begin, int n_threads, std::span<double> characters);

/// The same by hashing.
void share_among_texts(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                       const ngrams::Hashing& hashing, const ContributionRows& rows, std::int32_t first_column,
                       std::span<const std::int64_t> character_begin, int n_threads, std::span<double> characters);

}  // namespace assay::prediction
