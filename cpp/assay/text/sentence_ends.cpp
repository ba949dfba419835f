#include "assay/text/sentence_ends.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "assay/text/text.hpp"

namespace assay::text {
namespace {

using namespace std::string_view_literals;

constexpr std::array kTitles{"capt"sv, "col"sv,    "dr"sv,  "gen"sv, "gov"sv, "hon"sv, "jr"sv,
                             "lt"sv,   "messrs"sv, "mr"sv,  "mrs"sv, "ms"sv,  "mx"sv,  "prof"sv,
                             "rep"sv,  "rev"sv,    "sen"sv, "sgt"sv, "sr"sv,  "st"sv,  "vs"sv};
constexpr std::array<std::uint32_t, 7> kEnds{'.', '!', '?', 0x2026, 0x061F, 0x06D4, 0x0964};
constexpr std::array<std::uint32_t, 3> kWideEnds{0x3002, 0xFF01, 0xFF1F};
constexpr std::array<std::uint32_t, 14> kClosing{'"',    '\'',   ')',    ']',    '}',    0x2019, 0x201D,
                                                 0x00BB, 0x203A, 0x300D, 0x300F, 0xFF09, 0x2018, 0x201C};

template <class Values>
bool among(const Values& values, const typename Values::value_type& value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

bool is_word_at(const NormalizedText& text, std::uint64_t at) {
    return (text.token_bits[at / 64] >> at % 64 & 1) != 0;
}

/// Is a full stop behind this word part of it?
bool is_shortened(std::string_view word) {
    const bool one_letter = word.size() == utf8_length(static_cast<std::uint8_t>(word[0]));
    if (one_letter) return word[0] < '0' || word[0] > '9';
    if (word.size() > 6) return false;
    std::string lower(word);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return among(kTitles, std::string_view(lower));
}

bool has_empty_line(const NormalizedText& text, std::uint64_t begin, std::uint64_t end) {
    return std::count(text.data() + begin, text.data() + end, '\n') > 1;
}

}  // namespace

bool SentenceEnds::before(const NormalizedText& text, std::uint64_t begin, std::uint64_t end) {
    const bool gap = begin > last_end_, first = last_end_ == 0;
    const bool is_word = is_word_at(text, begin);
    bool ended = (gap && ending_) || (gap && !first && has_empty_line(text, last_end_, begin));
    if (ended || is_word) {
        ended |= ended_ && !first;
        ending_ = ended_ = false;
    }
    if (!is_word) see_mark(text, begin);
    last_begin_ = begin;
    last_end_ = end;
    last_is_word_ = is_word;
    return ended;
}

void SentenceEnds::see_mark(const NormalizedText& text, std::uint64_t begin) {
    const char* at = text.data() + begin;
    const std::uint32_t mark = decode_trusted(at);
    if (among(kClosing, mark)) return;  // whatever stood before it goes on
    ended_ = (ended_ && begin == last_end_) || among(kWideEnds, mark);
    ending_ = among(kEnds, mark) || ended_;
    const bool behind_word = last_is_word_ && last_end_ == begin;
    if (mark == '.' && behind_word && is_shortened({text.data() + last_begin_, last_end_ - last_begin_}))
        ending_ = false;
}

}  // namespace assay::text
