#include "assay/linear/bayes/nbsvm.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "assay/base/memory.hpp"
#include "assay/base/parallel.hpp"
#include "assay/linear/dual/linear_svm.hpp"
#include "assay/linear/dual/logistic_dual.hpp"
#include "assay/linear/primal/newton.hpp"

namespace assay::linear {
namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// log(count + α), looked up where the count is a small whole number, as nearly all are.
class SmoothedLogarithm {
 public:
    explicit SmoothedLogarithm(double alpha) : alpha_(alpha), known_(n_known) {
        for (std::size_t count = 0; count < n_known; ++count)
            known_[count] = std::log(static_cast<double>(count) + alpha);
    }
    double operator()(double count) const {
        if (count >= 0 && count < static_cast<double>(n_known)) {
            const auto whole = static_cast<std::size_t>(count);
            if (static_cast<double>(whole) == count) return known_[whole];
        }
        return std::log(count + alpha_);
    }

 private:
    static constexpr std::size_t n_known = 4096;
    double alpha_;
    std::vector<double> known_;
};

// The ratios r of all features, for each of the problems.
class CountRatios {
 public:
    CountRatios(const ClassCountsView& counts, std::int64_t n_features, std::int32_t first_label,
                std::size_t n_problems, double alpha)
        : counts_(counts), first_label_(first_label), log_(alpha), everywhere_(at(n_features)), shift_(n_problems) {
        for (std::size_t k = 0; k < counts.features.size(); ++k)
            everywhere_[at(counts.features[k])] += counts.counts[k];
        const double smoothing = alpha * static_cast<double>(n_features);
        const double total = std::accumulate(everywhere_.data(), everywhere_.data() + everywhere_.size(), smoothing);
        for (std::size_t k = 0; k < n_problems; ++k) {
            const auto [begin, end] = list_of(k);
            const double within =
                std::accumulate(counts.counts.begin() + begin, counts.counts.begin() + end, smoothing);
            shift_[k] = std::log(total - within + smoothing) - std::log(within);
        }
    }

    // Calls work(j, ratios of feature j, one for each problem) in blocks of features that threads take.
    template <class Work>
    void for_each_feature(int n_threads, Work&& work) const {
        const std::size_t n_problems = shift_.size();
        const auto n_features = static_cast<std::int64_t>(everywhere_.size());
        for_each_block(n_features, features_per_block, n_threads, [&](std::int64_t first, std::int64_t last, int) {
            std::vector<double> ratios(at(last - first) * n_problems);
            for (std::int64_t j = first; j < last; ++j) {
                const double absent = log_(0) - log_(everywhere_[at(j)]);
                for (std::size_t k = 0; k < n_problems; ++k)
                    ratios[at(j - first) * n_problems + k] = absent + shift_[k];
            }
            for (std::size_t k = 0; k < n_problems; ++k) {
                const auto [begin, end] = list_of(k);
                const auto features = counts_.features.subspan(at(begin), at(end - begin));
                auto entry = at(begin + (std::lower_bound(features.begin(), features.end(), first) - features.begin()));
                for (; entry < at(end) && counts_.features[entry] < last; ++entry) {
                    const std::int64_t j = counts_.features[entry];
                    const double count = counts_.counts[entry];
                    ratios[at(j - first) * n_problems + k] = log_(count) - log_(everywhere_[at(j)] - count) + shift_[k];
                }
            }
            for (std::int64_t j = first; j < last; ++j) {
                work(at(j), std::span<const double>(ratios).subspan(at(j - first) * n_problems, n_problems));
            }
        });
    }

 private:
    static constexpr std::int64_t features_per_block = 1024;

    std::pair<std::int64_t, std::int64_t> list_of(std::size_t problem) const {
        const std::size_t c = problem + static_cast<std::size_t>(first_label_);
        return {counts_.begin[c], counts_.begin[c + 1]};
    }

    const ClassCountsView& counts_;
    std::int32_t first_label_;
    SmoothedLogarithm log_;
    ZeroedArray<double> everywhere_;  // Σ_c n_jc
    std::vector<double> shift_;       // log ‖q‖₁ − log ‖p‖₁
};

// What is given of the problems, and where their solutions go.
template <class Value, class Index>
struct Task {
    const CsrView<Value, Index>& X;
    std::span<const std::int32_t> labels;
    std::span<const double> cost;
    std::span<const double> label_weight;
    std::int32_t first_label;
    const NbsvmSettings& settings;
    std::span<double> coefficients;  // [feature][problem]: at first the ratios
    std::span<double> intercept;
    std::vector<double> mean_weight;  // w̄; not where nobody asks for it

