// fold_svm.cpp: passes over the rows for the machines of all folds, one a lane. The problems, what is given and
// returned: fold_svm.hpp.
#include "assay/linear/dual/fold_svm.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "assay/linear/dual/hinge_rule.hpp"
#include "assay/linear/dual/lane_totals.hpp"
#include "assay/linear/dual/one_vs_rest.hpp"

namespace assay::linear {
namespace {

/// Scaled by r of its fold in each lane (column_scales.hpp).
struct FoldColumns : ScaledColumns {};

}  // namespace

/// Two cache lines a column: the row is then read for twice as many folds at once.
template <>
inline constexpr std::size_t widest_group<FoldColumns, float> = max_group_width;

namespace {

/// What all lanes share.
struct Folds {
    const CsrView<float, std::int32_t>& X;
    const DualProblem<float>& problem;
    std::span<const std::int32_t> labels, fold_of;
    std::int32_t n_folds, n_problems;
    std::span<const float> factors;
    bool unit_rows;
    std::span<double> scores;

    std::int32_t fold(std::int32_t lane_problem) const { return lane_problem / n_problems; }
    std::int32_t label(std::int32_t lane_problem) const { return problem.first_label + lane_problem % n_problems; }
};

constexpr std::size_t n_squares = 3;  // of a row in a lane: ‖x‖² over the columns that only it has, and over all; t

/// One pass over the rows in the given order: steps, or with weights at rest the sums, and the scores of held-out rows.
template <int Width>
struct FoldSweep {
    const Folds& folds;
    ClassGroup<float>& group;
    std::span<const std::int32_t> order;
    bool descend;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<float, Width, Bytes>;
        constexpr std::size_t flush_every = 64;  // rows whose sums stay in lanes before they go to double
        const DualProblem<float>& problem = folds.problem;
        const L zero = L::all(0), one = L::all(1), awake = L::load(group.awake.data());
        const auto scale_square = static_cast<float>(problem.scale_square);
        std::array<std::int32_t, Width> lane_fold, lane_label;
        for (std::size_t k = 0; k < Width; ++k) {
            const bool used = group.problem[k] >= 0;
            lane_fold[k] = used ? folds.fold(group.problem[k]) : -1;
            lane_label[k] = used ? folds.label(group.problem[k]) : -1;
        }
        L intercept = narrow<L, float>(group.intercept);
        L loss = zero, norm = zero, gap = zero, shift = zero;
        group.loss.fill(0), group.norm.fill(0), group.gap.fill(0);
        float* const weights = group.weights.data();
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::int32_t i = order[at];
            const auto index = static_cast<std::size_t>(i);
            const auto row = problem.rows.mixed_row(i);
            float* const squares = group.squares.data() + index * n_squares * Width;
            if (!group.knows_squares) set_squares<L>(row, squares);
            const L own_square = L::load(squares), all_squares = L::load(squares + Width),
                    length = L::load(squares + 2 * Width);
            std::array<float, Width> is_own, is_inside;
            for (std::size_t k = 0; k < Width; ++k) {
                is_own[k] = static_cast<float>(lane_label[k] == folds.labels[index]);
                is_inside[k] = static_cast<float>(lane_fold[k] != folds.fold_of[index]);
            }
            const L inside = L::load(is_inside.data());
            DualExample<L> example;
            example.sign = L::load(is_own.data()) * 2.0F - one;
            example.cost = L::all(static_cast<float>(problem.cost[index]));
            float* const alpha_at = group.alpha.data() + index * Width;
            example.alpha = L::load(alpha_at);
            const auto ahead = look_ahead(problem.rows, order, at, weights, 2 * Width);
            const L score = length * product<float, Width, Bytes>(row, weights, 2 * Width, ahead);
            const L plain_margin = example.sign * score + example.alpha * own_square;
            example.margin = plain_margin + example.sign * (intercept + shift);
            example.curvature = all_squares + scale_square;
            const DualStep<L> update = HingeRule<true>::step<float>(example);
            loss += update.loss * inside;
            gap += update.gap * inside;
            norm += example.alpha * plain_margin;
            if (descend) {
                const L next = example.alpha + (update.next - example.alpha) * (awake * inside);
                const L step = example.sign * (next - example.alpha);
                if (step.any_nonzero()) {
                    next.store(alpha_at);
                    FoldColumns::add<float, Width, Bytes>(row, step * length, weights);
                    shift += step * scale_square;
                }
            } else {
                keep_scores(index, lane_fold, score + intercept);
            }
            if (at % flush_every == flush_every - 1 || at + 1 == order.size()) {
                add_to<Width, float>(group.loss, loss), add_to<Width, float>(group.norm, norm),
                    add_to<Width, float>(group.gap, gap);
                add_to<Width, float>(group.intercept, shift);
                intercept = narrow<L, float>(group.intercept);
                loss = norm = gap = shift = zero;
            }
        }
    }

