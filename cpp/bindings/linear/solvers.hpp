// solvers.hpp: what the solvers of linear models are given, checked against each other, and what they reached.
#pragma once

#include <cstdint>

#include "assay/linear/solver_report.hpp"
#include "bindings/base/matrices.hpp"
#include "bindings/base/reports.hpp"
#include "bindings/linear/targets.hpp"

namespace assay::bindings {

/// Checks the sizes of everything that a linear solver is given and writes to, and returns the labels.
template <class Value, class Index>
linear::Targets require_fit(const CsrView<Value, Index>& X, const InputArray<std::int32_t>& labels,
                            const LabelOffsets& label_offsets, const InputArray<double>& cost,
                            const OutputArray<Value>& coefficients, const OutputArray<double>& intercept) {
    require(!X.row_begin.empty() && X.n_columns >= 0, "a matrix needs row offsets and columns");
    const linear::Targets targets = targets_view(labels, label_offsets, X.row_begin.size() - 1);
    require_size("cost", cost.size(), X.row_begin.size() - 1);
    require_size("coefficients", coefficients.size(), static_cast<std::size_t>(X.n_columns) * intercept.size());
    return targets;
}

inline SolverReportDict report_dict(const linear::SolverReport& report) {
    SolverReportDict result;
    result["objective"] = to_numpy(report.objective);
    result["gap"] = to_numpy(report.gap);
    result["iterations"] = to_numpy(report.iterations);
    result["converged"] = to_numpy(report.converged);
    result["work"] = to_numpy(report.work);
    return result;
}

}  // namespace assay::bindings
