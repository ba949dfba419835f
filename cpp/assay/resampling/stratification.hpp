// stratification.hpp: parts of the data in which every label has its share (Sechidis, Tsoumakas & Vlahavas 2011).
//   Texts with several labels have no strata to cut: there are nearly as many sets as texts.  The rarest label is
//   therefore dealt out first, while there is a choice, and each of its texts goes where that label is wanted most.
#pragma once

#include <cstdint>
#include <span>

namespace assay::resampling {

/// Unit u is sizes[u] > 0 texts that must not be torn apart; counts[i] > 0 of them have the label labels[i], for i in
/// [offsets[u], offsets[u + 1]).  A unit names a label once; it may have none.
struct LabelledUnits {
    std::span<const std::int64_t> offsets;
    std::span<const std::int32_t> labels;
    std::span<const std::int64_t> counts;
    std::span<const std::int64_t> sizes;
    std::int32_t n_labels;
};

/// Algorithm 1 of the paper, over units.
///
/// Part p is to get the share weights[p] / W of all texts and of the texts of every label, W being the sum of the
/// weights.  While there are units with labels: of the label with the fewest texts left (of equals the first), every
/// unit goes to the part that still wants most texts of this label; of equals to the one that wants most texts at all;
/// of equals to one by lot.  Units without labels come last, each to the part that wants most texts.
///
/// The largest units are dealt first, since they are the hardest to place; equals in an order by lot.  What a part
/// wants is kept W times as large as it is, in whole numbers: there is no rounding, and ties are ties on every machine.
///
/// Requires weights > 0, and (sum of sizes) * W below 2^62.  Gives the part of each unit.
void stratify_units(const LabelledUnits& units, std::span<const std::int64_t> weights, std::uint64_t seed,
                    std::span<std::int32_t> part_of_unit);

}  // namespace assay::resampling
