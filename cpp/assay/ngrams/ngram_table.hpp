// ngram_table.hpp: n-grams to dense ids, exactly and without their strings.
//
// An n-gram is its first n-1 symbols, which have an id of their own, and its last symbol: one 64-bit key. A
// symbol is a token's id or a code point. Unigrams are not in the table; their symbol is their name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "assay/base/memory.hpp"
#include "assay/text/token_table.hpp"

namespace assay::ngrams {

using Symbol = std::uint32_t;   // below 2^31 - 16
using NgramId = std::uint32_t;  // below 2^31 - 16
inline constexpr NgramId kNoNgram = 0xFFFFFFFF;
inline constexpr Symbol kNoSymbol = 0xFFFFFFFF;

/// The key of a bigram begins with a symbol, that of a longer n-gram with an id; a bit keeps them apart.
inline std::uint64_t bigram_key(Symbol first, Symbol second) {
    return std::uint64_t{first | 0x80000000u} << 32 | second;
}
inline std::uint64_t longer_key(NgramId prefix, Symbol last) {
    return std::uint64_t{prefix + 1} << 32 | last;
}

inline bool is_bigram(std::uint64_t key) {
    return key >> 63 != 0;
}
inline Symbol first_symbol(std::uint64_t bigram) {
    return static_cast<Symbol>(bigram >> 32) & 0x7FFFFFFFu;
}
inline NgramId prefix_of(std::uint64_t longer) {
    return static_cast<NgramId>(longer >> 32) - 1;
}
inline Symbol last_symbol(std::uint64_t key) {
    return static_cast<Symbol>(key);
}

/// Open addressing over slots that begin with {std::uint64_t key; NgramId id; ...}; key 0 means free. The capacity may
/// be any number, so that a large table need not be half empty.
template <class Slot>
class NgramTable {
 public:
    std::uint32_t size() const { return size_; }

    /// Makes sure that `more` insertions will not move any slot. If they would, the table grows to hold `growth` times
    /// what it holds now.
    void reserve(std::uint64_t more, double growth = 2.0) {
        if ((size_ + more) * 4 <= slots_.size() * 3) return;
        const auto expected = static_cast<std::uint64_t>(static_cast<double>(size_) * growth);
        grow(std::max(size_ + more, expected) * 3 / 2 + 64);
    }

    std::uint64_t home(std::uint64_t key) const {
        return (text::mix(key, 0x9E3779B97F4A7C15) >> 32) * slots_.size() >> 32;
    }
    void prefetch(std::uint64_t home) const { __builtin_prefetch(slots_.data() + home, 1); }

    /// The slot of `key`, which is new to it if its id is kNoNgram afterwards: the caller then fills it.
    Slot& find_or_insert(std::uint64_t key, std::uint64_t home) {
        for (std::uint64_t i = home;; i = i + 1 == slots_.size() ? 0 : i + 1) {
            Slot& slot = slots_[i];
            if (slot.key == key) return slot;
            if (slot.key == 0) {
                slot.key = key;
                slot.id = kNoNgram;
                if (++size_ >= 0x7FFFFFF0u) throw std::length_error("more than 2,147,483,631 different n-grams");
                return slot;
            }
        }
    }

    /// Requires size() > 0.
    const Slot* find(std::uint64_t key, std::uint64_t home) const {
        for (std::uint64_t i = home;; i = i + 1 == slots_.size() ? 0 : i + 1) {
            const Slot& slot = slots_[i];
            if (slot.key == key) return &slot;
            if (slot.key == 0) return nullptr;
        }
    }

    std::span<const Slot> slots() const { return slots_.span(); }

 private:
    void grow(std::uint64_t capacity) {
        const ZeroedArray<Slot> old = std::move(slots_);
        slots_ = ZeroedArray<Slot>(std::max<std::uint64_t>(capacity, 1024));
        // Homes rise with the hash, so both tables are read and written from front to back.
        for (const Slot& slot : old.span()) {
            if (slot.key == 0) continue;
            std::uint64_t i = home(slot.key);
            while (slots_[i].key != 0) i = i + 1 == slots_.size() ? 0 : i + 1;
            slots_[i] = slot;
        }
    }

    ZeroedArray<Slot> slots_;
    std::uint32_t size_ = 0;
};

}  // namespace assay::ngrams
