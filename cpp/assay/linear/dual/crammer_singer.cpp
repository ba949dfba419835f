// crammer_singer.cpp: the sequential dual method of Keerthi, Sundararajan, Chang, Hsieh & Lin (2008).
//
// A step solves the problem of one example x in all its classes, with A = ‖x‖² + s² and Bₖ = zₖ + [k ≠ label] − A αₖ:
//
//     min Σₖ ½ A αₖ² + Bₖ αₖ,   Σₖ αₖ = 0,   αₖ ≤ C [k = label]
//
// whose solution is αₖ = min(C [k = label], (β − Bₖ)/A); β is found by sorting Bₖ + A C [k = label] (Crammer & Singer
// 2001, section 6). The problem, its dual, and what is given and returned: crammer_singer.hpp.
#include "assay/linear/dual/crammer_singer.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "assay/linear/dual/joint_descent.hpp"
#include "assay/linear/joint_classes.hpp"
#include "assay/linear/lane_weights.hpp"

namespace assay::linear {
namespace {

template <class Real>
struct CrammerSinger {
    const FoldedRows<Real>& rows;
    std::span<const std::int32_t> labels;
    std::span<const double> cost;
    double scale_square;
    std::size_t n_classes, stride;
    ZeroedArray<Real> weights;           // [column][class]
    ZeroedArray<Real> alpha;             // [row][class]
    std::vector<double> intercept;       // s² Σ α
    double loss = 0, norm = 0, gap = 0;  // as met on the way, or exact when nothing moved
};

/// One pass over the examples in the given order; takes the sums only when `descend` is false.
template <class Real, int Width>
struct CrammerSingerSweep {
    CrammerSinger<Real>& model;
    std::span<const std::int32_t> order;
    bool descend;

