#include "assay/text/normalize.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "assay/text/unicode.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace assay::text {
namespace {

constexpr std::uint64_t kBlock = 64;

// ---------------------------------------------------------------------------------------------------------------
// Sources: the ways in which a document may be stored. `load` brings 64 units as bytes if all of them are
// ASCII.

bool all_ascii(const std::uint8_t* bytes) {
#if defined(__SSE2__)
    const auto* v = reinterpret_cast<const __m128i*>(bytes);
    const __m128i any = _mm_or_si128(_mm_or_si128(_mm_loadu_si128(v), _mm_loadu_si128(v + 1)),
                                     _mm_or_si128(_mm_loadu_si128(v + 2), _mm_loadu_si128(v + 3)));
    return _mm_movemask_epi8(any) == 0;
#else
    std::uint8_t any = 0;
    for (std::uint64_t i = 0; i < kBlock; ++i) any |= bytes[i];
    return any < 0x80;
#endif
}

struct Utf8Source {
    const std::uint8_t* units;
    std::uint64_t size;

    bool load(std::uint64_t at, std::uint8_t* block) const {
        if (!all_ascii(units + at)) return false;
        std::memcpy(block, units + at, kBlock);
        return true;
    }

    std::uint32_t next(std::uint64_t& at) const {
        const std::uint32_t first = units[at];
        if (first < 0x80) {
            ++at;
            return first;
        }
        // Bounds of the second byte rule out overlong forms, surrogates and values past U+10FFFF.
        std::uint32_t length, low = 0x80, high = 0xBF;
        if (first >= 0xC2 && first <= 0xDF) {
            length = 2;
        } else if (first >= 0xE0 && first <= 0xEF) {
            length = 3;
            if (first == 0xE0) low = 0xA0;
            if (first == 0xED) high = 0x9F;
        } else if (first >= 0xF0 && first <= 0xF4) {
            length = 4;
            if (first == 0xF0) low = 0x90;
            if (first == 0xF4) high = 0x8F;
        } else {
            throw InvalidText(at, units[at]);
        }
        if (at + length > size || units[at + 1] < low || units[at + 1] > high) throw InvalidText(at, units[at]);
        std::uint32_t code_point = first & (0xFFu >> (length + 1));
        for (std::uint32_t i = 1; i < length; ++i) {
            if ((units[at + i] & 0xC0) != 0x80) throw InvalidText(at, units[at]);
            code_point = code_point << 6 | (units[at + i] & 0x3F);
        }
        at += length;
        return code_point;
    }

    /// The code point that ends before `at`, in a part that `next` has passed.
    std::uint32_t previous(std::uint64_t& at) const {
        do --at;
        while (at > 0 && (units[at] & 0xC0) == 0x80);
        const auto* p = reinterpret_cast<const char*>(units + at);
        return decode_trusted(p);
    }
};

template <class Unit>
struct WideSource {
    const Unit* units;
    std::uint64_t size;

    bool load(std::uint64_t at, std::uint8_t* block) const {
        std::uint32_t any = 0;
        for (std::uint64_t i = 0; i < kBlock; ++i) any |= units[at + i];
        if (any >= 0x80) return false;
        for (std::uint64_t i = 0; i < kBlock; ++i) block[i] = static_cast<std::uint8_t>(units[at + i]);
        return true;
    }
    std::uint32_t next(std::uint64_t& at) const { return units[at++]; }
    std::uint32_t previous(std::uint64_t& at) const { return units[--at]; }
};

// ---------------------------------------------------------------------------------------------------------------
// Blocks of 64 ASCII bytes

struct AsciiMasks {
    std::uint64_t word = 0;
    std::uint64_t space = 0;
};

#if defined(__SSE2__)
std::uint64_t mask_of(const __m128i (&parts)[4]) {
    std::uint64_t mask = 0;
    for (int i = 0; i < 4; ++i) {
        mask |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(parts[i]))) << (16 * i);
    }
    return mask;
}
__m128i between(__m128i v, char low, char high) {  // bytes below 0x80 only
    return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8(static_cast<char>(low - 1))),
                         _mm_cmplt_epi8(v, _mm_set1_epi8(static_cast<char>(high + 1))));
}
#else
bool is_ascii_word(std::uint8_t c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}
bool is_ascii_space(std::uint8_t c) {
    return (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x20);
}
#endif

