// vocabulary.hpp: the features of a fitted vectorizer: which n-gram stands in which column.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/key_table.hpp"
#include "assay/ngrams/merge_counts.hpp"
#include "assay/ngrams/ngram_keys.hpp"
#include "assay/text/analyzer.hpp"
#include "assay/text/token_table.hpp"

namespace assay::ngrams {

/// Strings one after the other: string i is bytes[offsets[i], offsets[i + 1]).
struct StringBlob {
    std::vector<char> bytes;
    std::vector<std::int64_t> offsets{0};
};

class StoredTerms;

class Vocabulary {
 public:
    struct Slot {
        std::uint64_t key;
        NgramId id;
        std::int32_t column;
    };

    /// From what counting found. `tokens` begins with the stop words.
    Vocabulary(text::TokenTable&& tokens, std::uint32_t n_stop_words, std::vector<std::uint64_t>&& keys,
               Columns&& columns);

    /// From the features' names; term i stands in column columns[i]. A term that the analyzer can never
    /// produce keeps its column, empty. Throws std::invalid_argument where sizes or columns do not fit together.
    Vocabulary(const text::Analyzer& analyzer, const StoredTerms& terms, std::span<const std::int32_t> columns,
               std::int64_t n_columns);

    std::int64_t n_columns() const { return columns_.n_columns; }

    /// The features' names in the order of their columns (an unreachable term's is empty).
    StringBlob names(text::Unit unit) const;

    // Look-ups of a transform. A token that is a stop word is kStopWord, an unknown one kNoSymbol.
    static constexpr Symbol kStopWord = 0xFFFFFFFE;
    Symbol symbol_of(const text::TokenTable::Key& key) const {
        const Symbol token = tokens_.find(key);
        return token < n_stop_words_ ? kStopWord : token;
    }
    const text::TokenTable& tokens() const { return tokens_; }
    std::int32_t unigram_column(Symbol symbol) const {
        return symbol < columns_.of_unigram.size() ? columns_.of_unigram[symbol] : kNoColumn;
    }
    const KeyTable<Slot>& table() const;

 private:
    struct Term {
        std::uint64_t symbols_end;  // of symbols_
        std::int32_t column;
        bool reachable;           // by the analyzer
        std::uint64_t key, home;  // of its first two symbols
    };
    void split_term(const text::Analyzer& analyzer, std::string_view term, const char* readable_end);
    void split_words(std::string_view term, const char* readable_end);
    void intern_words();
    void add_terms(const text::Analyzer& analyzer);
    void add_term(std::span<const Symbol> symbols, const Term& term);

    text::TokenTable tokens_;
    std::uint32_t n_stop_words_ = 0;
    std::vector<std::uint64_t> keys_;
    Columns columns_;
    mutable KeyTable<Slot> table_;  // filled when first needed
    mutable bool has_table_ = false;
    mutable std::mutex table_mutex_;

    // Working space while terms are added, a batch at a time.
    std::vector<Symbol> symbols_;
    std::vector<Term> terms_;
    std::vector<text::TokenTable::Key>
        words_;                    // one for each of symbols_; without bytes: the first word of the term before
    std::string_view first_word_;  // of the term before: sorted terms often begin alike
    Symbol first_symbol_ = kNoSymbol;
    std::deque<std::string> padded_;  // copies of words that end too near to the end of the bytes
};

}  // namespace assay::ngrams
