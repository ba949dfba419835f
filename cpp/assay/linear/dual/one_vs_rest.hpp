// one_vs_rest.hpp: dual coordinate descent for many two-class problems over the same examples.
//
// The problems differ only in which label counts as +1. All classes of a thread are updated together for each
// example, which is read once; the weights of a feature lie side by side, so that a read of one serves all.
// What a loss brings is a `Rule`: how far to move the dual variable of an example, and what the example adds
// to loss and gap. `Columns` says whether the classes see the features as they are (column_scales.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"
#include "assay/linear/dual/class_groups.hpp"
#include "assay/linear/dual/dual_step.hpp"
#include "assay/linear/dual/lane_totals.hpp"
#include "assay/linear/dual/pass_habits.hpp"
#include "assay/linear/folded_precision.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// One pass over the examples in the given order. Sums of loss, norm and gap are taken from the margins as
/// they are met: before the update of each example when `descend` is set, else exact for the weights as they
/// stand.
template <class Real, int Width, class Rule, class Columns>
struct Sweep {
    const DualProblem<Real>& problem;
    ClassGroup<Real>& group;
    std::span<const std::int32_t> order;
    bool descend;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, Width, Bytes>;
        constexpr std::size_t flush_every = 64;  // examples whose sums stay in lanes before they go to double
        constexpr std::size_t stride = Columns::n_parts * Width;
        const L zero = L::all(0), one = L::all(1);
        const L boost = L::load(group.boost.data()), awake = L::load(group.awake.data());
        const auto scale_square = static_cast<Real>(problem.scale_square);
        L intercept = narrow<L, Real>(group.intercept);
        L loss = zero, norm = zero, gap = zero, shift = zero;
        group.loss.fill(0), group.norm.fill(0), group.gap.fill(0);
        Real* const weights = group.weights.data();
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::int32_t i = order[at];
            const auto index = static_cast<std::size_t>(i);
            const auto row = problem.rows.mixed_row(i);
            const L own = mark<L>(index);
            const RowSquares<L> square = squares<L>(index, row);
            DualExample<L> example;
            example.sign = own * Real(2) - one;
            example.cost = L::all(static_cast<Real>(problem.cost[index]));
            example.cost = example.cost + example.cost * own * (boost - one);
            Real* const alpha_at = group.alpha.data() + index * Width;
            example.alpha = L::load(alpha_at);
            const auto ahead = look_ahead(problem.rows, order, at, weights, stride);
            const L score = product<Real, Width, Bytes>(row, weights, stride, ahead);
            const L plain_margin = example.sign * score + example.alpha * square.own;
            example.margin = plain_margin + example.sign * (intercept + shift);
            example.curvature = square.all + scale_square;
            const DualStep<L> update = Rule::template step<Real>(example);
            loss += update.loss;
            gap += update.gap;
            norm += example.alpha * plain_margin;
            if (descend) {
                const L next = example.alpha + (update.next - example.alpha) * awake;
                const L step = example.sign * (next - example.alpha);
                if (step.any_nonzero()) {
                    next.store(alpha_at);
                    Columns::template add<Real, Width, Bytes>(row, step, weights);
                    shift += step * scale_square;
                }
            }
            if (at % flush_every == flush_every - 1 || at + 1 == order.size()) {
                add_to<Width, Real>(group.loss, loss), add_to<Width, Real>(group.norm, norm),
                    add_to<Width, Real>(group.gap, gap);
                // The intercept is summed in double, so that thousands of small shifts do not wear it down.
                add_to<Width, Real>(group.intercept, shift);
                intercept = narrow<L, Real>(group.intercept);
                loss = norm = gap = shift = zero;
            }
        }
    }

    /// 1 in the lanes whose own example it is, else 0.
    template <class L>
    ASSAY_INLINE L mark(std::size_t row) const {
        std::array<Real, Width> own{};
        for (const std::int32_t label : problem.labels.of(row)) {
            const std::int32_t own_problem = label - problem.first_label;
            for (std::size_t k = 0; k < Width; ++k) own[k] += static_cast<Real>(group.problem[k] == own_problem);
        }
        return L::load(own.data());
    }
    template <class L>
    ASSAY_INLINE RowSquares<L> squares(std::size_t index, const MixedRow<Real>& row) {
        if constexpr (Columns::scaled) {
            Real* const at = group.squares.data() + index * 2 * Width;
            const L own = L::load(at);
            if (group.knows_squares) return {own, L::load(at + Width)};
            const L all = own + Columns::template sum_squares<Real, Width, L::bytes>(row, group.weights.data());
            all.store(at + Width);
            return {own, all};
        } else {
            return {L::all(static_cast<Real>(problem.rows.own_square[index])),
                    L::all(static_cast<Real>(problem.rows.square[index]))};
        }
    }
};

/// Calls run.template operator()<Width>() with the number of lanes of the group.
template <class Columns, class Real, class Run>
auto with_group_width(const ClassGroup<Real>& group, Run&& run) {
    if constexpr (!Columns::scaled) {
        if (group.width == 1) return run.template operator()<1>();
    }
    if constexpr (widest_group<Columns, Real> > 8) {
        if (group.width > 8) return run.template operator()<widest_group<Columns, Real>>();
    }
    return run.template operator()<8>();
}

