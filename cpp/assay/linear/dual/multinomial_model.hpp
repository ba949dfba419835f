// multinomial_model.hpp: where dual coordinate descent for multinomial logistic regression stands.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/linear/dense_products.hpp"
#include "assay/linear/dual/intercept.hpp"
#include "assay/linear/joint_classes.hpp"

namespace assay::linear {

template <class Real>
struct Multinomial {
    const FoldedRows<Real>& rows;
    std::span<const std::int32_t> labels;
    std::span<const double> cost;
    InterceptFeature feature;
    std::size_t n_classes;
    bool tiled;                       // whether the dense columns of several rows are multiplied at once
    std::size_t stride;               // n_classes rounded up to whole lanes
    ZeroedArray<Real> weights;        // [column][class]
    ZeroedArray<Real> probabilities;  // [row][class], α/C
    std::vector<Real> mask;           // 1 for classes, 0 for lanes that only fill up
    std::vector<double> intercept{};  // centre + τ² Σ (C[label = k] − α)
    std::vector<double> centre{};
    double loss = 0, norm = 0, gap = 0;  // as met on the way, or as measured

    Multinomial(const FoldedRows<Real>& rows_, std::span<const std::int32_t> labels_, std::span<const double> cost_,
                const InterceptFeature& feature_, std::size_t n_classes_)
        : rows(rows_),
          labels(labels_),
          cost(cost_),
          feature(feature_),
          n_classes(n_classes_),
          tiled(rows_.n_dense > 0 && n_classes_ > fewest_tiled),
          stride(tiled ? tiled_stride<Real>(n_classes_) : class_stride(n_classes_)),
          weights(static_cast<std::size_t>(rows_.n_columns) * stride),
          probabilities(static_cast<std::size_t>(rows_.n_rows()) * stride),
          mask(stride, Real(0)),
          intercept(stride, 0.0),
          centre(stride, 0.0) {
        std::fill_n(mask.begin(), n_classes, Real(1));
        for (std::size_t i = 0; i < labels.size(); ++i) {  // no step taken yet: α = C[label = k], w = 0
            probabilities[i * stride + static_cast<std::size_t>(labels[i])] = 1;
        }
    }

    std::size_t n_dense() const { return static_cast<std::size_t>(rows.n_dense); }

    /// Where the dense columns of rows [first, last) are.
    std::vector<const Real*> heads(std::int64_t first, std::int64_t last) const {
        std::vector<const Real*> result;
        result.reserve(static_cast<std::size_t>(last - first));
        for (std::int64_t i = first; i < last; ++i) result.push_back(rows.head(i).data());
        return result;
    }

    static constexpr std::size_t fewest_tiled = 16;  // the weights of fewer classes stay near in any order
};

}  // namespace assay::linear
