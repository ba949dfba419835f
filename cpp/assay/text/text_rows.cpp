#include "assay/text/text_rows.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace assay::text {

namespace {

using Special = std::array<bool, 256>;

constexpr std::string_view kNull = "null";
constexpr char kHexDigits[] = "0123456789abcdef";

/// The four bytes that make quotes necessary in separated values, each repeated over a word.
class Separators {
 public:
    explicit Separators(char delimiter) {
        const std::array<char, 4> bytes{delimiter, '"', '\n', '\r'};
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            repeated_[i] = kLow * static_cast<std::uint8_t>(bytes[i]);
            special_[static_cast<std::uint8_t>(bytes[i])] = true;
        }
    }

    /// Whether one of them is in the value. Eight bytes at a time: x - 0x01… borrows into the high bit of a byte of x
    /// that is zero.
    bool are_in(std::span<const std::uint8_t> value) const {
        std::size_t i = 0;
        for (; i + sizeof(std::uint64_t) <= value.size(); i += sizeof(std::uint64_t)) {
            std::uint64_t word;
            std::memcpy(&word, value.data() + i, sizeof word);
            std::uint64_t found = 0;
            for (const std::uint64_t repeated : repeated_) {
                const std::uint64_t x = word ^ repeated;
                found |= (x - kLow) & ~x & kHigh;
            }
            if (found != 0) return true;
        }
        const auto rest = value.subspan(i);
        return std::any_of(rest.begin(), rest.end(), [&](std::uint8_t byte) { return special_[byte]; });
    }

 private:
    static constexpr std::uint64_t kLow = 0x0101010101010101;
    static constexpr std::uint64_t kHigh = 0x8080808080808080;
    std::array<std::uint64_t, 4> repeated_{};
    Special special_{};
};

Special special_of_json() {
    Special special{};
    std::fill(special.begin(), special.begin() + 0x20, true);
    special['"'] = special['\\'] = true;
    return special;
}

std::uint8_t* put(std::uint8_t* out, std::span<const std::uint8_t> value) {
    if (!value.empty()) std::memcpy(out, value.data(), value.size());
    return out + value.size();
}

std::uint8_t* put(std::uint8_t* out, std::string_view text) {
    if (!text.empty()) std::memcpy(out, text.data(), text.size());
    return out + text.size();
}

std::uint8_t* put_separated(std::uint8_t* out, std::span<const std::uint8_t> value, const Separators& separators) {
    if (!separators.are_in(value)) return put(out, value);
    *out++ = '"';
    while (const void* quote = value.empty() ? nullptr : std::memchr(value.data(), '"', value.size())) {
        const auto upto = static_cast<std::size_t>(static_cast<const std::uint8_t*>(quote) - value.data()) + 1;
        out = put(out, value.first(upto));
        *out++ = '"';
        value = value.subspan(upto);
    }
    out = put(out, value);
    *out++ = '"';
    return out;
}

std::uint8_t* put_escape(std::uint8_t* out, std::uint8_t byte) {
    *out++ = '\\';
    switch (byte) {
        case '"':
        case '\\':
            *out++ = byte;
            return out;
        case '\n':
            *out++ = 'n';
            return out;
        case '\r':
            *out++ = 'r';
            return out;
        case '\t':
            *out++ = 't';
            return out;
        default:
            out = put(out, std::string_view("u00"));
            *out++ = static_cast<std::uint8_t>(kHexDigits[byte >> 4]);
            *out++ = static_cast<std::uint8_t>(kHexDigits[byte & 15]);
            return out;
    }
}

std::uint8_t* put_json(std::uint8_t* out, std::span<const std::uint8_t> value, const Special& special) {
    *out++ = '"';
    std::size_t plain = 0;  // where the stretch begins that needs no escape
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (!special[value[i]]) continue;
        out = put_escape(put(out, value.subspan(plain, i - plain)), value[i]);
        plain = i + 1;
    }
    out = put(out, value.subspan(plain));
    *out++ = '"';
    return out;
}

std::int64_t value_of_row(const TextColumn& column, std::int64_t row) {
    return column.codes.empty() ? row : column.codes[static_cast<std::size_t>(row)];
}

/// No fewer bytes than the row can take: a quote may double a byte, a JSON escape makes six of it.
std::size_t bound(std::span<const TextColumn> columns, std::int64_t n_rows, std::string_view end) {
    std::size_t total = static_cast<std::size_t>(n_rows) * end.size();
    for (const TextColumn& column : columns) {
        std::size_t bytes = 0;
        for (std::int64_t row = 0; row < n_rows; ++row) {
            const auto k = static_cast<std::size_t>(value_of_row(column, row));
            bytes += static_cast<std::size_t>(column.offsets[k + 1] - column.offsets[k]);
        }
        const std::size_t growth = column.quoting == Quoting::none ? 1 : column.quoting == Quoting::separated ? 2 : 6;
        total += bytes * growth + static_cast<std::size_t>(n_rows) * (column.before.size() + kNull.size());
    }
    return total;
}

}  // namespace

WrittenBytes write_text_rows(std::span<const TextColumn> columns, std::int64_t n_rows, std::string_view end,
                             char delimiter) {
    const Separators separators(delimiter);
    const Special in_json = special_of_json();
    WrittenBytes written(bound(columns, n_rows, end));
    std::uint8_t* out = written.data();
    for (std::int64_t row = 0; row < n_rows; ++row) {
        for (const TextColumn& column : columns) {
            out = put(out, column.before);
            if (!column.valid.empty() && column.valid[static_cast<std::size_t>(row)] == 0) {
                if (column.quoting == Quoting::json) out = put(out, kNull);
                continue;
            }
            const auto k = static_cast<std::size_t>(value_of_row(column, row));
            const auto first = static_cast<std::size_t>(column.offsets[k]);
            const auto value = column.bytes.subspan(first, static_cast<std::size_t>(column.offsets[k + 1]) - first);
            if (column.quoting == Quoting::none) {
                out = put(out, value);
            } else if (column.quoting == Quoting::json) {
                out = put_json(out, value, in_json);
            } else if (value.empty() && columns.size() == 1) {
                out = put(out, std::string_view("\"\""));  // a blank line would be no row at all
            } else {
                out = put_separated(out, value, separators);
            }
        }
        out = put(out, end);
    }
    written.set_size(static_cast<std::size_t>(out - written.data()));
    return written;
}

}  // namespace assay::text
