// checks.hpp: complaints about arrays that do not fit together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace assay::bindings {

inline void require(bool condition, const std::string& message) {
    if (!condition) throw std::invalid_argument(message);
}

inline void require_size(const char* name, std::size_t found, std::size_t expected) {
    require(found == expected, std::string(name) + " has " + std::to_string(found) + " values where " +
                                   std::to_string(expected) + " are needed");
}

/// Throws unless every value lies in [0, bound).
template <class T>
void require_range(const char* name, std::span<const T> values, std::int64_t bound) {
    for (const T value : values) {
        if (value >= 0 && value < bound) continue;
        throw std::invalid_argument(std::string(name) + " holds " + std::to_string(value) + ", outside [0, " +
                                    std::to_string(bound) + ")");
    }
}

/// Throws unless the offsets rise from 0 to `end`.
inline void require_offsets(const char* name, std::span<const std::int64_t> offsets, std::size_t end) {
    require(!offsets.empty() && offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
                offsets.back() == static_cast<std::int64_t>(end),
            std::string(name) + " must rise from 0 to " + std::to_string(end));
}

/// Lists are checked as a CSR matrix is: offsets that never fall, and indices inside of what they point to.
template <class Value>
void require_lists(std::span<const std::int64_t> begin, std::span<const std::int32_t> indices,
                   std::span<const Value> values, std::int64_t bound) {
    require_offsets("offsets of lists", begin, indices.size());
    require_size("values of lists", values.size(), indices.size());
    require_range("index of lists", indices, bound);
}

}  // namespace assay::bindings
