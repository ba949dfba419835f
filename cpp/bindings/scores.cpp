#include "assay/scores.hpp"

#include "tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace assay {
namespace {

template <class Value, class Index>
void bind_score_rows(nb::module_& m) {
    m.def(
        "score_rows",
        [](InputArray<Index> offsets, InputArray<Index> columns, InputArray<Value> values,
           Table<const double> weights, InputArray<double> biases, Table<double> scores, int n_threads) {
            const nb::gil_scoped_release released;
            const auto X =
                checked_csr_view(static_cast<std::int64_t>(weights.shape(0)), offsets, columns, values);
            require_size("biases", biases.size(), weights.shape(1));
            require_size("scores", scores.size(), static_cast<std::size_t>(X.n_rows()) * biases.size());
            score_rows(X, view(weights), view(biases), n_threads, view(scores));
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "weights"_a.noconvert(),
        "biases"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a);
}

}  // namespace

void bind_scores(nb::module_& m) {
    bind_score_rows<float, std::int32_t>(m);
    bind_score_rows<float, std::int64_t>(m);
    bind_score_rows<double, std::int32_t>(m);
    bind_score_rows<double, std::int64_t>(m);
}

}  // namespace assay
