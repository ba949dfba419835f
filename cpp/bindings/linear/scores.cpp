#include "assay/linear/scores.hpp"

#include "bindings/base/matrices.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

template <class Value, class Index, class Weight>
void bind_types(nb::module_& m) {
    m.def(
        "score_with_table",
        [](InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           Table<const Weight> weights, InputArray<double> biases, Table<double> scores, int n_threads) {
            const nb::gil_scoped_release released;
            const auto X = checked_csr_view(static_cast<std::int64_t>(weights.shape(0)), row_begin, columns, values);
            require_size("biases", biases.size(), weights.shape(1));
            require_size("scores", scores.size(), static_cast<std::size_t>(X.n_rows()) * biases.size());
            const FeatureWeights<Weight> table{span_of(weights), {}, {}};
            linear::score_rows(X, table, span_of(biases), n_threads, span_of(scores));
        },
        "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "weights"_a.noconvert(),
        "biases"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a);
    m.def(
        "score_with_lists",
        [](InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int64_t> weight_begin, InputArray<std::int32_t> outputs, InputArray<Weight> weights,
           InputArray<double> biases, Table<double> scores, int n_threads) {
            const nb::gil_scoped_release released;
            require_lists(span_of(weight_begin), span_of(outputs), span_of(weights),
                          static_cast<std::int64_t>(biases.size()));
            const auto n_features = static_cast<std::int64_t>(weight_begin.size()) - 1;
            const auto X = checked_csr_view(n_features, row_begin, columns, values);
            require_size("scores", scores.size(), static_cast<std::size_t>(X.n_rows()) * biases.size());
            const FeatureWeights<Weight> listed{span_of(weights), span_of(weight_begin), span_of(outputs)};
            linear::score_rows(X, listed, span_of(biases), n_threads, span_of(scores));
        },
        "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "weight_begin"_a.noconvert(),
        "outputs"_a.noconvert(), "weights"_a.noconvert(), "biases"_a.noconvert(), "scores"_a.noconvert(),
        "n_threads"_a);
}

}  // namespace

void bind_scores(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() {
        bind_types<Value, Index, float>(m);
        bind_types<Value, Index, double>(m);
    });
}

}  // namespace assay::bindings
