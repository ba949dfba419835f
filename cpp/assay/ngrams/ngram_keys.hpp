// ngram_keys.hpp: n-grams to dense ids, exactly and without their strings.
//
// An n-gram is its first n-1 symbols, which have an id of their own, and its last symbol: one 64-bit key. A
// symbol is a token's id or a code point. Unigrams are not in the table; their symbol is their name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace assay::ngrams {

using Symbol = std::uint32_t;   // below 2^31 - 16
using NgramId = std::uint32_t;  // below 2^31 - 16
inline constexpr std::size_t kMostNgrams = 0x7FFFFFEF;
inline constexpr NgramId kNoNgram = 0xFFFFFFFF;
inline constexpr Symbol kNoSymbol = 0xFFFFFFFF;

/// The key of a bigram begins with a symbol, that of a longer n-gram with an id; a bit keeps them apart.
inline std::uint64_t bigram_key(Symbol first, Symbol second) {
    return std::uint64_t{first | 0x80000000u} << 32 | second;
}
inline std::uint64_t longer_key(NgramId prefix, Symbol last) {
    return std::uint64_t{prefix + 1} << 32 | last;
}

inline bool is_bigram(std::uint64_t key) {
    return key >> 63 != 0;
}
inline Symbol first_symbol(std::uint64_t bigram) {
    return static_cast<Symbol>(bigram >> 32) & 0x7FFFFFFFu;
}
inline NgramId prefix_of(std::uint64_t longer) {
    return static_cast<NgramId>(longer >> 32) - 1;
}
inline Symbol last_symbol(std::uint64_t key) {
    return static_cast<Symbol>(key);
}

/// The id of an n-gram that is new beside `n_known` others.
inline NgramId new_ngram_id(std::size_t n_known) {
    if (n_known >= kMostNgrams) throw std::length_error("more than 2,147,483,631 different n-grams");
    return static_cast<NgramId>(n_known);
}

}  // namespace assay::ngrams
