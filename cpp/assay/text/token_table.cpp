#include "assay/text/token_table.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

#include "assay/base/hashing.hpp"

namespace assay::text {
namespace {

constexpr std::uint64_t kSeed = 0xD6E8FEB86659FD93;

std::uint64_t load(const char* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    return word;
}

}  // namespace

TokenTable::Key TokenTable::key_of(const char* token, std::uint64_t length) {
    std::uint64_t prefix = load(token);
    if (length <= 8) {
        // Little-endian: the bytes after the token's end are the high ones.
        prefix = length == 0 ? 0 : prefix & (~std::uint64_t{0} >> (64 - 8 * length));
        return {token, length, prefix, 0, mix(prefix ^ kSeed, kGolden ^ length), static_cast<std::uint32_t>(length)};
    }
    const std::uint64_t suffix = load(token + length - 8);
    std::uint64_t hash = mix(prefix ^ kSeed, kGolden ^ length);
    for (std::uint64_t i = 8; i + 8 < length; i += 8) hash = mix(hash ^ load(token + i), kGolden);
    hash = mix(hash ^ suffix, kGolden);
    const auto check = static_cast<std::uint32_t>(length <= kInSlot ? length : hash | 0x80000000u);
    return {token, length, prefix, suffix, hash, check};
}

/// For tokens of more than sixteen bytes, of which the first and the last eight are known to be the same.
bool TokenTable::same_middle(std::uint32_t id, const Key& key) const {
    const char* other = arena_.data() + offsets_[id];
    if (offsets_[id + 1] - offsets_[id] != key.length) return false;
    for (std::uint64_t i = 8; i + 8 < key.length; i += 8) {
        if (load(other + i) != load(key.token + i)) return false;
    }
    return true;
}

std::uint32_t TokenTable::intern(const Key& key) {
    Slot& slot = slots_[slot_of(key)];
    if (slot.id != 0) return slot.id - 1;
    const std::uint32_t id = size();
    if (id >= 0x7FFFFFF0) throw std::length_error("more than 2,147,483,631 different tokens");
    arena_.resize(offsets_.back());
    arena_.insert(arena_.end(), key.token, key.token + key.length);
    offsets_.push_back(arena_.size());
    arena_.resize(arena_.size() + kPadding);
    slot = {key.prefix, key.suffix, key.check, id + 1};
    if ((std::uint64_t{id} + 1) * 2 > mask_) grow();
    return id;
}

std::uint32_t TokenTable::intern(std::string_view token) {
    std::string padded(token);
    padded.append(kPadding, '\0');
    return intern(key_of(padded.data(), token.size()));
}

void TokenTable::grow() {
    const ZeroedArray<Slot> old = std::move(slots_);
    slots_ = ZeroedArray<Slot>((mask_ + 1) * 4);
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old.span()) {
        if (slot.id == 0) continue;
        const std::string_view token = (*this)[slot.id - 1];
        std::uint64_t i = home(key_of(token.data(), token.size()));
        while (slots_[i].id != 0) i = (i + 1) & mask_;
        slots_[i] = slot;
    }
}

void TokenTable::clear() {
    slots_ = ZeroedArray<Slot>(1024);
    mask_ = 1023;
    arena_.assign(kPadding, '\0');
    offsets_.assign(1, 0);
}

}  // namespace assay::text
