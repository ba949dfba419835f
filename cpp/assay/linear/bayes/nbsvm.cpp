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

// What the ratios of all classes are made of.
class CountRatios {
 public:
    CountRatios(const ClassCountsView& counts, std::int64_t n_features, double alpha)
        : counts_(counts), alpha_(alpha), everywhere_(at(n_features)), log_everywhere_(at(n_features)) {
        for (std::size_t k = 0; k < counts.features.size(); ++k)
            everywhere_[at(counts.features[k])] += counts.counts[k];
        for (std::size_t j = 0; j < everywhere_.size(); ++j) log_everywhere_[j] = std::log(everywhere_[j] + alpha);
    }

    // r of every feature, for class c against the rest.
    void write(std::int64_t c, std::span<double> ratios) const {
        const auto begin = counts_.begin[at(c)], end = counts_.begin[at(c + 1)];
        const double smoothing = alpha_ * static_cast<double>(ratios.size());
        const double within = std::accumulate(counts_.counts.begin() + begin, counts_.counts.begin() + end, smoothing);
        const double total = std::accumulate(everywhere_.data(), everywhere_.data() + everywhere_.size(), smoothing);
        const double shift = std::log(total - within + smoothing) - std::log(within);
        const double log_alpha = std::log(alpha_);
        for (std::size_t j = 0; j < ratios.size(); ++j) ratios[j] = log_alpha - log_everywhere_[j] + shift;
        for (std::int64_t k = begin; k < end; ++k) {
            const std::size_t j = at(counts_.features[at(k)]);
            const double count = counts_.counts[at(k)];
            ratios[j] = std::log(count + alpha_) - std::log(everywhere_[j] - count + alpha_) + shift;
        }
    }

 private:
    const ClassCountsView& counts_;
    double alpha_;
    ZeroedArray<double> everywhere_;  // Σ_c n_jc
    ZeroedArray<double> log_everywhere_;
};

// One problem over the rows r∘x: dual coordinate descent where features outnumber rows, else the Newton method.
template <class Value, class Index>
SolverReport solve(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels, std::span<const double> cost,
                   double label_weight, std::int32_t label, const NbsvmSettings& settings, int n_threads,
                   std::span<Value> weights, std::span<double> intercept) {
    const bool svm = settings.learner == ScaledLearner::svm;
    const std::span<const double> weight_of_label(&label_weight, 1);
    SolverSettings solver = settings.solver;
    solver.n_threads = n_threads;
    if (X.n_columns <= std::max<std::int64_t>(500, X.n_rows())) {
        solver.tolerance = settings.newton_tolerance;
        const double scale = !settings.fit_intercept ? -1.0 : svm ? 1.0 : 0.0;
        return train_newton(X, labels, cost, weight_of_label, label,
                            svm ? SmoothLoss::squared_hinge : SmoothLoss::logistic, 1.0, scale, solver, weights,
                            intercept);
    }
    if (!svm) {
        return train_logistic_one_vs_rest(X, labels, cost, weight_of_label, label, settings.fit_intercept ? 0.0 : -1.0,
                                          settings.in_double, solver, weights, intercept);
    }
    std::vector<std::uint8_t> support(at(X.n_rows()));
    return train_linear_svm(X, labels, cost, weight_of_label, label, Hinge::squared, settings.fit_intercept ? 1.0 : 0.0,
                            settings.in_double, solver, weights, intercept, std::span(support));
}

}  // namespace

template <class Value, class Index>
SolverReport train_nbsvm(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                         std::span<const double> cost, std::span<const double> label_weight, std::int32_t first_label,
                         const ClassCountsView& counts, std::span<const double> class_sizes,
                         const NbsvmSettings& settings, std::span<double> coefficients, std::span<double> intercept) {
    const auto n_problems = static_cast<std::int64_t>(intercept.size());
    const int n_threads = settings.solver.n_threads;
    const CountRatios count_ratios(counts, X.n_columns, settings.alpha);
    const double n_examples = std::accumulate(class_sizes.begin(), class_sizes.end(), 0.0);
    SolverReport report(intercept.size());
    for_each_block(n_problems, 1, n_threads, [&](std::int64_t k, std::int64_t, int) {
        const auto label = static_cast<std::int32_t>(first_label + k);
        ZeroedArray<double> ratios(at(X.n_columns));
        count_ratios.write(label, ratios.span());
        ZeroedArray<Value> values(X.values.size());
        for (std::size_t e = 0; e < values.size(); ++e) {
            values[e] = static_cast<Value>(ratios[at(X.columns[e])] * static_cast<double>(X.values[e]));
        }
        const CsrView<Value, Index> scaled{X.n_columns, X.row_begin, X.columns, values.span()};
        ZeroedArray<Value> weights(at(X.n_columns));
        const SolverReport reached =
            solve(scaled, labels, cost, label_weight[at(k)], label, settings, n_problems == 1 ? n_threads : 1,
                  weights.span(), intercept.subspan(at(k), 1));
        report.objective[at(k)] = reached.objective[0];
        report.gap[at(k)] = reached.gap[0];
        report.iterations[at(k)] = reached.iterations[0];
        report.converged[at(k)] = reached.converged[0];

        double magnitude = 0;
        for (const Value weight : weights.span()) magnitude += std::abs(static_cast<double>(weight));
        magnitude /= static_cast<double>(X.n_columns);
        for (std::int64_t j = 0; j < X.n_columns; ++j) {
            const double weight = (1 - settings.beta) * magnitude + settings.beta * static_cast<double>(weights[at(j)]);
            coefficients[at(j * n_problems + k)] = ratios[at(j)] * weight;
        }
        if (!settings.fit_intercept) return;
        const double size = class_sizes[at(label)];
        intercept[at(k)] =
            (1 - settings.beta) * magnitude * std::log(size / (n_examples - size)) + settings.beta * intercept[at(k)];
    });
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
