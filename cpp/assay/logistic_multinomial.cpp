// logistic_multinomial.cpp: the step of Yu, Huang & Lin (2011, algorithm 7) for multinomial logistic regression.
//
// With p = α/C, scores z and A = C(‖x‖² + s²), a step on one example solves in all its classes at once
//
//     min_q  Σₖ qₖ log qₖ + A/2 ‖q − p‖² − z·q,    Σₖ qₖ = 1
//
// by Newton steps on log q, the multiplier of the sum eliminated. What is measured at rest is ½‖∇f‖², after the free
// intercepts have moved to their best. The problem, its dual, and what is given and returned: logistic_dual.hpp.
#include <cmath>

#include "assay/intercept.hpp"
#include "assay/joint_classes.hpp"
#include "assay/lane_weights.hpp"
#include "assay/logistic_dual.hpp"
#include "assay/one_vs_rest.hpp"

namespace assay {
namespace {

constexpr std::size_t chunk = class_chunk;

template <class Real>
struct Multinomial {
    const FoldedRows<Real>& rows;
    std::span<const std::int32_t> labels;
    std::span<const double> cost;
    InterceptFeature feature;
    std::size_t n_classes, stride;    // stride: n_classes rounded up to whole lanes
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
          stride(class_stride(n_classes_)),
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
};

/// One pass over the examples in the given order, with an exact step for each.
template <class Real, int Width>
struct MultinomialSweep {
    Multinomial<Real>& model;
    std::span<const std::int32_t> order;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, chunk, Bytes>;
        const std::size_t stride = model.stride;
        std::vector<Real> z(stride), s(stride), q(stride), u(stride), step(stride), bias(stride);
        const auto square_of_one = static_cast<Real>(model.feature.square);
        for (std::size_t k = 0; k < stride; ++k) bias[k] = static_cast<Real>(model.intercept[k]);
        model.loss = model.norm = model.gap = 0;
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::int32_t i = order[at];
            const auto index = static_cast<std::size_t>(i);
            const auto label = static_cast<std::size_t>(model.labels[index]);
            const auto row = model.rows.row(i);
            const auto cost = static_cast<Real>(model.cost[index]);
            const Real own = cost * static_cast<Real>(model.rows.own_square[index]);
            Real* const p = model.probabilities.data() + index * stride;
            multiply_row<Width, Real, Bytes>(row, model.weights.data(), stride, z.data());

            // Scores, their softmax s, and what the example adds to the sums.
            z[label] += own;
            L top = L::all(std::numeric_limits<Real>::lowest()), inner = L::all(0);
            const Real plain_score = z[label] - own * p[label];
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L probability = L::load(p + k), lanes = L::load(model.mask.data() + k);
                const L plain = L::load(z.data() + k) - own * probability;
                inner += probability * plain;
                const L score = plain + L::load(bias.data() + k) + (lanes - Real(1)) * Real(1e30);
                score.store(z.data() + k);
                top = max(top, score);
            }
            const Real highest = top.highest();
            L sum = L::all(0);
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L power = exp(L::load(z.data() + k) - highest) * L::load(model.mask.data() + k);
                power.store(s.data() + k);
                sum += power;
            }
            const Real total = sum.sum();
            const auto log_sum = static_cast<Real>(std::log(static_cast<double>(total)));
            model.loss += static_cast<double>(cost * (highest + log_sum - z[label]));
            model.norm += static_cast<double>(cost * (plain_score - inner.sum()));

