// class_newton.hpp: one class against the rest by a truncated Newton method that multiplies by the rows with curvature
// only, and by the columns that these have.
//
// Examples beyond the margin of a squared hinge have neither slope nor curvature, and a column that only they have
// moves by itself: its weight goes to 0. What is left of the Newton system is copied side by side before conjugate
// gradients go through it. The feature of a row's own (folded_rows.hpp) is eliminated: with bend b and own value o, a
// row counts with  b / (1 + b o²/λ)  in the system of the others, which is much better conditioned where C is large.
// Over dense columns, once conjugate gradients have taken as long, the Hessian is formed and factorised as a
// preconditioner (dense_curvature.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/linear/primal/loss_terms.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// The weights of one class over folded rows.
struct ClassWeights {
    std::vector<double> shared;  // one a column that is left
    std::vector<double> own;     // one a row: of its own features together, whose value is their norm
    double intercept = 0;        // b
};

/// How the intercept is carried: by a feature of this value, penalised like a weight or free.
struct ConstantFeature {
    double value = 0;  // 0: there is none
    bool is_free = false;
};

/// Minimises newton.hpp's f with λ = 1 for a loss of two labels, from the given weights
/// on, and writes problem p of the report. The same bits for every number of threads.
template <class Real>
void solve_class(const FoldedRows<Real>& rows, const LossTerms& loss, const ConstantFeature& constant,
                 const SolverSettings& settings, int n_threads, ClassWeights& weights, SolverReport& report,
                 std::size_t p);

}  // namespace assay::linear
