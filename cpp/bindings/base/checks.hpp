// checks.hpp: arrays as spans, and complaints about arrays that do not fit together.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace assay::bindings {

template <class Array>
auto view(const Array& array) {
    return std::span(array.data(), array.size());
}

inline void require(bool condition, const std::string& message) {
    if (!condition) throw std::invalid_argument(message);
}

inline void require_size(std::size_t found, std::size_t expected, const char* name) {
    require(found == expected, std::string(name) + " has " + std::to_string(found) + " values where " +
                                   std::to_string(expected) + " are needed");
}

inline void require_range(std::span<const std::int32_t> values, std::int64_t bound, const char* name) {
    for (const std::int32_t value : values) {
        if (value >= 0 && value < bound) continue;
        throw std::invalid_argument(std::string(name) + " holds " + std::to_string(value) + ", outside [0, " +
                                    std::to_string(bound) + ")");
    }
}

}  // namespace assay::bindings
