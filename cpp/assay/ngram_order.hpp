// ngram_order.hpp: the alphabetical order of n-grams without their strings.
//
// N-grams form a tree: a node's children continue it by one symbol. Strings in code-point order are the tree
// in pre-order with children in the order of their symbols, if no symbol sorts below the space that joins
// tokens.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/ngram_table.hpp"
#include "assay/token_table.hpp"

namespace assay {

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

/// rank[token]: position of each token among all, by its bytes.
std::vector<std::uint32_t> rank_tokens(const TokenTable& tokens, int n_threads);

/// Numbers the kept features in alphabetical order. `rank` is that of each symbol, or empty where symbols
/// rank as they are.
Columns order_ngrams(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> rank, const Kept& kept,
                     int n_threads);

}  // namespace assay
