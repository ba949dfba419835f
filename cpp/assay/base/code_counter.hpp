// code_counter.hpp: the different codes of one document, found and counted in tables that stay in the nearest cache.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/hashing.hpp"

namespace assay::inline base {

/// Which place in a list a code has. The list is the caller's: at(place) gives the code that stands there.
class CodePlaces {
 public:
    /// Forgets all places, and makes room for those of `most` codes.
    void clear(std::size_t most) {
        const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(2 * most, 64));
        if (places_.size() < capacity) places_.resize(capacity);
        std::fill_n(places_.begin(), capacity, 0u);
        mask_ = capacity - 1;
        shift_ = 64 - static_cast<std::size_t>(std::countr_zero(capacity));
    }

    /// The place of a code, plus one; 0 where it has none, which the caller may then give it.
    template <class At>
    std::uint32_t& find(std::uint32_t code, At&& at) {
        for (std::size_t i = code * kGolden >> shift_;; i = (i + 1) & mask_) {
            std::uint32_t& place = places_[i];
            if (place == 0 || at(place - 1) == code) return place;
        }
    }

 private:
    std::vector<std::uint32_t> places_;
    std::size_t mask_ = 0, shift_ = 0;
};

/// What is kept of each code, in the order of their first appearance; Counted has members `code` and `count`.
template <class Counted>
class CodeCounter {
 public:
    /// Requires that at most `most` codes are added before the next call.
    void clear(std::size_t most) {
        places_.clear(most);
        if (counted_.size() < most) counted_.resize(most);
        n_counted_ = 0;
    }

    /// Adds one to the count of a code; make() gives what is kept of a new one.
    template <class Make>
    void add(std::uint32_t code, Make&& make) {
        std::uint32_t& place = places_.find(code, [&](std::uint32_t i) { return counted_[i].code; });
        if (place == 0) {
            counted_[n_counted_] = make();
            place = static_cast<std::uint32_t>(++n_counted_);
        } else {
            ++counted_[place - 1].count;
        }
    }

    std::span<const Counted> counted() const { return {counted_.data(), n_counted_}; }

 private:
    CodePlaces places_;
    std::vector<Counted> counted_;
    std::size_t n_counted_ = 0;
};

}  // namespace assay::inline base