    std::size_t n_problems() const { return intercept.size(); }
    bool svm() const { return settings.learner == ScaledLearner::svm; }
    /// Where features outnumber rows, dual coordinate descent is the quicker way, else the Newton method.
    bool suits_dual() const { return X.n_columns > std::max<std::int64_t>(500, X.n_rows()); }
    /// An intercept costs as much as a weight (svm), or nothing (logistic).
    double intercept_scale() const { return settings.fit_intercept ? (svm() ? 1.0 : 0.0) : (svm() ? 0.0 : -1.0); }
    double mixed(double mean, double weight) const { return (1 - settings.beta) * mean + settings.beta * weight; }
};

// All problems side by side; no row is scaled.
template <class Value, class Index>
SolverReport solve_together(Task<Value, Index>& task, const CountRatios& ratios) {
    const bool asks_for_mean = task.settings.beta < 1;
    const auto train = task.svm() ? train_scaled_svm<Value, Index> : train_scaled_logistic<Value, Index>;
    const SolverReport report = train(task.X, task.labels, task.cost, task.label_weight, task.intercept_scale(),
                                      task.settings.in_double, task.settings.solver, task.coefficients, task.intercept,
                                      asks_for_mean ? std::span(task.mean_weight) : std::span<double>());
    if (!asks_for_mean) return report;
    for (double& mean : task.mean_weight) mean /= static_cast<double>(task.X.n_columns);
    ratios.for_each_feature(task.settings.solver.n_threads, [&](std::size_t j, std::span<const double> of_feature) {
        for (std::size_t k = 0; k < of_feature.size(); ++k) {
            double& coefficient = task.coefficients[j * of_feature.size() + k];
            coefficient = task.mixed(task.mean_weight[k] * of_feature[k], coefficient);
        }
    });
    return report;
}

// One problem over the rows r∘x.
template <class Value, class Index>
SolverReport solve(const Task<Value, Index>& task, std::size_t k, std::span<const Value> values, int n_threads,
                   std::span<Value> weights) {
    const CsrView<Value, Index> X{task.X.n_columns, task.X.row_begin, task.X.columns, values};
    const auto label_weight = task.label_weight.subspan(k, 1);
    const auto intercept = task.intercept.subspan(k, 1);
    const auto label = task.first_label + static_cast<std::int32_t>(k);
    SolverSettings solver = task.settings.solver;
    solver.n_threads = n_threads;
    solver.folded = nullptr;  // those are of the rows as they are
    solver.in_double = task.settings.in_double;
    if (task.suits_dual()) {
        constexpr double patience = 30;  // passes, done or to come, after which Newton steps are quicker
        SolverSettings descent = solver;
        descent.patience = patience;
        SolverReport report =
            task.svm()
                ? train_linear_svm(X, task.labels, task.cost, label_weight, label, Hinge::squared,
                                   task.intercept_scale(), task.settings.in_double, descent, weights, intercept, {})
                : train_logistic_one_vs_rest(X, task.labels, task.cost, label_weight, label, task.intercept_scale(),
                                             task.settings.in_double, descent, weights, intercept);
        if (report.converged[0] || report.iterations[0] >= solver.max_iterations) return report;
        solver.max_iterations -= report.iterations[0];
    }
    solver.tolerance = task.settings.newton_tolerance;
    return train_newton(X, task.labels, task.cost, label_weight, label,
                        task.svm() ? SmoothLoss::squared_hinge : SmoothLoss::logistic, 1.0,
                        task.settings.fit_intercept ? task.intercept_scale() : -1.0, solver, weights, intercept);
}

// One problem, or few features, and a scaled copy of the rows a problem.
template <class Value, class Index>
SolverReport solve_apart(Task<Value, Index>& task) {
    const std::size_t n_problems = task.n_problems();
    const int n_threads = task.settings.solver.n_threads;
    SolverReport report(n_problems);
    for_each_block(static_cast<std::int64_t>(n_problems), 1, n_threads, [&](std::int64_t problem, std::int64_t, int) {
        const std::size_t k = at(problem);
        ZeroedArray<Value> values(task.X.values.size()), weights(at(task.X.n_columns));
        for (std::size_t e = 0; e < values.size(); ++e) {
            const double ratio = task.coefficients[at(task.X.columns[e]) * n_problems + k];
            values[e] = static_cast<Value>(ratio * static_cast<double>(task.X.values[e]));
        }
        const SolverReport reached =
            solve<Value, Index>(task, k, values.span(), n_problems == 1 ? n_threads : 1, weights.span());
        report.objective[k] = reached.objective[0];
        report.gap[k] = reached.gap[0];
        report.iterations[k] = reached.iterations[0];
        report.converged[k] = reached.converged[0];
        report.work[k] = reached.work[0];
        double& mean = task.mean_weight[k];
        for (const Value weight : weights.span()) mean += std::abs(static_cast<double>(weight));
        mean /= static_cast<double>(task.X.n_columns);
        for (std::size_t j = 0; j < weights.size(); ++j) {
            task.coefficients[j * n_problems + k] *= task.mixed(mean, static_cast<double>(weights[j]));
        }
    });
    return report;
}

}  // namespace

template <class Value, class Index>
SolverReport train_nbsvm(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                         std::span<const double> cost, std::span<const double> label_weight, std::int32_t first_label,
                         const ClassCountsView& counts, std::span<const double> class_sizes,
                         const NbsvmSettings& settings, std::span<double> coefficients, std::span<double> intercept) {
    const std::size_t n_problems = intercept.size();
    const CountRatios ratios(counts, X.n_columns, first_label, n_problems, settings.alpha);
    ratios.for_each_feature(settings.solver.n_threads, [&](std::size_t j, std::span<const double> of_feature) {
        std::copy(of_feature.begin(), of_feature.end(), coefficients.data() + j * n_problems);
    });
    Task<Value, Index> task{
        X, labels, cost, label_weight, first_label, settings, coefficients, intercept, std::vector<double>(n_problems)};
    const SolverReport report = n_problems > 1 && task.suits_dual() ? solve_together(task, ratios) : solve_apart(task);
    if (!settings.fit_intercept) return report;
    const double n_examples = std::accumulate(class_sizes.begin(), class_sizes.end(), 0.0);
    for (std::size_t k = 0; k < n_problems; ++k) {
        const double size = class_sizes[k + at(first_label)];
        const double prior = std::log(size / (n_examples - size));
        intercept[k] = (1 - settings.beta) * task.mean_weight[k] * prior + settings.beta * intercept[k];
    }
    return report;
}

#define ASSAY_TRAIN(Value, Index)                                                                            \
    template SolverReport train_nbsvm(const CsrView<Value, Index>&, std::span<const std::int32_t>,           \
                                      std::span<const double>, std::span<const double>, std::int32_t,        \
                                      const ClassCountsView&, std::span<const double>, const NbsvmSettings&, \
                                      std::span<double>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
