#include "assay/resampling/cell_drawing.hpp"

#include <algorithm>
#include <bit>

#include "assay/resampling/binomial.hpp"

namespace assay::resampling {
namespace {

/// Drawing a binomial count costs about as much as drawing this many documents one by one (measured).
constexpr std::int64_t kSmallCell = 24;

}  // namespace

Drawing plan_drawing(std::span<const std::int64_t> cell_counts, std::span<const std::int32_t> strata) {
    Drawing drawing;
    drawing.share.resize(cell_counts.size());
    for (std::size_t first = 0; first < cell_counts.size();) {
        Stratum stratum{first, first, first, 0, drawing.pool.size(), 0};
        for (; stratum.last < cell_counts.size() && strata[stratum.last] == strata[first]; ++stratum.last) {
            stratum.n_documents += cell_counts[stratum.last];
        }
        std::int64_t rest = stratum.n_documents;
        for (; stratum.pooled < stratum.last && cell_counts[stratum.pooled] > kSmallCell; ++stratum.pooled) {
            const std::int64_t count = cell_counts[stratum.pooled];
            drawing.share[stratum.pooled] = static_cast<double>(count) / static_cast<double>(rest);
            rest -= count;
        }
        for (std::size_t c = stratum.pooled; c < stratum.last; ++c) {
            drawing.pool.insert(drawing.pool.end(), static_cast<std::size_t>(cell_counts[c]),
                                static_cast<std::uint32_t>(c));
        }
        stratum.pool_size = static_cast<std::uint32_t>(drawing.pool.size() - stratum.pool_begin);
        drawing.strata.push_back(stratum);
        first = stratum.last;
    }
    return drawing;
}

void draw_counts(const Drawing& drawing, Random& random, std::span<std::int64_t> counts) {
    for (const Stratum& stratum : drawing.strata) {
        std::int64_t rest = stratum.n_documents;
        for (std::size_t c = stratum.first; c < stratum.pooled; ++c) {
            counts[c] = draw_binomial(random, rest, drawing.share[c]);
            rest -= counts[c];
        }
        std::fill(counts.begin() + static_cast<std::ptrdiff_t>(stratum.pooled),
                  counts.begin() + static_cast<std::ptrdiff_t>(stratum.last), 0);
        const std::uint32_t* pool = drawing.pool.data() + stratum.pool_begin;
        for (; rest > 0; --rest) ++counts[pool[random.below(stratum.pool_size)]];
    }
}

std::int64_t toss_coins(Random& random, std::int64_t n) {
    if (n > 4096) return draw_binomial(random, n, 0.5);
    std::int64_t heads = 0;
    for (; n >= 64; n -= 64) heads += std::popcount(random.next());
    return n == 0 ? heads : heads + std::popcount(random.next() >> (64 - n));
}

}  // namespace assay::resampling
