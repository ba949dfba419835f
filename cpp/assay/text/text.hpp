// text.hpp: a document as the caller holds it, without a copy.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace assay::text {

/// How the code points of a document are stored.
enum class Encoding : std::uint8_t { utf8 = 0, latin1 = 1, ucs2 = 2, ucs4 = 4 };

/// `size` code units that somebody else owns. Packed into 16 bytes: there may be many millions of them.
class TextSpan {
 public:
    TextSpan(const void* data, std::uint64_t size, Encoding encoding)
        : data_(data), size_and_encoding_(size << 3 | static_cast<std::uint64_t>(encoding)) {}

    const void* data() const { return data_; }
    std::uint64_t size() const { return size_and_encoding_ >> 3; }
    Encoding encoding() const { return static_cast<Encoding>(size_and_encoding_ & 7); }

 private:
    const void* data_;
    std::uint64_t size_and_encoding_;
};

/// Bytes that were said to be UTF-8 and are not.
class InvalidText : public std::invalid_argument {
 public:
    InvalidText(std::uint64_t at, std::uint8_t found)
        : std::invalid_argument("byte " + std::to_string(at) + " of the document is not UTF-8"),
          byte(at),
          value(found) {}

    std::uint64_t byte;
    std::uint8_t value;
    std::int64_t document = -1;  // see in_document
};

/// Runs work() on a document, of whose number an InvalidText will tell.
template <class Work>
void in_document(std::int64_t document, Work&& work) {
    try {
        work();
    } catch (InvalidText& error) {
        error.document = document;
        throw;
    }
}

/// Length in bytes of the UTF-8 sequence that a (valid) first byte opens.
inline std::uint32_t utf8_length(std::uint8_t first) {
    return first < 0x80 ? 1u : first < 0xE0 ? 2u : first < 0xF0 ? 3u : 4u;
}

/// Decodes one code point of text that this library wrote itself (surrogates allowed) and advances the
/// pointer.
inline std::uint32_t decode_trusted(const char*& at) {
    const auto byte = [&](int i) { return static_cast<std::uint32_t>(static_cast<std::uint8_t>(at[i])); };
    const std::uint32_t first = byte(0);
    std::uint32_t code_point;
    if (first < 0x80) {
        code_point = first;
        at += 1;
    } else if (first < 0xE0) {
        code_point = (first & 0x1F) << 6 | (byte(1) & 0x3F);
        at += 2;
    } else if (first < 0xF0) {
        code_point = (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
        at += 3;
    } else {
        code_point = (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
        at += 4;
    }
    return code_point;
}

/// Writes one code point (lone surrogates too: a Python str may hold them) and returns its length in bytes.
inline std::uint32_t encode_utf8(std::uint32_t code_point, char* out) {
    const auto put = [&](int i, std::uint32_t value) { out[i] = static_cast<char>(value); };
    if (code_point < 0x80) {
        put(0, code_point);
        return 1;
    }
    if (code_point < 0x800) {
        put(0, 0xC0 | code_point >> 6);
        put(1, 0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        put(0, 0xE0 | code_point >> 12);
        put(1, 0x80 | (code_point >> 6 & 0x3F));
        put(2, 0x80 | (code_point & 0x3F));
        return 3;
    }
    put(0, 0xF0 | code_point >> 18);
    put(1, 0x80 | (code_point >> 12 & 0x3F));
    put(2, 0x80 | (code_point >> 6 & 0x3F));
    put(3, 0x80 | (code_point & 0x3F));
    return 4;
}

}  // namespace assay::text
