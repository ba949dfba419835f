// ngram_counter.hpp: one thread's count of the n-grams of the documents that it is given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/key_table.hpp"
#include "assay/ngrams/ngram_keys.hpp"
#include "assay/ngrams/row_store.hpp"
#include "assay/text/analyzer.hpp"
#include "assay/text/token_table.hpp"

namespace assay::ngrams {

/// A feature in a row while vocabularies are not final: a unigram's symbol with the top bit set, or an
/// n-gram's id.
inline constexpr std::uint32_t kUnigram = 0x80000000u;

/// What is known of a feature: in how many documents it was, and where it stands in the row of the latest.
struct Occurrence {
    std::uint32_t document;  // number of the latest document that has it, counted by this thread from one
    std::uint32_t position;
    std::uint32_t document_frequency;
};

struct CountingSlot {
    std::uint64_t key;
    NgramId id;
    Occurrence occurrence;
};

class NgramCounter {
 public:
    explicit NgramCounter(const text::Analyzer& analyzer);

    /// Adds a document and gives its row of (code, count), valid until the next call.
    std::span<const FeatureCount> add(text::TextSpan text);

    /// How many times the documents seen so far there will be in all: tables grow accordingly.
    void expect(double times) { growth_ = std::clamp(times, 1.3, 4.0); }

    /// What was counted, taken out of the counter.
    struct Result {
        text::TokenTable tokens;
        std::uint32_t n_stop_words = 0;
        std::vector<std::uint64_t> ngram_keys;           // by id; a prefix has a lower id than what continues it
        std::vector<std::uint32_t> unigram_frequencies;  // documents, by symbol
        std::vector<std::uint32_t> ngram_frequencies;    // documents, by id
    };
    Result take();

 private:
    void add_tokens();
    void add_characters();
    void add_words_of_characters();
    void expand_word(std::uint64_t begin, std::uint64_t end);
    void count_levels(std::span<const Symbol> symbols);
    template <class Found>
    void walk_level(std::span<const Symbol> symbols, std::uint64_t begin, std::uint64_t end, std::uint32_t n,
                    Found&& found);
    void see(Occurrence& occurrence, std::uint32_t code, std::uint32_t times);
    Occurrence& unigram(Symbol symbol);
    std::vector<std::uint32_t> take_ngram_frequencies();

    text::Analyzer analyzer_;
    text::TokenTable tokens_;  // of Unit::word and Unit::piece; stop words have the first ids
    std::uint32_t n_stop_words_ = 0;
    KeyTable<CountingSlot> ngrams_;
    std::vector<std::uint64_t> keys_;   // by n-gram id
    std::vector<Occurrence> unigrams_;  // by symbol

    std::uint32_t document_ = 0;
    double growth_ = 2.0;
    text::TokenBatch batch_;
    text::NormalizedText text_;
    std::vector<Symbol> symbols_;
    std::vector<NgramId> prefixes_;  // [i]: id of the n-gram that begins at position i of the window
    std::vector<FeatureCount> row_;

    // Unit::char_wb: a word's features are found once and remembered.
    struct WordState {
        std::uint32_t document, position;
    };
    text::TokenTable words_;
    std::vector<std::uint64_t> word_features_offsets_{0};
    std::vector<std::uint32_t> word_features_;
    std::vector<WordState> word_states_;
    std::vector<FeatureCount> words_of_document_;
    std::vector<Occurrence> ngram_occurrences_;  // by id: the features come from memory, not from the table
};

}  // namespace assay::ngrams
