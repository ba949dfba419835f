// unicode.hpp: what Python's str and re say of a code point (tables generated at build time).
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::text {

// Two-stage tables: stage1[code_point >> 8] names a block of 256 entries in stage2. See
// generate_unicode_tables.py.
extern const char kUnicodeVersion[];  // Python's unicodedata.unidata_version
extern const std::uint16_t kClassStage1[];
extern const std::uint16_t kClassStage2[];
extern const std::uint8_t kClassFlags[];
extern const std::uint32_t kClassLower[];
extern const std::uint32_t kLowerSequences[];
extern const std::uint16_t kAccentStage1[];
extern const std::uint32_t kAccentStage2[];
extern const std::uint8_t kAccentPool[];

inline constexpr std::uint32_t kEndOfUnicode = 0x110000;
inline constexpr std::uint32_t kCapitalSigma = 0x3A3;
inline constexpr std::uint32_t kFinalSigma = 0x3C2;

struct CodePointClass {
    std::uint8_t flags;
    std::uint32_t lower;  // difference to the lower-case letter, or a sequence (see lower_sequence)

    bool is_word() const { return (flags & 1) != 0; }   // re's \w
    bool is_space() const { return (flags & 2) != 0; }  // re's \s, str.isspace
    bool is_cased() const { return (flags & 4) != 0; }
    bool is_case_ignorable() const { return (flags & 8) != 0; }
    bool lowers_to_sequence() const { return (lower >> 31) != 0; }
};

/// Requires code_point < kEndOfUnicode.
inline CodePointClass classify(std::uint32_t code_point) {
    const std::uint16_t record = kClassStage2[(std::uint32_t{kClassStage1[code_point >> 8]} << 8) | (code_point & 255)];
    return {kClassFlags[record], kClassLower[record]};
}

/// Lower-case letter of a code point whose class maps to one code point.
inline std::uint32_t lower_single(std::uint32_t code_point, CodePointClass c) {
    return (code_point + c.lower) & 0x7FFFFFFF;
}

/// First element: how many code points follow.
inline const std::uint32_t* lower_sequence(CodePointClass c) {
    return kLowerSequences + (c.lower & 0x7FFFFFFF);
}

/// Compatibility decomposition without combining marks, as UTF-8; data() is null where the code point stays
/// as it is.
inline std::string_view without_accents(std::uint32_t code_point) {
    const std::uint32_t entry =
        kAccentStage2[(std::uint32_t{kAccentStage1[code_point >> 8]} << 8) | (code_point & 255)];
    if (entry == 0) return {};
    return {reinterpret_cast<const char*>(kAccentPool) + (entry >> 8), (entry & 255) >> 1};
}

}  // namespace assay::text