AsciiMasks masks_of(const std::uint8_t* block) {
#if defined(__SSE2__)
    __m128i word[4], space[4];
    for (int i = 0; i < 4; ++i) {
        const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block) + i);
        const __m128i letter = between(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 'z');
        word[i] = _mm_or_si128(_mm_or_si128(letter, between(v, '0', '9')), _mm_cmpeq_epi8(v, _mm_set1_epi8('_')));
        space[i] = _mm_or_si128(between(v, 9, 13), between(v, 0x1C, 0x20));
    }
    return {mask_of(word), mask_of(space)};
#else
    AsciiMasks masks;
    for (std::uint64_t i = 0; i < kBlock; ++i) {
        masks.word |= std::uint64_t{is_ascii_word(block[i])} << i;
        masks.space |= std::uint64_t{is_ascii_space(block[i])} << i;
    }
    return masks;
#endif
}

void lower_ascii(std::uint8_t* block) {
    for (std::uint64_t i = 0; i < kBlock; ++i) {
        const std::uint8_t c = block[i];
        block[i] = static_cast<std::uint8_t>(c + ((c >= 'A' && c <= 'Z') ? 32 : 0));
    }
}

// ---------------------------------------------------------------------------------------------------------------

template <class Source>
class Normalizer {
 public:
    Normalizer(const Source& source, const NormalizeOptions& options, NormalizedText& out)
        : source_(source), options_(options), out_(out) {}

    void run() {
        begin_document();
        std::uint64_t at = 0;
        alignas(16) std::uint8_t block[kBlock];
        while (at < source_.size) {
            const std::uint64_t left = source_.size - at;
            if (left >= kBlock) {
                if (source_.load(at, block)) {
                    reserve(left + kBlock);
                    put_ascii(block, kBlock);
                    at += kBlock;
                    continue;
                }
            } else if (short_ascii(at, left, block)) {
                reserve(kBlock);
                put_ascii(block, left);
                at += left;
                continue;
            }
            const std::uint64_t end = std::min(source_.size, at + kBlock);
            while (at < end) {
                const std::uint64_t here = at;
                const std::uint32_t code_point = source_.next(at);
                if (code_point >= kEndOfUnicode) throw std::invalid_argument("a code point is past U+10FFFF");
                put_normalized(code_point, here, at);
            }
        }
        std::memset(out_.bytes.data() + out_.size, 0, NormalizedText::kPadding);
    }

 private:
    /// The last units of the document, if they are ASCII, padded with zeros.
    bool short_ascii(std::uint64_t at, std::uint64_t n, std::uint8_t* block) const {
        std::memset(block, 0, kBlock);
        for (std::uint64_t i = 0; i < n; ++i) {
            if (source_.units[at + i] >= 0x80) return false;
            block[i] = static_cast<std::uint8_t>(source_.units[at + i]);
        }
        return true;
    }

    /// Empties the output. Bits past what was written are always zero, so only the last document's are
    /// cleared.
    void begin_document() {
        const auto written = static_cast<std::ptrdiff_t>(std::min(out_.n_words() + 1, out_.token_bits.size()));
        std::fill_n(out_.token_bits.begin(), written, 0);
        std::fill_n(out_.mark_bits.begin(), written, 0);
        out_.size = 0;
        out_.ascii = true;
        reserve(source_.size + kBlock);
    }

    /// Makes room for `more` bytes after those written.
    void reserve(std::uint64_t more) {
        const std::uint64_t needed = out_.size + more + NormalizedText::kPadding;
        if (out_.bytes.size() >= needed) return;
        out_.bytes.resize(needed + needed / 2);
        out_.token_bits.resize(out_.bytes.size() / 64 + 2);
        out_.mark_bits.resize(out_.bytes.size() / 64 + 2);
    }

    /// n bytes of an ASCII block; those after n are zeros.
    void put_ascii(std::uint8_t* block, std::uint64_t n) {
        if (options_.marking != Marking::none) {
            const std::uint64_t valid = n == kBlock ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
            const AsciiMasks masks = masks_of(block);
            switch (options_.marking) {
                case Marking::words_and_punctuation:
                    or_bits(out_.mark_bits, ~(masks.word | masks.space) & valid);
                    [[fallthrough]];
                case Marking::words:
                    or_bits(out_.token_bits, masks.word & valid);
                    break;
                case Marking::not_space:
                    or_bits(out_.token_bits, ~masks.space & valid);
                    break;
                case Marking::separated: {
                    std::uint64_t separators = 0;
                    for (std::uint64_t i = 0; i < n; ++i) separators |= std::uint64_t{block[i] == kSeparator} << i;
                    or_bits(out_.token_bits, ~separators & valid);
                    break;
                }
                case Marking::none:
                    break;
            }
        }
        if (options_.lowercase) lower_ascii(block);
        std::memcpy(out_.bytes.data() + out_.size, block, kBlock);
        out_.size += n;
    }

