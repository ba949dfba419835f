#include "assay/vocabulary.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

#include "assay/text.hpp"
#include "assay/unicode.hpp"

namespace assay {

Vocabulary::Vocabulary(TokenTable&& tokens, std::uint32_t n_stop_words, std::vector<std::uint64_t>&& keys,
                       Columns&& columns)
    : tokens_(std::move(tokens)), n_stop_words_(n_stop_words), keys_(std::move(keys)), columns_(std::move(columns)) {}

Vocabulary::Vocabulary(const Analyzer& analyzer, std::span<const char> bytes, std::span<const std::int64_t> offsets,
                       std::span<const std::int32_t> columns, std::int64_t n_columns) {
    if (offsets.empty() || offsets.size() - 1 != columns.size()) {
        throw std::invalid_argument("a vocabulary of " + std::to_string(columns.size()) + " terms needs " +
                                    std::to_string(columns.size() + 1) + " offsets, not " +
                                    std::to_string(offsets.size()));
    }
    if (n_columns < 0 || n_columns > 0x7FFFFFFF) {
        throw std::invalid_argument("a vocabulary cannot have " + std::to_string(n_columns) + " columns");
    }
    if (offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(bytes.size())) {
        throw std::invalid_argument("the offsets of a vocabulary must run from 0 to the number of its bytes");
    }
    for (const std::string& word : analyzer.stop_words) tokens_.intern(word);
    n_stop_words_ = tokens_.size();
    columns_.n_columns = n_columns;
    has_table_ = true;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::int64_t begin = offsets[i], end = offsets[i + 1];
        if (begin > end || end > static_cast<std::int64_t>(bytes.size())) {
            throw std::invalid_argument("offset " + std::to_string(i) + " of a vocabulary is out of order");
        }
        if (columns[i] < 0 || columns[i] >= n_columns) {
            throw std::invalid_argument("column " + std::to_string(columns[i]) + " of term " + std::to_string(i) +
                                        " is not below " + std::to_string(n_columns));
        }
        add_term(analyzer, {bytes.data() + begin, static_cast<std::size_t>(end - begin)}, columns[i]);
    }
}

void Vocabulary::add_term(const Analyzer& analyzer, std::string_view term, std::int32_t column) {
    split_term(analyzer, term);
    if (!analyzer.reaches(symbols_.size())) return;
    const auto set = [](std::vector<std::int32_t>& of, std::size_t i, std::int32_t value) {
        if (i >= of.size()) of.resize(std::max(i + 1, of.size() * 2), kNoColumn);
        of[i] = value;
    };
    if (symbols_.size() == 1) return set(columns_.of_unigram, symbols_[0], column);
    NgramId prefix = kNoNgram;
    for (std::size_t i = 1; i < symbols_.size(); ++i) {
        const std::uint64_t key = i == 1 ? bigram_key(symbols_[0], symbols_[1]) : longer_key(prefix, symbols_[i]);
        table_.reserve(1);
        Slot& slot = table_.find_or_insert(key, table_.home(key));
        if (slot.id == kNoNgram) {
            slot.id = static_cast<NgramId>(keys_.size());
            slot.column = kNoColumn;
            keys_.push_back(key);
            set(columns_.of_ngram, slot.id, kNoColumn);
        }
        if (i + 1 == symbols_.size()) {
            slot.column = column;
            columns_.of_ngram[slot.id] = column;
        }
        prefix = slot.id;
    }
}

void Vocabulary::split_term(const Analyzer& analyzer, std::string_view term) {
    symbols_.clear();
    if (analyzer.unit == Unit::piece) {
        symbols_.push_back(tokens_.intern(term));
    } else if (analyzer.unit == Unit::word) {
        for (std::size_t begin = 0; begin <= term.size();) {
            const std::size_t end = std::min(term.find(' ', begin), term.size());
            const Symbol symbol = tokens_.intern(term.substr(begin, end - begin));
            if (symbol < n_stop_words_) {  // never seen by the analyzer
                symbols_.clear();
                return;
            }
            symbols_.push_back(symbol);
            begin = end + 1;
        }
    } else {
        for (const char *at = term.data(), *end = at + term.size(); at < end;) {
            const auto first = static_cast<std::uint8_t>(*at);
            if (at + utf8_length(first) > end || (first & 0xC0) == 0x80 || first >= 0xF8) {
                throw std::invalid_argument("a term of the vocabulary is not UTF-8");
            }
            const std::uint32_t code_point = decode_trusted(at);
            if (code_point >= kEndOfUnicode) throw std::invalid_argument("a term of the vocabulary is not UTF-8");
            symbols_.push_back(code_point);
        }
    }
}

