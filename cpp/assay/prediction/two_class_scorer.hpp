// two_class_scorer.hpp: scores of two classes by words and pairs of words, as fast as memory allows.
//
// Looking up a feature and then its weights touches three places of a model that is larger than the caches. Here each
// feature's weight and the number of its idf lie beside its key: one place. There are as many different idf as numbers
// of documents that a feature is in, and the few that most features have stay in the nearest cache. The arithmetic is
// that of score_texts, in the same order, and so are the bits; the price is a second table, which pays for itself after
// some hundreds of documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/key_table.hpp"
#include "assay/ngrams/ngram_keys.hpp"
#include "assay/prediction/score_texts.hpp"

namespace assay::prediction {

class TwoClassScorer {
 public:
    /// Whether the block is of words, alone or in pairs, and of a vocabulary.
    static bool takes(const ScoredBlock& block);

    /// Requires takes(block), and a weight for every column. What the block refers to must outlive the scorer.
    TwoClassScorer(const ScoredBlock& block, std::span<const float> weights, double bias);

    /// Requires scores.size() == documents.size().
    void score(std::span<const text::TextSpan> documents, int n_threads, std::span<double> scores) const;

 private:
    struct Weighed {
        std::uint32_t idf;  // its number in idfs_; 0: there is no such feature
        float weight;
    };
    struct Slot {
        std::uint64_t key;  // 0: free
        Weighed weighed;
    };
    class Worker;

    ScoredBlock block_;
    double bias_;
    std::vector<double> idfs_;    // the different ones
    std::vector<Weighed> words_;  // by symbol
    KeyTable<Slot> pairs_;
};

}  // namespace assay::prediction
