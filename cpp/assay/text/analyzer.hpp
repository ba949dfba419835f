// analyzer.hpp: which n-grams a document has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/text/normalize.hpp"

namespace assay::text {

enum class Unit : std::uint8_t {
    word,     // n-grams of tokens, joined by a space
    chars,    // n-grams of characters of the whole document, runs of white space made one space
    char_wb,  // n-grams of characters inside words padded with a space on each side
    piece     // features that were found elsewhere and come joined by kSeparator; n-grams of them are the
              // caller's
};

struct Analyzer {
    Unit unit = Unit::word;
    std::uint32_t min_n = 1;
    std::uint32_t max_n = 1;
    std::uint32_t min_token_length = 2;  // in code points; punctuation tokens are always one
    NormalizeOptions normalize;
    std::vector<std::string> stop_words;  // of Unit::word, as they stand after normalising

    bool of_tokens() const { return unit == Unit::word || unit == Unit::piece; }

    /// Is a feature of n symbols ever found? Short words may give a char_wb feature below min_n.
    bool reaches(std::uint64_t n) const { return n >= 1 && n <= max_n && (n >= min_n || unit == Unit::char_wb); }
};

}  // namespace assay::text
