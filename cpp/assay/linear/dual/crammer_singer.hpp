// crammer_singer.hpp: the multi-class support vector machine of Crammer & Singer.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// Solves, for all classes together,
///
///     min_{W, b}  ½ Σₖ (‖wₖ‖² + (bₖ/s)²) + Σᵢ Cᵢ maxₖ (zᵢₖ + [k ≠ labelᵢ] − zᵢ,label),     zᵢₖ = wₖ·xᵢ + bₖ
///
/// through its dual
///
///     min_α  ½ Σₖ ‖wₖ‖² + Σᵢₖ [k ≠ labelᵢ] αᵢₖ,    Σₖ αᵢₖ = 0,   αᵢₖ ≤ Cᵢ [k = labelᵢ],    wₖ = Σᵢ αᵢₖ xᵢ
///
/// by the sequential dual method of Keerthi, Sundararajan, Chang, Hsieh & Lin (2008): one example at a time
/// in all its classes, that small problem solved exactly by sorting.
///
/// Given: as train_linear_svm, labels below n_classes = intercept.size(), cost with the weight of the label
/// in it. Gives: coefficients[j · n_classes + k], intercept, support[i] = 1 where α of the label is above 0.
/// The report has one problem; its gap is primal − dual.
template <class Value, class Index>
SolverReport train_crammer_singer(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                  std::span<const double> cost, double intercept_scale, bool in_double,
                                  const SolverSettings& settings, std::span<Value> coefficients,
                                  std::span<double> intercept, std::span<std::uint8_t> support);

}  // namespace assay::linear
