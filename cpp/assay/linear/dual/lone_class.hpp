// lone_class.hpp: dual coordinate descent for one class over the examples that still move.
//
// After a few passes most examples of the other classes are beyond the margin, with a dual variable of 0 that does not
// move any more; of a plain hinge neither do those that are at C. A class that has few others is taken out of its group
// of lanes (one_vs_rest.hpp) and goes on by itself, in passes over a shrinking list: an example at a bound leaves it
// when its gradient lies further outside than that of any example that moved in the pass before (Hsieh et al. 2008,
// section 3.2). When the gap over the list is small enough, all examples are gone through once more, and what was
// wrongly left out comes back.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "assay/base/random.hpp"
#include "assay/linear/dual/class_groups.hpp"
#include "assay/linear/dual/dual_step.hpp"

namespace assay::linear {

/// Gradients beyond which an example at a bound is left out.
struct Outside {
    double above = std::numeric_limits<double>::infinity();   // at 0
    double below = -std::numeric_limits<double>::infinity();  // at the upper bound
};

/// What a pass asks of an example before its values, side by side in memory.
template <class Real>
struct ListedExample {
    Real sign, cost, own_square, square;
};

/// A pass over the listed examples that leaves those out of the list that are `outside`. Sums of loss, norm and gap are
/// taken on the way, and set in the lane.
template <class Real, class Rule, class Columns>
struct ShrinkingPass {
    const DualProblem<Real>& problem;
    std::span<const ListedExample<Real>> examples;
    ClassGroup<Real>& lane;
    std::vector<std::int32_t>& list;
    Outside outside;
    std::int64_t n_values = 0;            // that were read, and rows
    Outside met{0, 0};                    // the furthest off of the examples that may move
    double left_loss = 0, left_norm = 0;  // of the examples that were left out

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, 1, Bytes>;
        constexpr std::size_t stride = Columns::n_parts;
        const auto scale_square = static_cast<Real>(problem.scale_square);
        Real* const weights = lane.weights.data();
        double loss = 0, norm = 0, gap = 0;
        std::size_t n_kept = 0;
        for (std::size_t at = 0; at < list.size(); ++at) {
            const std::int32_t i = list[at];
            const auto index = static_cast<std::size_t>(i);
            const auto row = problem.rows.mixed_row(i);
            const auto [sign, cost, own_square, square] = examples[index];
            DualExample<L> example;
            example.sign = L::all(sign);
            example.cost = L::all(cost);
            example.alpha = L::all(lane.alpha[index]);
            const auto ahead = look_ahead<Real>(problem.rows, list, at, weights, stride);
            const L score = product<Real, 1, Bytes>(row, weights, stride, ahead);
            const L plain_margin = example.sign * score + example.alpha * own_square;
            example.margin = plain_margin + example.sign * static_cast<Real>(lane.intercept[0]);
            example.curvature = L::all(square + scale_square);
            n_values += static_cast<std::int64_t>(1 + row.head.size() + row.tail.size());

            const DualStep<L> update = Rule::template step<Real>(example);
            const double alpha = value(example.alpha), gradient = value(Rule::template gradient<Real>(example));
            loss += value(update.loss);
            norm += alpha * value(plain_margin);
            gap += value(update.gap);
            const bool at_zero = alpha == 0, at_top = Rule::bounded && alpha == value(example.cost);
            if ((at_zero && gradient > outside.above) || (at_top && gradient < outside.below)) {
                left_loss += value(update.loss);
                left_norm += alpha * value(plain_margin);
                continue;
            }
            if (!(at_zero && gradient > 0)) met.below = std::min(met.below, gradient);
            if (!(at_zero || (at_top && gradient < 0))) met.above = std::max(met.above, gradient);
            list[n_kept++] = i;
            const L step = example.sign * (update.next - example.alpha);
            if (step.any_nonzero()) {
                lane.alpha[index] = static_cast<Real>(value(update.next));
                Columns::template add<Real, 1, Bytes>(row, step, weights);
                lane.intercept[0] += value(step) * problem.scale_square;
            }
        }
        list.resize(n_kept);
        lane.loss[0] = loss, lane.norm[0] = norm, lane.gap[0] = gap;
    }