 private:
    /// From the squares of the columns that only the row has, as they are before the first pass.
    template <class L>
    ASSAY_INLINE void set_squares(const MixedRow<float>& row, float* squares) {
        const L own = L::load(squares);
        std::array<float, Width> all, length;
        (own + FoldColumns::sum_squares<float, Width, L::bytes>(row, group.weights.data())).store(all.data());
        for (std::size_t k = 0; k < Width; ++k) {
            length[k] = folds.unit_rows && all[k] > 0 ? 1 / std::sqrt(all[k]) : 1.0F;
        }
        const L t = L::load(length.data());
        (t * t * own).store(squares);
        (t * t * L::load(all.data())).store(squares + Width);
        t.store(squares + 2 * Width);
    }

    template <class L>
    void keep_scores(std::size_t row, const std::array<std::int32_t, Width>& lane_fold, const L& score) {
        std::array<float, Width> values;
        score.store(values.data());
        for (std::size_t k = 0; k < Width; ++k) {
            if (lane_fold[k] != folds.fold_of[row]) continue;
            const auto n_problems = static_cast<std::size_t>(folds.n_problems);
            const auto of_fold = static_cast<std::size_t>(group.problem[k]) % n_problems;
            folds.scores[row * n_problems + of_fold] = static_cast<double>(values[k]);
        }
    }
};

void sweep(const Folds& folds, ClassGroup<float>& group, std::span<const std::int32_t> order, bool descend) {
    with_group_width<FoldColumns>(group, [&]<int Width>() {
        FoldSweep<Width> pass{folds, group, order, descend};
        with_widest_vectors(pass);
    });
}

/// Writes r² beside the weights of a group, and the squares of the columns that one row only has.
void set_factors(const Folds& folds, ClassGroup<float>& group) {
    const FoldedRows<float>& rows = folds.problem.rows;
    const auto n_folds = static_cast<std::size_t>(folds.n_folds);
    const auto square = [&](std::size_t j, std::size_t p) {
        const float r = folds.factors[j * n_folds + static_cast<std::size_t>(folds.fold(static_cast<std::int32_t>(p)))];
        return r * r;
    };
    for (std::size_t j = 0; j < rows.home.size(); ++j) {
        if (rows.home[j] < 0) continue;
        float* const to = group.weights.data() + (static_cast<std::size_t>(rows.home[j]) * 2 + 1) * group.width;
        group.for_each_lane([&](std::size_t k, std::size_t p) { to[k] = square(j, p); });
    }
    group.squares = ZeroedArray<float>(static_cast<std::size_t>(rows.n_rows()) * n_squares * group.width);
    for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
        float* const own = group.squares.data() + static_cast<std::size_t>(i) * n_squares * group.width;
        for (const Entry<float>& entry : rows.own_entries(i)) {
            const std::int64_t at = folds.X.begin(i) + entry.column;
            const auto j = static_cast<std::size_t>(folds.X.column(at));
            const float value = folds.X.value(at);
            group.for_each_lane([&](std::size_t k, std::size_t p) { own[k] += value * value * square(j, p); });
        }
    }
}

}  // namespace

SolverReport score_svm_folds(const CsrView<float, std::int32_t>& X, std::span<const std::int32_t> labels,
                             std::span<const std::int32_t> fold_of, std::int32_t n_folds,
                             std::span<const float> factors, bool unit_rows, double cost, double intercept_scale,
                             std::int32_t n_problems, const SolverSettings& settings, std::span<double> scores) {
    const FoldedRows<float> rows = fold_rows<float>(X, settings.n_threads);
    const std::vector<double> costs(labels.size(), cost);
    const std::vector<double> label_weight(static_cast<std::size_t>(n_folds) * static_cast<std::size_t>(n_problems), 1);
    const DualProblem<float> problem{
        rows, {labels}, costs, label_weight, n_problems == 1 ? 1 : 0, intercept_scale * intercept_scale};
    const Folds folds{X, problem, labels, fold_of, n_folds, n_problems, factors, unit_rows, scores};
    auto teams = group_classes<FoldColumns>(problem, settings.n_threads);
    return descend_in_rounds<FoldColumns>(
        problem, teams, settings, HingeRule<true>::habits, [&](ClassGroup<float>& group) { set_factors(folds, group); },
        [&](ClassGroup<float>& group, std::span<const std::int32_t> order) { sweep(folds, group, order, true); },
        [&](ClassGroup<float>& group, std::span<const std::int32_t> order) {
            sweep(folds, group, order, false);
            if (problem.scale_square == 0) return;
            for (std::size_t k = 0; k < group.width; ++k) {  // the intercept is penalised like a weight
                group.norm[k] += group.intercept[k] * group.intercept[k] / problem.scale_square;
            }
        },
        [](auto&, std::int32_t) {}, InCompany<float>{});
}

}  // namespace assay::linear
