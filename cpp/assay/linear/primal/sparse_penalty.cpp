// sparse_penalty.cpp: newGLMNET (Yuan, Ho & Lin 2012, algorithm 3), proximal Newton for weights that may be zero.
//
//     model    q(d) = ∇L·d + ½ dᵀH d + penalty(w + d),   H = Xᵀ (∂²loss) X
//     step     d ← coordinate descent on q: each weight's minimum is a soft threshold
//     search   w ← w + t d,  t = 1, ½, ¼, … until f falls enough
//
// Columns at zero whose slope is well inside the threshold rest, in the outer and in the inner loop. The model is
// copied side by side first: the columns that do not rest, times the root of the rows' curvature, without the rows that
// have none, as those beyond the margin of a squared hinge. A pass then reads one number for each value, and single
// precision is enough for it: the gradient, in double, says where the optimum is. The objective, and when it stops:
// sparse_penalty.hpp.
#include "assay/linear/primal/sparse_penalty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "assay/base/parallel.hpp"
#include "assay/linear/primal/design.hpp"

namespace assay::linear {
namespace {

using Vector = std::vector<double>;

/// Proximal Newton for the weights of one problem; classes of a multinomial problem take turns.
class SparseSolver {
 public:
    SparseSolver(const SparseHalf& columns, bool last_is_free, const LossTerms& loss, double l1_ratio,
                 const SolverSettings& settings, int n_threads)
        : columns_(columns),
          loss_(loss),
          l1_(l1_ratio),
          settings_(settings),
          n_threads_(n_threads),
          n_columns_(static_cast<std::size_t>(columns.size())),
          n_rows_(loss.cost.size()),
          n_lanes_(loss.n_lanes),
          free_column_(last_is_free ? n_columns_ - 1 : n_columns_) {}

    /// Solves for `weights` [column][class] in place, and writes problem p of the report.
    void solve(std::span<double> weights, SolverReport& report, std::size_t p) {
        score(weights);
        slope_.resize(n_rows_ * n_lanes_);
        state_.resize(n_rows_ * n_lanes_);
        gradients_.resize(n_lanes_);
        loss_value_ = loss_.value(scores_);
        widest_.assign(n_lanes_, std::numeric_limits<double>::infinity());
        inner_tolerance_.assign(n_lanes_, 1.0);
        std::int32_t iteration = 0;
        int without_gain = 0;
        bool is_stuck = false;
        double violation = 0;  // of all classes, in the iteration before
        Reached now{};
        double proven = -std::numeric_limits<double>::infinity();  // no weights have a lower objective
        double smallest_gap = std::numeric_limits<double>::infinity();
        const auto is_near = [&](double tolerance) { return now.gap <= tolerance * now.objective; };
        while (true) {
            now = measure(weights);
            if (free_column_ == n_columns_) {  // else the gap is in part an estimate, and proves nothing for later
                proven = std::max(proven, now.objective - now.gap);
                now.gap = std::min(now.gap, now.objective - proven);
            }
            if (now.gap < 0.9 * smallest_gap) {  // where rounding hides that f falls, the gap still tells
                smallest_gap = now.gap;
                without_gain = 0;
            }
            if (is_near(settings_.tolerance) || iteration >= settings_.max_iterations) break;
            if (is_stuck || without_gain == patience_) break;  // no progress is possible in double precision
            const double calm = n_lanes_ > 1 ? 0.01 * violation / static_cast<double>(n_lanes_) : 0.0;
            violation = 0;
            bool moved = false, gained = false;
            for (std::size_t k = 0; k < n_lanes_; ++k) {
                Model model = make_model(weights, k);
                violation += model.violation;
                if (model.violation < calm) {  // next to the others it has nothing to gain in this iteration
                    moved = true;
                    continue;
                }
                descend(model, weights, k);
                const double fall = search_line(model, weights, k);
                moved = moved || std::isfinite(fall);
                gained = gained || fall < 0;
            }
            ++iteration;
            without_gain = gained ? 0 : without_gain + 1;
            is_stuck = !moved;
        }
        report.objective[p] = now.objective;
        report.gap[p] = now.gap;
        report.iterations[p] = std::max<std::int32_t>(iteration, 1);
        report.converged[p] =
            is_near(settings_.tolerance) || (iteration < settings_.max_iterations && is_near(rounding_));
        report.work[p] = static_cast<double>(work_);
    }

