// random.hpp: a small generator whose numbers are the same on every machine (the standard library's
// distributions are not), and the shuffle that the solvers draw from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace assay::inline base {

/// SplitMix64 (Steele, Lea & Flood 2014).
class Random {
 public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t bits = (state_ += 0x9E3779B97F4A7C15u);
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
        return bits ^ (bits >> 31);
    }

    /// A whole number below `limit` ≤ 2³², by multiplication (Lemire 2019); the bias is below 2⁻³².
    std::uint64_t below(std::uint64_t limit) { return ((next() >> 32) * limit) >> 32; }

 private:
    std::uint64_t state_;
};

/// Puts `items` in random order (Fisher–Yates).
template <class T>
void shuffle(std::span<T> items, Random& random) {
    for (std::size_t left = items.size(); left > 1; --left) {
        std::swap(items[left - 1], items[static_cast<std::size_t>(random.below(left))]);
    }
}

}  // namespace assay::inline base
