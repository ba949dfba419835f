// embeddings.cpp: words in their order, who stands near whom, and word2vec.
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
#include "assay/text/word_reader.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/base/tables.hpp"
#include "bindings/families.hpp"
#include "bindings/text/documents.hpp"

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

nb::list as_list(std::vector<embeddings::PairRun>&& runs) {
    nb::list list;
    for (embeddings::PairRun& run : runs)
        list.append(nb::make_tuple(to_numpy(std::move(run.keys)), to_numpy(std::move(run.counts))));
    return list;
}

std::vector<embeddings::PairRunView> views_of(const std::vector<std::pair<Keys, Counts>>& runs, std::int64_t n_words) {
    std::vector<embeddings::PairRunView> views;
    const auto limit = static_cast<std::uint64_t>(n_words) * static_cast<std::uint64_t>(n_words);
    for (const auto& [keys, counts] : runs) {
        require_size(counts.size(), keys.size(), "the counts of a run");
        require(keys.size() == 0 || keys(keys.size() - 1) < limit, "a run holds a pair of words that are not there");
        views.push_back({span_of(keys), span_of(counts)});
    }
    return views;
}

void bind_word_reader(nb::module_& m) {
    nb::class_<text::WordReader>(m, "WordReader")
        .def(
            "__init__",
            [](text::WordReader* self, const text::Analyzer& analyzer, bool by_sentence, bool keep_punctuation) {
                new (self) text::WordReader({analyzer, by_sentence, keep_punctuation});
            },
            "analyzer"_a, "by_sentence"_a, "keep_punctuation"_a)
        .def(
            "read",
            [](text::WordReader& self, const Documents& documents, int n_threads) {
                return to_numpy(unlocked_run([&] { return self.read(documents.spans(), n_threads); }));
            },
            "documents"_a, "n_threads"_a, "Ids of the words in order, -1 behind each sequence.")
        .def_prop_ro("n_words", &text::WordReader::n_words)
        .def("counts",
             [](const text::WordReader& self) {
                 return to_numpy(std::vector<std::int64_t>(self.counts().begin(), self.counts().end()));
             })
        .def(
            "words",
            [](const text::WordReader& self, const Ids& ids) {
                require_range(span_of(ids), self.n_words(), "ids");
                std::vector<std::uint8_t> bytes;
                std::vector<std::int64_t> offsets{0};
                for (const std::int32_t id : span_of(ids)) {
                    const std::string_view word = self.word(static_cast<std::uint32_t>(id));
                    bytes.insert(bytes.end(), word.begin(), word.end());
                    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
                }
                return nb::make_tuple(to_numpy(std::move(bytes)), to_numpy(std::move(offsets)));
            },
            "ids"_a, "The words as bytes and offsets.");
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
                return as_list(without_gil([&] { return self.add(checked_ids(ids, self.n_words()), first); }));
            },
            "ids"_a.noconvert(), "first"_a, "Counts pairs; the runs that became full.")
        .def("finish",
             [](embeddings::PairCounter& self) { return as_list(without_gil([&] { return self.finish(); })); });
    m.def(
        "merge_pair_runs",
        [](const std::vector<std::pair<Keys, Counts>>& runs, std::int64_t n_words) {
            embeddings::PairRun merged = without_gil([&] { return embeddings::merge_runs(views_of(runs, n_words)); });
            return nb::make_tuple(to_numpy(std::move(merged.keys)), to_numpy(std::move(merged.counts)));
        },
        "runs"_a, "n_words"_a, "One run of many.");
    m.def(
        "merge_pairs",
        [](const std::vector<std::pair<Keys, Counts>>& runs, std::int64_t n_words, std::int64_t least, int n_threads) {
            embeddings::PairMatrix matrix = without_gil(
                [&] { return embeddings::merge_pairs(views_of(runs, n_words), n_words, least, n_threads); });
            return nb::make_tuple(to_numpy(std::move(matrix.row_begin)), to_numpy(std::move(matrix.columns)),
                                  to_numpy(std::move(matrix.counts)));
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
        require_range(span_of(contexts), n_words, "contexts");
        require_range(span_of(drawn), n_words, "drawn");
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
                require_size(draw_weights.size(), input.shape(0), "draw_weights");
                require_size(keep_shares.size(), input.shape(0), "keep_shares");
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
        .def("copy_vectors",
             [](const embeddings::Word2VecTrainer& self, const Table<float>& input, const Table<float>& output) {
                 self.copy_input(span_of(input));
                 self.copy_output(span_of(output));
             });
    m.def("skip_gram_step", one_step(embeddings::skip_gram_step), "input"_a.noconvert(), "output"_a.noconvert(),
          "centre"_a, "contexts"_a, "drawn"_a, "rate"_a, "One update of skip-gram, in place.");
    m.def("cbow_step", one_step(embeddings::cbow_step), "input"_a.noconvert(), "output"_a.noconvert(), "centre"_a,
          "contexts"_a, "drawn"_a, "rate"_a, "One update of CBOW, in place.");
}

}  // namespace

void bind_embeddings(nb::module_& m) {
    bind_word_reader(m);
    bind_cooccurrence(m);
    bind_word2vec(m);
}

}  // namespace assay::bindings