            const Real steepness = cost * (static_cast<Real>(model.rows.square[index]) + square_of_one);
            model.gap += static_cast<double>(cost * minimise<Bytes>(z, p, total, steepness, s, u, q));
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L next = L::load(q.data() + k), change = cost * (L::load(p + k) - next);
                change.store(step.data() + k);
                next.store(p + k);
            }
            add_to_row<Width, Real, Bytes>(row, step.data(), stride, model.weights.data());
            if (model.feature.present) {
                for (std::size_t k = 0; k < stride; ++k) {
                    model.intercept[k] += model.feature.square * static_cast<double>(step[k]);
                    bias[k] = static_cast<Real>(model.intercept[k]);
                }
            }
        }
    }

    /// min_q Σ q log q + A/2 ‖q − p‖² − z·q over the simplex. With u = log q, every class has u + A q = z + A
    /// p − λ; Newton steps on u take the multiplier λ that keeps Σ q = 1 to first order. Turns s from powers
    /// into probabilities, and returns the divergence of p from them to leading order.
    template <int Bytes>
    ASSAY_INLINE Real minimise(std::span<const Real> z, const Real* p, Real total, Real steepness, std::span<Real> s,
                               std::span<Real> u, std::span<Real> q) {
        using L = Lanes<Real, chunk, Bytes>;
        constexpr Real precise = sizeof(Real) == 4 ? Real(1e-3) : Real(1e-7);  // the error is its square
        const L one = L::all(1), floor = L::all(sizeof(Real) == 4 ? Real(1e-30) : Real(1e-290));
        const std::size_t stride = model.stride;
        L divergence = L::all(0);
        for (std::size_t k = 0; k < stride; k += chunk) {
            const L softmax = L::load(s.data() + k) / total, probability = L::load(p + k);
            const L distance = probability - softmax, both = max(probability + softmax, floor);
            divergence += distance * distance / both;
            softmax.store(s.data() + k);
            log(max(Real(0.5) * both, floor)).store(u.data() + k);
        }
        for (int iteration = 0; iteration < 50; ++iteration) {
            L sum = L::all(0), leverage = L::all(0), pull = L::all(0);
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L logarithm = L::load(u.data() + k), lanes = L::load(model.mask.data() + k);
                const L next = exp(logarithm) * lanes;
                const L residual = logarithm + steepness * (next - L::load(p + k)) - L::load(z.data() + k);
                const L weight = next / (one + steepness * next);
                sum += next;
                leverage += weight;
                pull += weight * residual * lanes;
                next.store(q.data() + k);
            }
            const Real multiplier = (sum.sum() - Real(1) - pull.sum()) / leverage.sum();
            L furthest = L::all(0);
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L logarithm = L::load(u.data() + k), now = L::load(q.data() + k);
                const L lanes = L::load(model.mask.data() + k);
                const L residual = logarithm + steepness * (now - L::load(p + k)) - L::load(z.data() + k);
                L move = (L::all(-multiplier) - residual) * lanes / (one + steepness * now);
                move = min(move, L::all(2));  // a longer step up would overshoot like an exponential
                (logarithm + move).store(u.data() + k);
                furthest = max(furthest, abs(move) * min(one, Real(100) * now));
            }
            if (furthest.highest() < precise) break;
        }
        L sum = L::all(0);
        for (std::size_t k = 0; k < stride; k += chunk) {
            const L next = exp(L::load(u.data() + k)) * L::load(model.mask.data() + k);
            next.store(q.data() + k);
            sum += next;
        }
        const Real scale = Real(1) / sum.sum();
        for (std::size_t k = 0; k < stride; k += chunk) (L::load(q.data() + k) * scale).store(q.data() + k);
        return divergence.sum();
    }
};

/// scores[row][class] = w·x without the row's own features.
template <class Real, int Width>
struct MultinomialScores {
    const Multinomial<Real>& model;
    std::int64_t first, last;
    std::span<Real> scores;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::int64_t i = first; i < last; ++i) {
            multiply_row<Width, Real, Bytes>(model.rows.row(i), model.weights.data(), model.stride,
                                             scores.data() + static_cast<std::size_t>(i) * model.stride);
        }
    }
};

/// sums[column][class] += Σ x · factors[row][class] for classes [first, last).
template <class Real, int Width>
struct MultinomialAdd {
    const Multinomial<Real>& model;
    std::span<const Real> factors;
    std::span<Real> sums;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::int64_t i = 0; i < model.rows.n_rows(); ++i) {
            add_to_row<Width, Real, Bytes>(model.rows.row(i),
                                           factors.data() + static_cast<std::size_t>(i) * model.stride, model.stride,
                                           sums.data());
        }
    }
};

/// Solves A x = b for a positive semi-definite A of n rows by elimination; flat directions get no step.
std::vector<double> solve_dense(std::vector<double> A, std::vector<double> b) {
    const std::size_t n = b.size();
    double top = 0;
    for (std::size_t k = 0; k < n; ++k) top = std::max(top, A[k * n + k]);
    std::vector<bool> flat(n, false);
    for (std::size_t k = 0; k < n; ++k) {
        if (A[k * n + k] <= 1e-10 * top) {
            flat[k] = true;
            continue;
        }
        for (std::size_t r = k + 1; r < n; ++r) {
            const double factor = A[r * n + k] / A[k * n + k];
            if (factor == 0) continue;
            for (std::size_t c = k; c < n; ++c) A[r * n + c] -= factor * A[k * n + c];
            b[r] -= factor * b[k];
        }
    }
    std::vector<double> x(n, 0.0);
    for (std::size_t k = n; k-- > 0;) {
        if (flat[k]) continue;
        double value = b[k];
        for (std::size_t c = k + 1; c < n; ++c) value -= A[k * n + c] * x[c];
        x[k] = value / A[k * n + k];
    }
    return x;
}

