// cell_drawing.hpp: resamples of documents that are counted in cells of equal ones, drawn as counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/random.hpp"

namespace assay::resampling {

/// Cells [first, pooled) are drawn binomially, each from what those before it have left; the documents that
/// remain are drawn one by one from the pool of the small cells [pooled, last).
struct Stratum {
    std::size_t first;
    std::size_t pooled;
    std::size_t last;
    std::int64_t n_documents;
    std::size_t pool_begin;  // into Drawing::pool
    std::uint32_t pool_size;
};

/// What every bootstrap resample of one set of cells shares.
struct Drawing {
    std::vector<Stratum> strata;
    std::vector<double> share;        // of each cell: count / documents in it and in the cells after it
    std::vector<std::uint32_t> pool;  // the cell of each document of a small cell
};

/// Cells of one stratum stand together (strata does not decrease), the largest first where speed matters.
Drawing plan_drawing(std::span<const std::int64_t> cell_counts, std::span<const std::int32_t> strata);

/// As many documents as each stratum has, drawn with replacement: how many of each cell.
void draw_counts(const Drawing& drawing, Random& random, std::span<std::int64_t> counts);

/// Heads among n tosses of a fair coin: the set bits of n random ones, while n is not large.
std::int64_t toss_coins(Random& random, std::int64_t n);

}  // namespace assay::resampling
