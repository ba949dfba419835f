// markup.hpp: texts without the marks of HTML, so that a page is known again as the plain text that it shows.
//
// First entities become the characters that they stand for (&lt; &#39; &amp;nbsp; …; letters lose their accents), then
// tags of HTML become blanks. What only looks like either stays: "x < y", "R&D;", "vector<int>".
#pragma once

#include <cstdint>
#include <vector>

#include "assay/text/normalize.hpp"

namespace assay::copies {

/// Whether there is markup in a text that is in lower case; if so, `plain` holds its code points without.
bool without_markup(const text::NormalizedText& text, std::vector<std::uint32_t>& plain);

}  // namespace assay::copies
