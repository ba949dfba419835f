// shingles.hpp: what a text is compared by: a hash of its normalised form, and the set of its shingles.
//
// The normalised form is the sequence of the words, in lower case and without accents; white space, punctuation and the
// markup of HTML are not in it. Of a text that is too short to have shingles, and of one without words, other
// characters than those that end sentences stay in: "C" is not "C++". A shingle is three words in a row. Where words
// are not set apart by blanks (Chinese, Japanese, Thai …), it is five characters; inside of a run of more than forty
// letters or digits (a sequence of bases, a code), eight.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "assay/text/normalize.hpp"

namespace assay::copies {

/// Reads one text after another; its buffers only grow.
class ShingleReader {
 public:
    /// Throws text::InvalidText where a text in UTF-8 is not.
    void read(text::TextSpan text);

    /// Equal for texts with the same normalised form, and otherwise different but by a chance of 2⁻⁶⁴.
    std::uint64_t form() const { return form_; }

    /// Equal for texts with the same words in any order, each as often; 0 where there are no shingles.
    std::uint64_t bag() const { return shingles_.empty() ? 0 : bag_; }

    /// The different shingles, rising; none of a text of fewer than five words or ten characters, or with fewer than
    /// three different shingles: it is compared by its form alone.
    const std::vector<std::uint32_t>& shingles() const { return shingles_; }

 private:
    enum class Kind : std::uint8_t { word, character, run };

    struct Token {
        std::uint64_t hash;
        Kind kind;
    };

    void add(std::uint64_t hash, Kind kind);
    void add_run(std::uint64_t begin, std::uint64_t end);
    void add_word(std::uint64_t begin, std::uint64_t end);
    void add_shingle(std::uint64_t width);
    void finish();

    static constexpr std::uint64_t kRecent = 8;  // as many tokens as the longest shingle has

    text::NormalizedText text_;
    std::vector<std::uint32_t> plain_;  // its code points without markup
    std::array<Token, kRecent> recent_{};
    std::uint64_t n_tokens_ = 0, n_halves_ = 0;        // of words; a character counts half as much
    std::uint64_t words_ = 0, short_ = 0, marks_ = 0;  // hashes of the three forms
    std::uint64_t form_ = 0, bag_ = 0;
    std::vector<std::uint32_t> shingles_, space_;
};

}  // namespace assay::copies
