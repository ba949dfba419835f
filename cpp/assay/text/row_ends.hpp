// row_ends.hpp: where the rows of separated values (CSV) end, in a file that comes in pieces.
//   A quote opens a value only where the value begins; inside, "" is a quote and a line end is text (RFC 4180).
#pragma once

#include <cstdint>
#include <span>

namespace assay::text {

/// What stands before the next byte.
///   value_start  a delimiter, a line end, or nothing: a quote here opens a quoted value
///   value        part of a value, where a quote is a quote
///   quoted       part of a quoted value
///   quote        a quote inside a quoted value: its end, unless another one follows
///   carriage     \r, which ends the row together with a \n that may follow
enum class RowPlace : std::uint8_t { value_start, value, quoted, quote, carriage };

struct RowEnd {
    std::int64_t end;  // behind the last row that is known to be whole; -1 where none ends in these bytes
    RowPlace place;    // behind the last byte
};

/// Finds the last end of a row in bytes that go on where a file stood at `place`.
RowEnd find_row_end(std::span<const std::uint8_t> bytes, RowPlace place, char delimiter, bool quotes);

}  // namespace assay::text
