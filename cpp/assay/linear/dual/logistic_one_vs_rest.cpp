// logistic_one_vs_rest.cpp: the step of Yu, Huang & Lin (2011, algorithm 5) for logistic regression with two classes.
//
// With p = α/C, margin m and A = C(‖x‖² + s²), the best q for one example satisfies  logit(q) + A(q − p) + m = 0,
// solved by Newton steps on logit(q) inside a bracket. one_vs_rest.hpp makes the passes, many classes side by side.
// What is measured at rest is ½‖∇f‖², after the free intercept has moved to its best. The problem, its dual, and what
// is given and returned: logistic_dual.hpp.
#include <cmath>

#include "assay/linear/dual/intercept.hpp"
#include "assay/linear/dual/logistic_dual.hpp"
#include "assay/linear/dual/one_vs_rest.hpp"
#include "assay/linear/lane_weights.hpp"

namespace assay::linear {
namespace {

struct LogisticRule {
    template <class Real, class L>
    static ASSAY_INLINE DualStep<L> step(const DualExample<L>& example) {
        constexpr Real precise = sizeof(Real) == 4 ? Real(1e-3) : Real(1e-7);  // the error is its square
        const L zero = L::all(0), one = L::all(1), floor = L::all(sizeof(Real) == 4 ? Real(1e-30) : Real(1e-290));
        const L p = example.alpha / example.cost, minus_margin = zero - example.margin;
        const L decay = exp(zero - abs(example.margin));
        const L wrong = where_negative(example.margin, one, decay) / (one + decay);  // σ(−m)
        const L right = where_negative(example.margin, decay, one) / (one + decay);  // σ(m)
        DualStep<L> result;
        result.loss = example.cost * (max(zero, minus_margin) + log(one + decay));
        // Near the optimum this is the divergence of p from σ(−m), without a difference of logarithms.
        const L distance = p - wrong;
        result.gap =
            example.cost * distance * distance * (one / max(floor, p + wrong) + one / max(floor, (one - p) + right));

        // logit(q) + A(q − p) + m = 0, solved for u = logit(q), which lies between logit(p) and −m.
        const L steepness = example.cost * example.curvature;
        const L aim = steepness * p - example.margin;
        const L logit = log(max(p, floor)) - log(max(one - p, floor));
        L low = min(logit, minus_margin), high = max(logit, minus_margin);
        const L middle = max(Real(0.5) * (p + wrong), floor);
        L u = max(low, min(high, log(middle) - log(max(one - middle, floor))));
        L active = one;  // a lane rests once it is there, whatever its neighbours do
        for (int iteration = 0; iteration < 30 && active.any_nonzero(); ++iteration) {
            const L q = sigmoid<L>(u);
            const L residual = u + steepness * q - aim;
            low = where_negative(residual, u, low);
            high = where_negative(residual, high, u);
            const L newton = u - residual / (one + steepness * q * (one - q));
            const L next = where_negative((newton - low) * (high - newton), Real(0.5) * (low + high), newton);
            const L move = (next - u) * active;
            u += move;
            active = where_negative(abs(move) - precise, zero, active);
        }
        result.next = sigmoid<L>(u) * example.cost;
        return result;
    }

    template <class L>
    static ASSAY_INLINE L sigmoid(const L& u) {
        const L one = L::all(1), decay = exp(L::all(0) - abs(u));
        return where_negative(u, decay, one) / (one + decay);
    }
};

/// scores[row][lane] = w·x, the row's own features included.
template <class Real, int Width>
struct ScorePass {
    const DualProblem<Real>& problem;
    const ClassGroup<Real>& group;
    std::span<Real> scores;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::int64_t i = 0; i < problem.rows.n_rows(); ++i) {
            product<Real, Width, Bytes>(problem.rows.mixed_row(i), group.weights.data())
                .store(scores.data() + static_cast<std::size_t>(i) * Width);
        }
    }
};