    template <int Bytes>
    ASSAY_INLINE void run() {
        const std::size_t stride = model.stride, K = model.n_classes;
        std::vector<Real> z(stride), step(stride, Real(0));
        std::vector<double> shifted(K), sorted(K);
        model.loss = model.norm = model.gap = 0;
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::int32_t i = order[at];
            const auto index = static_cast<std::size_t>(i);
            const auto label = static_cast<std::size_t>(model.labels[index]);
            const auto row = model.rows.row(i);
            const double cost = model.cost[index], own = model.rows.own_square[index];
            Real* const alpha = model.alpha.data() + index * stride;
            multiply_row<Width, Real, Bytes>(row, model.weights.data(), stride, z.data(),
                                             look_ahead(model.rows, order, at, model.weights.data(), stride));
            double worst = 0, norm = 0, dual = 0;
            const auto score = [&](std::size_t k) {
                return static_cast<double>(z[k]) + own * static_cast<double>(alpha[k]) + model.intercept[k];
            };
            const double right = score(label);
            for (std::size_t k = 0; k < K; ++k) {
                const double violation = score(k) + (k == label ? 0.0 : 1.0) - right;
                worst = std::max(worst, violation);
                norm += static_cast<double>(alpha[k]) * score(k);
                dual += k == label ? 0.0 : static_cast<double>(alpha[k]);
            }
            model.loss += cost * worst;
            model.norm += norm;
            model.gap += cost * worst + norm + dual;
            const double curvature = model.rows.square[index] + model.scale_square;
            if (!descend || curvature <= 0) continue;

            // min Σ ½Aα² + Bα under Σα = 0 and the bounds: α = min(bound, (β − B)/A), β found by sorting.
            for (std::size_t k = 0; k < K; ++k) {
                shifted[k] = score(k) + (k == label ? 0.0 : 1.0) - curvature * static_cast<double>(alpha[k]);
            }
            std::copy(shifted.begin(), shifted.end(), sorted.begin());
            sorted[label] += curvature * cost;
            std::sort(sorted.begin(), sorted.end(), std::greater<>());
            double level = sorted[0] - curvature * cost;
            std::size_t taken = 1;
            while (taken < K && level < static_cast<double>(taken) * sorted[taken]) level += sorted[taken++];
            level /= static_cast<double>(taken);
            bool moved = false;
            for (std::size_t k = 0; k < K; ++k) {
                const double bound = k == label ? cost : 0.0;
                const auto next = static_cast<Real>(std::min(bound, (level - shifted[k]) / curvature));
                step[k] = next - alpha[k];
                moved = moved || step[k] != 0;
                alpha[k] = next;
            }
            if (!moved) continue;
            add_to_row<Width, Real, Bytes>(row, step.data(), stride, model.weights.data());
            for (std::size_t k = 0; k < K; ++k) model.intercept[k] += model.scale_square * static_cast<double>(step[k]);
        }
    }
};

template <int Width, class Real>
SolverReport descend(CrammerSinger<Real>& model, const SolverSettings& settings) {
    const auto sweep = [&](std::span<const std::int32_t> order, bool descend) {
        CrammerSingerSweep<Real, Width> pass{model, order, descend};
        with_widest_vectors(pass);
    };
    std::vector<std::int32_t> in_turn(static_cast<std::size_t>(model.rows.n_rows()));
    std::iota(in_turn.begin(), in_turn.end(), 0);
    return descend_jointly(
        model, settings, 1.5 * settings.tolerance,
        [&](std::span<const std::int32_t> order, std::int32_t) { sweep(order, true); }, [&] { sweep(in_turn, false); });
}

template <class Real, class Value, class Index>
SolverReport solve(const CsrView<Value, Index>& X, const FoldedRows<Real>& rows, std::span<const std::int32_t> labels,
                   std::span<const double> cost, double intercept_scale, const SolverSettings& settings,
                   std::span<Value> coefficients, std::span<double> intercept, std::span<std::uint8_t> support) {
    const std::size_t n_classes = intercept.size(), stride = class_stride(n_classes);
    CrammerSinger<Real> model{rows,
                              labels,
                              cost,
                              intercept_scale * intercept_scale,
                              n_classes,
                              stride,
                              ZeroedArray<Real>(static_cast<std::size_t>(rows.n_columns) * stride),
                              ZeroedArray<Real>(labels.size() * stride),
                              std::vector<double>(n_classes, 0.0)};
    const SolverReport report =
        with_class_width<Real>(stride, [&]<int Width>() { return descend<Width>(model, settings); });
    std::copy(model.intercept.begin(), model.intercept.end(), intercept.begin());
    const auto dual = [&](std::int64_t i, std::size_t k) {
        return static_cast<double>(model.alpha[static_cast<std::size_t>(i) * stride + k]);
    };
    unfold_weights<Real>(X, rows, model.weights.span(), stride, neighbouring_classes(0, n_classes), n_classes,
                         settings.n_threads, dual, coefficients);
    for (std::size_t i = 0; i < support.size(); ++i) {
        support[i] = model.alpha[i * stride + static_cast<std::size_t>(labels[i])] > 0;
    }
    return report;
}

}  // namespace

template <class Value, class Index>
SolverReport train_crammer_singer(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                  std::span<const double> cost, double intercept_scale, bool in_double,
                                  const SolverSettings& settings, std::span<Value> coefficients,
                                  std::span<double> intercept, std::span<std::uint8_t> support) {
    return with_folded_rows(X, in_double, DenseColumns::among_others, settings, [&](const auto& rows) {
        return solve(X, rows, labels, cost, intercept_scale, settings, coefficients, intercept, support);
    });
}

#define ASSAY_TRAIN(Value, Index)                                                                            \
    template SolverReport train_crammer_singer(const CsrView<Value, Index>&, std::span<const std::int32_t>,  \
                                               std::span<const double>, double, bool, const SolverSettings&, \
                                               std::span<Value>, std::span<double>, std::span<std::uint8_t>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
