// merge_counts.hpp: what several threads counted, as one list of n-grams in alphabetical order.
//
// Each thread has numbered tokens and n-grams in its own way. Tokens are merged by their bytes. N-grams are sorted by
// (parent, symbol), each thread's by itself, and the sorted lists are merged: no table of all n-grams is needed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/ngrams/ngram_counter.hpp"
#include "assay/ngrams/ngram_keys.hpp"
#include "assay/text/token_table.hpp"

namespace assay::ngrams {

/// What the symbols and n-grams of one thread are called among all.
struct Names {
    std::vector<Symbol> symbols;  // empty: they are called the same
    std::vector<NgramId> ngrams;
};

struct MergedCounts {
    text::TokenTable tokens;  // empty where symbols are code points
    std::uint32_t n_stop_words = 0;
    std::vector<Symbol> by_rank;                     // symbols in the order of their strings
    std::vector<std::uint32_t> unigram_frequencies;  // documents, by symbol
    std::vector<std::uint64_t> ngram_keys;           // by id: shorter n-grams first, those of a length in order
    std::vector<std::uint32_t> ngram_frequencies;    // documents, by id
    std::vector<std::uint64_t> level_ends;           // level_ends[k]: one past the last n-gram of k + 2 symbols
    std::vector<Names> names;                        // of each thread
};

MergedCounts merge_counts(std::vector<NgramCounter::Result>&& counts, bool of_tokens, int n_threads);

/// A column for each feature, or kNoColumn.
inline constexpr std::int32_t kNoColumn = -1;
struct Columns {
    std::int64_t n_columns = 0;
    std::vector<std::int32_t> of_unigram;  // by symbol
    std::vector<std::int32_t> of_ngram;    // by id
};

/// Which features get a column.
struct Kept {
    std::vector<std::uint8_t> unigrams;  // by symbol
    std::vector<std::uint8_t> ngrams;    // by id
};

/// Numbers the kept features in the order of their strings. N-grams form a tree: a node's children continue it by one
/// symbol. Strings in code-point order are the tree in pre-order with children in the order of their symbols, if no
/// token has a byte that sorts below the space that joins tokens.
Columns number_columns(const MergedCounts& counts, const Kept& kept);

}  // namespace assay::ngrams
