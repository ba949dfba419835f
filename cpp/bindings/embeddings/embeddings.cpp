// embeddings.cpp: who stands near whom, and word2vec.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "assay/embeddings/cooccurrence.hpp"
#include "assay/embeddings/word2vec.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

using Ids = InputArray<std::int32_t>;
using Keys = InputArray<std::uint64_t>;
using Counts = InputArray<std::int64_t>;

/// Word ids as spans; negative ones end a sequence.
std::span<const std::int32_t> checked_ids(const Ids& ids, std::int64_t n_words) {
    const auto found = span_of(ids);
    if (!found.empty()) {
        const std::int32_t highest = *std::max_element(found.begin(), found.end());
        require(highest < n_words, "word " + std::to_string(highest) + " is not one of " + std::to_string(n_words));
    }
    return found;
}

auto to_arrays_of_runs(std::vector<embeddings::PairRun>&& runs) {
    std::vector<std::tuple<NumpyArray<std::uint64_t>, NumpyArray<std::int64_t>>> arrays;
    for (embeddings::PairRun& run : runs) arrays.push_back(to_arrays(std::move(run.keys), std::move(run.counts)));
    return arrays;
}

std::vector<embeddings::PairRunView> views_of(const std::vector<std::pair<Keys, Counts>>& runs, std::int64_t n_words) {
    std::vector<embeddings::PairRunView> views;
    const auto limit = static_cast<std::uint64_t>(n_words) * static_cast<std::uint64_t>(n_words);
    for (const auto& [keys, counts] : runs) {
        require_size("the counts of a run", counts.size(), keys.size());
        require(keys.size() == 0 || keys(keys.size() - 1) < limit, "a run holds a pair of words that are not there");
        views.push_back({span_of(keys), span_of(counts)});
    }
    return views;
}

void bind_cooccurrence(nb::module_& m) {
    nb::class_<embeddings::PairCounter>(m, "PairCounter")
        .def(
            "__init__",
            [](embeddings::PairCounter* self, std::int64_t n_words, std::int64_t window, std::int64_t capacity,
               int n_threads) {
                require(n_words > 0 && n_words < (std::int64_t{1} << 31), "n_words must be from 1 to 2^31 - 1");
                require(window > 0 && capacity > 0, "window and capacity must be at least 1");
                new (self) embeddings::PairCounter(n_words, window, capacity, n_threads);
            },
            "n_words"_a, "window"_a, "capacity"_a, "n_threads"_a)
        .def(
            "add",
            [](embeddings::PairCounter& self, const Ids& ids, std::size_t first) {
                require(first <= ids.size(), "there are fewer ids than were counted before");
                return to_arrays_of_runs(
                    without_gil([&] { return self.add(checked_ids(ids, self.n_words()), first); }));
            },
            "ids"_a.noconvert(), "first"_a, "Counts pairs; the runs that became full.")
        .def("finish", [](embeddings::PairCounter& self) {
            return to_arrays_of_runs(without_gil([&] { return self.finish(); }));
        });
    m.def(
        "merge_pair_runs",
        [](const std::vector<std::pair<Keys, Counts>>& runs, std::int64_t n_words) {
            embeddings::PairRun merged = without_gil([&] { return embeddings::merge_runs(views_of(runs, n_words)); });
            return to_arrays(std::move(merged.keys), std::move(merged.counts));
        },
        "runs"_a, "n_words"_a, "One run of many.");
    m.def(
        "merge_pairs",
        [](const std::vector<std::pair<Keys, Counts>>& runs, std::int64_t n_words, std::int64_t least, int n_threads) {
            embeddings::PairMatrix matrix = without_gil(
                [&] { return embeddings::merge_pairs(views_of(runs, n_words), n_words, least, n_threads); });
            return to_arrays(std::move(matrix.row_begin), std::move(matrix.columns), std::move(matrix.counts));
        },
        "runs"_a, "n_words"_a, "least"_a, "n_threads"_a,
        "The symmetric matrix of counts: row offsets, columns, counts.");
}

