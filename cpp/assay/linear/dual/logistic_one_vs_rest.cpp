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
    // No example ever comes to rest, so that later passes get no quicker: what crawls is known at once.
    static constexpr PassHabits habits{.first_judged = 3, .between = 1};

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

/// scores[row][lane] = w·x, without the row's own features.
template <class Real, int Width, class Columns>
struct ScorePass {
    const DualProblem<Real>& problem;
    const ClassGroup<Real>& group;
    std::span<Real> scores;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::int64_t i = 0; i < problem.rows.n_rows(); ++i) {
            product<Real, Width, Bytes>(problem.rows.mixed_row(i), group.weights.data(), Columns::n_parts * Width)
                .store(scores.data() + static_cast<std::size_t>(i) * Width);
        }
    }
};

/// Adds Σ x · factors[row][lane] to what is kept for each column.
template <class Real, int Width, class Columns>
struct AddPass {
    const DualProblem<Real>& problem;
    std::span<const Real> factors;
    std::span<Real> sums;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, Width, Bytes>;
        for (std::int64_t i = 0; i < problem.rows.n_rows(); ++i) {
            Columns::template add<Real, Width, Bytes>(
                problem.rows.mixed_row(i), L::load(factors.data() + static_cast<std::size_t>(i) * Width), sums.data());
        }
    }
};

/// Sets loss, norm and gap = ½‖∇f‖² of every class of the group, after moving a free intercept to its best.
template <class Real, int Width, class Columns>
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
        ScorePass<Real, Width, Columns> score{problem_, group_, scores_};
        with_widest_vectors(score);
        std::fill(slopes_.begin(), slopes_.end(), Real(0));
        group_.for_each_lane([&](std::size_t k, std::size_t) { measure_loss(k); });
        ZeroedArray<Real> gradient(group_.weights.size());
        std::copy_n(group_.weights.data(), gradient.size(), gradient.data());
        AddPass<Real, Width, Columns> add{problem_, slopes_, gradient.span()};
        with_widest_vectors(add);
        for (std::size_t j = 0; j < group_.weights.size(); j += Columns::n_parts * Width) {
            group_.for_each_lane([&](std::size_t k, std::size_t) {
                const Real* const kept = group_.weights.data() + j + k;
                group_.norm[k] += Columns::template square<Width>(static_cast<double>(*kept), kept);
                group_.gap[k] += 0.5 * Columns::template square<Width>(static_cast<double>(gradient[j + k]), kept);
            });
        }
    }

 private:
    double sign(std::size_t i, std::size_t k) const { return problem_.is_own(i, group_.problem[k]) ? 1.0 : -1.0; }
    double cost(std::size_t i, std::size_t k) const {
        return sign(i, k) > 0 ? problem_.cost[i] * problem_.label_weight[static_cast<std::size_t>(group_.problem[k])]
                              : problem_.cost[i];
    }
    double own_square(std::size_t i, std::size_t k) const {
        return Columns::scaled ? static_cast<double>(group_.squares[i * 2 * Width + k]) : problem_.rows.own_square[i];
    }
    double score(std::size_t i, std::size_t k) const {
        const double own = own_square(i, k) * static_cast<double>(group_.alpha[i * Width + k]);
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
            norm += own_square(i, k) * factor * factor;
            gap += 0.5 * own_square(i, k) * (factor + slope) * (factor + slope);
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

/// Descends until every class is there, and calls finish(group, dual) for each group of them, with the factors
/// dual(row, lane) = αᵢyᵢ of the rows in w.
template <class Columns, class Real, class Start, class Finish>
SolverReport solve(DualProblem<Real> problem, const InterceptFeature& feature, const SolverSettings& settings,
                   std::span<double> intercept, Start&& start, Finish&& finish) {
    problem.scale_square = feature.square;
    auto teams = group_classes<Columns>(problem, settings.n_threads);
    const auto descend = [&](ClassGroup<Real>& group, std::span<const std::int32_t> order) {
        sweep<LogisticRule, Columns>(problem, group, order, true);
    };
    const auto measure = [&](ClassGroup<Real>& group, std::span<const std::int32_t>) {
        with_group_width<Columns>(
            group, [&]<int Width>() { Measurement<Real, Width, Columns>(problem, feature, group).take(); });
    };
    const auto recentre = [&](ClassGroup<Real>& group, std::int32_t iteration) {
        if (!feature.present || feature.penalised || iteration < InterceptFeature::first_move) return;
        for (std::size_t k = 0; k < group.width; ++k) {
            if (group.awake[k] == 0) continue;
            const double move = group.intercept[k] - group.centre[k];
            group.centre[k] += move;
            group.intercept[k] += move;
        }
    };
    const auto report = descend_in_rounds<Columns>(problem, teams, settings, LogisticRule::habits, start, descend,
                                                   measure, recentre, InCompany<Real>{});
    for (const auto& team : teams) {
        for (const auto& group : team) {
            group.for_each_lane(
                [&](std::size_t k, std::size_t p) { intercept[p] = feature.present ? group.intercept[k] : 0.0; });
            finish(group, signed_duals(problem, group));
        }
    }
    return report;
}

/// The mean of ‖r∘x‖² over all rows and problems.
template <class Value, class Index>
double mean_scaled_square(const CsrView<Value, Index>& X, std::span<const double> scales, std::size_t n_problems) {
    if (X.n_rows() == 0) return 0;
    std::vector<double> of_column(static_cast<std::size_t>(X.n_columns));
    for (std::size_t at = 0; at < scales.size(); ++at) of_column[at / n_problems] += scales[at] * scales[at];
    double total = 0;
    for (std::int64_t at = 0; at < X.end(X.n_rows() - 1); ++at) {
        const auto value = static_cast<double>(X.value(at));
        total += value * value * of_column[static_cast<std::size_t>(X.column(at))];
    }
    return total / (static_cast<double>(X.n_rows()) * static_cast<double>(n_problems));
}

}  // namespace