 private:
    /// The quadratic model of class k at the current scores, and the columns worth moving.
    struct Model {
        Vector gradient;                      // of the smooth part, one a column
        std::vector<std::int32_t> active;     // columns; what follows has one value for each of them
        Vector curvature, change;             // the latter of the weights
        std::vector<std::size_t> begin, end;  // of the columns' entries in `copied_`
        Vector bent_turn;                     // of these rows: √bend · change of the score
        double violation = 0;                 // 1-norm of the smallest subgradient
    };

    bool is_free(std::size_t j) const { return j == free_column_; }
    double l1(std::size_t j) const { return is_free(j) ? 0.0 : l1_; }
    double ridge(std::size_t j) const { return is_free(j) ? 0.0 : 1 - l1_; }
    double penalty(double weight, std::size_t j) const {
        return l1(j) * std::abs(weight) + 0.5 * ridge(j) * weight * weight;
    }

    struct Reached {
        double objective = 0, gap = 0;
    };

    /// The gap is that to the dual point which the slopes are, or as much of them as is feasible: the largest share at
    /// which no column's slope is beyond its threshold. A penalty with a quadratic part has no threshold, and either
    /// point may be the better one. What a free intercept could still gain is told from its own Newton step.
    Reached measure(std::span<const double> weights) {
        loss_.differentiate(scores_, slope_, state_);
        double steepest = 0;
        Reached reached{loss_value_, 0.0};
        double penalties = 0, slopes = 0, excess = 0, intercepts = 0;
        for (std::size_t k = 0; k < n_lanes_; ++k) {
            gradients_[k] = slopes_of(k);
            for (std::size_t j = 0; j < n_columns_; ++j) {
                const double weight = weights[j * n_lanes_ + k], slope = gradients_[k][j];
                if (is_free(j)) {
                    intercepts += newton_gain(slope, k);
                    continue;
                }
                steepest = std::max(steepest, std::abs(slope));
                penalties += penalty(weight, j);
                slopes -= weight * slope;
                const double beyond = std::max(0.0, std::abs(slope) - l1_);
                excess += beyond * beyond;
            }
        }
        const double share = steepest > l1_ ? l1_ / steepest : 1.0;
        reached.gap = penalties - share * slopes + loss_.shrinkage(scores_, share);
        if (l1_ < 1) reached.gap = std::min(reached.gap, penalties - slopes + excess / (2 * (1 - l1_)));
        reached.gap = std::max(reached.gap, 0.0) + intercepts;
        reached.objective += penalties;
        return reached;
    }

    /// Twice by how much the free intercept of class k would make the loss's quadratic model fall: more than the rest
    /// of the loss, as a rule.
    double newton_gain(double slope, std::size_t k) const {
        double curvature = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) curvature += loss_.diagonal(state_, i, k);
        const double constant = columns_[static_cast<std::int64_t>(free_column_)][0].value;
        return slope == 0 ? 0 : slope * slope / (curvature * constant * constant);
    }

    /// Of the loss, in the weights of class k.
    Vector slopes_of(std::size_t k) {
        Vector slope(n_rows_), result(n_columns_);
        for (std::size_t i = 0; i < n_rows_; ++i) slope[i] = slope_[i * n_lanes_ + k];
        for_each_block(columns_.size(), 4096, n_threads_, [&](std::int64_t first, std::int64_t last, int) {
            for (std::int64_t column = first; column < last; ++column) {
                double sum = 0;
                for (const auto& entry : columns_[column]) {
                    sum += entry.value * slope[static_cast<std::size_t>(entry.column)];
                }
                result[static_cast<std::size_t>(column)] = sum;
            }
        });
        work_ += static_cast<std::int64_t>(columns_.entries.size());
        return result;
    }

