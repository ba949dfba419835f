#include "assay/ngrams/vocabulary.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "assay/ngrams/stored_terms.hpp"
#include "assay/text/text.hpp"

namespace assay::ngrams {
namespace {

constexpr std::size_t kTermsPerBatch = 64;

}  // namespace

Vocabulary::Vocabulary(text::TokenTable&& tokens, std::uint32_t n_stop_words, std::vector<std::uint64_t>&& keys,
                       Columns&& columns)
    : tokens_(std::move(tokens)), n_stop_words_(n_stop_words), keys_(std::move(keys)), columns_(std::move(columns)) {}

Vocabulary::Vocabulary(const text::Analyzer& analyzer, const StoredTerms& terms, std::span<const std::int32_t> columns,
                       std::int64_t n_columns) {
    if (terms.size() != columns.size()) {
        throw std::invalid_argument("a vocabulary of " + std::to_string(columns.size()) + " terms needs " +
                                    std::to_string(columns.size() + 1) + " offsets, not " +
                                    std::to_string(terms.size() + 1));
    }
    if (n_columns < 0 || n_columns > 0x7FFFFFFF) {
        throw std::invalid_argument("a vocabulary cannot have " + std::to_string(n_columns) + " columns");
    }
    for (const std::string& word : analyzer.stop_words) tokens_.intern(word);
    n_stop_words_ = tokens_.size();
    columns_.n_columns = n_columns;
    has_table_ = true;
    if (analyzer.max_n > 1) {
        const auto n_spaces = static_cast<std::uint64_t>(std::ranges::count(terms.bytes(), ' '));
        table_.reserve(analyzer.unit == text::Unit::word
                           ? std::min<std::uint64_t>(n_spaces, columns.size() * (analyzer.max_n - 1))
                           : columns.size());
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i] < 0 || columns[i] >= n_columns) {
            throw std::invalid_argument("column " + std::to_string(columns[i]) + " of term " + std::to_string(i) +
                                        " is not below " + std::to_string(n_columns));
        }
        split_term(analyzer, terms[i], terms.bytes().data() + terms.bytes().size());
        terms_.push_back({symbols_.size(), columns[i], false, 0, 0});
        if (terms_.size() == kTermsPerBatch) add_terms(analyzer);
    }
    add_terms(analyzer);
    first_word_ = {};
    padded_.clear();
}

/// Appends the symbols of a term to symbols_.
void Vocabulary::split_term(const text::Analyzer& analyzer, std::string_view term, const char* readable_end) {
    if (analyzer.unit == text::Unit::piece) {
        symbols_.push_back(tokens_.intern(term));
    } else if (analyzer.unit == text::Unit::word) {
        split_words(term, readable_end);
    } else {
        for (const char *at = term.data(), *end = at + term.size(); at < end;)
            symbols_.push_back(text::decode_trusted(at));
    }
}

/// Notes the words of a term; their symbols are found for a whole batch.
void Vocabulary::split_words(std::string_view term, const char* readable_end) {
    for (std::size_t begin = 0; begin <= term.size();) {
        const std::size_t end = std::min(term.find(' ', begin), term.size());
        const std::string_view word = term.substr(begin, end - begin);
        if (begin == 0 && !first_word_.empty() && word == first_word_) {
            words_.push_back({});
        } else if (word.data() + word.size() + text::TokenTable::kPadding <= readable_end) {
            words_.push_back(text::TokenTable::key_of(word.data(), word.size()));
            tokens_.prefetch(words_.back());
        } else {
            padded_.emplace_back(word).append(text::TokenTable::kPadding, '\0');
            words_.push_back(text::TokenTable::key_of(padded_.back().data(), word.size()));
        }
        if (begin == 0) first_word_ = word;
        symbols_.push_back(kNoSymbol);
        begin = end + 1;
    }
}

void Vocabulary::intern_words() {
    std::uint64_t begin = 0;
    for (const Term& term : terms_) {
        for (std::uint64_t i = begin; i < term.symbols_end; ++i) {
            symbols_[i] = words_[i].token == nullptr ? first_symbol_ : tokens_.intern(words_[i]);
            if (i == begin) first_symbol_ = symbols_[i];
        }
        begin = term.symbols_end;
    }
    words_.clear();
}

