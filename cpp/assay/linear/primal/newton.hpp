// newton.hpp: smooth linear classifiers by a truncated Newton method in the primal.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"
#include "assay/linear/primal/loss_terms.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// Minimises, jointly for all classes (multinomial) or for each class against the rest,
///
///     f(w, b) = λ/2 ‖w‖² + [s > 0] λ/2 (b/s)² + Σᵢ Cᵢ loss(w·xᵢ + b, labelᵢ)
///
/// with loss = log(1 + e^{−yz}), max(0, 1 − yz)² or log Σₖ e^{zₖ} − z_label.
///
/// Each step solves H d = −∇f by conjugate gradients with a diagonal preconditioner, using only products with
/// X and its transpose, and goes along d as far as f falls enough: algorithm 1 of Galli & Lin (2022) with the
/// preconditioner of Hsia, Chiang & Lin (2018). It stops when gap ≤ tolerance · f, where gap is
/// ½‖∇f‖²/λ, a bound because f is λ-strongly convex, with ½ g²/h for a free intercept; without a penalty it
/// is half the squared Newton decrement.
///
/// Given: X; labels, cost, label_weight and first_label as in train_linear_svm; λ = 1, or 0 for no penalty; s
/// = intercept_scale > 0 for an intercept that is penalised as a feature of value s, 0 for a free one,
/// negative for none; coefficients[j · n_classes + k] and intercept[k], from which it starts; in settings.solved, the
/// classes against the rest that are not to be touched, of which nothing is reported. Gives:
/// coefficients, intercept; the same bits for every number of threads.
template <class Value, class Index>
SolverReport train_newton(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                          std::span<const double> label_weight, std::int32_t first_label, SmoothLoss loss,
                          double penalty, double intercept_scale, const SolverSettings& settings,
                          std::span<Value> coefficients, std::span<double> intercept);

}  // namespace assay::linear
