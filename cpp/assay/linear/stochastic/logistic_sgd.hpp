// logistic_sgd.hpp: logistic regression by stochastic gradient descent.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/sparse.hpp"
#include "assay/linear/targets.hpp"

namespace assay::linear {

enum class LearningRate : std::uint8_t { constant, inverse_scaling, adagrad, adam };

struct DescentSettings {
    LearningRate rate = LearningRate::adagrad;
    double first_rate = 0.1;      // η₀
    double power = 0.5;           // inverse scaling: η = η₀ / t^power
    std::int64_t batch_size = 1;  // examples a step; 0 for all
    bool shuffle = true;
    double penalty = 0;   // λ = 1/(C n)
    double l1_ratio = 0;  // ρ
    bool multinomial = true;
    bool has_intercept = true;
    double tolerance = 1e-4;    // 0 makes it go on to the end
    std::int32_t patience = 5;  // epochs without a better held-out loss
    std::int32_t max_epochs = 100;
    std::uint64_t seed = 0;
    bool warm = false;  // start from the given coefficients, else from zero
    int n_threads = 1;
};

struct DescentReport {
    std::int32_t epochs = 0;
    bool converged = false;
    double objective = 0;        // f below, all given rows counted
    std::vector<double> course;  // after each epoch: mean held-out loss, or ‖∇f‖ relative to ‖∇f(0)‖; else empty
};

/// Minimises
///
///     f(w, b) = λ (ρ‖w‖₁ + (1 − ρ)/2 ‖w‖²) + 1/n Σᵢ sᵢ loss(w·xᵢ + b, labelᵢ)
///
/// with loss = log Σₖ e^{zₖ} − z_label, or log(1 + e^{−yₖzₖ}) summed over the classes (each against the rest). A step
/// takes the mean gradient g of a batch:
///
///     constant           w −= η₀ g
///     inverse scaling    w −= η₀ t^−power g
///     AdaGrad            G += g²,  w −= η₀ g / √G                          (Duchi, Hazan & Singer 2011)
///     Adam               m, v: running means of g and g²,  w −= η₀ m̂ / √v̂   (Kingma & Ba 2015, algorithm 1)
///
/// and is followed by the penalty's own step, a shrinkage (forward–backward splitting, Duchi & Singer 2009). A feature
/// that a batch does not have is left alone, and makes up for the shrinkages that it missed when it is next seen, all
/// in one; so does the decay of Adam's means. The intercept is a feature of value 1 without penalty.
///
/// It stops when ‖∇f‖ ≤ tolerance · ‖∇f(0)‖ (smallest subgradient), or, when there are held-out rows, when their mean
/// loss has not fallen by more than tolerance for `patience` epochs.
///
/// Given: X; labels in [0, n_classes), n_classes = intercept.size(), or single ones of 0 and 1 when that is 1; sets for
/// each against the rest only; weight sᵢ; the rows
/// to learn from and those held out; coefficients[j · n_classes + k] and intercept[k], from which a warm start goes.
/// Gives: coefficients, intercept, which have the same bits for every number of threads.
template <class Value, class Index>
DescentReport descend_stochastically(const CsrView<Value, Index>& X, const Targets& labels,
                                     std::span<const double> weight, std::span<const std::int32_t> learn_from,
                                     std::span<const std::int32_t> held_out, bool in_double,
                                     const DescentSettings& settings, std::span<Value> coefficients,
                                     std::span<double> intercept);

}  // namespace assay::linear
