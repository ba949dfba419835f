// fold_svm.hpp: the support vector machines of all folds of a cross-validation side by side.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// Solves, for each fold f, the problems of linear_svm.hpp with the squared hinge over the rows of the other folds, as
/// their features are in that fold:
///
///     xᵢᶠ = tᵢ (rᶠ ∘ xᵢ),    tᵢ = 1/‖rᶠ ∘ xᵢ‖ where rows have the norm 1, else 1
///
/// The folds' problems are lanes of the same passes, so that a row and the weights of its columns are read once for all
/// of them. Every lane starts from zero, and never reads the label of a row of its own fold: such a row is passed over
/// with its dual variable at 0.
///
/// Given: X, what all folds make of their features; labels, one a row; fold_of[i] in [0, n_folds); factors[j · n_folds
/// + f] = rⱼᶠ, 0 for a column that fold f does not have; cost C; s = intercept_scale, 0 for no intercept; n_problems,
/// 1 for two labels, of which 1 is positive, else one a label.
/// Gives: scores[i · n_problems + k] of every row by the machines of its fold, which have not seen it; the report has
/// problem k of fold f in place f · n_problems + k. The result has the same bits for every number of threads.
SolverReport score_svm_folds(const CsrView<float, std::int32_t>& X, std::span<const std::int32_t> labels,
                             std::span<const std::int32_t> fold_of, std::int32_t n_folds,
                             std::span<const float> factors, bool unit_rows, double cost, double intercept_scale,
                             std::int32_t n_problems, const SolverSettings& settings, std::span<double> scores);

}  // namespace assay::linear
