// alias_sampler.hpp: draws from a fixed distribution in constant time (Walker 1977; Vose 1991).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace assay::embeddings {

class AliasSampler {
 public:
    /// Requires at least one weight, none negative, not all zero, and no more than 2³¹.
    explicit AliasSampler(std::span<const double> weights);

    /// The index that 64 random bits stand for.
    std::uint32_t operator()(std::uint64_t bits) const {
        const std::uint64_t at = (bits >> 32) * columns_.size() >> 32;
        const Column column = columns_[at];
        // Without a branch, which nobody could foretell.
        const std::uint32_t own = 0U - static_cast<std::uint32_t>(static_cast<std::uint32_t>(bits) < column.share);
        return (own & static_cast<std::uint32_t>(at)) | (~own & column.other);
    }

 private:
    struct Column {
        std::uint32_t share;  // of the column that is its own, in units of 2⁻³²
        std::uint32_t other;
    };
    std::vector<Column> columns_;
};

}  // namespace assay::embeddings
