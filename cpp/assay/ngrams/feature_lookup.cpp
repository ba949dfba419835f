#include "assay/ngrams/feature_lookup.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <string>

#include "assay/base/radix_sort.hpp"
#include "assay/text/characters.hpp"
#include "assay/text/tokenize.hpp"

namespace assay::ngrams {
namespace {

constexpr std::uint64_t kWindow = 1 << 14;
constexpr std::uint64_t kAhead = 24;

std::uint32_t zigzag(std::int32_t value) {
    return static_cast<std::uint32_t>(value) << 1 ^ static_cast<std::uint32_t>(value >> 31);
}

/// 32-bit MurmurHash3 with seed 0 (Austin Appleby, public domain algorithm), as scikit-learn's FeatureHasher uses it.
/// The string may be continued after a hash was taken of it. Three bytes after the string must be readable.
class Murmur3 {
 public:
    explicit Murmur3(const char* begin) : begin_(begin), at_(begin) {}

    /// Hash of [begin, end); `end` never goes back.
    std::int32_t hash(const char* end) {
        // The lengths of words are hard to predict, so the first blocks are mixed in whether they are there or not, and
        // the result is taken if they are.
        auto n_blocks = (end - at_) >> 2;
        const auto first = std::min<std::ptrdiff_t>(n_blocks, kUnrolled);
        for (std::ptrdiff_t i = 0; i < kUnrolled; ++i) {
            const std::uint32_t mixed = mix_in(blocks_, load(at_ + 4 * (i < first ? i : 0)));
            blocks_ = i < first ? mixed : blocks_;
        }
        at_ += 4 * first;
        for (n_blocks -= first; n_blocks > 0; --n_blocks, at_ += 4) blocks_ = mix_in(blocks_, load(at_));
        const std::uint32_t tail = load(at_) & ((1u << (8 * (end - at_))) - 1);
        std::uint32_t h = blocks_ ^ scramble(tail);  // of nothing: 0
        h ^= static_cast<std::uint32_t>(end - begin_);
        h = (h ^ h >> 16) * 0x85EBCA6B;
        h = (h ^ h >> 13) * 0xC2B2AE35;
        return static_cast<std::int32_t>(h ^ h >> 16);
    }

 private:
    static constexpr std::ptrdiff_t kUnrolled = 3;

    static std::uint32_t load(const char* bytes) {
        std::uint32_t word;
        std::memcpy(&word, bytes, 4);
        return word;
    }
    static std::uint32_t scramble(std::uint32_t k) { return std::rotl(k * 0xCC9E2D51, 15) * 0x1B873593; }
    static std::uint32_t mix_in(std::uint32_t h, std::uint32_t k) {
        return std::rotl(h ^ scramble(k), 13) * 5 + 0xE6546B64;
    }

    const char* begin_;
    const char* at_;  // what is before it is in blocks_
    std::uint32_t blocks_ = 0;
};

/// Column of a hash, times two, plus one if its sign is negative.
std::uint32_t code_of(std::int32_t hash, const Hashing& hashing) {
    const std::uint32_t magnitude = hash < 0 ? 0u - static_cast<std::uint32_t>(hash) : static_cast<std::uint32_t>(hash);
    const bool power_of_two = std::has_single_bit(hashing.n_columns);
    const std::uint32_t column = power_of_two ? magnitude & (hashing.n_columns - 1) : magnitude % hashing.n_columns;
    return column << 1 | static_cast<std::uint32_t>(hashing.alternate_sign && hash < 0);
}

}  // namespace

HashedFeature hash_feature(const char* bytes, std::uint64_t length, const Hashing& hashing) {
    std::string padded(bytes, length);
    padded.append(4, '\0');
    const std::uint32_t code = code_of(Murmur3(padded.data()).hash(padded.data() + length), hashing);
    return {code >> 1, (code & 1) != 0};
}

FeatureLookup::FeatureLookup(const text::Analyzer& analyzer, const Vocabulary& vocabulary)
    : analyzer_(analyzer),
      vocabulary_(vocabulary),
      table_(vocabulary.table()),
      column_bits_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(vocabulary.n_columns())))) {}

