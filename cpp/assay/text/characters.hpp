// characters.hpp: the symbols of character n-grams, out of normalised text.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/text/normalize.hpp"

namespace assay::text {

/// The document's code points; a run of two or more white spaces becomes one space, a single one stays what
/// it is.
void collapse_spaces(const NormalizedText& text, std::vector<std::uint32_t>& code_points);

/// The code points of bytes [begin, end) with a space before and after.
void pad_word(const NormalizedText& text, std::uint64_t begin, std::uint64_t end,
              std::vector<std::uint32_t>& code_points);

}  // namespace assay::text
