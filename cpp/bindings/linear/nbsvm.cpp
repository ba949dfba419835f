#include "assay/linear/bayes/nbsvm.hpp"

#include "bindings/families.hpp"
#include "bindings/linear/class_lists.hpp"
#include "bindings/linear/solvers.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

template <class Value, class Index>
void bind_types(nb::module_& m) {
    m.def(
        "train_nbsvm",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> labels, InputArray<double> cost, InputArray<double> label_weight,
           InputArray<std::int64_t> begin, InputArray<std::int32_t> features, InputArray<double> counts,
           InputArray<double> class_sizes, std::int32_t first_label, bool logistic, double alpha, double beta,
           bool fit_intercept, bool in_double, double tolerance, double newton_tolerance, std::int32_t max_iterations,
           std::uint64_t seed, int n_threads, Table<double> coefficients, OutputArray<double> intercept,
           FoldedForms* folded, LabelOffsets label_offsets) {
            const linear::NbsvmSettings settings{
                logistic ? linear::ScaledLearner::logistic : linear::ScaledLearner::svm,
                alpha,
                beta,
                fit_intercept,
                in_double,
                newton_tolerance,
                {tolerance, max_iterations, seed, n_threads, folded}};
            const auto report = without_gil([&] {
                const auto X = checked_csr_view(n_columns, row_begin, columns, values);
                const auto counted = class_counts_view(begin, features, counts, n_columns);
                const auto targets = targets_view(labels, label_offsets, static_cast<std::size_t>(X.n_rows()));
                require_size("cost", cost.size(), targets.n_rows());
                require_size("label_weight", label_weight.size(), intercept.size());
                require_size("coefficients", coefficients.size(),
                             static_cast<std::size_t>(n_columns) * intercept.size());
                require_size("class_sizes", class_sizes.size(), static_cast<std::size_t>(counted.n_classes()));
                require_range("labels", span_of(labels), counted.n_classes());
                return linear::train_nbsvm(X, targets, span_of(cost), span_of(label_weight), first_label, counted,
                                           span_of(class_sizes), settings, span_of(coefficients), span_of(intercept));
            });
            return report_dict(report);
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
        "labels"_a.noconvert(), "cost"_a.noconvert(), "label_weight"_a.noconvert(), "begin"_a.noconvert(),
        "features"_a.noconvert(), "counts"_a.noconvert(), "class_sizes"_a.noconvert(), nb::kw_only(), "first_label"_a,
        "logistic"_a, "alpha"_a, "beta"_a, "fit_intercept"_a, "in_double"_a, "tolerance"_a, "newton_tolerance"_a,
        "max_iterations"_a, "seed"_a, "n_threads"_a, "coefficients"_a.noconvert(), "intercept"_a.noconvert(),
        "folded"_a.none() = nb::none(), "label_offsets"_a.none() = nb::none(),
        "Train one-vs-rest linear classifiers on features scaled by their log-count ratios.");
}

}  // namespace

void bind_nbsvm(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() { bind_types<Value, Index>(m); });
}

}  // namespace assay::bindings