template <class Rule, class Columns = PlainColumns, class Real>
void sweep(const DualProblem<Real>& problem, ClassGroup<Real>& group, std::span<const std::int32_t> order,
           bool descend) {
    with_group_width<Columns>(group, [&]<int Width>() {
        Sweep<Real, Width, Rule, Columns> pass{problem, group, order, descend};
        with_widest_vectors(pass);
    });
}

/// The order of the examples in a pass; the same for all classes.
inline void draw_order(std::uint64_t seed, std::int32_t iteration, std::span<std::int32_t> order) {
    std::iota(order.begin(), order.end(), 0);
    Random random(seed + 0x100000001u * static_cast<std::uint64_t>(iteration));
    shuffle(order, random);
}

/// Calls descend(lone, problem) for the classes that are alone and have not converged, each taken out of its group.
/// Threads take them as they come free.
template <class Real, class Descend>
void go_alone(std::vector<Team<Real>>& teams, std::span<const std::uint8_t> is_alone, const SolverReport& report,
              const SolverSettings& settings, Descend&& descend) {
    std::vector<std::pair<ClassGroup<Real>*, std::size_t>> lanes;
    for (auto& team : teams) {
        for (auto& group : team) {
            group.for_each_lane([&](std::size_t k, std::size_t p) {
                if (is_alone[p] && !report.converged[p]) lanes.emplace_back(&group, k);
            });
        }
    }
    const auto n_lanes = static_cast<std::int64_t>(lanes.size());
    for_each_block(n_lanes, 1, settings.n_threads, [&](std::int64_t at, std::int64_t, int) {
        auto& [group, k] = lanes[static_cast<std::size_t>(at)];
        const auto p = static_cast<std::size_t>(group->problem[k]);
        if (group->width == 1) return descend(*group, p);
        ClassGroup<Real> lone = make_lone(*group);
        const std::array lane{std::pair(k, std::size_t{0})};
        exchange_lanes<Real>(*group, lone, lane);
        descend(lone, p);
        exchange_lanes<Real>(*group, lone, lane);
    });
}

/// The classes of a solver that does not know how to go through the examples for one of them alone.
template <class Real>
struct InCompany {
    bool suits(const ClassGroup<Real>&, std::size_t, std::int32_t) const { return false; }
    struct Nobody {
        std::int64_t n_values = 0;
        bool pass(double, std::uint64_t, std::int32_t) const { return true; }
    };
    Nobody operator()(ClassGroup<Real>&) const { return {}; }
};

/// Whether a problem is getting anywhere: every few passes the work that is left is told from how much the last ones
/// have lowered the gap, each of which may be too short to tell by itself.
class Progress {
 public:
    /// A problem that shares its passes with others is judged later: they cost it little, and most get on well once
    /// what they need not look at any more is left out.
    Progress(const PassHabits& habits, bool has_company)
        : first_judged_(has_company ? 12 : habits.first_judged), between_(has_company ? 4 : habits.between) {}

    /// After pass `n_passes`, with the relative gap met in it and the work done so far: whether to come down to
    /// `target` at this rate would take more than `patience`.
    bool is_too_slow(std::int32_t n_passes, double gap, double target, double work, double patience) {
        if (n_passes % between_ != 0) return false;
        const Mark before = std::exchange(last_, {gap, work});
        if (n_passes < first_judged_ || !(gap > target)) return false;
        const double fall = std::log(before.gap / gap);
        return !(fall > 0) || std::log(gap / target) * (work - before.work) > patience * fall;
    }

 private:
    std::int32_t first_judged_, between_;
    struct Mark {
        double gap = 0, work = 0;
    };
    Mark last_;
};

inline constexpr std::int32_t shortest_pass = 10;  // at least one in so many of a whole pass is counted