 private:
    template <class L>
    static ASSAY_INLINE double value(const L& lanes) {
        return static_cast<double>(lanes.part[0]);
    }
};

/// A class that is alone in its group, and the examples that it goes through.
template <class Real, class Rule, class Columns>
class LoneClass {
 public:
    LoneClass(const DualProblem<Real>& problem, ClassGroup<Real>& lane)
        : problem_(problem), lane_(lane), n_rows_(lane.alpha.size()) {
        list_all();
        examples_.reserve(n_rows_);
        for (std::size_t i = 0; i < n_rows_; ++i) {
            const bool own = problem.is_own(i, lane.problem[0]);
            const Real cost = static_cast<Real>(problem.cost[i]) * (own ? lane.boost[0] : Real(1));
            const auto [own_square, square] = squares(i);
            examples_.push_back({own ? Real(1) : Real(-1), cost, own_square, square});
        }
    }

    std::int64_t n_values = 0;  // read since it was last set

    /// One pass; returns whether the gap of all examples was at most target · objective on its way.
    bool pass(double target, std::uint64_t seed, std::int32_t iteration) {
        const bool all = list_.size() == n_rows_;
        Random random(seed + 0x100000001u * static_cast<std::uint64_t>(iteration));
        shuffle(std::span(list_), random);
        ShrinkingPass<Real, Rule, Columns> pass{problem_, examples_, lane_, list_, outside_};
        with_widest_vectors(pass);
        n_values += pass.n_values;
        const double objective = 0.5 * (lane_.norm[0] + left_norm_) + lane_.loss[0] + left_loss_;
        left_loss_ += pass.left_loss, left_norm_ += pass.left_norm;
        if (lane_.gap[0] <= target * objective) {
            list_all();
            return all;
        }
        outside_ = {};
        if (pass.met.above > 0) outside_.above = pass.met.above;
        if (pass.met.below < 0) outside_.below = pass.met.below;
        return false;
    }

 private:
    RowSquares<Real> squares(std::size_t i) const {
        if constexpr (Columns::scaled) return {lane_.squares[2 * i], lane_.squares[2 * i + 1]};
        return {static_cast<Real>(problem_.rows.own_square[i]), static_cast<Real>(problem_.rows.square[i])};
    }
    void list_all() {
        list_.resize(n_rows_);
        std::iota(list_.begin(), list_.end(), 0);
        outside_ = {};
        left_loss_ = left_norm_ = 0;
    }

    const DualProblem<Real>& problem_;
    ClassGroup<Real>& lane_;
    const std::size_t n_rows_;
    std::vector<ListedExample<Real>> examples_;  // all of them
    std::vector<std::int32_t> list_;
    Outside outside_;
    double left_loss_ = 0, left_norm_ = 0;  // of the examples that are not listed, as they were last met
};

/// When a class goes alone.
template <class Real, class Rule, class Columns>
struct GoingAlone {
    const DualProblem<Real>& problem;

    /// Whether so few dual variables are between their bounds that going through their examples alone costs less than a
    /// lane's share of a pass over all. A class that never had company has nothing to share.
    bool suits(const ClassGroup<Real>& group, std::size_t k, std::int32_t iteration) const {
        // A pass of one costs several times its share of a pass of many, and begins and ends with all examples: it pays
        // for a class that needs many more. One label a row goes sooner, so that models keep their bits.
        const std::int32_t first = problem.labels.are_sets() ? 20 : 3;
        if (iteration < first || (Columns::scaled && problem.rows.n_dense > 0)) return false;
        if (group.width == 1) return true;
        const std::size_t n_rows = group.alpha.size() / group.width;
        std::size_t n_free = 0;
        for (std::size_t i = 0; i < n_rows; ++i) {
            const Real alpha = group.alpha[i * group.width + k], cost = static_cast<Real>(problem.cost[i]);
            n_free += alpha > 0 && !(Rule::bounded && (alpha == cost || alpha == cost * group.boost[k]));
        }
        return (Rule::bounded ? 2 : 4) * n_free < n_rows;  // a plain hinge needs the more passes
    }
    LoneClass<Real, Rule, Columns> operator()(ClassGroup<Real>& lone) const { return {problem, lone}; }
};

}  // namespace assay::linear
