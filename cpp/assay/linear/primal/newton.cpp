// newton.cpp: truncated Newton steps  w ← w + t d,  H d = −∇f  by preconditioned conjugate gradients  (Galli & Lin
// 2022, Hsia, Chiang & Lin 2018).
//
//     ∇f = λw + Xᵀ ∂loss,    H = λI + Xᵀ (∂²loss) X,    t = 1, ½, ¼, … until f falls enough (Armijo)
//
// Classes against the rest are solved by class_newton.hpp; here are softmax regression and problems without a penalty.
//
// H is not formed: a product with it is one with X and one with Xᵀ. Features that only one row has act together like
// one feature and are folded into it first. The objective, and when it stops: newton.hpp.
#include "assay/linear/primal/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "assay/base/folded_rows.hpp"
#include "assay/base/parallel.hpp"
#include "assay/linear/folded_precision.hpp"
#include "assay/linear/lane_weights.hpp"
#include "assay/linear/primal/class_newton.hpp"
#include "assay/linear/primal/design.hpp"
#include "assay/linear/primal/row_column_matrix.hpp"

namespace assay::linear {
namespace {

using Vector = std::vector<double>;

class NewtonSolver {
 public:
    NewtonSolver(const Design& design, const LossTerms& loss, double penalty, const SolverSettings& settings,
                 int n_threads)
        : design_(design),
          loss_(loss),
          penalty_(penalty),
          constant_penalty_(design.constant_is_free ? 0.0 : penalty),
          settings_(settings),
          n_threads_(n_threads),
          n_scores_(loss.cost.size() * loss.n_lanes),
          n_weights_(static_cast<std::size_t>(design.n_columns) * loss.n_lanes) {}

    /// Solves for `weights` in place, and writes problem p of the report.
    void solve(std::span<double> weights, SolverReport& report, std::size_t p) {
        Vector scores(n_scores_), slope(n_scores_), state(n_scores_), turn(n_scores_);
        Vector gradient(n_weights_), step(n_weights_);
        design_.multiply(weights, loss_.n_lanes, n_threads_, scores);
        double objective = value(weights, scores);
        const Vector origin(n_scores_, 0.0);
        const double first_objective = loss_.value(origin);
        bool converged = false;
        std::int32_t iteration = 0;
        double gap = 0, last_unseen = std::numeric_limits<double>::infinity();  // gap before a fall too small to see
        while (true) {
            loss_.differentiate(scores, slope, state);
            design_.multiply_transposed(slope, loss_.n_lanes, n_threads_, gradient);
            n_products_ += 2;  // one for the scores
            add_penalty(weights, gradient);
            const Vector preconditioner = diagonal(state);
            gap = gap_of(gradient, preconditioner);
            // Without a penalty the gap is known only with the next step.
            converged = converged || (penalty_ > 0 && gap <= settings_.tolerance * objective);
            if (converged || iteration >= settings_.max_iterations || is_tired()) break;
            const double decrement = conjugate_gradients(gradient, preconditioner, state, step);
            // Without a penalty the optimum may be at infinity, with an objective of 0 there.
            if (penalty_ == 0) {
                gap = decrement / 2;
                converged = gap <= settings_.tolerance * first_objective;
            }
            design_.multiply(step, loss_.n_lanes, n_threads_, turn);
            double length = search_line(weights, scores, step, turn, gradient, objective);
            ++iteration;
            // Near the optimum f falls by less than it is rounded by; as long as the gradient still falls, so does f.
            if (length == 0 && penalty_ > 0 && gap <= 1e-9 * objective && gap < 0.25 * last_unseen) {
                length = 1;
                last_unseen = gap;
            }
            if (length == 0) {  // no progress is possible in double precision
                converged = converged || gap <= 1e-9 * objective;
                break;
            }
            for (std::size_t at = 0; at < n_weights_; ++at) weights[at] += length * step[at];
            for (std::size_t at = 0; at < n_scores_; ++at) scores[at] += length * turn[at];
        }
        report.objective[p] = objective;
        report.gap[p] = gap;
        report.iterations[p] = std::max<std::int32_t>(iteration, 1);
        report.converged[p] = converged;
        report.work[p] = static_cast<double>(n_products_) *
                         static_cast<double>(design_.matrix.rows.entries.size() + design_.dense.values.size());
    }