    Model make_model(std::span<const double> weights, std::size_t k) {
        if (k > 0) {  // the classes before it have moved since the gap was measured
            loss_.differentiate(scores_, slope_, state_);
            gradients_[k] = slopes_of(k);
        }
        Model model;
        model.gradient = std::move(gradients_[k]);
        for (std::size_t j = 0; j < n_columns_; ++j) model.gradient[j] += ridge(j) * weights[j * n_lanes_ + k];
        // First level of shrinking: a weight at zero whose slope is well inside the threshold stays there for
        // now.
        const double margin = widest_[k] / static_cast<double>(n_rows_);
        double widest_now = 0;
        for (std::size_t j = 0; j < n_columns_; ++j) {
            const double weight = weights[j * n_lanes_ + k];
            const double violation = subgradient(model.gradient[j], weight, l1(j));
            model.violation += violation;
            widest_now = std::max(widest_now, violation);
            if (weight == 0 && !is_free(j) && std::abs(model.gradient[j]) < l1(j) - margin) continue;
            model.active.push_back(static_cast<std::int32_t>(j));
        }
        widest_[k] = widest_now;
        return model;
    }

    void score(std::span<const double> weights) {
        scores_.assign(n_rows_ * n_lanes_, 0.0);
        for (std::size_t at = 0; at < weights.size(); ++at) {
            if (weights[at] == 0) continue;
            const std::size_t k = at % n_lanes_;
            for (const auto& entry : columns_[static_cast<std::int64_t>(at / n_lanes_)]) {
                scores_[static_cast<std::size_t>(entry.column) * n_lanes_ + k] += weights[at] * entry.value;
            }
        }
    }

    /// Copies what coordinate descent goes through.
    void copy_columns(Model& model, std::size_t k) {
        std::vector<std::int32_t> place(n_rows_, -1);
        Vector root(n_rows_);
        std::int32_t n_curved = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            const double bend = loss_.diagonal(state_, i, k);
            if (bend > 0) place[i] = n_curved++;
            root[i] = std::sqrt(bend);
        }
        const std::size_t n_active = model.active.size();
        model.begin.resize(n_active);
        model.end.resize(n_active);
        model.curvature.resize(n_active);
        model.change.assign(n_active, 0.0);
        model.bent_turn.assign(static_cast<std::size_t>(n_curved), 0.0);
        std::size_t n_entries = 0;
        for (std::size_t at = 0; at < n_active; ++at) {
            model.begin[at] = n_entries;
            n_entries += columns_[model.active[at]].size();
        }
        if (copied_.size() < n_entries) copied_.resize(n_entries);
        for_each_block(static_cast<std::int64_t>(n_active), 4096, n_threads_,
                       [&](std::int64_t first, std::int64_t last, int) {
                           for (auto at = static_cast<std::size_t>(first); at < static_cast<std::size_t>(last); ++at) {
                               const std::int32_t column = model.active[at];
                               double curvature = ridge(static_cast<std::size_t>(column)) + 1e-12;
                               std::size_t to = model.begin[at];
                               for (const auto& entry : columns_[column]) {
                                   const auto i = static_cast<std::size_t>(entry.column);
                                   if (place[i] < 0) continue;
                                   const double value = entry.value * root[i];
                                   curvature += value * value;
                                   copied_[to++] = {place[i], static_cast<float>(value)};
                               }
                               model.end[at] = to;
                               model.curvature[at] = curvature;
                           }
                       });
        work_ += static_cast<std::int64_t>(n_entries);
    }

    static double subgradient(double gradient, double weight, double l1) {
        if (weight > 0) return std::abs(gradient + l1);
        if (weight < 0) return std::abs(gradient - l1);
        return std::max(0.0, std::abs(gradient) - l1);
    }

