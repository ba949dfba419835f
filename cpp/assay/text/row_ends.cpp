#include "assay/text/row_ends.hpp"

#include <algorithm>
#include <cstddef>

namespace assay::text {

RowEnd find_row_end(std::span<const std::uint8_t> bytes, RowPlace place, char delimiter, bool quotes) {
    const auto separator = static_cast<std::uint8_t>(delimiter);
    std::int64_t end = -1;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (place == RowPlace::quoted) {
            const auto rest = bytes.subspan(i);
            i += static_cast<std::size_t>(std::find(rest.begin(), rest.end(), '"') - rest.begin());
            if (i == bytes.size()) break;
            place = RowPlace::quote;
            continue;
        }
        const std::uint8_t byte = bytes[i];
        if (place == RowPlace::carriage) end = static_cast<std::int64_t>(byte == '\n' ? i + 1 : i);
        const bool opens = place == RowPlace::value_start || place == RowPlace::carriage;
        if (quotes && byte == '"' && (opens || place == RowPlace::quote)) {
            place = RowPlace::quoted;
        } else if (byte == '\n') {
            end = static_cast<std::int64_t>(i + 1);
            place = RowPlace::value_start;
        } else if (byte == '\r') {
            place = RowPlace::carriage;
        } else {
            place = byte == separator ? RowPlace::value_start : RowPlace::value;
        }
    }
    return {end, place};
}

}  // namespace assay::text
