// one_vs_rest.hpp: dual coordinate descent for many two-class problems over the same examples.
//
// The problems differ only in which label counts as +1. All classes of a thread are updated together for each
// example, which is read once; the weights of a feature lie side by side, so that a read of one serves all.
// What a loss brings is a `Rule`: how far to move the dual variable of an example, and what the example adds
// to loss and gap.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/base/lanes.hpp"
#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

inline constexpr std::size_t max_group_width = 16;

/// The most classes that one pass takes together. Double, which is for small data and fine tolerances, has one width
/// only: a solver is compiled anew for every width.
template <class Real>
inline constexpr std::size_t widest_group = sizeof(Real) == 4 ? max_group_width : 8;

/// What all classes share.
template <class Real>
struct DualProblem {
    const FoldedRows<Real>& rows;
    std::span<const std::int32_t> labels;
    std::span<const double> cost;          // Cᵢ
    std::span<const double> label_weight;  // one a class: factor of C for the examples of its own label
    std::int32_t first_label;              // the label that counts as +1 in problem 0
    double scale_square;                   // s²: square of the constant feature that carries the intercept
};

/// Neighbouring classes that one thread solves together.
template <class Real>
struct ClassGroup {
    using Totals = std::array<double, max_group_width>;
    std::size_t first = 0, n_lanes = 0, width = 0;
    ZeroedArray<Real> weights;                  // [column][lane]
    ZeroedArray<Real> alpha;                    // [row][lane]
    std::array<Real, max_group_width> boost{};  // label weight
    std::array<Real, max_group_width> awake{};  // 1 while the class is being solved, else 0
    Totals intercept{};                         // centre + s² Σ αᵢyᵢ
    Totals centre{};                            // where the penalty on the intercept is centred
    Totals loss{};                              // Σ loss
    Totals norm{};                              // Σ αᵢ yᵢ (score − intercept) = ‖w‖²
    Totals gap{};                               // Σ of the examples' gaps

    bool asleep() const {
        return std::all_of(awake.begin(), awake.begin() + static_cast<std::ptrdiff_t>(n_lanes),
                           [](Real lane) { return lane == 0; });
    }
};

template <class L>
struct DualExample {
    L sign;       // y
    L cost;       // C
    L alpha;      // dual variable
    L margin;     // y · score
    L curvature;  // ‖x‖² + s²
};

template <class L>
struct DualStep {
    L next;  // new dual variable
    L loss;
    L gap;  // the example's share of primal − dual, ≥ 0
};

