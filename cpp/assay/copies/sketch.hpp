// sketch.hpp: what is enough to know a text, or a near-copy of it, again, and small enough to be kept.
//
// Of every text the hash of its normalised form, and where it has shingles, MinHash (Broder 1997) in 32 places: in each
// place the shingles are hashed in another way, and of the smallest hash one byte is kept (b-bit minwise hashing, Li &
// König 2010), and how many shingles there are. Two texts agree in a place with the probability of their Jaccard
// similarity J, and by chance in one place of 256; of sets of s and l shingles, J / (1 + J) · (s + l) are in both.
// Texts are called alike if by this estimate they share what near_copies.hpp asks for, but for a margin for its error.
// Lines that change places break shingles, and what is left of them is too little for so few places: a hash of the
// words in any order, each as often, finds these texts.
//
// Files keep sketches: what is computed here may only change together with the name of the method in them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/text/text.hpp"

namespace assay::copies {

inline constexpr std::size_t kPlaces = 32;

struct Sketches {
    std::vector<std::uint32_t> common;     // shingles that are left out of sets (see shingle_sets.hpp)
    std::vector<std::uint64_t> forms;      // of each text
    std::vector<std::uint64_t> bags;       // of its words, whatever their order; 0: no shingles
    std::vector<std::uint8_t> signatures;  // kPlaces of each text
    std::vector<std::uint16_t> sizes;      // shingles of each text, 65535 at most; 0: the signature means nothing
};

/// Leaves out `common` shingles, or where that is null, those that are common in these texts. The result does not
/// depend on n_threads.
Sketches sketch_texts(std::span<const text::TextSpan> texts, const std::vector<std::uint32_t>* common, int n_threads);

/// Signatures, kPlaces bytes each, and the number of shingles of each.
struct Signatures {
    std::span<const std::uint8_t> bytes;
    std::span<const std::uint16_t> sizes;
};

/// For each of the signatures `asked` 1 if one of those `kept` is alike, else 0. Candidates are those that agree in two
/// neighbouring places, of which at most 4096 are compared for each pair of places.
/// Requires kPlaces bytes for each size.
std::vector<std::uint8_t> find_alike(Signatures kept, Signatures asked, int n_threads);

}  // namespace assay::copies