/// Descends in rounds. Every class passes over the examples by `descend(group, order)` until the gap that it
/// meets on its way is small enough; then `measure(group, order)` sets loss, norm and gap exactly, with weights
/// at rest, and a class that stopped too early goes on in the next round. Only a class's own numbers decide, so
/// that its fate does not depend on its group. `start(group)` is called once by the thread that will work on it, and
/// `recentre(group, iteration)` after each pass. A class that `alone.suits(group, lane, iteration)` leaves its group
/// for good, and goes on by the passes of `alone(lone)`, which count by the values that they read. A class that has
/// read all values settings.patience or settings.max_iterations times, or would have to read them settings.patience
/// times more, is left as it is.
template <class Columns, class Real, class Start, class Descend, class Measure, class Recentre, class Alone>
SolverReport descend_in_rounds(const DualProblem<Real>& problem, std::vector<Team<Real>>& teams,
                               const SolverSettings& settings, const PassHabits& habits, Start&& start,
                               Descend&& descend, Measure&& measure, Recentre&& recentre, Alone&& alone) {
    SolverReport report(problem.label_weight.size());
    const auto n_rows = static_cast<std::size_t>(problem.rows.n_rows());
    std::vector<double> target(report.gap.size(), habits.met * settings.tolerance);  // of gap / objective on the way
    std::vector<std::uint8_t> is_alone(report.gap.size());
    const auto n_values = static_cast<double>(problem.rows.n_values() + problem.rows.n_rows());  // a row counts, too
    std::vector<std::int32_t> n_passes(report.gap.size());  // short ones counted like long ones
    const double most_work = n_values * std::min(settings.patience, static_cast<double>(settings.max_iterations));
    std::vector<Progress> progress(report.gap.size(), Progress(habits, report.gap.size() > 1));
    std::vector<std::uint8_t> is_slow(report.gap.size());
    const auto is_tired = [&](std::size_t p) {
        return is_slow[p] || report.work[p] >= most_work || n_passes[p] >= shortest_pass * settings.max_iterations;
    };
    const auto judge = [&](std::size_t p, const ClassGroup<Real>& group, std::size_t k) {
        if (!std::isfinite(settings.patience)) return;
        const double gap = group.gap[k] / (0.5 * group.norm[k] + group.loss[k]);
        is_slow[p] |=
            progress[p].is_too_slow(n_passes[p], gap, target[p], report.work[p], settings.patience * n_values);
    };
    const auto pass = [&](ClassGroup<Real>& group, std::span<const std::int32_t> order, std::int32_t iteration) {
        descend(group, order);
        group.knows_squares = true;
        group.for_each_lane([&](std::size_t k, std::size_t p) {
            if (group.awake[k] == 0) return;
            n_passes[p] = iteration;
            report.work[p] += n_values;
            const bool near = group.gap[k] <= target[p] * (0.5 * group.norm[k] + group.loss[k]);
            judge(p, group, k);
            is_alone[p] = !near && alone.suits(group, k, iteration);
            if (near || is_alone[p] || is_tired(p)) group.awake[k] = 0;
        });
        recentre(group, iteration);
    };
    std::int32_t done = 0;
    while (true) {
        std::vector<std::int32_t> reached(teams.size(), done);
        for_each_block(
            static_cast<std::int64_t>(teams.size()), 1, settings.n_threads, [&](std::int64_t t, std::int64_t, int) {
                Team<Real>& team = teams[static_cast<std::size_t>(t)];
                for (auto& group : team) {
                    if (group.alpha.size() > 0) continue;  // first touched by the thread that works on it
                    const std::size_t n_kept = static_cast<std::size_t>(problem.rows.n_columns) * Columns::n_parts;
                    group.weights = ZeroedArray<Real>(n_kept * group.width);
                    group.alpha = ZeroedArray<Real>(n_rows * group.width);
                    start(group);
                }
                std::vector<std::int32_t> order(n_rows);
                std::int32_t& iteration = reached[static_cast<std::size_t>(t)];
                const auto any_awake = [&] {
                    return std::any_of(team.begin(), team.end(), [](const auto& group) { return group.n_awake() > 0; });
                };
                while (any_awake()) {  // a class that is tired is not
                    draw_order(settings.seed, iteration, order);
                    ++iteration;
                    for (auto& group : team) {
                        if (group.n_awake() > 0) pass(group, order, iteration);
                    }
                    close_ranks(team);
                }
            });
        go_alone(teams, is_alone, report, settings, [&](ClassGroup<Real>& lone, std::size_t p) {
            auto descent = alone(lone);
            for (bool near = false; !near && !is_tired(p);) {
                near = descent.pass(target[p], settings.seed, n_passes[p]++);
                report.work[p] += static_cast<double>(std::exchange(descent.n_values, 0));
                judge(p, lone, 0);
            }
        });
        for_each_block(static_cast<std::int64_t>(teams.size()), 1, settings.n_threads,
                       [&](std::int64_t t, std::int64_t, int) {
                           std::vector<std::int32_t> order(n_rows);
                           std::iota(order.begin(), order.end(), 0);
                           for (auto& group : teams[static_cast<std::size_t>(t)]) measure(group, order);
                       });
        done = *std::max_element(reached.begin(), reached.end());
        bool unfinished = false;
        for (auto& team : teams) {
            for (auto& group : team) {
                group.for_each_lane([&](std::size_t k, std::size_t p) {
                    report.objective[p] = 0.5 * group.norm[k] + group.loss[k];
                    report.gap[p] = group.gap[k];
                    const double relative = group.gap[k] / report.objective[p];
                    report.converged[p] = relative <= settings.tolerance || report.objective[p] == 0;
                    const double whole_passes = n_values > 0 ? std::ceil(report.work[p] / n_values) : 1.0;
                    report.iterations[p] = static_cast<std::int32_t>(whole_passes);
                    const bool left = !report.converged[p] && !is_tired(p);
                    group.awake[k] = left && !is_alone[p] ? Real(1) : Real(0);
                    if (left) target[p] *= std::clamp(0.85 * settings.tolerance / relative, 0.01, 0.85);
                    unfinished = unfinished || left;
                });
            }
        }
        if (!unfinished) return report;
    }
}

}  // namespace assay::linear
