// linear_svm.cpp: algorithm 1 of Hsieh, Chang, Lin, Keerthi & Sundararajan (2008) for the two hinges.
//
// The step is hinge_rule.hpp's. one_vs_rest.hpp makes the passes, many classes side by side, and decides when to stop.
// The problem, its dual, and what is given and returned: linear_svm.hpp.
#include "assay/linear/dual/linear_svm.hpp"

#include <optional>

#include "assay/linear/dual/hinge_rule.hpp"
#include "assay/linear/dual/lone_class.hpp"
#include "assay/linear/dual/one_vs_rest.hpp"
#include "assay/linear/dual/two_halves.hpp"
#include "assay/linear/lane_weights.hpp"

namespace assay::linear {
namespace {

/// Descends until every class is there, and calls finish(group, dual) for each group of them, with the factors
/// dual(row, lane) = αᵢyᵢ of the rows in w.
template <class Rule, class Columns, class Real, class Start, class Finish>
SolverReport solve(const DualProblem<Real>& problem, const SolverSettings& settings, std::span<double> intercept,
                   Start&& start, Finish&& finish) {
    auto teams = group_classes<Columns>(problem, settings.n_threads);
    // A single large problem is shared by two threads, or done in the same way by one.
    std::optional<TwoHalves<Rule, Real>> halves;
    if constexpr (!Columns::scaled) {
        if (suits_halves(problem)) halves.emplace(problem, teams.front().front(), settings.n_threads);
    }
    const auto descend = [&](ClassGroup<Real>& group, std::span<const std::int32_t> order) {
        halves ? halves->descend(order) : sweep<Rule, Columns>(problem, group, order, true);
    };
    const auto measure = [&](ClassGroup<Real>& group, std::span<const std::int32_t> order) {
        halves ? halves->measure(order) : sweep<Rule, Columns>(problem, group, order, false);
        if (problem.scale_square == 0) return;
        for (std::size_t k = 0; k < group.width; ++k) {  // the intercept is penalised like a weight
            group.norm[k] += group.intercept[k] * group.intercept[k] / problem.scale_square;
        }
    };
    const auto stay = [](auto&, std::int32_t) {};
    const auto solve_rounds = [&](auto&& alone) {
        return descend_in_rounds<Columns>(problem, teams, settings, Rule::habits, start, descend, measure, stay, alone);
    };
    const auto report =
        halves ? solve_rounds(InCompany<Real>{}) : solve_rounds(GoingAlone<Real, Rule, Columns>{problem});
    for (const auto& team : teams) {
        for (const auto& group : team) {
            group.for_each_lane([&](std::size_t k, std::size_t p) { intercept[p] = group.intercept[k]; });
            finish(group, signed_duals(problem, group));
        }
    }
    return report;
}

template <class Rule, class Real, class Value, class Index>
SolverReport solve_plain(const CsrView<Value, Index>& X, const DualProblem<Real>& problem,
                         const SolverSettings& settings, std::span<Value> coefficients, std::span<double> intercept,
                         std::span<std::uint8_t> support) {
    const auto finish = [&](const ClassGroup<Real>& group, auto&& dual) {
        unfold_weights<Real>(X, problem.rows, group.weights.span(), group.width, group.problems(), intercept.size(),
                             settings.n_threads, dual, coefficients);
        for (std::size_t i = 0; i < support.size(); ++i) {
            for (std::size_t k = 0; k < group.width; ++k) support[i] |= group.alpha[i * group.width + k] > 0;
        }
    };
    return solve<Rule, PlainColumns>(problem, settings, intercept, [](auto&) {}, finish);
}

}  // namespace

template <class Value, class Index>
SolverReport train_linear_svm(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                              std::span<const double> label_weight, std::int32_t first_label, Hinge hinge,
                              double intercept_scale, bool in_double, const SolverSettings& settings,
                              std::span<Value> coefficients, std::span<double> intercept,
                              std::span<std::uint8_t> support) {
    std::fill(support.begin(), support.end(), std::uint8_t{0});
    return with_folded_rows(X, in_double, DenseColumns::apart, settings, [&]<class Real>(const FoldedRows<Real>& rows) {
        const DualProblem<Real> problem{rows,         labels,      cost,
                                        label_weight, first_label, intercept_scale * intercept_scale};
        return hinge == Hinge::squared
                   ? solve_plain<HingeRule<true>>(X, problem, settings, coefficients, intercept, support)
                   : solve_plain<HingeRule<false>>(X, problem, settings, coefficients, intercept, support);
    });
}

template <class Value, class Index>
SolverReport train_scaled_svm(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                              std::span<const double> label_weight, double intercept_scale, bool in_double,
                              const SolverSettings& settings, std::span<double> scales, std::span<double> intercept,
                              std::span<double> magnitude) {
    const auto train = [&]<class Real>(const FoldedRows<Real>& rows) {
        const DualProblem<Real> problem{rows, labels, cost, label_weight, 0, intercept_scale * intercept_scale};
        const auto start = [&](ClassGroup<Real>& group) { set_scales(X, rows, scales, intercept.size(), group); };
        const auto finish = [&](const ClassGroup<Real>& group, auto&& dual) {
            unfold_scaled_weights<Real>(X, rows, group.weights.span(), 2 * group.width, group.problems(),
                                        intercept.size(), settings.n_threads, dual, scales, magnitude);
        };
        return solve<HingeRule<true>, ScaledColumns>(problem, settings, intercept, start, finish);
    };
    return with_folded_rows(X, in_double, DenseColumns::apart, settings, train, largest_square(scales));
}

#define ASSAY_TRAIN(Value, Index)                                                                                     \
    template SolverReport train_linear_svm(                                                                           \
        const CsrView<Value, Index>&, const Targets&, std::span<const double>, std::span<const double>, std::int32_t, \
        Hinge, double, bool, const SolverSettings&, std::span<Value>, std::span<double>, std::span<std::uint8_t>);    \
    template SolverReport train_scaled_svm(const CsrView<Value, Index>&, const Targets&, std::span<const double>,     \
                                           std::span<const double>, double, bool, const SolverSettings&,              \
                                           std::span<double>, std::span<double>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