 private:
    /// Whether more has been read than settings.patience allows.
    bool is_tired() const { return static_cast<double>(n_products_) >= settings_.patience; }

    double penalty_of(std::size_t weight) const {
        const bool is_constant = design_.has_constant && weight >= n_weights_ - loss_.n_lanes;
        return is_constant ? constant_penalty_ : penalty_;
    }

    double value(std::span<const double> weights, std::span<const double> scores) const {
        const std::size_t n_plain = n_weights_ - (design_.has_constant ? loss_.n_lanes : 0);
        const auto plain = weights.first(n_plain), constant = weights.subspan(n_plain);
        return 0.5 * penalty_ * inner_product(plain, plain, n_threads_) +
               0.5 * constant_penalty_ * inner_product(constant, constant, 1) + loss_.value(scores);
    }

    void add_penalty(std::span<const double> weights, std::span<double> out) const {
        for (std::size_t at = 0; at < n_weights_; ++at) out[at] += penalty_of(at) * weights[at];
    }

    Vector diagonal(std::span<const double> state) const {
        Vector result(n_weights_);
        for_each_block(design_.n_columns, 4096, n_threads_, [&](std::int64_t first, std::int64_t last, int) {
            for (std::int64_t j = first; j < last; ++j) {
                for (std::size_t k = 0; k < loss_.n_lanes; ++k) {
                    const std::size_t at = static_cast<std::size_t>(j) * loss_.n_lanes + k;
                    double sum = penalty_of(at);
                    for (const auto& entry : design_.matrix.columns[j]) {
                        sum += entry.value * entry.value *
                               loss_.diagonal(state, static_cast<std::size_t>(entry.column), k);
                    }
                    result[at] = sum;
                }
            }
        });
        if (design_.dense.n_columns > 0) {
            Vector bends(n_scores_);
            for (std::size_t at = 0; at < n_scores_; ++at) {
                bends[at] = loss_.diagonal(state, at / loss_.n_lanes, at % loss_.n_lanes);
            }
            design_.dense.add_transposed_squares(bends, loss_.n_lanes, n_threads_, result);
        }
        return with_floor(std::move(result));
    }

    /// Without a penalty a direction may be flat; a floor keeps its step finite.
    static Vector with_floor(Vector result) {
        const double top = *std::max_element(result.begin(), result.end());
        for (double& entry : result) entry = std::max(entry, 1e-12 * std::max(top, 1e-300));
        return result;
    }

    double gap_of(std::span<const double> gradient, std::span<const double> curvature) const {
        double total = 0;
        for (std::size_t at = 0; at < n_weights_; ++at) {
            const double penalty = penalty_of(at);
            total += 0.5 * gradient[at] * gradient[at] / (penalty > 0 ? penalty : curvature[at]);
        }
        return total;
    }

    /// H · direction.
    void curve(std::span<const double> direction, std::span<const double> state, Vector& scratch,
               std::span<double> out) const {
        design_.multiply(direction, loss_.n_lanes, n_threads_, scratch);
        loss_.bend(state, scratch);
        design_.multiply_transposed(scratch, loss_.n_lanes, n_threads_, out);
        add_penalty(direction, out);
    }

    /// Solves H step = −gradient until the quadratic model has all but converged; returns
    /// gradientᵀH⁻¹gradient.
    double conjugate_gradients(std::span<const double> gradient, std::span<const double> diagonal,
                               std::span<const double> state, std::span<double> step) {
        Vector residual(n_weights_), direction(n_weights_), curved(n_weights_), scaled(n_weights_), scratch(n_scores_);
        std::fill(step.begin(), step.end(), 0.0);
        for (std::size_t at = 0; at < n_weights_; ++at) residual[at] = -gradient[at];
        for (std::size_t at = 0; at < n_weights_; ++at) scaled[at] = residual[at] / diagonal[at];
        direction = scaled;
        double rho = inner_product(residual, scaled, n_threads_);
        double model = 0;  // value of the quadratic model, which falls monotonically
        const std::size_t most = std::clamp<std::size_t>(n_weights_, 5, 1000);
        for (std::size_t iteration = 1; iteration <= most && rho > 0; ++iteration) {
            curve(direction, state, scratch, curved);
            n_products_ += 2;
            if (is_tired() && iteration > 1) break;
            const double bend = inner_product(direction, curved, n_threads_);
            if (!(bend > 0)) break;
            const double length = rho / bend;
            for (std::size_t at = 0; at < n_weights_; ++at) {
                step[at] += length * direction[at];
                residual[at] -= length * curved[at];
                scaled[at] = residual[at] / diagonal[at];
            }
            const double gain = 0.5 * length * rho;
            model -= gain;
            // Nash & Sofer's rule: stop when a step of CG no longer pays in the model.
            if (static_cast<double>(iteration) * gain <= forcing_ * -model) break;
            const double next_rho = inner_product(residual, scaled, n_threads_);
            const double beta = next_rho / rho;
            rho = next_rho;
            for (std::size_t at = 0; at < n_weights_; ++at) direction[at] = scaled[at] + beta * direction[at];
        }
        return -2 * model;
    }

