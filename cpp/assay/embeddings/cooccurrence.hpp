// cooccurrence.hpp: how often words stand at most `window` positions apart.
//
// Pairs are counted without order: (lower id, higher id). Ids are ranks by frequency, so that most pairs are of two
// frequent words: those are counted in a square table. The others are written down, and a full list of them is sorted
// and shortened to a run of distinct pairs with their counts. Runs are merged at the end, wherever they were kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/memory.hpp"

namespace assay::embeddings {

/// Distinct pairs in rising order; the key of (lower, higher) is lower · n_words + higher.
struct PairRun {
    std::vector<std::uint64_t> keys;
    std::vector<std::int64_t> counts;
};

struct PairRunView {
    std::span<const std::uint64_t> keys;
    std::span<const std::int64_t> counts;
};

class PairCounter {
 public:
    /// Each thread writes down up to `capacity` pairs before it makes a run of them.
    PairCounter(std::int64_t n_words, std::int64_t window, std::int64_t capacity, int n_threads);
    PairCounter(const PairCounter&) = delete;

    /// Counts the pairs of words of `ids` that are at most `window` apart with no negative id, which ends a sequence,
    /// between them, except those of two words before `first`: they were counted with an earlier piece. Returns the
    /// runs that became full. Requires every id to be below n_words, and first to be at most the number of ids.
    std::vector<PairRun> add(std::span<const std::int32_t> ids, std::size_t first);

    std::int64_t n_words() const { return static_cast<std::int64_t>(n_words_); }

    /// What is left. Nothing may be added afterwards.
    std::vector<PairRun> finish();

 private:
    /// What a thread counted.
    struct Part {
        ZeroedArray<std::uint32_t> frequent;  // [lower][higher], of two frequent words
        std::uint64_t most = 0;               // no number in the table can be larger
        std::vector<std::uint64_t> pending;   // the other pairs
        std::vector<PairRun> runs;
    };
    void add_range(std::span<const std::int32_t> ids, std::size_t begin, std::size_t end, Part& part) const;
    std::vector<PairRun> take_runs();
    void make_run(Part& part) const;
    void make_frequent_run(Part& part) const;

    std::uint64_t n_words_;
    std::size_t window_, capacity_;
    std::uint32_t n_frequent_;
    std::vector<Part> parts_;
};

/// A symmetric matrix in CSR form with sorted columns.
struct PairMatrix {
    std::vector<std::int64_t> row_begin;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> counts;
};

/// Adds the runs up, each pair into both of its places (a word beside itself counts twice, once from each side), and
/// leaves out pairs that were met fewer than `least` times.
PairMatrix merge_pairs(std::span<const PairRunView> runs, std::int64_t n_words, std::int64_t least, int n_threads);

/// Adds the runs up to one.
PairRun merge_runs(std::span<const PairRunView> runs);

}  // namespace assay::embeddings