/// sums[column][lane] += Σ x · factors[row][lane].
template <class Real, int Width>
struct AddPass {
    const DualProblem<Real>& problem;
    std::span<const Real> factors;
    std::span<Real> sums;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, Width, Bytes>;
        for (std::int64_t i = 0; i < problem.rows.n_rows(); ++i) {
            add_row<Real, Width, Bytes>(problem.rows.mixed_row(i),
                                        L::load(factors.data() + static_cast<std::size_t>(i) * Width), sums.data());
        }
    }
};

/// Sets loss, norm and gap = ½‖∇f‖² of every class of the group, after moving a free intercept to its best.
template <class Real, int Width>
class Measurement {
 public:
    Measurement(const DualProblem<Real>& problem, const InterceptFeature& feature, ClassGroup<Real>& group)
        : problem_(problem),
          feature_(feature),
          group_(group),
          n_rows_(static_cast<std::size_t>(problem.rows.n_rows())),
          scores_(n_rows_ * Width),
          slopes_(n_rows_ * Width) {}

    void take() {
        ScorePass<Real, Width> score{problem_, group_, scores_};
        with_widest_vectors(score);
        std::fill(slopes_.begin(), slopes_.end(), Real(0));
        for (std::size_t k = 0; k < group_.n_lanes; ++k) measure_loss(k);
        ZeroedArray<Real> gradient(group_.weights.size());
        std::copy_n(group_.weights.data(), gradient.size(), gradient.data());
        AddPass<Real, Width> add{problem_, slopes_, gradient.span()};
        with_widest_vectors(add);
        for (std::size_t j = 0; j < group_.weights.size(); j += Width) {
            for (std::size_t k = 0; k < group_.n_lanes; ++k) {
                const auto weight = static_cast<double>(group_.weights[j + k]);
                const auto slope = static_cast<double>(gradient[j + k]);
                group_.norm[k] += weight * weight;
                group_.gap[k] += 0.5 * slope * slope;
            }
        }
    }

 private:
    double sign(std::size_t i, std::size_t k) const {
        const auto label = problem_.first_label + static_cast<std::int32_t>(group_.first + k);
        return problem_.labels[i] == label ? 1.0 : -1.0;
    }
    double cost(std::size_t i, std::size_t k) const {
        return sign(i, k) > 0 ? problem_.cost[i] * problem_.label_weight[group_.first + k] : problem_.cost[i];
    }
    double score(std::size_t i, std::size_t k) const {
        const double own = problem_.rows.own_square[i] * static_cast<double>(group_.alpha[i * Width + k]);
        return static_cast<double>(scores_[i * Width + k]) + sign(i, k) * own;
    }

    /// Slope and curvature of the loss in the intercept.
    std::pair<double, double> differentiate(std::size_t k, double intercept) const {
        double slope = 0, curvature = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            const double wrong = 1 / (1 + std::exp(sign(i, k) * (score(i, k) + intercept)));
            slope -= cost(i, k) * sign(i, k) * wrong;
            curvature += cost(i, k) * wrong * (1 - wrong);
        }
        return {slope, curvature};
    }

    void measure_loss(std::size_t k) {
        if (feature_.present && !feature_.penalised) move_intercept(k);
        double loss = 0, norm = 0, gap = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            const double y = sign(i, k), margin = y * (score(i, k) + group_.intercept[k]);
            const double slope = -cost(i, k) * y / (1 + std::exp(margin));
            loss += cost(i, k) * (std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin))));
            slopes_[i * Width + k] = static_cast<Real>(slope);
            const double factor = y * static_cast<double>(group_.alpha[i * Width + k]);
            norm += problem_.rows.own_square[i] * factor * factor;
            gap += 0.5 * problem_.rows.own_square[i] * (factor + slope) * (factor + slope);
        }
        const auto [slope, curvature] = differentiate(k, group_.intercept[k]);
        if (feature_.penalised) {
            const double whole = group_.intercept[k] / feature_.square + slope;  // ∂f/∂b
            norm += group_.intercept[k] * group_.intercept[k] / feature_.square;
            gap += 0.5 * feature_.square * whole * whole;
        } else if (feature_.present && curvature > 0) {
            gap += 0.5 * slope * slope / curvature;
        }
        group_.loss[k] = loss;
        group_.norm[k] = norm;
        group_.gap[k] = gap;
    }

    void move_intercept(std::size_t k) {
        double best = group_.intercept[k];
        for (int iteration = 0; iteration < 20; ++iteration) {
            const auto [slope, curvature] = differentiate(k, best);
            if (!(curvature > 0)) break;
            const double step = std::clamp(-slope / curvature, -1.0, 1.0);
            best += step;
            if (std::abs(step) < 1e-9) break;
        }
        group_.centre[k] += best - group_.intercept[k];
        group_.intercept[k] = best;
    }

    const DualProblem<Real>& problem_;
    const InterceptFeature& feature_;
    ClassGroup<Real>& group_;
    const std::size_t n_rows_;
    std::vector<Real> scores_, slopes_;  // [row][lane]
};

