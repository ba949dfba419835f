// radix_sort.hpp: sorting rows of a matrix, whose keys are small integers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay::inline base {

/// Sorts by key(item), of which the lowest n_bits matter, least significant digit first; `space` is grown as needed.
template <class T, class Key>
void radix_sort(std::vector<T>& items, std::vector<T>& space, int n_bits, Key&& key) {
    const std::size_t n = items.size();
    if (n < 32) {
        std::sort(items.begin(), items.end(), [&](const T& a, const T& b) { return key(a) < key(b); });
        return;
    }
    // Few buckets for short rows, whose price is otherwise that of the buckets.
    const int widest = n < 4096 ? 8 : 11;
    const int n_digits = (n_bits + widest - 1) / widest;
    const int width = (n_bits + n_digits - 1) / n_digits;
    const std::uint32_t mask = (1u << width) - 1;
    std::array<std::array<std::uint32_t, 2048>, 4> starts;
    for (int d = 0; d < n_digits; ++d) std::fill_n(starts[static_cast<std::size_t>(d)].begin(), mask + 1, 0u);
    for (const T& item : items) {
        std::uint32_t left = key(item);
        for (int d = 0; d < n_digits; ++d, left >>= width) ++starts[static_cast<std::size_t>(d)][left & mask];
    }
    space.resize(n);
    for (int d = 0; d < n_digits; ++d) {
        auto& start = starts[static_cast<std::size_t>(d)];
        std::uint32_t sum = 0;
        for (std::uint32_t bucket = 0; bucket <= mask; ++bucket) sum += std::exchange(start[bucket], sum);
        const int shift = d * width;
        const T* from = items.data();
        T* to = space.data();
        for (std::size_t i = 0; i < n; ++i) to[start[key(from[i]) >> shift & mask]++] = from[i];
        std::swap(items, space);
    }
}

}  // namespace assay::inline base
