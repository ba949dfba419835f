// counter_random.hpp: random numbers that are a function of (seed, stream, position) and of nothing else.
//   Stream r belongs to resample r, so a resample is the same whichever thread draws it (SplitMix64; Steele,
//   Lea & Flood 2014).
#pragma once

#include <cstdint>

namespace assay::inline base {

class CounterRandom {
 public:
    CounterRandom(std::uint64_t seed, std::uint64_t stream)
        : position_(mix(mix(seed + kStep) ^ (stream * 0xD1342543DE82EF95ULL + kStep))) {}

    std::uint64_t next() { return mix(position_ += kStep); }

    /// Uniform in [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// Uniform in {0, …, bound - 1}, without bias (Lemire 2019).  Requires bound > 0.
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = static_cast<std::uint64_t>(half()) * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t threshold = (0U - bound) % bound;
            while (static_cast<std::uint32_t>(product) < threshold) {
                product = static_cast<std::uint64_t>(half()) * bound;
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

 private:
    static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ULL;

    static std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    /// 32 bits; every second call uses the upper half of the number that the first drew.
    std::uint32_t half() {
        pending_ = has_pending_ ? pending_ >> 32 : next();
        has_pending_ = !has_pending_;
        return static_cast<std::uint32_t>(pending_);
    }

    std::uint64_t position_;
    std::uint64_t pending_ = 0;
    bool has_pending_ = false;
};

}  // namespace assay::inline base
