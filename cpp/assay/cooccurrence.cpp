#include "assay/cooccurrence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "assay/parallel.hpp"

namespace assay {
namespace {

constexpr std::int64_t kMostFrequent = 2048;  // their table has 32 MB

void sort_keys(std::vector<std::uint64_t>& keys, std::uint64_t limit) {
    constexpr int kWidth = 11;
    std::vector<std::uint64_t> space(keys.size());
    for (int shift = 0; shift < 64 && limit >> shift != 0; shift += kWidth) {
        std::array<std::size_t, 1 << kWidth> starts{};
        const auto digit = [&](std::uint64_t key) {
            return static_cast<std::size_t>(key >> shift & (starts.size() - 1));
        };
        for (const std::uint64_t key : keys) ++starts[digit(key)];
        std::size_t sum = 0;
        for (std::size_t& start : starts) sum += std::exchange(start, sum);
        for (const std::uint64_t key : keys) space[starts[digit(key)]++] = key;
        std::swap(keys, space);
    }
}

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
      window_(window),
      capacity_(static_cast<std::size_t>(capacity)),
      n_frequent_(static_cast<std::uint32_t>(std::min(n_words, kMostFrequent))),
      frequent_(std::size_t{n_frequent_} * n_frequent_),
      parts_(static_cast<std::size_t>(std::max(n_threads, 1))) {}

std::vector<PairRun> PairCounter::add(std::span<const std::int32_t> ids) {
    const auto n_parts = static_cast<int>(parts_.size());
    run_threads(n_parts, [&](int thread) { add_part(ids, static_cast<std::uint32_t>(thread)); });
    std::vector<PairRun> full;
    for (Part& part : parts_) {
        for (PairRun& run : part.runs) full.push_back(std::move(run));
        part.runs.clear();
    }
    return full;
}

void PairCounter::add_part(std::span<const std::int32_t> ids, std::uint32_t part_index) {
    Part& part = parts_[part_index];
    const auto n_parts = static_cast<std::uint32_t>(parts_.size());
    const auto n = static_cast<std::int64_t>(ids.size());
    std::int64_t sequence_begin = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int32_t id = ids[static_cast<std::size_t>(i)];
        if (id < 0) {
            sequence_begin = i + 1;
            continue;
        }
        for (std::int64_t j = std::max(sequence_begin, i - window_); j < i; ++j) {
            const std::int32_t other = ids[static_cast<std::size_t>(j)];
            const auto lower = static_cast<std::uint32_t>(std::min(id, other));
            const auto higher = static_cast<std::uint32_t>(std::max(id, other));
            if (n_parts > 1 && higher % n_parts != part_index) continue;
            if (higher < n_frequent_) {
                ++frequent_[std::size_t{lower} * n_frequent_ + higher];
            } else {
                part.pending.push_back(lower * n_words_ + higher);
            }
        }
        if (part.pending.size() >= capacity_) make_run(part);
    }
}

void PairCounter::make_run(Part& part) const {
    sort_keys(part.pending, n_words_ * n_words_ - 1);
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

std::vector<PairRun> PairCounter::finish() {
    run_threads(static_cast<int>(parts_.size()),
                [&](int thread) { make_run(parts_[static_cast<std::size_t>(thread)]); });
    std::vector<PairRun> runs{frequent_run()};
    for (Part& part : parts_) {
        for (PairRun& run : part.runs) runs.push_back(std::move(run));
        part.runs.clear();
        part.pending = {};
    }
    return runs;
}

PairRun PairCounter::frequent_run() const {
    PairRun run;
    for (std::uint32_t lower = 0; lower < n_frequent_; ++lower) {
        for (std::uint32_t higher = lower; higher < n_frequent_; ++higher) {
            const std::int64_t count = frequent_[std::size_t{lower} * n_frequent_ + higher];
            if (count == 0) continue;
            run.keys.push_back(lower * n_words_ + higher);
            run.counts.push_back(count);
        }
    }
    return run;
}

PairRun merge_runs(std::span<const PairRunView> runs) {
    PairRun merged;
    for_each_merged(runs, [&](std::uint64_t key, std::int64_t count) {
        merged.keys.push_back(key);
        merged.counts.push_back(count);
    });
    return merged;
}

PairMatrix merge_pairs(std::span<const PairRunView> runs, std::int64_t n_words, std::int64_t least) {
    const auto n = static_cast<std::size_t>(n_words);
    // A row is first the pairs in which its word is the higher one, then those in which it is the lower one: both come
    // in the order of the keys, and the columns of a row rise.
    std::vector<std::int64_t> as_higher(n), as_lower(n);
    const auto for_each_kept = [&](auto&& visit) {
        for_each_merged(runs, [&](std::uint64_t key, std::int64_t count) {
            const std::size_t lower = key / n, higher = key % n;
            const std::int64_t met = lower == higher ? 2 * count : count;
            if (met >= least) visit(lower, higher, met);
        });
    };
    for_each_kept([&](std::size_t lower, std::size_t higher, std::int64_t) {
        ++as_lower[lower];
        if (lower != higher) ++as_higher[higher];
    });
    PairMatrix matrix;
    matrix.row_begin.resize(n + 1);
    for (std::size_t row = 0; row < n; ++row) {
        const std::int64_t begin = matrix.row_begin[row], middle = begin + as_higher[row];
        matrix.row_begin[row + 1] = middle + as_lower[row];
        as_higher[row] = begin;
        as_lower[row] = middle;
    }
    matrix.columns.resize(static_cast<std::size_t>(matrix.row_begin[n]));
    matrix.counts.resize(matrix.columns.size());
    const auto put = [&](std::int64_t& next, std::size_t column, std::int64_t count) {
        const auto at = static_cast<std::size_t>(next++);
        matrix.columns[at] = static_cast<std::int32_t>(column);
        matrix.counts[at] = count;
    };
    for_each_kept([&](std::size_t lower, std::size_t higher, std::int64_t count) {
        put(as_lower[lower], higher, count);
        if (lower != higher) put(as_higher[higher], lower, count);
    });
    return matrix;
}

}  // namespace assay
