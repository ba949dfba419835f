// word2vec.hpp: skip-gram and CBOW with negative sampling (Mikolov et al. 2013), the same bits for any number of
// threads.
//
// The text comes in rounds. A round is cut into `n_shards` equal parts; each is learned by itself, one position after
// the other, from a copy of the vectors as they were at the beginning of the round. Then the copies are merged row by
// row, see merge_replicas.hpp. With one shard there are no copies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/random.hpp"
#include "assay/embeddings/alias_sampler.hpp"
#include "assay/embeddings/replica.hpp"
#include "assay/embeddings/word2vec_step.hpp"

namespace assay::embeddings {

struct Word2VecSettings {
    std::int64_t n_words, dimensions;
    std::int64_t window;     // the farthest reach to each side; every position draws its own, from 1 to this
    std::int64_t negatives;  // words drawn for each position
    bool skip_gram;          // else CBOW
    int n_shards;
    std::uint64_t seed;
};

class Word2VecTrainer {
 public:
    /// `input` and `output` hold one row a word; `draw_weights` says how often a word is drawn, `keep_shares` what
    /// share of a word's occurrences is looked at.
    Word2VecTrainer(const Word2VecSettings& settings, std::span<const float> input, std::span<const float> output,
                    std::span<const double> draw_weights, std::span<const double> keep_shares);

    /// Learns from word ids; a negative one ends a sequence. The rate goes from rate_begin to rate_end. Rounds with
    /// different numbers draw different words. Requires every id to be below n_words.
    void learn(std::span<const std::int32_t> ids, std::uint64_t round, double rate_begin, double rate_end,
               int n_threads);

    const Word2VecSettings& settings() const { return settings_; }
    void copy_input(std::span<float> to) const { replicas_.base().input.copy_to(to); }
    void copy_output(std::span<float> to) const { replicas_.base().output.copy_to(to); }

 private:
    template <int Bytes>
    friend class ShardLearner;

    Word2VecSettings settings_;
    AliasSampler draw_;
    std::vector<std::uint64_t> keep_below_;  // of 2³²
    ReplicaSet replicas_;
};

/// One update of skip-gram for a position, on plain rows of `dimensions` numbers: contexts and drawn words may come
/// several times. For tests of the kernel.
void skip_gram_step(std::span<float> input, std::span<float> output, std::int64_t dimensions, std::int32_t centre,
                    std::span<const std::int32_t> contexts, std::span<const std::int32_t> drawn, double rate);

/// The same for CBOW: the mean of the contexts is the input, and its whole step is added to each of them.
void cbow_step(std::span<float> input, std::span<float> output, std::int64_t dimensions, std::int32_t centre,
               std::span<const std::int32_t> contexts, std::span<const std::int32_t> drawn, double rate);

}  // namespace assay::embeddings