    void or_bits(std::vector<std::uint64_t>& bits, std::uint64_t mask) {
        const std::uint64_t word = out_.size / 64, shift = out_.size % 64;
        bits[word] |= mask << shift;
        if (shift != 0) bits[word + 1] |= mask >> (64 - shift);
    }

    void put_normalized(std::uint32_t code_point, std::uint64_t begin, std::uint64_t end) {
        if (!options_.lowercase) {
            put_stripped(code_point);
        } else if (code_point == kCapitalSigma) {
            put_stripped(is_final_sigma(begin, end) ? kFinalSigma : kCapitalSigma + 0x20);
        } else {
            const CodePointClass c = classify(code_point);
            if (!c.lowers_to_sequence()) {
                put_stripped(lower_single(code_point, c));
            } else {
                const std::uint32_t* sequence = lower_sequence(c);
                for (std::uint32_t i = 1; i <= sequence[0]; ++i) put_stripped(sequence[i]);
            }
        }
    }

    /// Unicode's Final_Sigma as str.lower() applies it: a cased letter before, none after, case-ignorable
    /// ones skipped.
    bool is_final_sigma(std::uint64_t begin, std::uint64_t end) const {
        bool cased_before = false;
        while (begin > 0) {
            const CodePointClass c = classify(source_.previous(begin));
            if (!c.is_case_ignorable()) {
                cased_before = c.is_cased();
                break;
            }
        }
        if (!cased_before) return false;
        while (end < source_.size) {
            const std::uint32_t code_point = source_.next(end);
            if (code_point >= kEndOfUnicode) return true;
            const CodePointClass c = classify(code_point);
            if (!c.is_case_ignorable()) return !c.is_cased();
        }
        return true;
    }

    void put_stripped(std::uint32_t code_point) {
        if (options_.accents == Accents::keep) return put(code_point);
        const std::string_view plain = without_accents(code_point);
        if (plain.data() == nullptr) {
            if (options_.accents == Accents::unicode || code_point < 0x80) put(code_point);
            return;
        }
        const char* p = plain.data();
        while (p < plain.data() + plain.size()) {
            const std::uint32_t part = decode_trusted(p);
            if (options_.accents == Accents::unicode || part < 0x80) put(part);
        }
    }

    void put(std::uint32_t code_point) {
        reserve(kBlock);
        const std::uint32_t length = encode_utf8(code_point, out_.bytes.data() + out_.size);
        if (length > 1) out_.ascii = false;
        const std::uint64_t all = (std::uint64_t{1} << length) - 1;
        switch (options_.marking) {
            case Marking::words_and_punctuation: {
                const CodePointClass c = classify(code_point);
                if (c.is_word()) {
                    or_bits(out_.token_bits, all);
                } else if (!c.is_space()) {
                    or_bits(out_.mark_bits, 1);
                }
                break;
            }
            case Marking::words:
                if (classify(code_point).is_word()) or_bits(out_.token_bits, all);
                break;
            case Marking::not_space:
                if (!classify(code_point).is_space()) or_bits(out_.token_bits, all);
                break;
            case Marking::separated:
                if (code_point != kSeparator) or_bits(out_.token_bits, all);
                break;
            case Marking::none:
                break;
        }
        out_.size += length;
    }

    const Source source_;
    const NormalizeOptions options_;
    NormalizedText& out_;
};

template <class Source>
void normalize_from(const Source& source, const NormalizeOptions& options, NormalizedText& out) {
    Normalizer<Source>(source, options, out).run();
}

}  // namespace

void normalize(TextSpan text, const NormalizeOptions& options, NormalizedText& out) {
    const std::uint64_t n = text.size();
    switch (text.encoding()) {
        case Encoding::utf8:
            return normalize_from(Utf8Source{static_cast<const std::uint8_t*>(text.data()), n}, options, out);
        case Encoding::latin1:
            return normalize_from(WideSource<std::uint8_t>{static_cast<const std::uint8_t*>(text.data()), n}, options,
                                  out);
        case Encoding::ucs2:
            return normalize_from(WideSource<std::uint16_t>{static_cast<const std::uint16_t*>(text.data()), n}, options,
                                  out);
        case Encoding::ucs4:
            return normalize_from(WideSource<std::uint32_t>{static_cast<const std::uint32_t*>(text.data()), n}, options,
                                  out);
    }
}

}  // namespace assay::text