std::span<const std::uint32_t> FeatureLookup::columns(text::TextSpan text) {
    columns_.clear();
    text::normalize(text, analyzer_.normalize, text_);
    if (analyzer_.of_tokens()) {
        find_tokens();
        find_levels(symbols_, analyzer_.min_n, analyzer_.max_n, columns_);
    } else if (analyzer_.unit == text::Unit::chars) {
        text::collapse_spaces(text_, symbols_);
        find_levels(symbols_, analyzer_.min_n, analyzer_.max_n, columns_);
    } else {
        text::for_each_token(text_, analyzer_, [&](std::uint64_t begin, std::uint64_t end) {
            memory_.append(text_.data() + begin, end - begin, columns_, [&](std::vector<std::uint32_t>& out) {
                text::pad_word(text_, begin, end, symbols_);
                const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(symbols_.size(), 0xFFFFFFFF));
                find_levels(symbols_, std::min(analyzer_.min_n, n), std::min(analyzer_.max_n, n), out);
            });
        });
    }
    return columns_;
}

std::span<const FeatureCount> FeatureLookup::row(text::TextSpan text) {
    columns(text);
    row_.clear();
    radix_sort(columns_, space_, column_bits_, std::identity());
    for (const std::uint32_t column : columns_) {
        if (!row_.empty() && row_.back().code == column) {
            ++row_.back().count;
        } else {
            row_.push_back({column, 1});
        }
    }
    return row_;
}

std::span<const Symbol> FeatureLookup::symbols(text::TextSpan text) {
    text::normalize(text, analyzer_.normalize, text_);
    find_tokens();
    return symbols_;
}

void FeatureLookup::find_tokens() {
    symbols_.clear();
    batch_.clear();
    const auto find_batch = [&] {
        for (const text::TokenTable::Key& key : batch_.keys()) {
            const Symbol symbol = vocabulary_.symbol_of(key);
            if (symbol != Vocabulary::kStopWord) symbols_.push_back(symbol);
        }
        batch_.clear();
    };
    text::for_each_token(text_, analyzer_, [&](std::uint64_t begin, std::uint64_t end) {
        batch_.add(vocabulary_.tokens(), text_.data() + begin, end - begin);
        if (batch_.full()) find_batch();
    });
    find_batch();
}

void FeatureLookup::find_levels(std::span<const Symbol> symbols, std::uint32_t min_n, std::uint32_t max_n,
                                std::vector<std::uint32_t>& out) {
    if (min_n == 1) {
        for (const Symbol symbol : symbols) {
            if (const std::int32_t column = vocabulary_.unigram_column(symbol); column != kNoColumn) {
                out.push_back(static_cast<std::uint32_t>(column));
            }
        }
    }
    if (max_n < 2 || table_.size() == 0) return;
    for (std::uint64_t begin = 0; begin < symbols.size(); begin += kWindow) {
        const std::uint64_t end = std::min<std::uint64_t>(begin + kWindow, symbols.size());
        for (std::uint32_t n = 2; n <= max_n && begin + n <= symbols.size(); ++n) {
            find_level(symbols, begin, end, n, n >= min_n, out);
        }
    }
}

/// As NgramCounter::walk_level, with n-grams that are not there.
void FeatureLookup::find_level(std::span<const Symbol> symbols, std::uint64_t begin, std::uint64_t end, std::uint32_t n,
                               bool emit, std::vector<std::uint32_t>& out) {
    const std::uint64_t last = std::min<std::uint64_t>(end, symbols.size() - n + 1);
    const std::uint64_t count = last - begin;
    if (prefixes_.size() < count) prefixes_.resize(std::max(count, kWindow));
    const Symbol* first = symbols.data() + begin;
    const auto key_at = [&](std::uint64_t i) -> std::uint64_t {
        const Symbol next = first[i + n - 1];
        if (next == kNoSymbol) return 0;
        if (n == 2) return first[i] == kNoSymbol ? 0 : bigram_key(first[i], next);
        return prefixes_[i] == kNoNgram ? 0 : longer_key(prefixes_[i], next);
    };
    std::uint64_t homes[kAhead], keys[kAhead];
    const auto ask = [&](std::uint64_t i) {
        keys[i % kAhead] = key_at(i);
        homes[i % kAhead] = table_.home(keys[i % kAhead]);
        table_.prefetch(homes[i % kAhead]);
    };
    for (std::uint64_t i = 0; i < std::min(kAhead, count); ++i) ask(i);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t key = keys[i % kAhead];
        const Vocabulary::Slot* slot = key == 0 ? nullptr : table_.find(key, homes[i % kAhead]);
        if (i + kAhead < count) ask(i + kAhead);
        prefixes_[i] = slot == nullptr ? kNoNgram : slot->id;
        if (emit && slot != nullptr && slot->column != kNoColumn) {
            out.push_back(static_cast<std::uint32_t>(slot->column));
        }
    }
}

