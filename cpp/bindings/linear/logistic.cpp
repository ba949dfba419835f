// logistic.cpp (bindings): the solvers of logistic regression, and the Newton method, for NumPy arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <optional>

#include "assay/linear/dual/logistic_dual.hpp"
#include "assay/linear/primal/newton.hpp"
#include "assay/linear/primal/sparse_penalty.hpp"
#include "assay/linear/stochastic/logistic_sgd.hpp"
#include "bindings/base/names.hpp"
#include "bindings/families.hpp"
#include "bindings/linear/solvers.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

const std::map<std::string, linear::SmoothLoss>& loss_names() {
    static const std::map<std::string, linear::SmoothLoss> names{{"logistic", linear::SmoothLoss::logistic},
                                                                 {"squared_hinge", linear::SmoothLoss::squared_hinge},
                                                                 {"multinomial", linear::SmoothLoss::multinomial}};
    return names;
}

const std::map<std::string, linear::LearningRate>& rate_names() {
    static const std::map<std::string, linear::LearningRate> names{
        {"constant", linear::LearningRate::constant},
        {"invscaling", linear::LearningRate::inverse_scaling},
        {"adagrad", linear::LearningRate::adagrad},
        {"adam", linear::LearningRate::adam}};
    return names;
}

template <class Value, class Index>
void bind_types(nb::module_& m) {
    m.def(
        "train_logistic_dual",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> labels, InputArray<double> cost, InputArray<double> label_weight,
           std::int32_t first_label, bool multinomial, double intercept_scale, bool in_double, double tolerance,
           std::int32_t max_iterations, double patience, std::uint64_t seed, int n_threads,
           OutputArray<Value> coefficients, OutputArray<double> intercept, FoldedForms* folded,
           LabelOffsets label_offsets) {
            const auto X = csr_view(n_columns, row_begin, columns, values);
            const auto targets = require_fit(X, labels, label_offsets, cost, coefficients, intercept);
            require_size("label_weight", label_weight.size(), intercept.size());
            require(!multinomial || !targets.are_sets(), "a softmax takes one label a row");
            if (multinomial) require_range("labels", span_of(labels), static_cast<std::int64_t>(intercept.size()));
            const linear::SolverSettings settings{tolerance, max_iterations, seed, n_threads, folded, patience};
            nb::gil_scoped_release release;
            const auto report =
                multinomial ? train_logistic_multinomial<Value, Index>(X, span_of(labels), span_of(cost),
                                                                       intercept_scale, in_double, settings,
                                                                       span_of(coefficients), span_of(intercept))
                            : train_logistic_one_vs_rest<Value, Index>(
                                  X, targets, span_of(cost), span_of(label_weight), first_label, intercept_scale,
                                  in_double, settings, span_of(coefficients), span_of(intercept));
            nb::gil_scoped_acquire acquire;
            return report_dict(report);
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "labels"_a, "cost"_a,
        "label_weight"_a, nb::kw_only(), "first_label"_a, "multinomial"_a, "intercept_scale"_a, "in_double"_a,
        "tolerance"_a, "max_iterations"_a, "patience"_a = std::numeric_limits<double>::infinity(), "seed"_a,
        "n_threads"_a, "coefficients"_a.noconvert(), "intercept"_a.noconvert(), "folded"_a.none() = nb::none(),
        "label_offsets"_a.none() = nb::none(), "Train L2-regularised logistic regression by dual coordinate descent.");
    m.def(
        "descend_stochastically",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> labels, InputArray<double> weight, InputArray<std::int32_t> learn_from,
           InputArray<std::int32_t> held_out, const std::string& rate, double first_rate, double power,
           std::int64_t batch_size, bool shuffle, double penalty, double l1_ratio, bool multinomial, bool has_intercept,
           double tolerance, std::int32_t patience, std::int32_t max_epochs, std::uint64_t seed, bool warm,
           int n_threads, bool in_double, OutputArray<Value> coefficients, OutputArray<double> intercept,
           LabelOffsets label_offsets) {
            const auto X = csr_view(n_columns, row_begin, columns, values);
            const auto targets = require_fit(X, labels, label_offsets, weight, coefficients, intercept);
            require(!multinomial || !targets.are_sets(), "a softmax takes one label a row");
            const std::size_t fewest = targets.are_sets() ? 1 : 2;  // two single labels share a problem
            require_range("labels", span_of(labels), static_cast<std::int64_t>(std::max(intercept.size(), fewest)));
            require_range("learn_from", span_of(learn_from), static_cast<std::int64_t>(targets.n_rows()));
            require_range("held_out", span_of(held_out), static_cast<std::int64_t>(targets.n_rows()));
            if (batch_size < 0) throw std::invalid_argument("batch_size must not be negative");
            const linear::LearningRate chosen = named(rate_names(), rate, "learning rate");
            const linear::DescentSettings settings{chosen,   first_rate, power,       batch_size,    shuffle,
                                                   penalty,  l1_ratio,   multinomial, has_intercept, tolerance,
                                                   patience, max_epochs, seed,        warm,          n_threads};
            nb::gil_scoped_release release;
            const auto report = descend_stochastically<Value, Index>(X, targets, span_of(weight), span_of(learn_from),
                                                                     span_of(held_out), in_double, settings,
                                                                     span_of(coefficients), span_of(intercept));
            nb::gil_scoped_acquire acquire;
            DescentReportDict result;
            result["epochs"] = report.epochs;
            result["converged"] = report.converged;
            result["objective"] = report.objective;
            result["course"] = to_numpy(report.course);
            return result;
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "labels"_a,
        "weight"_a, "learn_from"_a, "held_out"_a, nb::kw_only(), "rate"_a, "first_rate"_a, "power"_a, "batch_size"_a,
        "shuffle"_a, "penalty"_a, "l1_ratio"_a, "multinomial"_a, "has_intercept"_a, "tolerance"_a, "patience"_a,
        "max_epochs"_a, "seed"_a, "warm"_a, "n_threads"_a, "in_double"_a, "coefficients"_a.noconvert(),
        "intercept"_a.noconvert(), "label_offsets"_a.none() = nb::none(),
        "Train logistic regression by stochastic gradient descent, from the given coefficients.");
    const auto primal = [&m](const char* name, const char* text, auto train) {
        m.def(
            name,
            [train](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns,
                    InputArray<Value> values, InputArray<std::int32_t> labels, InputArray<double> cost,
                    InputArray<double> label_weight, std::int32_t first_label, const std::string& loss, double penalty,
                    double intercept_scale, double tolerance, std::int32_t max_iterations, double patience,
                    int n_threads, OutputArray<Value> coefficients, OutputArray<double> intercept,
                    std::optional<InputArray<std::uint8_t>> solved, bool in_double, FoldedForms* folded,
                    LabelOffsets label_offsets) {
                const auto X = csr_view(n_columns, row_begin, columns, values);
                const auto targets = require_fit(X, labels, label_offsets, cost, coefficients, intercept);
                require_size("label_weight", label_weight.size(), intercept.size());
                if (solved) require_size("solved", solved->size(), intercept.size());
                const linear::SmoothLoss chosen = named(loss_names(), loss, "loss");
                if (chosen == linear::SmoothLoss::multinomial) {
                    require(!targets.are_sets(), "a softmax takes one label a row");
                    require_range("labels", span_of(labels), static_cast<std::int64_t>(intercept.size()));
                }
                linear::SolverSettings settings{tolerance, max_iterations, 0, n_threads, folded};
                settings.in_double = in_double;
                settings.patience = patience;
                if (solved) settings.solved = span_of(*solved);
                nb::gil_scoped_release release;
                const linear::SolverReport report =
                    train(X, targets, span_of(cost), span_of(label_weight), first_label, chosen, penalty,
                          intercept_scale, settings, span_of(coefficients), span_of(intercept));
                nb::gil_scoped_acquire acquire;
                return report_dict(report);
            },
            "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "labels"_a,
            "cost"_a, "label_weight"_a, nb::kw_only(), "first_label"_a, "loss"_a, "penalty"_a, "intercept_scale"_a,
            "tolerance"_a, "max_iterations"_a, "patience"_a = std::numeric_limits<double>::infinity(), "n_threads"_a,
            "coefficients"_a.noconvert(), "intercept"_a.noconvert(), "solved"_a.none() = nb::none(),
            "in_double"_a = true, "folded"_a.none() = nb::none(), "label_offsets"_a.none() = nb::none(), text);
    };
    primal("train_newton",
           "Minimise a smooth loss with penalty/2 ‖w‖² by a truncated Newton method, from the given start.",
           &linear::train_newton<Value, Index>);
    primal("train_sparse", "Minimise a smooth loss with an elastic net of l1_ratio = penalty by coordinate descent.",
           &linear::train_sparse<Value, Index>);
}

}  // namespace

void bind_logistic(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() { bind_types<Value, Index>(m); });
}

}  // namespace assay::bindings