template <class Step>
auto one_step(Step step) {
    return [step](const Table<float>& input, const Table<float>& output, std::int32_t centre, const Ids& contexts,
                  const Ids& drawn, double rate) {
        const auto n_words = static_cast<std::int64_t>(input.shape(0));
        require(input.shape(0) == output.shape(0) && input.shape(1) == output.shape(1),
                "input and output differ in shape");
        require(contexts.size() > 0, "a window needs contexts");
        require(centre >= 0 && centre < n_words, "the centre is not one of the words");
        require_range("contexts", span_of(contexts), n_words);
        require_range("drawn", span_of(drawn), n_words);
        step(span_of(input), span_of(output), static_cast<std::int64_t>(input.shape(1)), centre, span_of(contexts),
             span_of(drawn), rate);
    };
}

void bind_word2vec(nb::module_& m) {
    nb::class_<embeddings::Word2VecTrainer>(m, "Word2VecTrainer")
        .def(
            "__init__",
            [](embeddings::Word2VecTrainer* self, const Table<const float>& input, const Table<const float>& output,
               const InputArray<double>& draw_weights, const InputArray<double>& keep_shares, std::int64_t window,
               std::int64_t negatives, bool skip_gram, int n_shards, std::uint64_t seed) {
                const auto n_words = static_cast<std::int64_t>(input.shape(0));
                require(n_words > 0 && input.shape(1) > 0, "word2vec needs words and dimensions");
                require(input.shape(0) == output.shape(0) && input.shape(1) == output.shape(1),
                        "input and output differ in shape");
                require_size("draw_weights", draw_weights.size(), input.shape(0));
                require_size("keep_shares", keep_shares.size(), input.shape(0));
                require(window > 0 && window < (std::int64_t{1} << 32) && negatives >= 0 && n_shards > 0,
                        "window and n_shards must be at least 1, negatives at least 0");
                new (self) embeddings::Word2VecTrainer(
                    {n_words, static_cast<std::int64_t>(input.shape(1)), window, negatives, skip_gram, n_shards, seed},
                    span_of(input), span_of(output), span_of(draw_weights), span_of(keep_shares));
            },
            "input"_a, "output"_a, "draw_weights"_a, "keep_shares"_a, "window"_a, "negatives"_a, "skip_gram"_a,
            "n_shards"_a, "seed"_a)
        .def(
            "learn",
            [](embeddings::Word2VecTrainer& self, const Ids& ids, std::uint64_t round, double rate_begin,
               double rate_end, int n_threads) {
                without_gil([&] {
                    self.learn(checked_ids(ids, self.settings().n_words), round, rate_begin, rate_end, n_threads);
                });
            },
            "ids"_a.noconvert(), "round"_a, "rate_begin"_a, "rate_end"_a, "n_threads"_a,
            "Learns from one round of text.")
        .def(
            "copy_vectors",
            [](const embeddings::Word2VecTrainer& self, const Table<float>& input, const Table<float>& output) {
                self.copy_input(span_of(input));
                self.copy_output(span_of(output));
            },
            "input"_a, "output"_a);
    m.def("skip_gram_step", one_step(embeddings::skip_gram_step), "input"_a.noconvert(), "output"_a.noconvert(),
          "centre"_a, "contexts"_a, "drawn"_a, "rate"_a, "One update of skip-gram, in place.");
    m.def("cbow_step", one_step(embeddings::cbow_step), "input"_a.noconvert(), "output"_a.noconvert(), "centre"_a,
          "contexts"_a, "drawn"_a, "rate"_a, "One update of CBOW, in place.");
}

}  // namespace

void bind_embeddings(nb::module_& m) {
    bind_cooccurrence(m);
    bind_word2vec(m);
}

}  // namespace assay::bindings
