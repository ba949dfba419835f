// two_halves.hpp: dual coordinate descent for one large two-class problem by two threads, with the same bits for any
// number of them.
//
// A pass is cut into rounds. In a round each half of its examples descends on its own, from the same weights; then the
// sum Δ of both changes is taken with the exact length
//
//     t = min(1, −∇D(α)·Δ / Δᵀ∇²DΔ),    D(α) = ½‖w(α)‖² + ½(b/s)² − Σ αᵢ + ½ Σ cᵢαᵢ²,
//
// a quadratic. Each half lowers D, so that by convexity t = ½ does, too, and the best t all the more: no data can make
// the halves drive each other up. Rows of a large sparse matrix have little in common, and t is nearly always 1.
//
// What they do have in common, the intercept and the most frequent features, both halves correct, which is once too
// often. A few rows are enough to set that right: the last sixteenth of a round is gone through after the halves are
// joined, by one thread. So as many passes are needed as by one thread alone. Where t becomes small nevertheless, as
// for rows that are copies of one another, all that is left is done by one thread.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "assay/linear/dual/one_vs_rest.hpp"

namespace assay::linear {

/// Whether there is one problem, so large and sparse that a round is worth the price of starting threads and of adding
/// all weights up.
template <class Real>
bool suits_halves(const DualProblem<Real>& problem) {
    constexpr std::int64_t least_entries = 1 << 20;
    const auto& rows = problem.rows;
    const std::int64_t n_rows = rows.n_rows();
    if (problem.label_weight.size() != 1 || n_rows == 0) return false;
    const std::int64_t n_entries = rows.row_end.back();
    return n_entries >= least_entries && n_entries >= 8 * std::int64_t{rows.n_columns} &&
           n_entries <= n_rows * rows.n_columns / 32;
}

template <class Rule, class Real>
class TwoHalves {
 public:
    TwoHalves(const DualProblem<Real>& problem, ClassGroup<Real>& group, int n_threads)
        : problem_(problem),
          n_threads_(n_threads),
          base_(static_cast<std::size_t>(problem.rows.n_columns)),
          halves_{&group, &second_},
          cost_(problem.cost.begin(), problem.cost.end()) {
        second_.width = 1;
        second_.problem = group.problem;
        second_.boost = group.boost;
        second_.awake = group.awake;
        for (ClassGroup<Real>* half : halves_) {
            half->weights = ZeroedArray<Real>(base_.size());
            half->alpha = ZeroedArray<Real>(static_cast<std::size_t>(problem.rows.n_rows()));
        }
        for (std::size_t i = 0; i < cost_.size(); ++i) {
            if (problem.is_own(i, 0)) cost_[i] *= problem.label_weight.front();
        }
    }

    /// One pass in the given order. Loss, norm and gap are those met on the way.
    void descend(std::span<const std::int32_t> order) {
        std::array<double, 3> met{};
        if (in_each_others_way_) go_on_together(order, met);
        for (std::size_t round = 0; round < n_rounds && !in_each_others_way_; ++round) {
            const std::size_t n = order.size(), begin = n * round / n_rounds, end = n * (round + 1) / n_rounds;
            const std::size_t n_common = (end - begin) / in_common, each = (end - begin - n_common) / 2;
            const auto part = [&](std::size_t half) {
                return half == 0 ? order.subspan(begin, each)
                                 : order.subspan(begin + each, end - n_common - begin - each);
            };
            sweep_both(part, true, met);
            join(part);
            go_on_together(
                in_each_others_way_ ? order.subspan(end - n_common) : order.subspan(end - n_common, n_common), met);
        }
        set_totals(met);
    }

    /// Loss, norm and gap of the weights as they stand.
    void measure(std::span<const std::int32_t> order) {
        std::array<double, 3> met{};
        const std::size_t middle = order.size() / 2;
        sweep_both([&](std::size_t half) { return half == 0 ? order.first(middle) : order.subspan(middle); }, false,
                   met);
        set_totals(met);
    }

 private:
    static constexpr std::size_t n_rounds = 2, in_common = 16;
    static constexpr Real least_length = Real(0.7);
    static constexpr std::int64_t columns_per_block = 1 << 14;

    struct Length {
        double slope = 0, bend = 0;  // of D along Δ
    };

    template <class Part>
    void sweep_both(Part&& part, bool descend, std::array<double, 3>& met) {
        for_each_block(2, 1, n_threads_, [&](std::int64_t half, std::int64_t, int) {
            const auto h = static_cast<std::size_t>(half);
            sweep<Rule>(problem_, *halves_[h], part(h), descend);
        });
        for (const ClassGroup<Real>* half : halves_) add_totals(*half, met);
    }

    static void add_totals(const ClassGroup<Real>& group, std::array<double, 3>& met) {
        met[0] += group.loss[0], met[1] += group.norm[0], met[2] += group.gap[0];
    }

    void set_totals(const std::array<double, 3>& met) {
        ClassGroup<Real>& group = *halves_[0];
        group.loss[0] = met[0], group.norm[0] = met[1], group.gap[0] = met[2];
    }

