// linear_svm.cpp (bindings): the support vector machines' solvers for NumPy arrays.
#include "assay/linear/dual/linear_svm.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "assay/linear/dual/crammer_singer.hpp"
#include "assay/linear/dual/fold_svm.hpp"
#include "bindings/families.hpp"
#include "bindings/linear/solvers.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

template <class Value, class Index>
void bind_types(nb::module_& m) {
    m.def(
        "repeats_a_column",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values) {
            const auto X = csr_view(n_columns, row_begin, columns, values);
            nb::gil_scoped_release release;
            check_csr(X);
            return repeats_a_column(X);
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
        "Whether some row of a CSR matrix names a column more than once.");
    m.def(
        "train_linear_svm",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> labels, InputArray<double> cost, InputArray<double> label_weight,
           std::int32_t first_label, bool squared, double intercept_scale, bool in_double, double tolerance,
           std::int32_t max_iterations, double patience, std::uint64_t seed, int n_threads,
           OutputArray<Value> coefficients, OutputArray<double> intercept, OutputArray<std::uint8_t> support,
           FoldedForms* folded, LabelOffsets label_offsets) {
            const auto X = csr_view(n_columns, row_begin, columns, values);
            const auto targets = require_fit(X, labels, label_offsets, cost, coefficients, intercept);
            require_size("label_weight", label_weight.size(), intercept.size());
            require_size("support", support.size(), targets.n_rows());
            nb::gil_scoped_release release;
            const auto report = train_linear_svm<Value, Index>(
                X, targets, span_of(cost), span_of(label_weight), first_label,
                squared ? linear::Hinge::squared : linear::Hinge::plain, intercept_scale, in_double,
                {tolerance, max_iterations, seed, n_threads, folded, patience}, span_of(coefficients),
                span_of(intercept), span_of(support));
            nb::gil_scoped_acquire acquire;
            return report_dict(report);
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "labels"_a, "cost"_a,
        "label_weight"_a, nb::kw_only(), "first_label"_a, "squared"_a, "intercept_scale"_a, "in_double"_a,
        "tolerance"_a, "max_iterations"_a, "patience"_a = std::numeric_limits<double>::infinity(), "seed"_a,
        "n_threads"_a, "coefficients"_a.noconvert(), "intercept"_a.noconvert(), "support"_a.noconvert(),
        "folded"_a.none() = nb::none(), "label_offsets"_a.none() = nb::none(),
        "Train one-vs-rest L2-regularised support vector machines by dual coordinate descent.");
    m.def(
        "train_crammer_singer",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> labels, InputArray<double> cost, double intercept_scale, bool in_double,
           double tolerance, std::int32_t max_iterations, std::uint64_t seed, int n_threads,
           OutputArray<Value> coefficients, OutputArray<double> intercept, OutputArray<std::uint8_t> support) {
            const auto X = csr_view(n_columns, row_begin, columns, values);
            require_fit(X, labels, std::nullopt, cost, coefficients, intercept);
            require_size("support", support.size(), labels.size());
            require_range("labels", span_of(labels), static_cast<std::int64_t>(intercept.size()));
            nb::gil_scoped_release release;
            const auto report =
                linear::train_crammer_singer<Value, Index>(X, span_of(labels), span_of(cost), intercept_scale,
                                                           in_double, {tolerance, max_iterations, seed, n_threads},
                                                           span_of(coefficients), span_of(intercept), span_of(support));
            nb::gil_scoped_acquire acquire;
            return report_dict(report);
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "labels"_a, "cost"_a,
        nb::kw_only(), "intercept_scale"_a, "in_double"_a, "tolerance"_a, "max_iterations"_a, "seed"_a, "n_threads"_a,
        "coefficients"_a.noconvert(), "intercept"_a.noconvert(), "support"_a.noconvert(),
        "Train the multi-class support vector machine of Crammer and Singer by a sequential dual method.");
}

}  // namespace

void bind_linear_svm(nb::module_& m) {
    nb::class_<FoldedForms>(m, "FoldedForms", "What solvers make of a matrix first, for several of them to share.")
        .def(nb::init<>());
    m.def(
        "score_svm_folds",
        [](std::int64_t n_columns, InputArray<std::int32_t> row_begin, InputArray<std::int32_t> columns,
           InputArray<float> values, InputArray<std::int32_t> labels, InputArray<std::int32_t> fold_of,
           std::int32_t n_folds, InputArray<float> factors, bool unit_rows, double cost, double intercept_scale,
           double tolerance, std::int32_t max_iterations, double patience, std::uint64_t seed, int n_threads,
           std::int32_t n_problems, OutputArray<double> scores) {
            const auto X = csr_view(n_columns, row_begin, columns, values);
            if (n_folds < 2 || n_problems < 1) {
                throw std::invalid_argument("n_folds and n_problems must be at least 2 and 1, got " +
                                            std::to_string(n_folds) + " and " + std::to_string(n_problems));
            }
            const auto n_rows = static_cast<std::size_t>(X.n_rows());
            require_size("labels", labels.size(), n_rows);
            require_size("fold_of", fold_of.size(), n_rows);
            require_range("fold_of", span_of(fold_of), n_folds);
            require_range("labels", span_of(labels), n_problems == 1 ? 2 : n_problems);
            require_size("factors", factors.size(),
                         static_cast<std::size_t>(n_columns) * static_cast<std::size_t>(n_folds));
            require_size("scores", scores.size(), n_rows * static_cast<std::size_t>(n_problems));
            nb::gil_scoped_release release;
            check_csr(X);
            const auto report = linear::score_svm_folds(
                X, span_of(labels), span_of(fold_of), n_folds, span_of(factors), unit_rows, cost, intercept_scale,
                n_problems, {tolerance, max_iterations, seed, n_threads, nullptr, patience}, span_of(scores));
            nb::gil_scoped_acquire acquire;
            return report_dict(report);
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "labels"_a,
        "fold_of"_a, nb::kw_only(), "n_folds"_a, "factors"_a.noconvert(), "unit_rows"_a, "cost"_a, "intercept_scale"_a,
        "tolerance"_a, "max_iterations"_a, "patience"_a, "seed"_a, "n_threads"_a, "n_problems"_a,
        "scores"_a.noconvert(),
        "Score every row by support vector machines, one against the rest, that were trained on the other folds.");
    for_each_matrix([&]<class Value, class Index>() { bind_types<Value, Index>(m); });
}

}  // namespace assay::bindings
