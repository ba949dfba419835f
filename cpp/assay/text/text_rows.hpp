// text_rows.hpp: columns of text written side by side, a row at a time: CSV, JSON Lines and their like.
//   row i = before[0] value[0][i] before[1] value[1][i] … end
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace assay::text {

/// What is done to a value so that a reader of the file gets it back.
///   none       nothing: it is written as it is
///   separated  quoted where it holds the delimiter, a quote or a line end; a quote inside is doubled (RFC 4180)
///   json       quoted always; quotes, backslashes and control characters are escaped (RFC 8259)
enum class Quoting : std::uint8_t { none, separated, json };

/// Value k is bytes[offsets[k], offsets[k + 1]). Row i holds value codes[i], or value i where there are no codes; where
/// valid is given and valid[i] is 0 the row holds nothing: an empty value, in JSON null.
struct TextColumn {
    std::span<const std::uint8_t> bytes;
    std::span<const std::int64_t> offsets;
    std::span<const std::int32_t> codes;
    std::span<const std::uint8_t> valid;
    std::string_view before;
    Quoting quoting;
};

/// Bytes that were written without being set to zero first.
class WrittenBytes {
 public:
    explicit WrittenBytes(std::size_t capacity) : bytes_(std::make_unique_for_overwrite<std::uint8_t[]>(capacity)) {}
    std::uint8_t* data() { return bytes_.get(); }
    std::size_t size() const { return size_; }
    void set_size(std::size_t size) { size_ = size; }

 private:
    std::unique_ptr<std::uint8_t[]> bytes_;
    std::size_t size_ = 0;
};

/// Requires for every column: offsets never fall and end within bytes; codes and valid, where given, have n_rows
/// entries; otherwise offsets.size() == n_rows + 1.
WrittenBytes write_text_rows(std::span<const TextColumn> columns, std::int64_t n_rows, std::string_view end,
                             char delimiter);

}  // namespace assay::text
