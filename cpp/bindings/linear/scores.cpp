#include "assay/linear/scores.hpp"

#include "bindings/base/tables.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

template <class Value, class Index>
void bind_types(nb::module_& m) {
    m.def(
        "score_with_table",
        [](InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           Table<const double> weights, InputArray<double> biases, Table<double> scores, int n_threads) {
            const nb::gil_scoped_release released;
            const auto X = checked_csr_view(static_cast<std::int64_t>(weights.shape(0)), row_begin, columns, values);
            require_size("biases", biases.size(), weights.shape(1));
            require_size("scores", scores.size(), static_cast<std::size_t>(X.n_rows()) * biases.size());
            linear::score_rows(X, span_of(weights), span_of(biases), n_threads, span_of(scores));
        },
        "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "weights"_a.noconvert(),
        "biases"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a);
}

}  // namespace

void bind_scores(nb::module_& m) {
    bind_types<float, std::int32_t>(m);
    bind_types<float, std::int64_t>(m);
    bind_types<double, std::int32_t>(m);
    bind_types<double, std::int64_t>(m);
}

}  // namespace assay::bindings
