#include "assay/copies/shingles.hpp"

#include <algorithm>
#include <string_view>

#include "assay/base/hashing.hpp"
#include "assay/base/radix_sort.hpp"
#include "assay/copies/markup.hpp"
#include "assay/text/text.hpp"
#include "assay/text/token_table.hpp"
#include "assay/text/tokenize.hpp"

namespace assay::copies {
namespace {

constexpr text::NormalizeOptions kNormalize{true, text::Accents::unicode, text::Marking::words_and_punctuation};
constexpr std::uint32_t kLongRun = 41;      // characters of a word that is none
constexpr std::uint64_t kLeastHalves = 10;  // five words
constexpr std::size_t kLeastShingles = 3;
constexpr std::uint64_t kWidths[] = {3, 5, 8};  // by Kind
constexpr std::uint64_t kSeed = 0xA0761D6478BD642F;

std::uint64_t folded(std::uint64_t hash, std::uint64_t token) {
    return mix(hash ^ kSeed, token + kGolden);
}

/// Whether a script is written without blanks between its words.
bool is_unspaced(std::uint32_t c) {
    return (c >= 0x0E00 && c < 0x0F00) || (c >= 0x1000 && c < 0x10A0) || (c >= 0x1780 && c < 0x1800) ||
           (c >= 0x3040 && c < 0x3100) || (c >= 0x31F0 && c < 0x3200) || (c >= 0x3400 && c < 0x4DC0) ||
           (c >= 0x4E00 && c < 0xA000) || (c >= 0xF900 && c < 0xFB00) || (c >= 0x20000 && c < 0x40000);
}

/// What ends or joins sentences, and may be left out without changing a short text.
bool is_sentence_mark(std::uint32_t c) {
    if (c < 0x80) return std::string_view(".,;:!?'\"`-").find(static_cast<char>(c)) != std::string_view::npos;
    constexpr std::uint32_t kOthers[] = {0xA1,  0xAB,  0xB7,  0xBB,  0xBF,  0x37E, 0x387,  0x589,  0x5BE,
                                         0x60C, 0x61B, 0x61F, 0x6D4, 0x964, 0x965, 0x3001, 0x3002, 0x30FB};
    return (c >= 0x2010 && c < 0x2028) || std::ranges::find(kOthers, c) != std::end(kOthers);
}

/// Vowel signs and the like, which belong to their letters although they are no word characters.
bool is_part_of_word(std::uint32_t c) {
    return c >= 0x300 && c < 0x2000 && !is_sentence_mark(c);
}

}  // namespace

void ShingleReader::read(text::TextSpan text) {
    text::normalize(text, kNormalize, text_);
    if (without_markup(text_, plain_)) {
        text::normalize({plain_.data(), plain_.size(), text::Encoding::ucs4}, kNormalize, text_);
    }
    shingles_.clear();
    n_tokens_ = n_halves_ = words_ = short_ = marks_ = bag_ = 0;
    text::for_each_run(text_, 1, true, [&](std::uint64_t begin, std::uint64_t end) {
        const char* at = text_.data() + begin;
        const std::uint32_t first = text::decode_trusted(at);
        const bool is_word = (text_.token_bits[begin / 64] >> begin % 64 & 1) != 0;
        if (is_word || is_part_of_word(first)) {
            add_run(begin, end);
        } else {
            marks_ = folded(marks_, first);
            if (!is_sentence_mark(first)) short_ = folded(short_, first);
        }
    });
    finish();
}

/// Letters and digits in a row, of which some may be of a script without blanks.
void ShingleReader::add_run(std::uint64_t begin, std::uint64_t end) {
    if (text_.ascii) return add_word(begin, end);
    const char* const data = text_.data();
    for (const char* at = data + begin; at < data + end;) {
        const auto here = static_cast<std::uint64_t>(at - data);
        const std::uint32_t character = text::decode_trusted(at);
        if (!is_unspaced(character)) continue;
        add_word(begin, here);
        add(character, Kind::character);
        begin = static_cast<std::uint64_t>(at - data);
    }
    add_word(begin, end);
}

void ShingleReader::add_word(std::uint64_t begin, std::uint64_t end) {
    const char* at = text_.data() + begin;
    if (begin == end) return;
    if (!text::has_code_points(text_, begin, end, kLongRun)) {
        return add(text::TokenTable::key_of(at, end - begin).hash, Kind::word);
    }
    while (at < text_.data() + end) add(text::decode_trusted(at), Kind::run);
}

void ShingleReader::add(std::uint64_t hash, Kind kind) {
    words_ = folded(words_, hash);
    short_ = folded(short_, hash);
    bag_ += folded(4, hash);
    recent_[n_tokens_++ % kRecent] = {hash, kind};
    n_halves_ += kind == Kind::word ? 2 : 1;
    // Of the shingles that may end here, each has the width that the kind of its first token asks for.
    for (const std::uint64_t width : kWidths) {
        if (n_tokens_ < width) break;
        const Token& first = recent_[(n_tokens_ - width) % kRecent];
        if (kWidths[static_cast<std::size_t>(first.kind)] == width) add_shingle(width);
    }
}

void ShingleReader::add_shingle(std::uint64_t width) {
    std::uint64_t hash = width;
    for (std::uint64_t i = n_tokens_ - width; i < n_tokens_; ++i) hash = folded(hash, recent_[i % kRecent].hash);
    shingles_.push_back(static_cast<std::uint32_t>(hash >> 32));
}

void ShingleReader::finish() {
    const bool is_short = n_halves_ < kLeastHalves;
    if (is_short) {
        shingles_.clear();
    } else {
        radix_sort(shingles_, space_, 32, [](std::uint32_t shingle) { return shingle; });
        shingles_.erase(std::unique(shingles_.begin(), shingles_.end()), shingles_.end());
        if (shingles_.size() < kLeastShingles) shingles_.clear();
    }
    form_ = n_tokens_ == 0 ? folded(marks_, 1) : is_short ? folded(short_, 2) : folded(words_, 3);
}

}  // namespace assay::copies