/// Sets loss, norm and gap = ½‖∇f‖² exactly, after moving a free intercept to its best.
template <class Real, int Width>
class MultinomialMeasurement {
 public:
    MultinomialMeasurement(Multinomial<Real>& model, int n_threads)
        : model_(model),
          n_threads_(n_threads),
          n_rows_(static_cast<std::size_t>(model.rows.n_rows())),
          scores_(n_rows_ * model.stride),
          slopes_(n_rows_ * model.stride, Real(0)) {}

    void take() {
        for_each_block(model_.rows.n_rows(), 256, n_threads_, [&](std::int64_t first, std::int64_t last, int) {
            MultinomialScores<Real, Width> pass{model_, first, last, scores_};
            with_widest_vectors(pass);
        });
        const std::size_t K = model_.n_classes, stride = model_.stride;
        if (model_.feature.present && !model_.feature.penalised) move_intercept();
        std::vector<double> slope(K), p(K);
        double loss = 0, norm = 0, gap = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            loss += model_.cost[i] * softmax(i, p);
            const double own = model_.rows.own_square[i];
            for (std::size_t k = 0; k < K; ++k) {
                const double target = static_cast<std::size_t>(model_.labels[i]) == k ? 1.0 : 0.0;
                const double pull = model_.cost[i] * (p[k] - target);
                const double factor =
                    model_.cost[i] * (target - static_cast<double>(model_.probabilities[i * stride + k]));
                slopes_[i * stride + k] = static_cast<Real>(pull);
                slope[k] += pull;
                norm += own * factor * factor;
                gap += 0.5 * own * (factor + pull) * (factor + pull);
            }
        }
        if (model_.feature.penalised) {
            for (std::size_t k = 0; k < K; ++k) {
                const double b = model_.intercept[k], whole = b / model_.feature.square + slope[k];
                norm += b * b / model_.feature.square;
                gap += 0.5 * model_.feature.square * whole * whole;
            }
        }
        ZeroedArray<Real> gradient(model_.weights.size());
        std::copy_n(model_.weights.data(), gradient.size(), gradient.data());
        MultinomialAdd<Real, Width> add{model_, slopes_, gradient.span()};
        with_widest_vectors(add);
        for (std::size_t at = 0; at < gradient.size(); ++at) {
            norm += static_cast<double>(model_.weights[at]) * static_cast<double>(model_.weights[at]);
            gap += 0.5 * static_cast<double>(gradient[at]) * static_cast<double>(gradient[at]);
        }
        model_.loss = loss, model_.norm = norm, model_.gap = gap + intercept_gap_;
    }

 private:
    /// Probabilities of row i; returns its loss.
    double softmax(std::size_t i, std::vector<double>& p) const {
        const std::size_t K = model_.n_classes, stride = model_.stride;
        const auto label = static_cast<std::size_t>(model_.labels[i]);
        const double own = model_.cost[i] * model_.rows.own_square[i];
        double top = -std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < K; ++k) {
            const double target = label == k ? 1.0 : 0.0;
            p[k] = static_cast<double>(scores_[i * stride + k]) + model_.intercept[k] +
                   own * (target - static_cast<double>(model_.probabilities[i * stride + k]));
            top = std::max(top, p[k]);
        }
        const double score = p[label];
        double sum = 0;
        for (std::size_t k = 0; k < K; ++k) sum += p[k] = std::exp(p[k] - top);
        for (std::size_t k = 0; k < K; ++k) p[k] /= sum;
        return std::log(sum) + top - score;
    }

    void move_intercept() {
        const std::size_t K = model_.n_classes;
        std::vector<double> p(K);
        for (int iteration = 0; iteration < 20; ++iteration) {
            std::vector<double> slope(K, 0.0), curvature(K * K, 0.0);
            for (std::size_t i = 0; i < n_rows_; ++i) {
                softmax(i, p);
                for (std::size_t k = 0; k < K; ++k) {
                    slope[k] -= model_.cost[i] * (p[k] - (static_cast<std::size_t>(model_.labels[i]) == k ? 1.0 : 0.0));
                    curvature[k * K + k] += model_.cost[i] * p[k];
                    const double factor = model_.cost[i] * p[k];
                    for (std::size_t c = 0; c < K; ++c) curvature[k * K + c] -= factor * p[c];
                }
            }
            const std::vector<double> step = solve_dense(curvature, slope);
            double longest = 0;
            intercept_gap_ = 0;
            for (std::size_t k = 0; k < K; ++k) {
                longest = std::max(longest, std::abs(step[k]));
                intercept_gap_ += 0.5 * slope[k] * step[k];
            }
            if (longest < 1e-9) return;
            const double factor = longest > 1 ? 1 / longest : 1.0;
            double mean = 0;  // adding a constant to all changes nothing; keep them centred
            for (std::size_t k = 0; k < K; ++k) mean += factor * step[k] / static_cast<double>(K);
            for (std::size_t k = 0; k < K; ++k) {
                model_.intercept[k] += factor * step[k] - mean;
                model_.centre[k] += factor * step[k] - mean;
            }
        }
    }

    Multinomial<Real>& model_;
    const int n_threads_;
    const std::size_t n_rows_;
    std::vector<Real> scores_, slopes_;  // [row][class]
    double intercept_gap_ = 0;
};

