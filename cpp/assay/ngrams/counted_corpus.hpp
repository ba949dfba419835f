// counted_corpus.hpp: the documents of a fit: their n-grams counted, named, pruned and written as a matrix.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "assay/ngrams/matrix_rows.hpp"
#include "assay/ngrams/merge_counts.hpp"
#include "assay/ngrams/ngram_counter.hpp"
#include "assay/ngrams/row_store.hpp"
#include "assay/ngrams/vocabulary.hpp"
#include "assay/text/analyzer.hpp"
#include "assay/text/text.hpp"

namespace assay::ngrams {

class CountedCorpus {
 public:
    /// Counts all documents by each analyzer, in one pass over them, each thread in tables of its own that are merged.
    static std::vector<std::unique_ptr<CountedCorpus>> count(std::span<const text::TextSpan> documents,
                                                             std::span<const text::Analyzer> analyzers, int n_threads);

    std::int64_t n_documents() const { return rows_.n_rows(); }
    std::int64_t n_features() const;  // of all documents, before any is given a column

    /// Gives a column to each feature in `lowest` to `highest` documents, in alphabetical order; returns
    /// their number.
    std::int64_t assign_columns(double lowest, double highest);

    /// Of the columns, keeps those marked, and numbers them anew.
    void keep_columns(std::span<const std::uint8_t> marked);

    std::vector<std::int64_t> document_frequencies() const;   // by column
    std::vector<std::int64_t> term_frequencies(bool binary);  // by column

    /// The rows, ready to be weighted; valid as long as this object.
    RowBlock rows();

    /// Whether every feature has a column.
    bool complete() const { return complete_; }

    /// The features, with what is needed to find them again; those without a column are among them. Columns may not be
    /// assigned anew afterwards.
    std::unique_ptr<Vocabulary> take_vocabulary();

 private:
    CountedCorpus(std::int64_t n_documents, const text::Analyzer& analyzer, int n_threads);
    void begin_counting();
    void count_document(std::int64_t row, text::TextSpan text, int thread);
    void finish_counting();
    void order(const Kept& kept);
    Columns order_by_name(const Kept& kept);
    void make_maps();

    text::Analyzer analyzer_;
    int n_threads_;
    RowStore rows_;
    std::vector<std::uint8_t> thread_of_row_;
    std::vector<std::unique_ptr<NgramCounter>> counters_;  // of each thread, while counting
    std::vector<std::unique_ptr<RowStore::Writer>> writers_;
    MergedCounts counted_;
    Columns columns_;
    bool complete_ = true;
    std::vector<CodeMap> maps_;
};

}  // namespace assay::ngrams
