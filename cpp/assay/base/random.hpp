// random.hpp: a small generator whose numbers are the same on every machine (the standard library's
// distributions are not), and the shuffle that the solvers draw from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "assay/base/hashing.hpp"

namespace assay::inline base {

/// SplitMix64 (Steele, Lea & Flood 2014): its numbers are a function of seed, stream and position, and of nothing else.
class Random {
 public:
    explicit Random(std::uint64_t seed) : position_(seed) {}

    /// One of many streams: that of resample r is the same whichever thread draws it.
    Random(std::uint64_t seed, std::uint64_t stream)
        : position_(scramble(Random(seed).next() ^ (stream * 0xD1342543DE82EF95 + kGolden))) {}

    std::uint64_t next() { return scramble(position_ += kGolden); }

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
    static std::uint64_t scramble(std::uint64_t bits) {
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        return bits ^ (bits >> 31);
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

/// Puts up to 2³² `items` in random order (Fisher–Yates), each place with a bias below 2⁻³².
template <class T>
void shuffle(std::span<T> items, Random& random) {
    for (std::size_t left = items.size(); left > 1; --left) {
        std::swap(items[left - 1], items[static_cast<std::size_t>((random.next() >> 32) * left >> 32)]);
    }
}

}  // namespace assay::inline base
