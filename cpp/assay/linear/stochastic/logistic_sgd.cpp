// logistic_sgd.cpp: the epochs of stochastic gradient descent and when they end. The steps: feature_descent.hpp, and
// where all features share a rate, shared_rate_descent.hpp. The objective and the rules: logistic_sgd.hpp.
#include "assay/linear/stochastic/logistic_sgd.hpp"

#include <algorithm>
#include <limits>

#include "assay/base/random.hpp"
#include "assay/linear/stochastic/feature_descent.hpp"
#include "assay/linear/stochastic/shared_rate_descent.hpp"

namespace assay::linear {
namespace {

template <class Engine>
DescentReport run_epochs(Engine& engine, const DescentSettings& settings, std::span<const std::int32_t> learn_from,
                         std::span<const std::int32_t> held_out) {
    DescentReport report;
    std::vector<std::int32_t> order(learn_from.begin(), learn_from.end());
    Random random(settings.seed);
    const bool watch_gradient = settings.tolerance > 0 && held_out.empty();
    double reference = watch_gradient && !settings.warm ? engine.gradient_norm(learn_from) : 0.0;
    double best = std::numeric_limits<double>::infinity();
    std::int32_t without_progress = 0;
    while (report.epochs < settings.max_epochs && !report.converged) {
        if (settings.shuffle) shuffle(std::span(order), random);
        engine.descend(order);
        ++report.epochs;
        if (!held_out.empty()) {
            const double loss = engine.mean_loss(held_out);
            report.course.push_back(loss);
            without_progress = loss > best - settings.tolerance ? without_progress + 1 : 0;
            best = std::min(best, loss);
            report.converged = without_progress >= settings.patience;
        } else if (watch_gradient) {
            const double norm = engine.gradient_norm(learn_from);
            if (reference == 0) reference = norm;
            report.course.push_back(reference > 0 ? norm / reference : 0.0);
            report.converged = norm <= settings.tolerance * reference;
        }
    }
    report.objective = settings.penalty * engine.penalty() + engine.mean_loss(learn_from);
    report.converged = report.converged || settings.tolerance == 0;
    return report;
}

template <class Engine, class Real, class Value, class Index>
DescentReport solve_by(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> weight,
                       std::span<const std::int32_t> learn_from, std::span<const std::int32_t> held_out,
                       const DescentSettings& settings, std::span<Value> coefficients, std::span<double> intercept) {
    const auto rows = fold_rows<Real>(X, settings.n_threads, Engine::own_features(settings.warm));
    Engine engine(rows, labels, weight, settings, intercept.size());
    if (settings.warm) engine.start_from(std::span<const Value>(coefficients), std::span<const double>(intercept));
    const DescentReport report = run_epochs(engine, settings, learn_from, held_out);
    engine.write(X, coefficients, intercept);
    return report;
}

template <class Real, class Value, class Index>
DescentReport solve(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> weight,
                    std::span<const std::int32_t> learn_from, std::span<const std::int32_t> held_out,
                    const DescentSettings& settings, std::span<Value> coefficients, std::span<double> intercept) {
    return SharedRateDescent<Real>::takes(settings)
               ? solve_by<SharedRateDescent<Real>, Real>(X, labels, weight, learn_from, held_out, settings,
                                                         coefficients, intercept)
               : solve_by<FeatureDescent<Real>, Real>(X, labels, weight, learn_from, held_out, settings, coefficients,
                                                      intercept);
}

}  // namespace

template <class Value, class Index>
DescentReport descend_stochastically(const CsrView<Value, Index>& X, const Targets& labels,
                                     std::span<const double> weight, std::span<const std::int32_t> learn_from,
                                     std::span<const std::int32_t> held_out, bool in_double,
                                     const DescentSettings& settings, std::span<Value> coefficients,
                                     std::span<double> intercept) {
    return in_double ? solve<double>(X, labels, weight, learn_from, held_out, settings, coefficients, intercept)
                     : solve<float>(X, labels, weight, learn_from, held_out, settings, coefficients, intercept);
}

#define ASSAY_DESCEND(Value, Index)                                                                           \
    template DescentReport descend_stochastically(                                                            \
        const CsrView<Value, Index>&, const Targets&, std::span<const double>, std::span<const std::int32_t>, \
        std::span<const std::int32_t>, bool, const DescentSettings&, std::span<Value>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_DESCEND)
#undef ASSAY_DESCEND

}  // namespace assay::linear
