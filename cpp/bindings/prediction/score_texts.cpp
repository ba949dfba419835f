// score_texts.cpp: scores of documents by a linear model.
#include "assay/prediction/score_texts.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>
#include <vector>

#include "assay/prediction/two_class_scorer.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/base/names.hpp"
#include "bindings/families.hpp"
#include "bindings/text/documents.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

/// A block, which refers to an analyzer and a vocabulary that Python keeps alive with it.
struct ScoredFeatures {
    prediction::ScoredBlock block;
    std::int64_t n_columns;
    InputArray<double> idf;
};

ScoredFeatures scored_features(const text::Analyzer& analyzer, const ngrams::Vocabulary* vocabulary,
                               std::uint32_t n_hashed, bool alternate_sign, bool binary, bool sublinear,
                               const std::string& norm, InputArray<double> idf) {
    require(vocabulary != nullptr || n_hashed >= 1, "hashing needs at least one column");
    const std::int64_t n_columns = vocabulary != nullptr ? vocabulary->n_columns() : std::int64_t{n_hashed};
    require(idf.size() == 0 || static_cast<std::int64_t>(idf.size()) == n_columns,
            "idf has " + std::to_string(idf.size()) + " elements for " + std::to_string(n_columns) + " columns");
    prediction::ScoredBlock block{&analyzer,
                                  vocabulary,
                                  {n_hashed, alternate_sign},
                                  {binary, sublinear, named(norm_names(), norm, "norm"), span_of(idf)},
                                  0};
    return {block, n_columns, std::move(idf)};
}

/// The blocks side by side, which must have n_features columns together.
std::vector<prediction::ScoredBlock> side_by_side(const std::vector<const ScoredFeatures*>& parts,
                                                  std::size_t n_features) {
    std::vector<prediction::ScoredBlock> blocks;
    std::int64_t n_columns = 0;
    for (const ScoredFeatures* part : parts) {
        blocks.push_back(part->block);
        blocks.back().first_column = n_columns;
        n_columns += part->n_columns;
    }
    require_size("weights", n_features, static_cast<std::size_t>(n_columns));
    return blocks;
}

/// Weights that are not zero, checked once: a single text is scored in less time than the lists of many classes take to
/// be looked through.
template <class Value>
struct ListedWeights {
    InputArray<std::int64_t> begin;
    InputArray<std::int32_t> outputs;
    InputArray<Value> values;
    std::size_t n_outputs;
};

template <class Value>
ListedWeights<Value> listed_weights(InputArray<std::int64_t> begin, InputArray<std::int32_t> outputs,
                                    InputArray<Value> values, std::int32_t n_outputs) {
    require_lists(span_of(begin), span_of(outputs), span_of(values), n_outputs);
    return {std::move(begin), std::move(outputs), std::move(values), static_cast<std::size_t>(n_outputs)};
}

template <class Value>
void bind_types(nb::module_& m) {
    m.def(
        "score_texts",
        [](const Documents& documents, const std::vector<const ScoredFeatures*>& parts, Table<const Value> weights,
           InputArray<double> bias, Table<double> scores, int n_threads) {
            const auto blocks = side_by_side(parts, weights.shape(0));
            require_size("bias", bias.size(), weights.shape(1));
            require_size("scores", scores.size(), documents.spans().size() * bias.size());
            unlocked_run([&] {
                const FeatureWeights<Value> table{span_of(weights), {}, {}};
                prediction::score_texts(documents.spans(), blocks, table, span_of(bias), n_threads, span_of(scores));
            });
        },
        "documents"_a, "blocks"_a, "weights"_a.noconvert(), "bias"_a.noconvert(), "scores"_a.noconvert(),
        "n_threads"_a);
    nb::class_<ListedWeights<Value>>(m, sizeof(Value) == 4 ? "ListedWeights32" : "ListedWeights64")
        .def(
            "score",
            [](const ListedWeights<Value>& self, const Documents& documents,
               const std::vector<const ScoredFeatures*>& parts, InputArray<double> bias, Table<double> scores,
               int n_threads) {
                const auto blocks = side_by_side(parts, self.begin.size() - 1);
                require_size("bias", bias.size(), self.n_outputs);
                require_size("scores", scores.size(), documents.spans().size() * bias.size());
                unlocked_run([&] {
                    const FeatureWeights<Value> listed{span_of(self.values), span_of(self.begin),
                                                       span_of(self.outputs)};
                    prediction::score_texts(documents.spans(), blocks, listed, span_of(bias), n_threads,
                                            span_of(scores));
                });
            },
            "documents"_a, "blocks"_a, "bias"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a);
    m.def("listed_weights", &listed_weights<Value>, "begin"_a.noconvert(), "outputs"_a.noconvert(),
          "values"_a.noconvert(), "n_outputs"_a);
}

/// The quick scorer of a model of two classes, and its weights; Python keeps the features alive with it.
struct TwoClasses {
    prediction::TwoClassScorer scorer;
    Table<const float> weights;
};

/// None where the features are not of the kind that it takes.
std::optional<TwoClasses> two_class_scorer(const ScoredFeatures& features, Table<const float> weights, double bias) {
    require_size("weights", weights.size(), static_cast<std::size_t>(features.n_columns));
    if (!prediction::TwoClassScorer::takes(features.block)) return std::nullopt;
    return TwoClasses{prediction::TwoClassScorer(features.block, span_of(weights), bias), std::move(weights)};
}

}  // namespace

void bind_score_texts(nb::module_& m) {
    nb::class_<TwoClasses>(m, "TwoClassScorer")
        .def(
            "score",
            [](const TwoClasses& self, const Documents& documents, Table<double> scores, int n_threads) {
                require_size("scores", scores.size(), documents.spans().size());
                unlocked_run([&] { self.scorer.score(documents.spans(), n_threads, span_of(scores)); });
            },
            "documents"_a, "scores"_a.noconvert(), "n_threads"_a);
    m.def("two_class_scorer", &two_class_scorer, "features"_a, "weights"_a.noconvert(), "bias"_a,
          nb::keep_alive<0, 1>());
    nb::class_<ScoredFeatures>(m, "ScoredFeatures");
    m.def("scored_features", &scored_features, "analyzer"_a, "vocabulary"_a.none(), "n_hashed"_a, "alternate_sign"_a,
          nb::kw_only(), "binary"_a, "sublinear"_a, "norm"_a, "idf"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>());
    bind_types<float>(m);
    bind_types<double>(m);
}

}  // namespace assay::bindings
