// hashing.hpp: where tables begin to look, and what random numbers step by.
#pragma once

#include <cstdint>

namespace assay::inline base {

/// 2⁶⁴ over the golden ratio: multiples of it are far from one another.
inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

/// 64-bit mixing of two words (the halves of their 128-bit product folded together).
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace assay::inline base
