// linear_svm.hpp: L2-regularised support vector machines, one against the rest, by dual coordinate descent.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"
#include "assay/linear/solver_report.hpp"
#include "assay/linear/targets.hpp"

namespace assay::linear {

enum class Hinge : std::uint8_t { plain, squared };

/// Solves, for each problem k with targets yᵢ = +1 where row i has the label first_label + k and −1 elsewhere,
///
///     min_{w, b}  ½‖w‖² + ½(b/s)² + Σᵢ Cᵢ max(0, 1 − yᵢ(w·xᵢ + b))^q,      q = 1 (plain) or 2 (squared)
///
/// through its dual
///
///     min_α  ½ αᵀQα − Σᵢ αᵢ + [q = 2] Σᵢ αᵢ²/(4Cᵢ),    0 ≤ αᵢ ≤ Cᵢ (q = 1) or 0 ≤ αᵢ (q = 2),
///     Qᵢⱼ = yᵢyⱼ(xᵢ·xⱼ + s²),    w = Σ αᵢyᵢxᵢ,    b = s² Σ αᵢyᵢ
///
/// by algorithm 1 of Hsieh, Chang, Lin, Keerthi & Sundararajan (2008), all classes of a thread updated
/// together for each example, which is read once. A class stops when its duality gap is at most tolerance ·
/// objective.
///
/// Given: X; labels, one a row or sets (targets.hpp); cost[i] = C · weight of example i, > 0; label_weight[k], which
/// multiplies the cost of the examples of problem k's own label; s = intercept_scale, 0 for no intercept. The number of
/// problems is intercept.size(); of single labels, more than one must be as many as there are labels, with first_label
/// 0. Problems of sets may be any labels that follow each other.
/// Gives: coefficients[j · n_problems + k] and intercept[k]; support[i] = 1 where αᵢ > 0 in some problem.
/// The result has the same bits for every number of threads.
template <class Value, class Index>
SolverReport train_linear_svm(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                              std::span<const double> label_weight, std::int32_t first_label, Hinge hinge,
                              double intercept_scale, bool in_double, const SolverSettings& settings,
                              std::span<Value> coefficients, std::span<double> intercept,
                              std::span<std::uint8_t> support);

/// The same for the squared hinge and two or more problems that scale the features, each by factors rₖ of its own:
/// problem k is solved over the rows rₖ∘xᵢ, which are never made (column_scales.hpp).
///
/// Given: scales[j · n_problems + k] = rⱼₖ; the rest as above, with first_label 0.
/// Gives: rⱼₖ·wⱼₖ, the coefficients of the features as they are, in the place of rⱼₖ; intercept[k]; and Σⱼ |wⱼₖ| in
/// magnitude[k], which may be empty when nobody asks. The result has the same bits for every number of threads.
template <class Value, class Index>
SolverReport train_scaled_svm(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                              std::span<const double> label_weight, double intercept_scale, bool in_double,
                              const SolverSettings& settings, std::span<double> scales, std::span<double> intercept,
                              std::span<double> magnitude);

}  // namespace assay::linear