/// One pass over the examples in the given order. Sums of loss, norm and gap are taken from the margins as
/// they are met: before the update of each example when `descend` is set, else exact for the weights as they
/// stand.
template <class Real, int Width, class Rule>
struct Sweep {
    const DualProblem<Real>& problem;
    ClassGroup<Real>& group;
    std::span<const std::int32_t> order;
    bool descend;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, Width, Bytes>;
        constexpr std::size_t flush_every = 64;  // examples whose sums stay in lanes before they go to double
        const L zero = L::all(0), one = L::all(1);
        const L boost = L::load(group.boost.data()), awake = L::load(group.awake.data());
        const auto scale_square = static_cast<Real>(problem.scale_square);
        const std::int32_t first_label = problem.first_label + static_cast<std::int32_t>(group.first);
        L intercept = narrow<L>(group.intercept);
        L loss = zero, norm = zero, gap = zero, shift = zero;
        group.loss.fill(0), group.norm.fill(0), group.gap.fill(0);
        Real* const weights = group.weights.data();
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::int32_t i = order[at];
            const auto index = static_cast<std::size_t>(i);
            const auto row = problem.rows.mixed_row(i);
            const auto own_square = static_cast<Real>(problem.rows.own_square[index]);
            DualExample<L> example;
            example.sign = L::all(-1);
            example.cost = L::all(static_cast<Real>(problem.cost[index]));
            const std::int32_t own_lane = problem.labels[index] - first_label;
            if (own_lane >= 0 && own_lane < Width) {
                std::array<Real, max_group_width> mark{};
                mark[static_cast<std::size_t>(own_lane)] = 1;
                const L own = L::load(mark.data());
                example.sign += own * Real(2);
                example.cost = example.cost + example.cost * own * (boost - one);
            }
            Real* const alpha_at = group.alpha.data() + index * Width;
            example.alpha = L::load(alpha_at);
            const L score = product<Real, Width, Bytes>(row, weights);
            const L plain_margin = example.sign * score + example.alpha * own_square;
            example.margin = plain_margin + example.sign * (intercept + shift);
            example.curvature = L::all(static_cast<Real>(problem.rows.square[index]) + scale_square);
            const DualStep<L> update = Rule::template step<Real>(example);
            loss += update.loss;
            gap += update.gap;
            norm += example.alpha * plain_margin;
            if (descend) {
                const L next = example.alpha + (update.next - example.alpha) * awake;
                const L step = example.sign * (next - example.alpha);
                if (step.any_nonzero()) {
                    next.store(alpha_at);
                    add_row<Real, Width, Bytes>(row, step, weights);
                    shift += step * scale_square;
                }
            }
            if (at % flush_every == flush_every - 1 || at + 1 == order.size()) {
                add_to(group.loss, loss), add_to(group.norm, norm), add_to(group.gap, gap);
                // The intercept is summed in double, so that thousands of small shifts do not wear it down.
                add_to(group.intercept, shift);
                intercept = narrow<L>(group.intercept);
                loss = norm = gap = shift = zero;
            }
        }
    }

    template <class L>
    static ASSAY_INLINE void add_to(std::array<double, max_group_width>& total, const L& part) {
        std::array<Real, Width> values;
        part.store(values.data());
        for (std::size_t k = 0; k < Width; ++k) total[k] += static_cast<double>(values[k]);
    }
    template <class L>
    static ASSAY_INLINE L narrow(const std::array<double, max_group_width>& total) {
        std::array<Real, max_group_width> values;
        for (std::size_t k = 0; k < max_group_width; ++k) values[k] = static_cast<Real>(total[k]);
        return L::load(values.data());
    }
};

template <class Rule, class Real>
void sweep(const DualProblem<Real>& problem, ClassGroup<Real>& group, std::span<const std::int32_t> order,
           bool descend) {
    const auto run = [&]<int Width>() {
        Sweep<Real, Width, Rule> pass{problem, group, order, descend};
        with_widest_vectors(pass);
    };
    if (group.width == 1) return run.template operator()<1>();
    if constexpr (widest_group<Real> > 8) {
        if (group.width > 8) return run.template operator()<widest_group<Real>>();
    }
    run.template operator()<8>();
}

/// Cuts the classes into groups, as many for each thread. A single problem has the scalar path to itself;
/// among several, a class meets the same order of additions in whatever group it is.
template <class Real>
std::vector<ClassGroup<Real>> group_classes(const DualProblem<Real>& problem, int n_threads) {
    const std::size_t n_problems = problem.label_weight.size(), threads = static_cast<std::size_t>(n_threads);
    const std::size_t a_thread = (n_problems + threads - 1) / threads;
    const std::size_t rounds = (a_thread + widest_group<Real> - 1) / widest_group<Real>;
    const std::size_t n_groups = std::min(n_problems, rounds * threads);
    std::vector<ClassGroup<Real>> groups(n_groups);
    for (std::size_t g = 0; g < n_groups; ++g) {
        auto& group = groups[g];
        group.first = n_problems * g / n_groups;
        group.n_lanes = n_problems * (g + 1) / n_groups - group.first;
        group.width = n_problems == 1 ? 1 : group.n_lanes <= 8 ? 8 : 16;
        group.boost.fill(1);
        for (std::size_t k = 0; k < group.n_lanes; ++k) {
            group.boost[k] = static_cast<Real>(problem.label_weight[group.first + k]);
            group.awake[k] = 1;
        }
    }
    return groups;
}

/// The order of the examples in a pass; the same for all classes.
inline void draw_order(std::uint64_t seed, std::int32_t iteration, std::span<std::int32_t> order) {
    std::iota(order.begin(), order.end(), 0);
    Random random(seed + 0x100000001u * static_cast<std::uint64_t>(iteration));
    shuffle(order, random);
}

