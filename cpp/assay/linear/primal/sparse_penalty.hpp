// sparse_penalty.hpp: linear classifiers whose penalty sets weights to zero, by coordinate descent on
// columns.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"
#include "assay/linear/primal/newton.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// Minimises, jointly for all classes (multinomial) or for each class against the rest,
///
///     f(w, b) = ρ‖w‖₁ + (1 − ρ)/2 ‖w‖² + [s > 0] (the same of b/s) + Σᵢ Cᵢ loss(w·xᵢ + b, labelᵢ)
///
/// by proximal Newton steps: the loss is replaced by its quadratic model, the model's minimum with the
/// penalty is found by cyclic coordinate descent over the columns that are not stuck at zero (a soft
/// threshold for each), and a line search on the scores makes f fall. This is newGLMNET, algorithm 3 of Yuan,
/// Ho & Lin (2012), with its two levels of shrinking. For the multinomial loss the classes take turns, each
/// with the curvature p(1 − p) of its own scores.
///
/// It stops when gap ≤ tolerance · objective, the gap being that to the dual point which is made of the slopes of the
/// losses, scaled until it is feasible: a bound on how far f is above its minimum. A free intercept, of which the dual
/// asks that its slope be 0, adds twice what a Newton step of its own would gain: that part is an estimate.
///
/// Given: as train_newton, with ρ = l1_ratio in (0, 1]; it starts from the given coefficients and intercept.
/// Gives: coefficients[j · n_classes + k], intercept[k]; the same bits for every number of threads.
template <class Value, class Index>
SolverReport train_sparse(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                          std::span<const double> label_weight, std::int32_t first_label, SmoothLoss loss,
                          double l1_ratio, double intercept_scale, const SolverSettings& settings,
                          std::span<Value> coefficients, std::span<double> intercept);

}  // namespace assay::linear