const NgramTable<Vocabulary::Slot>& Vocabulary::table() const {
    std::lock_guard lock(table_mutex_);
    if (!has_table_) {
        table_.reserve(keys_.size());
        constexpr std::size_t kAhead = 24;
        for (std::size_t id = 0; id < keys_.size(); ++id) {
            if (id + kAhead < keys_.size()) table_.prefetch(table_.home(keys_[id + kAhead]));
            Slot& slot = table_.find_or_insert(keys_[id], table_.home(keys_[id]));
            slot.id = static_cast<NgramId>(id);
            slot.column = columns_.of_ngram[id];
        }
        has_table_ = true;
    }
    return table_;
}

StringBlob Vocabulary::names(Unit unit) const {
    const bool words = unit == Unit::word || unit == Unit::piece;
    const auto length_of = [&](Symbol symbol) -> std::int64_t {
        if (words) return static_cast<std::int64_t>(tokens_[symbol].size());
        char buffer[4];
        return encode_utf8(symbol, buffer);
    };
    const auto write_before = [&](Symbol symbol, char* end) {
        if (words) {
            const std::string_view token = tokens_[symbol];
            std::memcpy(end - token.size(), token.data(), token.size());
            return end - token.size();
        }
        char buffer[4];
        const std::uint32_t n = encode_utf8(symbol, buffer);
        std::memcpy(end - n, buffer, n);
        return end - n;
    };
    const std::int64_t separator = words ? 1 : 0;
    std::vector<std::int64_t> length_of_ngram(keys_.size());
    StringBlob blob;
    blob.offsets.assign(static_cast<std::size_t>(columns_.n_columns) + 1, 0);
    for (std::size_t symbol = 0; symbol < columns_.of_unigram.size(); ++symbol) {
        if (const std::int32_t column = columns_.of_unigram[symbol]; column != kNoColumn) {
            blob.offsets[static_cast<std::size_t>(column) + 1] = length_of(static_cast<Symbol>(symbol));
        }
    }
    for (std::size_t id = 0; id < keys_.size(); ++id) {
        const std::uint64_t key = keys_[id];
        const std::int64_t before = is_bigram(key) ? length_of(first_symbol(key)) : length_of_ngram[prefix_of(key)];
        length_of_ngram[id] = before + separator + length_of(last_symbol(key));
        if (const std::int32_t column = columns_.of_ngram[id]; column != kNoColumn) {
            blob.offsets[static_cast<std::size_t>(column) + 1] = length_of_ngram[id];
        }
    }
    for (std::size_t i = 1; i < blob.offsets.size(); ++i) blob.offsets[i] += blob.offsets[i - 1];
    blob.bytes.resize(static_cast<std::size_t>(blob.offsets.back()));
    const auto end_of = [&](std::int32_t column) {
        return blob.bytes.data() + blob.offsets[static_cast<std::size_t>(column) + 1];
    };
    for (std::size_t symbol = 0; symbol < columns_.of_unigram.size(); ++symbol) {
        if (const std::int32_t column = columns_.of_unigram[symbol]; column != kNoColumn) {
            write_before(static_cast<Symbol>(symbol), end_of(column));
        }
    }
    for (std::size_t id = 0; id < keys_.size(); ++id) {
        if (columns_.of_ngram[id] == kNoColumn) continue;
        char* at = end_of(columns_.of_ngram[id]);
        for (std::uint64_t key = keys_[id];; key = keys_[prefix_of(key)]) {  // from the last symbol to the first
            at = write_before(last_symbol(key), at);
            if (words) *--at = ' ';
            if (is_bigram(key)) {
                write_before(first_symbol(key), at);
                break;
            }
        }
    }
    return blob;
}

}  // namespace assay