/// Descends in rounds. Every class passes over the examples by `descend(group, order)` until the gap that it
/// meets on its way is small enough; then `measure(group, order)` sets loss, norm and gap exactly, with weights
/// at rest, and a class that stopped too early goes on in the next round. Only a class's own numbers decide, so
/// that its fate does not depend on its group. `recentre(group, iteration)` is called after each pass.
template <class Real, class Descend, class Measure, class Recentre>
SolverReport descend_in_rounds(const DualProblem<Real>& problem, std::vector<ClassGroup<Real>>& groups,
                               const SolverSettings& settings, Descend&& descend, Measure&& measure,
                               Recentre&& recentre) {
    SolverReport report(problem.label_weight.size());
    const auto n_rows = static_cast<std::size_t>(problem.rows.n_rows());
    std::vector<double> target(report.gap.size(), 1.5 * settings.tolerance);  // of gap / objective on the way
    std::int32_t done = 0;
    while (true) {
        std::vector<std::int32_t> reached(groups.size(), done);
        for_each_block(
            static_cast<std::int64_t>(groups.size()), 1, settings.n_threads, [&](std::int64_t g, std::int64_t, int) {
                auto& group = groups[static_cast<std::size_t>(g)];
                if (group.alpha.size() == 0) {  // first touched by the thread that works on it
                    group.weights = ZeroedArray<Real>(static_cast<std::size_t>(problem.rows.n_columns) * group.width);
                    group.alpha = ZeroedArray<Real>(n_rows * group.width);
                }
                std::vector<std::int32_t> order(n_rows);
                std::int32_t iteration = done;
                while (iteration < settings.max_iterations && !group.asleep()) {
                    draw_order(settings.seed, iteration, order);
                    descend(group, order);
                    ++iteration;
                    for (std::size_t k = 0; k < group.n_lanes; ++k) {
                        if (group.awake[k] == 0) continue;
                        const std::size_t p = group.first + k;
                        report.iterations[p] = iteration;
                        if (group.gap[k] <= target[p] * (0.5 * group.norm[k] + group.loss[k])) group.awake[k] = 0;
                    }
                    recentre(group, iteration);
                }
                std::iota(order.begin(), order.end(), 0);
                measure(group, order);
                reached[static_cast<std::size_t>(g)] = iteration;
            });
        done = *std::max_element(reached.begin(), reached.end());
        bool all_converged = true;
        for (auto& group : groups) {
            for (std::size_t k = 0; k < group.n_lanes; ++k) {
                const std::size_t p = group.first + k;
                report.objective[p] = 0.5 * group.norm[k] + group.loss[k];
                report.gap[p] = group.gap[k];
                const double relative = group.gap[k] / report.objective[p];
                report.converged[p] = relative <= settings.tolerance || report.objective[p] == 0;
                group.awake[k] = report.converged[p] ? Real(0) : Real(1);
                if (!report.converged[p]) target[p] *= std::clamp(0.7 * settings.tolerance / relative, 0.01, 0.7);
                all_converged = all_converged && report.converged[p];
            }
        }
        if (all_converged || done >= settings.max_iterations) return report;
    }
}

/// Calls train(rows) with X folded in single precision; in double where that is asked for, or where float does not hold
/// the squares of all rows with room for the small numbers beside them.
template <class Value, class Index, class Train>
SolverReport with_folded_rows(const CsrView<Value, Index>& X, bool in_double, DenseColumns dense,
                              const SolverSettings& settings, Train&& train) {
    FoldedForms for_this_solver;
    FoldedForms& forms = settings.folded != nullptr ? *settings.folded : for_this_solver;
    if (!in_double) {
        const auto& rows = forms.of<float>(X, settings.n_threads, dense);
        if (std::ranges::all_of(rows.square, [](double square) { return square < 1e10; })) return train(rows);
    }
    return train(forms.of<double>(X, settings.n_threads, dense));
}

}  // namespace assay::linear
