// near_copies.hpp: which texts of many are nearly the same.
//
// Two texts are linked if the shorter has at least half as many shingles as the longer, and enough of them are in the
// longer too: four fifths, but at least nine, or all where there are fewer than ten. So are two with the same words in
// another order, as lines change places, if a third of the shingles are in both.
//
// Candidates are found by prefix filtering (Chaudhuri, Ganti & Kaushik 2006; Bayardo, Ma & Srikant 2007), exactly: put
// the shingles of all texts into one order, the rarest first. If two sets share enough, their first common shingle
// stands early in both: among the first s - n(s) + 1 of the shorter, which has s and must share n(s), and among the
// first l - n(⌈l/2⌉) + 1 of the longer, which has l. The former are listed, the latter looked up, and the sets of
// whatever is found are compared. Any order gives the same answer; the rarest first gives short lists.
//
// Where many texts share what is rare in each, work is bounded: of a list of more than 64 only the 64 texts nearest in
// length below are looked at, and a text is compared with at most 128 others, or until it has 32 links.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/text/text.hpp"

namespace assay::copies {

/// Shingles that two texts must share, of which the shorter has `size`: all of few, four fifths of many. Never falls.
constexpr std::uint32_t needed(std::uint32_t size) {
    return size < 10 ? size : std::max(9u, static_cast<std::uint32_t>((std::uint64_t{4} * size + 4) / 5));
}
/// Shingles of the shortest text that one with `size` may be linked to.
constexpr std::uint32_t least_size(std::uint32_t size) {
    return (size + 1) / 2;
}

struct NearCopies {
    std::vector<std::int64_t> first;  // for each text the first one with the same normalised form

    // A maximum spanning forest of the links between texts of different forms (each the first of its form): strongest
    // links first, a link's strength being the share of all shingles of both texts that they have in common.
    std::vector<std::int64_t> from, to;
    std::vector<float> similarity;

    std::int64_t n_bounded = 0;  // texts that were not compared with all their candidates
};

/// The result does not depend on n_threads.  Requires fewer than 2³² texts.
NearCopies find_near_copies(std::span<const text::TextSpan> texts, int n_threads);

}  // namespace assay::copies
