// radix_sort.hpp: sorting by keys that are whole numbers, least significant digit first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace assay::inline base {

/// Sorts a vector or a ZeroedArray by key(item), an unsigned number of which the lowest n_bits > 0 matter; `space` is
/// made as large. There may not be more items than the type of the keys can count.
template <class Items, class Key>
void radix_sort(Items& items, Items& space, int n_bits, Key&& key) {
    using Bits = std::remove_cvref_t<decltype(key(items[0]))>;
    constexpr int kNarrow = 8, kWide = 11, kMostBits = std::numeric_limits<Bits>::digits;
    const std::size_t n = items.size();
    if (n < 32) {
        std::sort(items.data(), items.data() + n, [&](const auto& a, const auto& b) { return key(a) < key(b); });
        return;
    }
    // Few buckets for short rows, whose price is otherwise that of the buckets.
    const int widest = n < 4096 ? kNarrow : kWide;
    const int n_digits = (n_bits + widest - 1) / widest;
    const int width = (n_bits + n_digits - 1) / n_digits;
    const Bits mask = (Bits{1} << width) - 1;
    std::array<std::array<Bits, 1 << kWide>, (kMostBits + kNarrow - 1) / kNarrow> starts;
    for (int d = 0; d < n_digits; ++d) std::fill_n(starts[static_cast<std::size_t>(d)].begin(), mask + 1, Bits{0});
    for (std::size_t i = 0; i < n; ++i) {
        Bits left = key(items[i]);
        for (int d = 0; d < n_digits; ++d, left >>= width) ++starts[static_cast<std::size_t>(d)][left & mask];
    }
    if constexpr (requires { space.resize(n); }) {
        space.resize(n);
    } else if (space.size() != n) {
        space = Items(n);
    }
    for (int d = 0; d < n_digits; ++d) {
        auto& start = starts[static_cast<std::size_t>(d)];
        Bits sum = 0;
        for (Bits bucket = 0; bucket <= mask; ++bucket) sum += std::exchange(start[bucket], sum);
        const int shift = d * width;
        const auto* from = items.data();
        auto* to = space.data();
        for (std::size_t i = 0; i < n; ++i) to[start[key(from[i]) >> shift & mask]++] = from[i];
        std::swap(items, space);
    }
}

}  // namespace assay::inline base
