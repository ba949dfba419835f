// dense_curvature.hpp: the Hessian of a loss over dense columns, factorised once to precondition conjugate gradients.
//
// Where columns are correlated, as the dimensions of vectors are, a diagonal preconditioner leaves hundreds of
// iterations. With M = λI + XᵀDX of an earlier Newton step a few are left: D changes slowly near the optimum.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "assay/linear/dense_matrix.hpp"

namespace assay::linear {

class DenseCurvature {
 public:
    /// M = penalty · I + Xᵀ diag(bends) X, bends ≥ 0 one a row.
    DenseCurvature(const DenseMatrix& matrix, std::span<const double> bends, double penalty, int n_threads);

    /// x ← M⁻¹ x, for as many numbers as there are dense columns.
    void solve(std::span<double> x) const;

 private:
    std::size_t n_, stride_;
    std::vector<double> factor_;  // [row][column ≤ row]: L with M = LLᵀ
};

}  // namespace assay::linear
