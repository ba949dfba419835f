// tokenize.hpp: walks the tokens that normalize() marked; what counts as one is decided in normalize.hpp.
#pragma once

#include <bit>
#include <cstdint>

#include "assay/text/analyzer.hpp"
#include "assay/text/normalize.hpp"

namespace assay::text {

/// Are there at least `least` code points in [begin, end)? Looks at the bytes only where their number leaves
/// a doubt.
inline bool has_code_points(const NormalizedText& text, std::uint64_t begin, std::uint64_t end, std::uint32_t least) {
    const std::uint64_t n_bytes = end - begin;
    if (n_bytes < least) return false;
    if (text.ascii || n_bytes > 4 * std::uint64_t{least - 1}) return true;
    std::uint32_t n = 0;
    for (std::uint64_t i = begin; i < end; ++i) n += (static_cast<std::uint8_t>(text.bytes[i]) & 0xC0) != 0x80;
    return n >= least;
}

/// Calls emit(begin, end) for each maximal run of marked bytes and for each punctuation character, in order.
template <class Emit>
void for_each_run(const NormalizedText& text, std::uint32_t least_code_points, bool punctuation, Emit&& emit) {
    const std::uint64_t n_words = text.n_words();
    bool inside = false;
    std::uint64_t begin = 0, carry = 0;
    for (std::uint64_t word = 0; word < n_words; ++word) {
        const std::uint64_t bits = text.token_bits[word];
        const std::uint64_t marks = punctuation ? text.mark_bits[word] : 0;
        std::uint64_t edges = bits ^ (bits << 1 | carry);  // where a run begins or has just ended
        carry = bits >> 63;
        for (std::uint64_t events = edges | marks; events != 0; events &= events - 1) {
            const std::uint64_t bit = events & (~events + 1);
            const std::uint64_t at = word * 64 + static_cast<std::uint64_t>(std::countr_zero(events));
            if ((edges & bit) != 0) {
                if (inside && has_code_points(text, begin, at, least_code_points)) emit(begin, at);
                inside = !inside;
                begin = at;
            }
            if ((marks & bit) != 0) emit(at, at + utf8_length(static_cast<std::uint8_t>(text.bytes[at])));
        }
    }
    if (inside && has_code_points(text, begin, text.size, least_code_points)) emit(begin, text.size);
}

/// Calls emit(begin, end) for each piece between separators, empty ones too; an empty text has no piece.
template <class Emit>
void for_each_piece(const NormalizedText& text, Emit&& emit) {
    if (text.size == 0) return;
    std::uint64_t begin = 0;
    for (std::uint64_t i = 0; i < text.size; ++i) {
        if (static_cast<std::uint8_t>(text.bytes[i]) == kSeparator) {
            emit(begin, i);
            begin = i + 1;
        }
    }
    emit(begin, text.size);
}

/// Calls emit(begin, end) for each token of a document that was normalised as the analyzer says.
template <class Emit>
void for_each_token(const NormalizedText& text, const Analyzer& analyzer, Emit&& emit) {
    switch (analyzer.normalize.marking) {
        case Marking::separated:
            return for_each_piece(text, emit);
        case Marking::words_and_punctuation:
            return for_each_run(text, analyzer.min_token_length, true, emit);
        default:
            return for_each_run(text, analyzer.min_token_length, false, emit);
    }
}

}  // namespace assay::text
