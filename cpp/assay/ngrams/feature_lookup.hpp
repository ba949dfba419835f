// feature_lookup.hpp: the features of one document after another, by a vocabulary or by hashing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/ngrams/ngram_keys.hpp"
#include "assay/ngrams/row_store.hpp"
#include "assay/ngrams/vocabulary.hpp"
#include "assay/text/analyzer.hpp"
#include "assay/text/text.hpp"
#include "assay/text/token_table.hpp"

namespace assay::ngrams {

struct Hashing {
    std::uint32_t n_columns;  // at least 1
    bool alternate_sign;
};

struct HashedFeature {
    std::uint32_t column;
    bool negative;  // only with an alternating sign
};

/// Signed feature hashing (Weinberger et al. 2009) with 32-bit MurmurHash3: column = |h| mod n_columns, sign = that of
/// h.
HashedFeature hash_feature(const char* bytes, std::uint64_t length, const Hashing& hashing);

/// A word's features, found once and remembered (char_wb).
class WordMemory {
 public:
    /// Appends the codes of the word's features to `row`; expand(out) is called if the word is new.
    template <class Expand>
    void append(const char* bytes, std::uint64_t length, std::vector<std::uint32_t>& row, Expand&& expand) {
        if (codes_.size() > kMostCodes) {
            words_.clear();
            codes_.clear();
            offsets_.assign(1, 0);
        }
        const std::uint32_t word = words_.intern(text::TokenTable::key_of(bytes, length));
        if (word + 1 == offsets_.size()) {
            expand(codes_);
            offsets_.push_back(codes_.size());
        }
        const auto at = [&](std::uint64_t i) { return codes_.begin() + static_cast<std::ptrdiff_t>(i); };
        row.insert(row.end(), at(offsets_[word]), at(offsets_[word + 1]));
    }

 private:
    static constexpr std::uint64_t kMostCodes = 16u << 20;
    text::TokenTable words_;
    std::vector<std::uint64_t> offsets_{0};
    std::vector<std::uint32_t> codes_;
};

/// One thread's look-up of documents in a vocabulary.
class FeatureLookup {
 public:
    FeatureLookup(const text::Analyzer& analyzer, const Vocabulary& vocabulary);

    /// The columns of the document's known features, as often and in the order in which they are found; valid until
    /// the next call.
    std::span<const std::uint32_t> columns(text::TextSpan text);

    /// The same counted, columns ascending.
    std::span<const FeatureCount> row(text::TextSpan text);

    /// The symbols of the document's tokens, unknown ones kNoSymbol, stop words left out; for analyzers of tokens.
    std::span<const Symbol> symbols(text::TextSpan text);

 private:
    void find_tokens();
    void find_levels(std::span<const Symbol> symbols, std::uint32_t min_n, std::uint32_t max_n,
                     std::vector<std::uint32_t>& out);
    void find_level(std::span<const Symbol> symbols, std::uint64_t begin, std::uint64_t end, std::uint32_t n, bool emit,
                    std::vector<std::uint32_t>& out);

    const text::Analyzer& analyzer_;
    const Vocabulary& vocabulary_;
    const KeyTable<Vocabulary::Slot>& table_;
    const int column_bits_;
    text::NormalizedText text_;
    text::TokenBatch batch_;
    std::vector<Symbol> symbols_;
    std::vector<NgramId> prefixes_;
    std::vector<std::uint32_t> columns_, space_;  // of the row's features, as often as they occur
    std::vector<FeatureCount> row_;
    WordMemory memory_;
};

/// One thread's hashing of documents. An n-gram is a slice of a buffer that holds the symbols as they are joined.
class FeatureHashing {
 public:
    FeatureHashing(const text::Analyzer& analyzer, const Hashing& hashing);

    /// Columns and zigzag-coded sums of signs (see RowBlock::signed_counts), columns ascending; sums of zero stay.
    std::span<const FeatureCount> row(text::TextSpan text);

 private:
    void join_tokens();
    void join_characters();
    void hash_ngrams(std::uint64_t gap, std::uint32_t min_n, std::uint32_t max_n,
                     std::vector<std::uint32_t>& out) const;

    const text::Analyzer& analyzer_;
    const Hashing hashing_;
    const int code_bits_;
    text::TokenTable stop_words_;
    text::NormalizedText text_;
    std::vector<std::uint32_t> code_points_;
    std::vector<char> joined_;
    std::vector<std::uint64_t> ends_;
    std::vector<std::uint32_t> codes_, space_;
    std::vector<FeatureCount> row_;
    WordMemory memory_;
};

}  // namespace assay::ngrams