FeatureHashing::FeatureHashing(const text::Analyzer& analyzer, const Hashing& hashing)
    : analyzer_(analyzer), hashing_(hashing), code_bits_(static_cast<int>(std::bit_width(hashing.n_columns - 1)) + 1) {
    for (const std::string& word : analyzer_.stop_words) stop_words_.intern(word);
}

std::span<const FeatureCount> FeatureHashing::row(text::TextSpan text) {
    row_.clear();
    codes_.clear();
    text::normalize(text, analyzer_.normalize, text_);
    if (analyzer_.of_tokens()) {
        join_tokens();
        hash_ngrams(1, analyzer_.min_n, analyzer_.max_n, codes_);
    } else if (analyzer_.unit == text::Unit::chars) {
        text::collapse_spaces(text_, code_points_);
        join_characters();
        hash_ngrams(0, analyzer_.min_n, analyzer_.max_n, codes_);
    } else {
        text::for_each_token(text_, analyzer_, [&](std::uint64_t begin, std::uint64_t end) {
            memory_.append(text_.data() + begin, end - begin, codes_, [&](std::vector<std::uint32_t>& out) {
                text::pad_word(text_, begin, end, code_points_);
                join_characters();
                const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(code_points_.size(), 0xFFFFFFFF));
                hash_ngrams(0, std::min(analyzer_.min_n, n), std::min(analyzer_.max_n, n), out);
            });
        });
    }
    radix_sort(codes_, space_, code_bits_, std::identity());
    row_.resize(codes_.size());
    std::size_t n = 0;
    for (std::size_t i = 0; i < codes_.size(); ++n) {
        const std::uint32_t column = codes_[i] >> 1;
        std::int32_t sum = 0;
        for (; i < codes_.size() && codes_[i] >> 1 == column; ++i)
            sum += 1 - 2 * static_cast<std::int32_t>(codes_[i] & 1);
        row_[n] = {column, zigzag(sum)};
    }
    row_.resize(n);
    return row_;
}

/// Tokens, each with a space after it.
void FeatureHashing::join_tokens() {
    constexpr std::uint64_t kChunk = 16;
    ends_.clear();
    if (joined_.size() < 2 * text_.size + 2 * kChunk) joined_.resize(4 * text_.size + 2 * kChunk);
    char* to = joined_.data();
    text::for_each_token(text_, analyzer_, [&](std::uint64_t begin, std::uint64_t end) {
        const char* token = text_.data() + begin;
        const std::uint64_t length = end - begin;
        if (stop_words_.size() > 0 &&
            stop_words_.find(text::TokenTable::key_of(token, length)) != text::TokenTable::kNone)
            return;
        for (std::uint64_t i = 0; i < length; i += kChunk) std::memcpy(to + i, token + i, kChunk);
        to += length;
        ends_.push_back(static_cast<std::uint64_t>(to - joined_.data()));
        *to++ = ' ';
    });
}

void FeatureHashing::join_characters() {
    ends_.clear();
    if (joined_.size() < 4 * code_points_.size() + 4) joined_.resize(8 * code_points_.size() + 4);
    char* to = joined_.data();
    for (const std::uint32_t code_point : code_points_) {
        to += text::encode_utf8(code_point, to);
        ends_.push_back(static_cast<std::uint64_t>(to - joined_.data()));
    }
}

/// Symbol i is joined_[ends_[i - 1] + gap, ends_[i]). Those that begin with the same symbol share its hash.
void FeatureHashing::hash_ngrams(std::uint64_t gap, std::uint32_t min_n, std::uint32_t max_n,
                                 std::vector<std::uint32_t>& out) const {
    const std::uint64_t n_symbols = ends_.size();
    const std::size_t before = out.size();
    out.resize(before +
               n_symbols * (std::min<std::uint64_t>(max_n, n_symbols) - std::min<std::uint64_t>(min_n, n_symbols) + 1));
    std::uint32_t* at = out.data() + before;
    for (std::uint64_t i = 0; i + min_n <= n_symbols; ++i) {
        Murmur3 murmur(joined_.data() + (i == 0 ? 0 : ends_[i - 1] + gap));
        const std::uint64_t last = std::min<std::uint64_t>(n_symbols, i + max_n);
        for (std::uint64_t j = i + min_n - 1; j < last; ++j) {
            *at++ = code_of(murmur.hash(joined_.data() + ends_[j]), hashing_);
        }
    }
    out.resize(static_cast<std::size_t>(at - out.data()));
}

}  // namespace assay::ngrams