/// Adds the terms that were split, asking for the slots of all before the first is needed.
void Vocabulary::add_terms(const text::Analyzer& analyzer) {
    if (analyzer.unit == text::Unit::word) intern_words();
    std::uint64_t begin = 0, n_ngrams = 0;
    for (Term& term : terms_) {
        const std::uint64_t n = term.symbols_end - begin;
        const auto is_stop_word = [&](Symbol symbol) { return symbol < n_stop_words_; };
        const auto first = symbols_.begin() + static_cast<std::ptrdiff_t>(begin);
        // What holds a stop word is never found.
        term.reachable =
            analyzer.reaches(n) && (analyzer.unit != text::Unit::word || n_stop_words_ == 0 ||
                                    std::none_of(first, first + static_cast<std::ptrdiff_t>(n), is_stop_word));
        if (term.reachable) n_ngrams += n - 1;
        begin = term.symbols_end;
    }
    table_.reserve(n_ngrams);
    begin = 0;
    for (Term& term : terms_) {
        if (term.reachable && term.symbols_end - begin >= 2) {
            term.key = bigram_key(symbols_[begin], symbols_[begin + 1]);
            term.home = table_.home(term.key);
            table_.prefetch(term.home);
        }
        begin = term.symbols_end;
    }
    begin = 0;
    for (const Term& term : terms_) {
        if (term.reachable) add_term({symbols_.data() + begin, term.symbols_end - begin}, term);
        begin = term.symbols_end;
    }
    symbols_.clear();
    terms_.clear();
}

void Vocabulary::add_term(std::span<const Symbol> symbols, const Term& term) {
    const auto set = [](std::vector<std::int32_t>& of, std::size_t i, std::int32_t value) {
        if (i >= of.size()) of.resize(std::max(i + 1, of.size() * 2), kNoColumn);
        of[i] = value;
    };
    if (symbols.size() == 1) return set(columns_.of_unigram, symbols[0], term.column);
    const auto number = [&](Slot& slot) {
        slot.id = new_ngram_id(keys_.size());
        slot.column = kNoColumn;
        keys_.push_back(slot.key);
        set(columns_.of_ngram, slot.id, kNoColumn);
    };
    NgramId prefix = kNoNgram;
    for (std::size_t i = 1; i < symbols.size(); ++i) {
        const std::uint64_t key = i == 1 ? term.key : longer_key(prefix, symbols[i]);
        Slot& slot = table_.find_or_insert(key, i == 1 ? term.home : table_.home(key), number);
        if (i + 1 == symbols.size()) {
            slot.column = term.column;
            columns_.of_ngram[slot.id] = term.column;
        }
        prefix = slot.id;
    }
}

const KeyTable<Vocabulary::Slot>& Vocabulary::table() const {
    std::lock_guard lock(table_mutex_);
    if (!has_table_) {
        table_.reserve(keys_.size());
        constexpr std::size_t kAhead = 24;
        for (std::size_t id = 0; id < keys_.size(); ++id) {
            if (id + kAhead < keys_.size()) table_.prefetch(table_.home(keys_[id + kAhead]));
            table_.find_or_insert(keys_[id], table_.home(keys_[id]), [&](Slot& slot) {
                slot.id = static_cast<NgramId>(id);
                slot.column = columns_.of_ngram[id];
            });
        }
        has_table_ = true;
    }
    return table_;
}

StringBlob Vocabulary::names(text::Unit unit) const {
    const bool words = unit == text::Unit::word || unit == text::Unit::piece;
    const auto length_of = [&](Symbol symbol) -> std::int64_t {
        if (words) return static_cast<std::int64_t>(tokens_[symbol].size());
        char buffer[4];
        return text::encode_utf8(symbol, buffer);
    };
    const auto write_before = [&](Symbol symbol, char* end) {
        if (words) {
            const std::string_view token = tokens_[symbol];
            std::memcpy(end - token.size(), token.data(), token.size());
            return end - token.size();
        }
        char buffer[4];
        const std::uint32_t n = text::encode_utf8(symbol, buffer);
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

}  // namespace assay::ngrams
