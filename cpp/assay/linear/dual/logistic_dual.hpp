// logistic_dual.hpp: L2-regularised logistic regression by dual coordinate descent.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"
#include "assay/linear/solver_report.hpp"
#include "assay/linear/targets.hpp"

namespace assay::linear {

/// One-vs-rest: solves, for each problem k with yᵢ = +1 where labels[i] = first_label + k and −1 elsewhere,
///
///     min_{w, b}  ½‖w‖² + [s > 0] ½(b/s)² + Σᵢ Cᵢ log(1 + exp(−yᵢ(w·xᵢ + b)))
///
/// through its dual
///
///     min_α  ½ αᵀQα + Σᵢ [αᵢ log(αᵢ/Cᵢ) + (Cᵢ − αᵢ) log(1 − αᵢ/Cᵢ)],     0 ≤ αᵢ ≤ Cᵢ,     w = Σ αᵢyᵢxᵢ
///
/// by algorithm 5 of Yu, Huang & Lin (2011): one example at a time, its one-variable problem solved by Newton
/// steps on the logit of αᵢ/Cᵢ inside a bracket.
///
/// A free intercept (s = 0) puts Σ αᵢyᵢ = 0 on the dual, which single coordinates cannot keep. It is met by
/// the method of multipliers: b is penalised by (b − b₀)²/(2τ²) for a moderate τ, and b₀ moves to b after
/// each pass.
///
/// Given and gives: as train_linear_svm, with s = intercept_scale > 0 for a penalised intercept, 0 for a free
/// one, negative for none. The gap that is reported is ½‖∇f‖² (½ g²/h for a free intercept), which bounds f −
/// min f.
template <class Value, class Index>
SolverReport train_logistic_one_vs_rest(const CsrView<Value, Index>& X, const Targets& labels,
                                        std::span<const double> cost, std::span<const double> label_weight,
                                        std::int32_t first_label, double intercept_scale, bool in_double,
                                        const SolverSettings& settings, std::span<Value> coefficients,
                                        std::span<double> intercept);

/// One-vs-rest where each problem scales the features by factors of its own: given and gives as train_scaled_svm.
template <class Value, class Index>
SolverReport train_scaled_logistic(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                                   std::span<const double> label_weight, double intercept_scale, bool in_double,
                                   const SolverSettings& settings, std::span<double> scales,
                                   std::span<double> intercept, std::span<double> magnitude);

/// Multinomial: solves
///
///     min_{W, b}  ½ Σₖ ‖wₖ‖² + Σᵢ Cᵢ [log Σₖ exp(zᵢₖ) − zᵢ,label],     zᵢₖ = wₖ·xᵢ + bₖ
///
/// through its dual
///
///     min_α  ½ Σₖ ‖wₖ‖² + Σᵢₖ αᵢₖ log(αᵢₖ/Cᵢ),   Σₖ αᵢₖ = Cᵢ,  αᵢₖ ≥ 0,   wₖ = Σᵢ (Cᵢ[label = k] − αᵢₖ) xᵢ
///
/// by algorithm 7 of Yu, Huang & Lin (2011), except that the problem of one example is solved in all its
/// classes at once: Newton steps on log αᵢₖ with the multiplier of the sum eliminated. The intercept is
/// treated as above. cost[i] has the weight of the example's label in it. The report has one problem.
template <class Value, class Index>
SolverReport train_logistic_multinomial(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                        std::span<const double> cost, double intercept_scale, bool in_double,
                                        const SolverSettings& settings, std::span<Value> coefficients,
                                        std::span<double> intercept);

}  // namespace assay::linear
