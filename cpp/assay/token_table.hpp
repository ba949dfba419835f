// token_table.hpp: strings to dense ids, exactly.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/memory.hpp"

namespace assay {

/// 64-bit mixing of two words (the halves of their 128-bit product folded together).
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// Open addressing; a token of up to eight bytes is compared inside its slot, a longer one also with its
/// copy. Tokens are passed with at least eight readable bytes after their beginning.
class TokenTable {
 public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    std::uint32_t intern(const char* token, std::uint64_t length);
    std::uint32_t find(const char* token, std::uint64_t length) const;

    /// The same for a string without padding.
    std::uint32_t intern(std::string_view token);

    std::uint32_t size() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
    std::string_view operator[](std::uint32_t id) const {
        return {arena_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]};
    }
    std::uint64_t n_bytes() const { return offsets_.back(); }
    void clear();

 private:
    struct Slot {
        std::uint64_t prefix;  // first eight bytes, zeros after the token's end
        std::uint32_t check;   // length, or for a longer token some bits of its hash
        std::uint32_t id;      // plus one; zero: the slot is free
    };
    struct Key {
        std::uint64_t prefix, hash;
        std::uint32_t check;
        bool is_short;
    };

    static Key key_of(const char* token, std::uint64_t length);
    std::uint64_t slot_of(const Key& key, const char* token, std::uint64_t length) const;
    void grow();

    ZeroedArray<Slot> slots_{1024};
    std::uint64_t mask_ = 1023;
    std::vector<char> arena_ = std::vector<char>(kPadding);
    std::vector<std::uint64_t> offsets_{0};

    static constexpr std::uint64_t kPadding = 8;
};

}  // namespace assay