    /// Coordinate descent on the model: change = argmin of model + penalty, roughly.
    void descend(Model& model, std::span<const double> weights, std::size_t k) {
        copy_columns(model, k);
        std::vector<std::size_t> working(model.active.size());
        std::iota(working.begin(), working.end(), std::size_t{0});
        double widest = std::numeric_limits<double>::infinity();
        double first = 0;
        for (int pass = 0; pass < 1000; ++pass) {
            double total = 0, widest_now = 0;
            std::size_t kept = 0;
            for (const std::size_t at : working) {
                const auto j = static_cast<std::size_t>(model.active[at]);
                const auto column =
                    std::span<const Entry<float>>(copied_).subspan(model.begin[at], model.end[at] - model.begin[at]);
                work_ += static_cast<std::int64_t>(column.size());
                const double old_change = model.change[at];
                const double gradient = model.gradient[j] + (ridge(j) + 1e-12) * old_change + turned(column, model);
                const double weight = weights[j * n_lanes_ + k] + old_change;
                // Second level: a weight at zero well inside the threshold rests while the model is solved.
                if (weight == 0 && !is_free(j) && std::abs(gradient) < l1(j) - widest / static_cast<double>(n_rows_)) {
                    continue;
                }
                working[kept++] = at;
                const double violation = subgradient(gradient, weight, l1(j));
                total += violation;
                widest_now = std::max(widest_now, violation);
                const double aim = weight - gradient / model.curvature[at], cut = l1(j) / model.curvature[at];
                const double moved = std::clamp(aim > cut    ? aim - cut
                                                : aim < -cut ? aim + cut
                                                             : 0.0,
                                                weight - 10, weight + 10);
                const double step = moved - weight;
                if (step == 0) continue;
                model.change[at] += step;
                for (const auto& entry : column) {
                    model.bent_turn[static_cast<std::size_t>(entry.column)] += step * static_cast<double>(entry.value);
                }
            }
            working.resize(kept);
            if (pass == 0) first = total;
            if (total <= inner_tolerance_[k] * first || first == 0) {
                if (pass <= 1) inner_tolerance_[k] = std::max(inner_tolerance_[k] * 0.25, 1e-6);
                if (working.size() == model.active.size() || pass > 0) break;
            }
            widest = widest_now;
        }
    }

    /// Slope of the model in a weight by what has moved so far, in sums side by side.
    static double turned(std::span<const Entry<float>> column, const Model& model) {
        double first = 0, second = 0, third = 0, fourth = 0;
        const auto term = [&](std::size_t e) {
            return static_cast<double>(column[e].value) * model.bent_turn[static_cast<std::size_t>(column[e].column)];
        };
        std::size_t e = 0;
        for (; e + 4 <= column.size(); e += 4) {
            first += term(e), second += term(e + 1), third += term(e + 2), fourth += term(e + 3);
        }
        for (; e < column.size(); ++e) first += term(e);
        return (first + second) + (third + fourth);
    }

    /// The change of the scores.
    Vector turn_of(const Model& model) {
        Vector turn(n_rows_);
        for (std::size_t at = 0; at < model.active.size(); ++at) {
            if (model.change[at] == 0) continue;
            const auto column = columns_[model.active[at]];
            work_ += static_cast<std::int64_t>(column.size());
            for (const auto& entry : column) {
                turn[static_cast<std::size_t>(entry.column)] += model.change[at] * entry.value;
            }
        }
        return turn;
    }

    /// Moves weights and scores by the longest of 1, ½, ¼, … times the change that lowers f enough, or by less than can
    /// be told from rounding, where the model is to be trusted. Returns by how much f fell (0 when it cannot be told),
    /// or infinity when no length is good.
    double search_line(const Model& model, std::span<double> weights, std::size_t k) {
        double expected = 0, before = 0;
        for (std::size_t at = 0; at < model.active.size(); ++at) {
            const auto j = static_cast<std::size_t>(model.active[at]);
            const double weight = weights[j * n_lanes_ + k], change = model.change[at];
            expected +=
                (model.gradient[j] - ridge(j) * weight) * change + penalty(weight + change, j) - penalty(weight, j);
            before += penalty(weight, j);
        }
        const double loss_before = loss_value_;
        const Vector turn = turn_of(model);
        Vector moved(scores_);
        double length = 1;
        for (int halving = 0; halving < 30; ++halving, length /= 2) {
            double after = 0;
            for (std::size_t at = 0; at < model.active.size(); ++at) {
                const auto j = static_cast<std::size_t>(model.active[at]);
                after += penalty(weights[j * n_lanes_ + k] + length * model.change[at], j);
            }
            for (std::size_t i = 0; i < n_rows_; ++i) {
                moved[i * n_lanes_ + k] = scores_[i * n_lanes_ + k] + length * turn[i];
            }
            const double loss_after = loss_.value(moved), fall = loss_after - loss_before + after - before;
            const bool within_rounding = std::abs(fall) <= 1e-14 * (loss_before + before);
            if (within_rounding || (fall <= 0.01 * length * std::min(expected, 0.0) && fall < 0)) {
                for (std::size_t at = 0; at < model.active.size(); ++at) {
                    const auto j = static_cast<std::size_t>(model.active[at]);
                    weights[j * n_lanes_ + k] += length * model.change[at];
                }
                scores_ = std::move(moved);
                loss_value_ = loss_after;
                return within_rounding ? 0.0 : fall;
            }
        }
        return std::numeric_limits<double>::infinity();
    }

