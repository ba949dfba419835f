// shingle_sets.hpp: the shingles of many texts, which of them are common, and how many texts have each.
//
// What stands in more than a twentieth of the texts (and in more than 25) is boilerplate: a disclaimer, the greeting
// of a form. Texts are not alike by it, so it is left out of their sets, unless less than a fifth of a set would be
// left: those texts are the boilerplate.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/memory.hpp"
#include "assay/text/text.hpp"

namespace assay::copies {

/// The sets of all texts, those of a block one after the other.
struct ShingleSets {
    static constexpr std::int64_t kTextsPerBlock = 256;

    struct Block {
        std::vector<std::uint32_t> shingles;
        std::vector<std::uint64_t> ends;
    };
    std::vector<Block> blocks;
    std::vector<std::uint64_t> forms;
    std::vector<std::uint64_t> bags;  // of the words, whatever their order; 0: no shingles

    std::span<const std::uint32_t> operator[](std::size_t text) const {
        const Block& block = blocks[text / kTextsPerBlock];
        const std::size_t i = text % kTextsPerBlock;
        const std::uint64_t begin = i == 0 ? 0 : block.ends[i - 1];
        return {block.shingles.data() + begin, block.ends[i] - begin};
    }
};

ShingleSets read_shingles(std::span<const text::TextSpan> texts, int n_threads);

/// For each text the first one of the same form.
std::vector<std::int64_t> first_of_form(std::span<const std::uint64_t> forms);

/// The shingles that are common among the texts that are the first of their forms, rising.
std::vector<std::uint32_t> common_shingles(const ShingleSets& sets, std::span<const std::int64_t> first, int n_threads);

/// Leaves common shingles, which rise, out of the sets of which enough is left.
void leave_out(ShingleSets& sets, std::span<const std::uint32_t> common, int n_threads);

/// About how many of some texts have a shingle: never fewer than there are, up to kMost.
class ShingleCounts {
 public:
    ShingleCounts(const ShingleSets& sets, std::span<const std::uint32_t> texts, int n_threads);

    std::uint16_t operator[](std::uint32_t shingle) const { return std::min(counts_[shingle >> shift_], kMost); }
    void prefetch(std::uint32_t shingle) const { __builtin_prefetch(counts_.data() + (shingle >> shift_), 1); }

    static constexpr std::size_t kAhead = 16;
    static constexpr std::uint16_t kMost = 60000;

 private:
    void add(std::span<const std::uint32_t> shingles, bool shared);  // with other threads

    ZeroedArray<std::uint16_t> counts_;
    int shift_;
};

}  // namespace assay::copies