template <class Value, class Index>
SolverReport train_logistic_one_vs_rest(const CsrView<Value, Index>& X, const Targets& labels,
                                        std::span<const double> cost, std::span<const double> label_weight,
                                        std::int32_t first_label, double intercept_scale, bool in_double,
                                        const SolverSettings& settings, std::span<Value> coefficients,
                                        std::span<double> intercept) {
    const auto train = [&]<class Real>(const FoldedRows<Real>& rows) {
        const auto finish = [&](const ClassGroup<Real>& group, auto&& dual) {
            unfold_weights<Real>(X, rows, group.weights.span(), group.width, group.problems(), intercept.size(),
                                 settings.n_threads, dual, coefficients);
        };
        return solve<PlainColumns, Real>(
            {rows, labels, cost, label_weight, first_label, 0}, make_intercept(rows, intercept_scale), settings,
            intercept, [](auto&) {}, finish);
    };
    return with_folded_rows(X, in_double, DenseColumns::apart, settings, train);
}

template <class Value, class Index>
SolverReport train_scaled_logistic(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                                   std::span<const double> label_weight, double intercept_scale, bool in_double,
                                   const SolverSettings& settings, std::span<double> scales,
                                   std::span<double> intercept, std::span<double> magnitude) {
    const auto train = [&]<class Real>(const FoldedRows<Real>& rows) {
        const auto start = [&](ClassGroup<Real>& group) { set_scales(X, rows, scales, intercept.size(), group); };
        const auto finish = [&](const ClassGroup<Real>& group, auto&& dual) {
            unfold_scaled_weights<Real>(X, rows, group.weights.span(), 2 * group.width, group.problems(),
                                        intercept.size(), settings.n_threads, dual, scales, magnitude);
        };
        const InterceptFeature feature =
            make_intercept(mean_scaled_square(X, scales, intercept.size()), intercept_scale);
        return solve<ScaledColumns, Real>({rows, labels, cost, label_weight, 0, 0}, feature, settings, intercept, start,
                                          finish);
    };
    return with_folded_rows(X, in_double, DenseColumns::apart, settings, train, largest_square(scales));
}

#define ASSAY_TRAIN(Value, Index)                                                                                      \
    template SolverReport train_logistic_one_vs_rest(                                                                  \
        const CsrView<Value, Index>&, const Targets&, std::span<const double>, std::span<const double>, std::int32_t,  \
        double, bool, const SolverSettings&, std::span<Value>, std::span<double>);                                     \
    template SolverReport train_scaled_logistic(const CsrView<Value, Index>&, const Targets&, std::span<const double>, \
                                                std::span<const double>, double, bool, const SolverSettings&,          \
                                                std::span<double>, std::span<double>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