    const SparseHalf& columns_;
    const LossTerms& loss_;
    const double l1_;
    const SolverSettings& settings_;
    const int n_threads_;
    const std::size_t n_columns_, n_rows_, n_lanes_, free_column_;
    Vector scores_, slope_, state_;            // [row][class]
    double loss_value_ = 0;                    // at these scores
    std::vector<Vector> gradients_;            // of the loss, of each class, as the gap was measured
    Vector widest_;                            // largest violation of each class when its last model was made
    Vector inner_tolerance_;                   // of the model's violation, as a share of that of its first pass
    std::vector<Entry<float>> copied_;         // of the last model: value · √bend, in rows that have curvature
    std::int64_t work_ = 0;                    // values that were read
    static constexpr int patience_ = 20;       // iterations that rounding hides, before it is called the end
    static constexpr double rounding_ = 1e-9;  // of the objective: a gap that double precision may not get below
};

}  // namespace

template <class Value, class Index>
SolverReport train_sparse(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> cost,
                          std::span<const double> label_weight, std::int32_t first_label, SmoothLoss loss,
                          double l1_ratio, double intercept_scale, const SolverSettings& settings,
                          std::span<Value> coefficients, std::span<double> intercept) {
    check_csr(X);
    check_width(X.n_columns);
    const std::size_t n_classes = intercept.size();
    const bool joint = loss == SmoothLoss::multinomial;
    const std::size_t n_lanes = joint ? n_classes : 1, n_problems = joint ? 1 : n_classes;
    const auto n_features = static_cast<std::size_t>(X.n_columns);
    SparseHalf columns = keep_columns(X);
    // The constant feature that carries the intercept, as in design.hpp.
    const bool has_constant = intercept_scale >= 0, is_free = intercept_scale == 0;
    const double constant = intercept_scale > 0 ? intercept_scale : 1.0;
    if (has_constant) {
        for (std::int64_t i = 0; i < X.n_rows(); ++i) {
            columns.entries.push_back({static_cast<std::int32_t>(i), constant});
        }
        columns.begin.push_back(static_cast<std::int64_t>(columns.entries.size()));
    }
    SolverReport report(n_problems);
    for_each_problem(n_problems, settings, [&](std::size_t p, int n_threads) {
        const LossTerms terms(loss, labels, cost, label_weight, first_label, p);
        Vector weights(static_cast<std::size_t>(columns.size()) * n_lanes, 0.0);
        for (std::size_t j = 0; j < n_features; ++j) {
            for (std::size_t k = 0; k < n_lanes; ++k) {
                weights[j * n_lanes + k] = static_cast<double>(coefficients[j * n_classes + p + k]);
            }
        }
        for (std::size_t k = 0; has_constant && k < n_lanes; ++k) {
            weights[n_features * n_lanes + k] = intercept[p + k] / constant;
        }
        SparseSolver(columns, is_free, terms, l1_ratio, settings, n_threads).solve(weights, report, p);
        for (std::size_t j = 0; j < n_features; ++j) {
            for (std::size_t k = 0; k < n_lanes; ++k) {
                coefficients[j * n_classes + p + k] = static_cast<Value>(weights[j * n_lanes + k]);
            }
        }
        double mean = 0;  // free intercepts of classes with a joint loss may all be moved together: keep them centred
        if (joint && is_free) {
            for (std::size_t k = 0; k < n_lanes; ++k) mean += weights[n_features * n_lanes + k] / double(n_lanes);
        }
        for (std::size_t k = 0; k < n_lanes; ++k) {
            intercept[p + k] = has_constant ? constant * (weights[n_features * n_lanes + k] - mean) : 0.0;
        }
    });
    return report;
}

#define ASSAY_TRAIN(Value, Index)                                                                             \
    template SolverReport train_sparse(const CsrView<Value, Index>&, const Targets&, std::span<const double>, \
                                       std::span<const double>, std::int32_t, SmoothLoss, double, double,     \
                                       const SolverSettings&, std::span<Value>, std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_TRAIN)
#undef ASSAY_TRAIN

}  // namespace assay::linear
