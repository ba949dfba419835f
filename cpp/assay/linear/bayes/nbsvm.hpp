// nbsvm.hpp: linear classifiers on features that naive Bayes has scaled (Wang & Manning 2012).
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/sparse.hpp"
#include "assay/linear/bayes/naive_bayes.hpp"
#include "assay/linear/solver_report.hpp"
#include "assay/linear/targets.hpp"

namespace assay::linear {

enum class ScaledLearner : std::uint8_t { svm, logistic };

struct NbsvmSettings {
    ScaledLearner learner = ScaledLearner::svm;
    double alpha = 1;    // pseudo-count of every feature
    double beta = 0.25;  // 1 trusts the learned weights, 0 trusts naive Bayes
    bool fit_intercept = true;
    bool in_double = true;        // solve in double precision
    double newton_tolerance = 0;  // of the primal method, which is far more exact for little more work
    SolverSettings solver;
};

/// For each problem k, which asks whether a row is of class c = first_label + k:
///
///     p_j = n_jc + α,  q_j = Σ_{d ≠ c} n_jd + α,      r_j = log (p_j / ‖p‖₁) − log (q_j / ‖q‖₁)
///     w, b = the L2-regularised squared-hinge SVM, or logistic regression, of the rows r∘x
///     w̄ = ‖w‖₁ / (number of features),               coefficients_j = r_j·((1 − β)·w̄ + β·w_j)
///                                                     intercept = (1 − β)·w̄·log (N_c / Σ_{d ≠ c} N_d) + β·b
///
/// which goes from naive Bayes (r and the log ratio of the priors, times w̄) at β = 0 to the learned model at β = 1.
///
/// Given: X without duplicate entries; labels, cost, label_weight and first_label as in train_linear_svm; n_jc =
/// counts, the number of rows of each class that have each feature; N_c = class_sizes. Where the labels are sets, Σ_d
/// is over the rows that do not have the label, and counts and class_sizes hold one more class: all rows. Gives
/// coefficients[j·n_problems
/// + k], intercept[k] (the number of problems is intercept.size()) and what each problem reached.
///
/// Several problems with more features than rows are solved side by side by train_scaled_svm or train_scaled_logistic:
/// X is folded once and never scaled, and the ratios stand in `coefficients` until the weights take their place. Beside
/// it the solver keeps two numbers for each feature and problem. Else the problems are solved in parallel, each over a
/// scaled copy of the values, of which no more exist than threads. The result has the same bits for every number of
/// threads.
template <class Value, class Index>
SolverReport train_nbsvm(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                         std::span<const double> label_weight, std::int32_t first_label, const ClassCountsView& counts,
                         std::span<const double> class_sizes, const NbsvmSettings& settings,
                         std::span<double> coefficients, std::span<double> intercept);

}  // namespace assay::linear