template <int Width, class Real>
SolverReport descend(Multinomial<Real>& model, const SolverSettings& settings) {
    SolverReport report(1);
    std::vector<std::int32_t> order(static_cast<std::size_t>(model.rows.n_rows()));
    double target = settings.tolerance;
    std::int32_t iteration = 0;
    while (true) {
        bool near = false;
        while (iteration < settings.max_iterations && !near) {
            draw_order(settings.seed, iteration, order);
            MultinomialSweep<Real, Width> pass{model, order};
            with_widest_vectors(pass);
            ++iteration;
            near = model.gap <= target * (0.5 * model.norm + model.loss);
            if (!model.feature.present || model.feature.penalised || iteration < InterceptFeature::first_move) continue;
            for (std::size_t k = 0; k < model.n_classes; ++k) {
                const double move = model.intercept[k] - model.centre[k];
                model.centre[k] += move;
                model.intercept[k] += move;
            }
        }
        MultinomialMeasurement<Real, Width>(model, settings.n_threads).take();
        report.objective[0] = 0.5 * model.norm + model.loss;
        report.gap[0] = model.gap;
        report.iterations[0] = iteration;
        const double relative = report.objective[0] > 0 ? model.gap / report.objective[0] : 0.0;
        report.converged[0] = relative <= settings.tolerance;
        if (report.converged[0] || iteration >= settings.max_iterations) return report;
        target *= std::clamp(0.7 * settings.tolerance / relative, 0.01, 0.7);
    }
}

template <class Real, class Value, class Index>
SolverReport solve(const CsrView<Value, Index>& X, const FoldedRows<Real>& rows, std::span<const std::int32_t> labels,
                   std::span<const double> cost, double intercept_scale, const SolverSettings& settings,
                   std::span<Value> coefficients, std::span<double> intercept) {
    const std::size_t n_classes = intercept.size();
    Multinomial<Real> model(rows, labels, cost, make_intercept(rows, intercept_scale), n_classes);
    const SolverReport report =
        with_class_width<Real>(model.stride, [&]<int Width>() { return descend<Width>(model, settings); });
    for (std::size_t k = 0; k < n_classes; ++k) intercept[k] = model.feature.present ? model.intercept[k] : 0.0;
    const auto dual = [&](std::int64_t i, std::size_t k) {
        const auto row = static_cast<std::size_t>(i);
        const double target = static_cast<std::size_t>(labels[row]) == k ? 1.0 : 0.0;
        return cost[row] * (target - static_cast<double>(model.probabilities[row * model.stride + k]));
    };
    unfold_weights<Real>(X, rows, model.weights.span(), model.stride, 0, n_classes, n_classes, settings.n_threads, dual,
                         coefficients);
    return report;
}

}  // namespace

template <class Value, class Index>
SolverReport train_logistic_multinomial(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                        std::span<const double> cost, double intercept_scale, bool in_double,
                                        const SolverSettings& settings, std::span<Value> coefficients,
                                        std::span<double> intercept) {
    if (!in_double) {
        const auto rows = fold_rows<float>(X, settings.n_threads);
        if (suits_float(rows)) {
            return solve(X, rows, labels, cost, intercept_scale, settings, coefficients, intercept);
        }
    }
    return solve(X, fold_rows<double>(X, settings.n_threads), labels, cost, intercept_scale, settings, coefficients,
                 intercept);
}

#define ASSAY_TRAIN(Value, Index)                                                                                  \
    template SolverReport train_logistic_multinomial(const CsrView<Value, Index>&, std::span<const std::int32_t>,  \
                                                     std::span<const double>, double, bool, const SolverSettings&, \
                                                     std::span<Value>, std::span<double>);
ASSAY_TRAIN(float, std::int32_t)
ASSAY_TRAIN(float, std::int64_t)
ASSAY_TRAIN(double, std::int32_t)
ASSAY_TRAIN(double, std::int64_t)
#undef ASSAY_TRAIN

}  // namespace assay
