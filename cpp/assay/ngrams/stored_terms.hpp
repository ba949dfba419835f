// stored_terms.hpp: the names of features as a file holds them, checked, and searched without a table.
//
// A table of all terms is made in a time that grows with their number; a few texts need a few hundred of them. Where
// the terms are in order, as training writes them, these are found by halving.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "assay/ngrams/vocabulary.hpp"
#include "assay/text/analyzer.hpp"

namespace assay::ngrams {

/// Strings that somebody else owns: term i is bytes[offsets[i], offsets[i + 1]).
class StoredTerms {
 public:
    /// Throws std::invalid_argument where the offsets do not rise from 0 to the number of bytes or cut a character in
    /// two, or the bytes are not UTF-8 (surrogates allowed).
    StoredTerms(std::span<const char> bytes, std::span<const std::int64_t> offsets);

    std::size_t size() const { return offsets_.size() - 1; }
    std::string_view operator[](std::size_t i) const {
        return {bytes_.data() + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
    }
    std::span<const char> bytes() const { return bytes_; }

    /// Whether the terms rise, byte by byte, and are all different.
    bool rise() const { return rise_; }

    /// Number of a term, or kNoColumn. Requires rise().
    std::int32_t find(std::string_view term) const;

 private:
    std::span<const char> bytes_;
    std::span<const std::int64_t> offsets_;
    bool rise_;
};

/// The vocabulary of those stored terms, each in the column of its number, that are among the wanted features; for
/// documents that have no other features it is as good as that of all. Requires terms.rise().
std::unique_ptr<Vocabulary> wanted_part(const text::Analyzer& analyzer, const StoredTerms& terms,
                                        const Vocabulary& wanted);

}  // namespace assay::ngrams
