// key_table.hpp: 64-bit keys to what is kept of them, by open addressing in a table that grows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "assay/base/hashing.hpp"
#include "assay/base/memory.hpp"

namespace assay::inline base {

/// Slots have a member `key`, which is 0 where they are free. The capacity may be any number, so that a large table
/// need not be half empty.
template <class Slot>
class KeyTable {
 public:
    std::uint64_t size() const { return size_; }

    /// Makes sure that `more` insertions will not move any slot. If they would, the table grows to hold `growth` times
    /// what it holds now.
    void reserve(std::uint64_t more, double growth = 2.0) {
        if ((size_ + more) * 4 <= slots_.size() * 3) return;
        const auto expected = static_cast<std::uint64_t>(static_cast<double>(size_) * growth);
        grow(std::max(size_ + more, expected) * 3 / 2 + 64);
    }

    /// Where the search for a key begins. Homes rise with the hash, whatever the capacity.
    std::uint64_t home(std::uint64_t key) const { return (mix(key, kGolden) >> 32) * slots_.size() >> 32; }
    void prefetch(std::uint64_t home) const { __builtin_prefetch(slots_.data() + home, 1); }

    /// The slot of `key`; a new one is handed to fill(slot) with its key, the rest of it zero. Requires room for it.
    template <class Fill>
    Slot& find_or_insert(std::uint64_t key, std::uint64_t home, Fill&& fill) {
        for (std::uint64_t i = home;; i = after(i)) {
            Slot& slot = slots_[i];
            if (slot.key == key) return slot;
            if (slot.key == 0) {
                slot.key = key;
                ++size_;
                fill(slot);
                return slot;
            }
        }
    }

    /// Requires size() > 0.
    const Slot* find(std::uint64_t key, std::uint64_t home) const {
        for (std::uint64_t i = home;; i = after(i)) {
            const Slot& slot = slots_[i];
            if (slot.key == key) return &slot;
            if (slot.key == 0) return nullptr;
        }
    }

    std::span<const Slot> slots() const { return slots_.span(); }

 private:
    std::uint64_t after(std::uint64_t i) const { return i + 1 == slots_.size() ? 0 : i + 1; }

    void grow(std::uint64_t capacity) {
        const ZeroedArray<Slot> old = std::move(slots_);
        slots_ = ZeroedArray<Slot>(std::max<std::uint64_t>(capacity, 1024));
        // Both tables are read and written from front to back.
        for (const Slot& slot : old.span()) {
            if (slot.key == 0) continue;
            std::uint64_t i = home(slot.key);
            while (slots_[i].key != 0) i = after(i);
            slots_[i] = slot;
        }
    }

    ZeroedArray<Slot> slots_;
    std::uint64_t size_ = 0;
};

}  // namespace assay::inline base
