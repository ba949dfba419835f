// normalize.hpp: one document as lower-case UTF-8 with its tokens' bytes marked, in one pass.
//
// Order of the steps, as in scikit-learn: lower case (Python's str.lower(), final sigma included), then
// accents.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/text/text.hpp"

namespace assay::text {

enum class Accents : std::uint8_t {
    keep,
    unicode,  // NFKD, combining marks dropped
    ascii     // NFKD, everything beyond ASCII dropped
};

/// Which bytes are marked as parts of tokens.
enum class Marking : std::uint8_t {
    none,
    words,                  // \w
    words_and_punctuation,  // \w, and apart from these every other character that is no white space
    not_space,              // \S
    separated               // everything but kSeparator: tokens that were found elsewhere and joined
};

inline constexpr std::uint32_t kSeparator = 0x1F;

struct NormalizeOptions {
    bool lowercase = true;
    Accents accents = Accents::keep;
    Marking marking = Marking::words;
};

/// A normalised document. Reused from document to document: its buffers only grow.
struct NormalizedText {
    static constexpr std::uint64_t kPadding = 64;  // readable bytes after the text

    std::vector<char> bytes;
    std::uint64_t size = 0;  // without the padding
    bool ascii = true;
    std::vector<std::uint64_t> token_bits;  // bit i: byte i belongs to a token
    std::vector<std::uint64_t> mark_bits;   // bit i: a punctuation character begins at byte i

    const char* data() const { return bytes.data(); }
    std::uint64_t n_words() const { return size / 64 + 1; }
};

/// Throws InvalidText where a document in UTF-8 is not.
void normalize(TextSpan text, const NormalizeOptions& options, NormalizedText& out);

}  // namespace assay::text
