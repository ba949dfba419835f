// logistic_multinomial.cpp: multinomial logistic regression by dual coordinate descent.
//
// Passes over the examples with the exact steps of multinomial_step.hpp, until ½‖∇f‖², measured at rest after the free
// intercepts have moved to their best (multinomial_measurement.hpp), is small enough. The problem, its dual, and what
// is given and returned: logistic_dual.hpp.
#include <barrier>

#include "assay/linear/dual/joint_descent.hpp"
#include "assay/linear/dual/logistic_dual.hpp"
#include "assay/linear/dual/multinomial_measurement.hpp"
#include "assay/linear/dual/multinomial_step.hpp"
#include "assay/linear/lane_weights.hpp"

namespace assay::linear {
namespace {

/// One pass over the examples in the given order. Threads share the products over dense columns; the steps themselves
/// follow one another.
template <int Width, class Real>
void sweep(Multinomial<Real>& model, std::span<const std::int32_t> order, int n_threads) {
    model.loss = model.norm = model.gap = 0;
    if (!model.tiled) {
        MultinomialSteps<Real, Width> pass{model, order, nullptr};
        return with_widest_vectors(pass);
    }
    constexpr std::size_t most = MultinomialBlock<Real>::n_rows, unit = tile_rows<32>;
    const std::size_t n_shares = std::clamp<std::size_t>(static_cast<std::size_t>(n_threads), 1, most / unit);
    MultinomialBlock<Real> block(model);
    std::barrier together(static_cast<std::ptrdiff_t>(n_shares));
    run_threads(static_cast<int>(n_shares), [&](int thread) {
        const auto share = static_cast<std::size_t>(thread);
        const auto part = [&](std::size_t n) { return n * share / n_shares; };
        const auto next = [&](std::size_t n) { return n * (share + 1) / n_shares; };
        for (std::size_t at = 0; at < order.size(); at += most) {
            const auto examples = order.subspan(at, std::min(most, order.size() - at));
            const std::size_t n = examples.size();
            block.prepare(examples, std::min(n, part(most / unit) * unit), std::min(n, next(most / unit) * unit));
            together.arrive_and_wait();
            if (share == 0) {
                MultinomialSteps<Real, Width> steps{model, examples, &block};
                with_widest_vectors(steps);
            }
            together.arrive_and_wait();
            block.add_steps(n, part(model.n_dense()), next(model.n_dense()), model.weights.span());
            together.arrive_and_wait();
        }
    });
}

template <int Width, class Real>
SolverReport descend(Multinomial<Real>& model, const SolverSettings& settings) {
    const auto pass = [&](std::span<const std::int32_t> order, std::int32_t iteration) {
        sweep<Width>(model, order, settings.n_threads);
        if (!model.feature.present || model.feature.penalised || iteration < InterceptFeature::first_move) return;
        for (std::size_t k = 0; k < model.n_classes; ++k) {
            const double move = model.intercept[k] - model.centre[k];
            model.centre[k] += move;
            model.intercept[k] += move;
        }
    };
    return descend_jointly(model, settings, settings.tolerance, pass,
                           [&] { MultinomialMeasurement<Real, Width>(model, settings.n_threads).take(); });
}

template <class Real, class Value, class Index>
SolverReport solve(const CsrView<Value, Index>& X, const FoldedRows<Real>& rows, std::span<const std::int32_t> labels,
                   std::span<const double> cost, double intercept_scale, const SolverSettings& settings,
                   std::span<Value> coefficients, std::span<double> intercept) {
    const std::size_t n_classes = intercept.size();
    Multinomial<Real> model(rows, labels, cost, make_intercept(rows, intercept_scale), n_classes);
    const SolverReport report =
        with_class_width<Real>(model.stride, [&]<int Width>() { return descend<Width>(model, settings); });
    for (std::size_t k = 0; k < n_classes; ++k) intercept[k] = model.feature.present ? model.intercept[k] : 0.0;
    const auto dual = [&](std::int64_t i, std::size_t k) {
        const auto row = static_cast<std::size_t>(i);
        const double target = static_cast<std::size_t>(labels[row]) == k ? 1.0 : 0.0;
        return cost[row] * (target - static_cast<double>(model.probabilities[row * model.stride + k]));
    };
    unfold_weights<Real>(X, rows, model.weights.span(), model.stride, neighbouring_classes(0, n_classes), n_classes,
                         settings.n_threads, dual, coefficients);
    return report;
}

}  // namespace

template <class Value, class Index>
SolverReport train_logistic_multinomial(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                        std::span<const double> cost, double intercept_scale, bool in_double,
                                        const SolverSettings& settings, std::span<Value> coefficients,
                                        std::span<double> intercept) {
    return with_folded_rows(X, in_double, DenseColumns::apart, settings, [&](const auto& rows) {
        return solve(X, rows, labels, cost, intercept_scale, settings, coefficients, intercept);
    });
}

#define ASSAY_TRAIN(Value, Index)                                                                                  \
    template SolverReport train_logistic_multinomial(const CsrView<Value, Index>&, std::span<const std::int32_t>,  \
                                                     std::span<const double>, double, bool, const SolverSettings&, \
                                                     std::span<Value>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