template <class Real, class Value, class Index>
SolverReport solve(const CsrView<Value, Index>& X, const FoldedRows<Real>& rows, DualProblem<Real> problem,
                   double intercept_scale, const SolverSettings& settings, std::span<Value> coefficients,
                   std::span<double> intercept) {
    const InterceptFeature feature = make_intercept(rows, intercept_scale);
    problem.scale_square = feature.square;
    auto groups = group_classes(problem, settings.n_threads);
    const auto measure = [&](ClassGroup<Real>& group, std::span<const std::int32_t>) {
        if (group.width == 1) return Measurement<Real, 1>(problem, feature, group).take();
        if constexpr (widest_group<Real> > 8) {
            if (group.width > 8) return Measurement<Real, widest_group<Real>>(problem, feature, group).take();
        }
        Measurement<Real, 8>(problem, feature, group).take();
    };
    const auto recentre = [&](ClassGroup<Real>& group, std::int32_t iteration) {
        if (!feature.present || feature.penalised || iteration < InterceptFeature::first_move) return;
        for (std::size_t k = 0; k < group.n_lanes; ++k) {
            if (group.awake[k] == 0) continue;
            const double move = group.intercept[k] - group.centre[k];
            group.centre[k] += move;
            group.intercept[k] += move;
        }
    };
    const auto descend = [&](ClassGroup<Real>& group, std::span<const std::int32_t> order) {
        sweep<LogisticRule>(problem, group, order, true);
    };
    const auto report = descend_in_rounds(problem, groups, settings, descend, measure, recentre);
    for (const auto& group : groups) {
        for (std::size_t k = 0; k < group.n_lanes; ++k) {
            intercept[group.first + k] = feature.present ? group.intercept[k] : 0.0;
        }
        const auto dual = [&](std::int64_t i, std::size_t lane) {
            const auto row = static_cast<std::size_t>(i);
            const auto alpha = static_cast<double>(group.alpha[row * group.width + lane]);
            const auto label = problem.first_label + static_cast<std::int32_t>(group.first + lane);
            return problem.labels[row] == label ? alpha : -alpha;
        };
        unfold_weights<Real>(X, rows, group.weights.span(), group.width, group.first, group.n_lanes, intercept.size(),
                             settings.n_threads, dual, coefficients);
    }
    return report;
}

}  // namespace

template <class Value, class Index>
SolverReport train_logistic_one_vs_rest(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                        std::span<const double> cost, std::span<const double> label_weight,
                                        std::int32_t first_label, double intercept_scale, bool in_double,
                                        const SolverSettings& settings, std::span<Value> coefficients,
                                        std::span<double> intercept) {
    return with_folded_rows(X, in_double, DenseColumns::apart, settings, [&]<class Real>(const FoldedRows<Real>& rows) {
        return solve<Real>(X, rows, {rows, labels, cost, label_weight, first_label, 0}, intercept_scale, settings,
                           coefficients, intercept);
    });
}

#define ASSAY_TRAIN(Value, Index)                                                                                      \
    template SolverReport train_logistic_one_vs_rest(                                                                  \
        const CsrView<Value, Index>&, std::span<const std::int32_t>, std::span<const double>, std::span<const double>, \
        std::int32_t, double, bool, const SolverSettings&, std::span<Value>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
