#include "assay/embeddings/cooccurrence.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <utility>

#include "assay/base/parallel.hpp"
#include "assay/base/radix_sort.hpp"

namespace assay::embeddings {
namespace {

constexpr std::int64_t kMostFrequent = 2048;  // their table has 16 MB

/// Calls visit(key, count) for each different key of all runs in rising order.
template <class Visit>
void for_each_merged(std::span<const PairRunView> runs, Visit&& visit) {
    struct Cursor {
        std::uint64_t key;
        std::size_t run, at;
    };
    const auto later = [](const Cursor& a, const Cursor& b) { return a.key > b.key; };
    std::vector<Cursor> heap;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (!runs[r].keys.empty()) heap.push_back({runs[r].keys[0], r, 0});
    }
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty()) {
        const std::uint64_t key = heap.front().key;
        std::int64_t count = 0;
        while (!heap.empty() && heap.front().key == key) {
            std::pop_heap(heap.begin(), heap.end(), later);
            Cursor& cursor = heap.back();
            const PairRunView& run = runs[cursor.run];
            count += run.counts[cursor.at++];
            if (cursor.at < run.keys.size()) {
                cursor.key = run.keys[cursor.at];
                std::push_heap(heap.begin(), heap.end(), later);
            } else {
                heap.pop_back();
            }
        }
        visit(key, count);
    }
}

}  // namespace

PairCounter::PairCounter(std::int64_t n_words, std::int64_t window, std::int64_t capacity, int n_threads)
    : n_words_(static_cast<std::uint64_t>(n_words)),
      window_(static_cast<std::size_t>(window)),
      capacity_(static_cast<std::size_t>(capacity)),
      n_frequent_(static_cast<std::uint32_t>(std::min(n_words, kMostFrequent))),
      parts_(static_cast<std::size_t>(std::max(n_threads, 1))) {
    for (Part& part : parts_) part.frequent = ZeroedArray<std::uint32_t>(std::size_t{n_frequent_} * n_frequent_);
}

std::vector<PairRun> PairCounter::add(std::span<const std::int32_t> ids, std::size_t first) {
    const std::size_t n = parts_.size(), n_new = ids.size() - first;
    run_threads(static_cast<int>(n), [&](int thread) {
        const auto at = static_cast<std::size_t>(thread);
        add_range(ids, first + n_new * at / n, first + n_new * (at + 1) / n, parts_[at]);
    });
    return take_runs();
}

std::vector<PairRun> PairCounter::take_runs() {
    std::vector<PairRun> runs;
    for (Part& part : parts_) {
        for (PairRun& run : part.runs) runs.push_back(std::move(run));
        part.runs.clear();
    }
    return runs;
}

/// Counts each word of a range with those before it, which may stand before the range.
void PairCounter::add_range(std::span<const std::int32_t> ids, std::size_t begin, std::size_t end, Part& part) const {
    for (std::size_t i = begin; i < end; ++i) {
        const std::int32_t id = ids[i];
        if (id < 0) continue;
        for (std::size_t j = i; j > i - std::min(i, window_) && ids[j - 1] >= 0; --j) {
            const auto lower = static_cast<std::uint32_t>(std::min(id, ids[j - 1]));
            const auto higher = static_cast<std::uint32_t>(std::max(id, ids[j - 1]));
            if (higher < n_frequent_) {
                ++part.frequent[std::size_t{lower} * n_frequent_ + higher];
            } else {
                part.pending.push_back(lower * n_words_ + higher);
            }
        }
        if (part.pending.size() >= capacity_) make_run(part);
        part.most += window_;
        if (part.most + window_ > std::numeric_limits<std::uint32_t>::max()) make_frequent_run(part);
    }
}

void PairCounter::make_run(Part& part) const {
    std::vector<std::uint64_t> space;
    const int n_bits = std::max(1, static_cast<int>(std::bit_width(n_words_ * n_words_ - 1)));
    radix_sort(part.pending, space, n_bits, std::identity());
    PairRun run;
    for (const std::uint64_t key : part.pending) {
        if (run.keys.empty() || run.keys.back() != key) {
            run.keys.push_back(key);
            run.counts.push_back(0);
        }
        ++run.counts.back();
    }
    part.pending.clear();
    if (!run.keys.empty()) part.runs.push_back(std::move(run));
}

void PairCounter::make_frequent_run(Part& part) const {
    PairRun run;
    for (std::uint32_t lower = 0; lower < n_frequent_; ++lower) {
        for (std::uint32_t higher = lower; higher < n_frequent_; ++higher) {
            std::uint32_t& count = part.frequent[std::size_t{lower} * n_frequent_ + higher];
            if (count == 0) continue;
            run.keys.push_back(lower * n_words_ + higher);
            run.counts.push_back(std::exchange(count, 0U));
        }
    }
    part.most = 0;
    if (!run.keys.empty()) part.runs.push_back(std::move(run));
}

