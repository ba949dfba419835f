// matrix_rows.hpp: from stored rows to the finished sparse matrix: columns sorted, counts weighted, rows
// normalised.
//
//   tf(c)   = c, 1 (binary) or 1 + ln c (sublinear)
//   value   = tf(count) * idf[column]
//   row    /= its L1 or L2 norm
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/ngrams/row_store.hpp"
#include "assay/ngrams/term_frequency.hpp"

namespace assay::ngrams {

/// How a thread's codes are read: as columns, or through maps. A column of kNoColumn is left out.
struct CodeMap {
    std::vector<std::int32_t> of_unigram;
    std::vector<std::int32_t> of_ngram;
};

/// Columns [first_column, ...) of the matrix.
struct RowBlock {
    RowStore* rows;
    std::span<const CodeMap> maps;             // empty: codes are columns already, in order
    std::span<const std::uint8_t> map_of_row;  // which map a row needs
    bool complete = true;                      // every code has a column
    bool signed_counts = false;                // counts are zigzag-coded: 0, -1, 1, -2, 2 ... as 0, 1, 2, 3, 4 ...
    std::int32_t first_column = 0;
    int column_bits = 31;  // columns of the block are below 2^column_bits
    Weighting weighting;
};

/// A row's entries with their columns as codes, in the order of the store; those without a column are left out.
void read_columns(const RowBlock& block, std::int64_t row, std::vector<FeatureCount>& entries);

/// indptr of the matrix, n_rows + 1 elements.
std::vector<std::int64_t> row_pointers(std::span<const RowBlock> blocks, int n_threads);

/// Takes the rows out of their stores, which are empty afterwards.
/// Requires indices.size() == values.size() == indptr.back().
template <class Value>
void write_rows(std::span<const RowBlock> blocks, std::span<const std::int64_t> indptr, std::span<std::int32_t> indices,
                std::span<Value> values, int n_threads);

}  // namespace assay::ngrams
