// word_reader.hpp: texts as sequences of word ids, for what looks at words in their order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/text/analyzer.hpp"
#include "assay/text/text.hpp"
#include "assay/text/token_table.hpp"

namespace assay::text {

/// Gives every different word an id in the order of first appearance and counts it.
class WordReader {
 public:
    static constexpr std::int32_t kBoundary = -1;

    struct Options {
        Analyzer analyzer;              // of which tokens it tells
        bool by_sentence = false;       // else a whole document is one sequence
        bool keep_punctuation = false;  // else only words get ids
    };
    explicit WordReader(Options options);

    /// The ids of the words of all documents, kBoundary behind each sequence. The result does not depend on n_threads.
    std::vector<std::int32_t> read(std::span<const TextSpan> documents, int n_threads);

    std::uint32_t n_words() const { return table_.size(); }
    std::span<const std::int64_t> counts() const { return counts_; }
    std::string_view word(std::uint32_t id) const { return table_[id]; }

 private:
    struct Block;
    void read_document(TextSpan document, Block& block) const;

    Options options_;
    TokenTable table_;
    std::vector<std::int64_t> counts_;  // by id
};

}  // namespace assay::text