std::vector<PairRun> PairCounter::finish() {
    run_threads(static_cast<int>(parts_.size()), [&](int thread) {
        Part& part = parts_[static_cast<std::size_t>(thread)];
        make_run(part);
        make_frequent_run(part);
    });
    std::vector<PairRun> runs = take_runs();
    for (Part& part : parts_) part = {};
    return runs;
}

PairRun merge_runs(std::span<const PairRunView> runs) {
    PairRun merged;
    for_each_merged(runs, [&](std::uint64_t key, std::int64_t count) {
        merged.keys.push_back(key);
        merged.counts.push_back(count);
    });
    return merged;
}

namespace {

/// Cuts the keys into n ranges with about as many entries of the runs each; range i is [cuts[i], cuts[i + 1]).
std::vector<std::uint64_t> cut_keys(std::span<const PairRunView> runs, std::size_t n) {
    std::vector<std::uint64_t> cuts{0};
    const auto shorter = [](const PairRunView& a, const PairRunView& b) { return a.keys.size() < b.keys.size(); };
    const auto longest = std::max_element(runs.begin(), runs.end(), shorter);
    for (std::size_t i = 1; i < n; ++i) {
        const bool empty = longest == runs.end() || longest->keys.empty();
        cuts.push_back(empty ? 0 : longest->keys[longest->keys.size() * i / n]);
    }
    cuts.push_back(~std::uint64_t{0});
    return cuts;
}

/// The entries with keys in [begin, end).
std::vector<PairRunView> between(std::span<const PairRunView> runs, std::uint64_t begin, std::uint64_t end) {
    std::vector<PairRunView> parts;
    for (const PairRunView& run : runs) {
        const auto place = [&](std::uint64_t key) {
            return static_cast<std::size_t>(std::lower_bound(run.keys.begin(), run.keys.end(), key) - run.keys.begin());
        };
        const std::size_t first = place(begin), last = place(end);
        parts.push_back({run.keys.subspan(first, last - first), run.counts.subspan(first, last - first)});
    }
    return parts;
}

/// Where a thread writes next, by row: the pairs in which its word is the higher one, and those in which it is the
/// lower.
struct RowPlaces {
    std::vector<std::int64_t> as_higher, as_lower;
};

}  // namespace

PairMatrix merge_pairs(std::span<const PairRunView> runs, std::int64_t n_words, std::int64_t least, int n_threads) {
    const auto n = static_cast<std::size_t>(n_words);
    const auto n_parts = static_cast<std::size_t>(std::max(n_threads, 1));
    const std::vector<std::uint64_t> cuts = cut_keys(runs, n_parts);
    std::vector<RowPlaces> places(n_parts, {std::vector<std::int64_t>(n), std::vector<std::int64_t>(n)});
    const auto for_each_kept = [&](std::size_t part, auto&& visit) {
        for_each_merged(between(runs, cuts[part], cuts[part + 1]), [&](std::uint64_t key, std::int64_t count) {
            const std::size_t lower = key / n, higher = key % n;
            const std::int64_t met = lower == higher ? 2 * count : count;
            if (met >= least) visit(lower, higher, met);
        });
    };
    run_threads(static_cast<int>(n_parts), [&](int thread) {
        const auto part = static_cast<std::size_t>(thread);
        RowPlaces& mine = places[part];
        for_each_kept(part, [&](std::size_t lower, std::size_t higher, std::int64_t) {
            ++mine.as_lower[lower];
            if (lower != higher) ++mine.as_higher[higher];
        });
    });
    // A row is first the pairs in which its word is the higher one, then those in which it is the lower one: both come
    // in the order of the keys, and the columns of a row rise.
    PairMatrix matrix;
    matrix.row_begin.resize(n + 1);
    std::int64_t at = 0;
    for (std::size_t row = 0; row < n; ++row) {
        for (RowPlaces& mine : places) at += std::exchange(mine.as_higher[row], at);
        for (RowPlaces& mine : places) at += std::exchange(mine.as_lower[row], at);
        matrix.row_begin[row + 1] = at;
    }
    matrix.columns.resize(static_cast<std::size_t>(at));
    matrix.counts.resize(matrix.columns.size());
    run_threads(static_cast<int>(n_parts), [&](int thread) {
        const auto part = static_cast<std::size_t>(thread);
        RowPlaces& mine = places[part];
        const auto put = [&](std::int64_t& next, std::size_t column, std::int64_t count) {
            const auto place = static_cast<std::size_t>(next++);
            matrix.columns[place] = static_cast<std::int32_t>(column);
            matrix.counts[place] = count;
        };
        for_each_kept(part, [&](std::size_t lower, std::size_t higher, std::int64_t count) {
            put(mine.as_lower[lower], higher, count);
            if (lower != higher) put(mine.as_higher[higher], lower, count);
        });
    });
    return matrix;
}

}  // namespace assay::embeddings
