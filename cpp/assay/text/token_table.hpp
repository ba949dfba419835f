// token_table.hpp: strings to dense ids, exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/base/memory.hpp"

namespace assay::text {

/// Open addressing; a token of up to sixteen bytes is compared inside its slot, a longer one also with its copy.
class TokenTable {
 public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::uint64_t kPadding = 8;  // readable bytes that every token is passed with, after its end

    /// A token with what is needed to find it; points to the caller's bytes.
    struct Key {
        const char* token;
        std::uint64_t length;
        std::uint64_t prefix;  // first eight bytes, zeros after the token's end
        std::uint64_t suffix;  // last eight bytes of a token that has more, else zero
        std::uint64_t hash;
        std::uint32_t check;  // length, or for a token of more than sixteen bytes some bits of its hash
    };
    static Key key_of(const char* token, std::uint64_t length);

    void prefetch(const Key& key) const { __builtin_prefetch(slots_.data() + home(key)); }
    std::uint32_t find(const Key& key) const { return slots_[slot_of(key)].id - 1; }
    std::uint32_t intern(const Key& key);

    /// The same for a string without padding.
    std::uint32_t intern(std::string_view token);

    std::uint32_t size() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
    std::string_view operator[](std::uint32_t id) const {
        return {arena_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]};
    }
    void clear();

 private:
    static constexpr std::uint64_t kInSlot = 16;  // bytes of a token that its slot holds

    struct Slot {
        std::uint64_t prefix, suffix;
        std::uint32_t check;
        std::uint32_t id;  // plus one; zero: the slot is free
    };

    std::uint64_t home(const Key& key) const { return key.hash >> 20 & mask_; }
    std::uint64_t slot_of(const Key& key) const {
        for (std::uint64_t i = home(key);; i = (i + 1) & mask_) {
            const Slot& slot = slots_[i];
            if (slot.id == 0) return i;
            if (slot.prefix == key.prefix && slot.suffix == key.suffix && slot.check == key.check &&
                (key.length <= kInSlot || same_middle(slot.id - 1, key))) {
                return i;
            }
        }
    }
    bool same_middle(std::uint32_t id, const Key& key) const;
    void grow();

    ZeroedArray<Slot> slots_{1024};
    std::uint64_t mask_ = 1023;
    std::vector<char> arena_ = std::vector<char>(kPadding);
    std::vector<std::uint64_t> offsets_{0};
};

/// The tokens of a document, looked up together: the slots of all are asked for before the first is needed.
class TokenBatch {
 public:
    void clear() { keys_.clear(); }

    void add(const TokenTable& table, const char* token, std::uint64_t length) {
        keys_.push_back(TokenTable::key_of(token, length));
        table.prefetch(keys_.back());
    }

    bool full() const { return keys_.size() >= kMost; }
    std::span<const TokenTable::Key> keys() const { return keys_; }

 private:
    static constexpr std::size_t kMost = 256;
    std::vector<TokenTable::Key> keys_;
};

}  // namespace assay::text