    /// The longest step 1, ½, ¼, … that lowers f enough (Armijo); 0 when none does. Updates `objective`.
    double search_line(std::span<const double> weights, std::span<const double> scores, std::span<const double> step,
                       std::span<const double> turn, std::span<const double> gradient, double& objective) const {
        const double slope = inner_product(gradient, step, n_threads_);
        Vector moved_weights(n_weights_), moved_scores(n_scores_);
        double length = 1;
        for (int halving = 0; halving < 40; ++halving, length /= 2) {
            for (std::size_t at = 0; at < n_weights_; ++at) moved_weights[at] = weights[at] + length * step[at];
            for (std::size_t at = 0; at < n_scores_; ++at) moved_scores[at] = scores[at] + length * turn[at];
            const double moved = value(moved_weights, moved_scores);
            if (moved <= objective + 1e-4 * length * slope && moved < objective) {
                objective = moved;
                return length;
            }
        }
        return 0;
    }

    const Design& design_;
    const LossTerms& loss_;
    const double penalty_, constant_penalty_;
    const SolverSettings& settings_;
    const int n_threads_;
    const std::size_t n_scores_, n_weights_;
    std::int64_t n_products_ = 0;  // with X or its transpose
    static constexpr double forcing_ = 0.01;
};

/// Each class against the rest over folded rows; of those that settings.solved names nothing is
/// touched.
template <class Real, class Value, class Index>
void solve_classes(const CsrView<Value, Index>& X, const FoldedRows<Real>& rows, const Targets& labels,
                   std::span<const double> cost, std::span<const double> label_weight, std::int32_t first_label,
                   SmoothLoss loss, double intercept_scale, const SolverSettings& settings,
                   std::span<Value> coefficients, std::span<double> intercept, SolverReport& report) {
    const std::size_t n_classes = intercept.size();
    ConstantFeature constant;
    if (intercept_scale >= 0) constant = {intercept_scale > 0 ? intercept_scale : 1.0, intercept_scale == 0};
    const auto norm = [&](std::int64_t i) { return std::sqrt(rows.own_square[static_cast<std::size_t>(i)]); };
    for_each_problem(n_classes, settings, [&](std::size_t p, int n_threads) {
        const LossTerms terms(loss, labels, cost, label_weight, first_label, p);
        ClassWeights weights{Vector(static_cast<std::size_t>(rows.n_columns)), Vector(terms.cost.size()), intercept[p]};
        const auto given = [&](std::size_t j) { return static_cast<double>(coefficients[j * n_classes + p]); };
        for_each_column(
            X, rows, n_threads,
            [&](std::size_t, std::size_t j, std::int32_t home) {
                if (home >= 0) weights.shared[static_cast<std::size_t>(home)] = given(j);
            },
            [&](std::size_t, std::size_t j, std::int64_t i, double value) {
                if (norm(i) > 0) weights.own[static_cast<std::size_t>(i)] += given(j) * value / norm(i);
            });
        solve_class(rows, terms, constant, settings, n_threads, weights, report, p);
        for_each_column(
            X, rows, n_threads,
            [&](std::size_t, std::size_t j, std::int32_t home) {
                coefficients[j * n_classes + p] =
                    static_cast<Value>(home >= 0 ? weights.shared[static_cast<std::size_t>(home)] : 0.0);
            },
            [&](std::size_t, std::size_t j, std::int64_t i, double value) {
                coefficients[j * n_classes + p] =
                    norm(i) > 0 ? static_cast<Value>(weights.own[static_cast<std::size_t>(i)] / norm(i) * value)
                                : Value(0);
            });
        intercept[p] = constant.value > 0 ? weights.intercept : 0.0;
    });
}

}  // namespace

template <class Value, class Index>
SolverReport train_newton(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                          std::span<const double> label_weight, std::int32_t first_label, SmoothLoss loss,
                          double penalty, double intercept_scale, const SolverSettings& settings,
                          std::span<Value> coefficients, std::span<double> intercept) {
    const std::size_t n_classes = intercept.size();
    const bool joint = loss == SmoothLoss::multinomial;
    const std::size_t n_lanes = joint ? n_classes : 1, n_problems = joint ? 1 : n_classes;
    SolverReport report(n_problems);
    if (!joint && penalty == 1) {
        const auto train = [&](const auto& rows) {
            solve_classes(X, rows, labels, cost, label_weight, first_label, loss, intercept_scale, settings,
                          coefficients, intercept, report);
            return report;
        };
        return with_folded_rows(X, settings.in_double, DenseColumns::apart, settings, train);
    }
    const auto folded = fold_rows<double>(X, settings.n_threads, OwnFeatures::fold, DenseColumns::apart);
    const std::int64_t n_features = folded.n_columns + folded.n_rows();
    const DenseMatrix dense{folded.dense.span(), static_cast<std::size_t>(folded.n_dense)};
    const Design design(keep_rows(folded), n_features, intercept_scale, dense);
    // The row of a column that only one row has, and its share in that row's own feature.
    std::vector<std::int32_t> owner(static_cast<std::size_t>(X.n_columns), -1);
    Vector share(static_cast<std::size_t>(X.n_columns), 0.0);
    for (std::int64_t i = 0; i < X.n_rows(); ++i) {
        const double norm = std::sqrt(folded.own_square[static_cast<std::size_t>(i)]);
        for (std::int64_t at = X.begin(i); at < X.end(i); ++at) {
            const auto j = static_cast<std::size_t>(X.column(at));
            if (folded.home[j] != FoldedRows<double>::own) continue;
            owner[j] = static_cast<std::int32_t>(i);
            share[j] = norm > 0 ? static_cast<double>(X.value(at)) / norm : 0.0;
        }
    }
    const auto place = [&](std::size_t j) -> std::int64_t {
        return folded.home[j] >= 0 ? folded.home[j] : owner[j] >= 0 ? folded.n_columns + owner[j] : -1;
    };

    for_each_problem(n_problems, settings, [&](std::size_t p, int n_threads) {
        const LossTerms terms(loss, labels, cost, label_weight, first_label, p);
        Vector weights(static_cast<std::size_t>(design.n_columns) * n_lanes, 0.0);
        for (std::size_t j = 0; j < folded.home.size(); ++j) {
            const std::int64_t to = place(j);
            if (to < 0) continue;
            const double factor = folded.home[j] >= 0 ? 1.0 : share[j];
            for (std::size_t k = 0; k < n_lanes; ++k) {
                weights[static_cast<std::size_t>(to) * n_lanes + k] +=
                    factor * static_cast<double>(coefficients[j * n_classes + p + k]);
            }
        }
        if (design.has_constant) {
            for (std::size_t k = 0; k < n_lanes; ++k) {
                weights[weights.size() - n_lanes + k] = intercept[p + k] / design.constant;
            }
        }
        NewtonSolver(design, terms, penalty, settings, n_threads).solve(weights, report, p);
        for (std::size_t j = 0; j < folded.home.size(); ++j) {
            const std::int64_t from = place(j);
            const double factor = folded.home[j] >= 0 ? 1.0 : share[j];
            for (std::size_t k = 0; k < n_lanes; ++k) {
                const double weight = from < 0 ? 0.0 : weights[static_cast<std::size_t>(from) * n_lanes + k];
                coefficients[j * n_classes + p + k] = static_cast<Value>(factor * weight);
            }
        }
        for (std::size_t k = 0; k < n_lanes; ++k) {
            intercept[p + k] = design.has_constant ? design.constant * weights[weights.size() - n_lanes + k] : 0.0;
        }
    });
    return report;
}

#define ASSAY_TRAIN(Value, Index)                                                                             \
    template SolverReport train_newton(const CsrView<Value, Index>&, const Targets&, std::span<const double>, \
                                       std::span<const double>, std::int32_t, SmoothLoss, double, double,     \
                                       const SolverSettings&, std::span<Value>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