    /// Takes the changes of both halves together.
    template <class Part>
    void join(Part&& part) {
        Length length = length_of_duals(part);
        const double shift = halves_[0]->intercept[0] + halves_[1]->intercept[0] - 2 * intercept_;
        if (problem_.scale_square > 0) {
            length.slope += intercept_ * shift / problem_.scale_square;
            length.bend += shift * shift / problem_.scale_square;
        }
        std::vector<Length> of_blocks(base_.size() / columns_per_block + 1);
        for_columns([&](std::int64_t begin, std::int64_t end) {
            of_blocks[static_cast<std::size_t>(begin / columns_per_block)] = length_of_weights(begin, end);
        });
        for (const Length& block : of_blocks) length.slope += block.slope, length.bend += block.bend;
        // Near the optimum the slope is lost in rounding; a half of the way is safe in any case.
        const auto t = static_cast<Real>(std::clamp(length.bend > 0 ? -length.slope / length.bend : 1.0, 0.5, 1.0));
        in_each_others_way_ = t < least_length;

        for_columns([&](std::int64_t begin, std::int64_t end) {
            Real *const base = base_.data(), *const first = halves_[0]->weights.data(),
                        *const second = halves_[1]->weights.data();
            for (std::int64_t j = begin; j < end; ++j) {
                const Real now = base[j] + t * ((first[j] - base[j]) + (second[j] - base[j]));
                base[j] = first[j] = second[j] = now;
            }
        });
        for (std::size_t half = 0; half < 2; ++half) {
            Real *const mine = halves_[half]->alpha.data(), *const others = halves_[1 - half]->alpha.data();
            for (const std::int32_t i : part(half)) {
                if (t < 1) mine[i] = others[i] + t * (mine[i] - others[i]);
                others[i] = mine[i];
            }
        }
        intercept_ += static_cast<double>(t) * shift;
        halves_[0]->intercept[0] = halves_[1]->intercept[0] = intercept_;
    }

    /// Descends on some rows with the weights that are the same in both halves, and keeps them so.
    void go_on_together(std::span<const std::int32_t> rows, std::array<double, 3>& met) {
        ClassGroup<Real>& first = *halves_[0];
        sweep<Rule>(problem_, first, rows, true);
        add_totals(first, met);
        for (const std::int32_t i : rows)
            second_.alpha[static_cast<std::size_t>(i)] = first.alpha[static_cast<std::size_t>(i)];
        intercept_ = second_.intercept[0] = first.intercept[0];
        for_columns([&](std::int64_t begin, std::int64_t end) {
            for (Real* const to : {second_.weights.data(), base_.data()}) {
                std::copy(first.weights.data() + begin, first.weights.data() + end, to + begin);
            }
        });
    }

    /// What the dual variables themselves and the examples' own features add. A half has the other's variables as they
    /// were before the round.
    template <class Part>
    Length length_of_duals(Part&& part) const {
        Length length;
        for (std::size_t half = 0; half < 2; ++half) {
            const Real *const mine = halves_[half]->alpha.data(), *const others = halves_[1 - half]->alpha.data();
            for (const std::int32_t i : part(half)) {
                const auto row = static_cast<std::size_t>(i);
                const auto before = static_cast<double>(others[i]);
                const double change = static_cast<double>(mine[i]) - before;
                const double diagonal = problem_.rows.own_square[row] + Rule::dual_diagonal(cost_[row]);
                length.slope += change * (before * diagonal - 1);
                length.bend += change * change * diagonal;
            }
        }
        return length;
    }

    Length length_of_weights(std::int64_t begin, std::int64_t end) const {
        constexpr std::size_t n_lanes = 8;  // sums side by side, which the compiler keeps in vectors
        std::array<double, n_lanes> slope{}, bend{};
        const Real *const base = base_.data(), *const first = halves_[0]->weights.data(),
                          *const second = halves_[1]->weights.data();
        const auto add = [&](std::int64_t j, std::size_t lane) {
            const double change = static_cast<double>((first[j] - base[j]) + (second[j] - base[j]));
            slope[lane] += static_cast<double>(base[j]) * change;
            bend[lane] += change * change;
        };
        std::int64_t j = begin;
        for (; j + static_cast<std::int64_t>(n_lanes) <= end; j += n_lanes) {
            for (std::size_t lane = 0; lane < n_lanes; ++lane) add(j + static_cast<std::int64_t>(lane), lane);
        }
        for (; j < end; ++j) add(j, 0);
        return {std::accumulate(slope.begin(), slope.end(), 0.0), std::accumulate(bend.begin(), bend.end(), 0.0)};
    }

    /// Calls work(begin, end) for blocks of columns.
    template <class Work>
    void for_columns(Work&& work) const {
        for_each_block(static_cast<std::int64_t>(base_.size()), columns_per_block, n_threads_,
                       [&](std::int64_t begin, std::int64_t end, int) { work(begin, end); });
    }

    const DualProblem<Real>& problem_;
    int n_threads_;
    ZeroedArray<Real> base_;  // weights before the round
    double intercept_ = 0;    // before the round
    bool in_each_others_way_ = false;
    ClassGroup<Real> second_;
    std::array<ClassGroup<Real>*, 2> halves_;
    std::vector<double> cost_;
};

}  // namespace assay::linear
