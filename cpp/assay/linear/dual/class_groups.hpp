// class_groups.hpp: the classes of one_vs_rest.hpp, dealt out to threads and, side by side, to the lanes of vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/base/lanes.hpp"
#include "assay/base/memory.hpp"
#include "assay/linear/dual/column_scales.hpp"

namespace assay::linear {

inline constexpr std::size_t max_group_width = 16;

/// The most classes that one pass takes together: what is kept for a feature then fills a cache line. Double, which is
/// for small data and fine tolerances, has one width only: a solver is compiled anew for every width.
template <class Columns, class Real>
inline constexpr std::size_t widest_group = sizeof(Real) == 4 ? max_group_width / Columns::n_parts : 8;

/// What all classes share.
template <class Real>
struct DualProblem {
    const FoldedRows<Real>& rows;
    std::span<const std::int32_t> labels;
    std::span<const double> cost;          // Cᵢ
    std::span<const double> label_weight;  // one a class: factor of C for the examples of its own label
    std::int32_t first_label;              // the label that counts as +1 in problem 0
    double scale_square;                   // s²: square of the constant feature that carries the intercept

    /// Whether an example counts as +1 in a problem. Nothing else says so.
    bool is_own(std::size_t row, std::int32_t of_problem) const { return labels[row] == first_label + of_problem; }
};

/// Classes that are solved together, one in each lane.
template <class Real>
struct ClassGroup {
    using Totals = std::array<double, max_group_width>;
    static constexpr std::int32_t nobody = -1;
    std::size_t width = 0;
    std::array<std::int32_t, max_group_width> problem{};  // that the lane solves, or `nobody`
    ZeroedArray<Real> weights;                            // [column][lane]; scaled: [column][r·w of lanes, r² of lanes]
    ZeroedArray<Real> alpha;                              // [row][lane]
    ZeroedArray<Real> squares;                            // scaled: [row][own square of lanes, square of lanes]
    bool knows_squares = false;                           // not before the first pass
    std::array<Real, max_group_width> boost{};            // label weight
    std::array<Real, max_group_width> awake{};            // 1 while the class is being solved, else 0
    Totals intercept{};                                   // centre + s² Σ αᵢyᵢ
    Totals centre{};                                      // where the penalty on the intercept is centred
    Totals loss{};                                        // Σ loss
    Totals norm{};                                        // Σ αᵢ yᵢ (score − intercept) = ‖w‖²
    Totals gap{};                                         // Σ of the examples' gaps

    std::span<const std::int32_t> problems() const { return {problem.data(), width}; }
    std::size_t n_awake() const { return static_cast<std::size_t>(std::count(awake.begin(), awake.end(), Real(1))); }
    /// Calls work(lane, problem) for those that solve one.
    template <class Work>
    void for_each_lane(Work&& work) const {
        for (std::size_t k = 0; k < width; ++k) {
            if (problem[k] != nobody) work(k, static_cast<std::size_t>(problem[k]));
        }
    }
};

/// The groups that a thread solves, side by side.
template <class Real>
using Team = std::vector<ClassGroup<Real>>;

/// Deals the classes out to threads, and those of a thread to groups. A single problem has the scalar path to itself;
/// among several, a class meets the same order of additions in whatever group it is.
template <class Columns, class Real>
std::vector<Team<Real>> group_classes(const DualProblem<Real>& problem, int n_threads) {
    const std::size_t n_problems = problem.label_weight.size();
    std::vector<Team<Real>> teams(std::min(n_problems, static_cast<std::size_t>(n_threads)));
    for (std::size_t t = 0; t < teams.size(); ++t) {
        const std::size_t end = n_problems * (t + 1) / teams.size();
        for (std::size_t next = n_problems * t / teams.size(); next < end;) {
            ClassGroup<Real>& group = teams[t].emplace_back();
            group.width = n_problems == 1 ? 1 : end - next <= 8 ? 8 : widest_group<Columns, Real>;
            group.boost.fill(1);
            group.problem.fill(ClassGroup<Real>::nobody);
            for (std::size_t k = 0; k < group.width && next < end; ++k, ++next) {
                group.problem[k] = static_cast<std::int32_t>(next);
                group.boost[k] = static_cast<Real>(problem.label_weight[next]);
                group.awake[k] = 1;
            }
        }
    }
    return teams;
}

/// Exchanges lanes of two groups with all that belongs to them.
template <class Real>
void exchange_lanes(ClassGroup<Real>& one, ClassGroup<Real>& other,
                    std::span<const std::pair<std::size_t, std::size_t>> lanes) {
    const auto exchange = [&](ZeroedArray<Real>& of_one, ZeroedArray<Real>& of_other) {
        for (std::size_t at = 0, to = 0; at < of_one.size(); at += one.width, to += other.width) {
            for (const auto& [a, b] : lanes) std::swap(of_one[at + a], of_other[to + b]);
        }
    };
    exchange(one.weights, other.weights);
    exchange(one.alpha, other.alpha);
    exchange(one.squares, other.squares);
    for (const auto& [a, b] : lanes) {
        std::swap(one.problem[a], other.problem[b]);
        std::swap(one.boost[a], other.boost[b]);
        std::swap(one.awake[a], other.awake[b]);
        for (const auto totals : {&ClassGroup<Real>::intercept, &ClassGroup<Real>::centre, &ClassGroup<Real>::loss,
                                  &ClassGroup<Real>::norm, &ClassGroup<Real>::gap}) {
            std::swap((one.*totals)[a], (other.*totals)[b]);
        }
    }
}

/// An empty group of one, of the size of `group`.
template <class Real>
ClassGroup<Real> make_lone(const ClassGroup<Real>& group) {
    ClassGroup<Real> lone;
    lone.width = 1;
    lone.problem.fill(ClassGroup<Real>::nobody);
    lone.weights = ZeroedArray<Real>(group.weights.size() / group.width);
    lone.alpha = ZeroedArray<Real>(group.alpha.size() / group.width);
    lone.squares = ZeroedArray<Real>(group.squares.size() / group.width);
    lone.knows_squares = group.knows_squares;
    return lone;
}

/// Moves the classes that are awake into fewer groups, where these have room: a pass takes as long for one class as for
/// all of a group.
template <class Real>
void close_ranks(Team<Real>& team) {
    std::vector<ClassGroup<Real>*> awake;
    for (auto& group : team) {
        if (group.n_awake() > 0) awake.push_back(&group);
    }
    // The widest are emptied first: they take the longest.
    std::stable_sort(awake.begin(), awake.end(), [](const auto* a, const auto* b) { return a->width > b->width; });
    for (std::size_t g = 0; g < awake.size();) {
        ClassGroup<Real>& from = *awake[g];
        std::size_t room = 0;
        for (const auto* other : awake) room += other == &from ? 0 : other->width - other->n_awake();
        if (room < from.n_awake()) {
            ++g;
            continue;
        }
        awake.erase(awake.begin() + static_cast<std::ptrdiff_t>(g));
        std::size_t a = 0;
        for (auto* other : awake) {
            std::vector<std::pair<std::size_t, std::size_t>> lanes;
            for (std::size_t b = 0; b < other->width; ++b) {
                if (other->awake[b] != 0) continue;
                while (a < from.width && from.awake[a] == 0) ++a;
                if (a == from.width) break;
                lanes.emplace_back(a++, b);
            }
            if (!lanes.empty()) exchange_lanes<Real>(from, *other, lanes);
        }
    }
}

/// The factor αᵢyᵢ of row i in the weights of a lane.
template <class Real>
auto signed_duals(const DualProblem<Real>& problem, const ClassGroup<Real>& group) {
    return [&](std::int64_t i, std::size_t lane) {
        const auto row = static_cast<std::size_t>(i);
        const auto alpha = static_cast<double>(group.alpha[row * group.width + lane]);
        return problem.is_own(row, group.problem[lane]) ? alpha : -alpha;
    };
}

/// Writes r² beside the weights of a group, and the squares of the features that one row only has, for r =
/// scales[j · n_problems + problem].
template <class Real, class Value, class Index>
void set_scales(const CsrView<Value, Index>& X, const FoldedRows<Real>& rows, std::span<const double> scales,
                std::size_t n_problems, ClassGroup<Real>& group) {
    group.squares = ZeroedArray<Real>(static_cast<std::size_t>(rows.n_rows()) * 2 * group.width);
    const auto square = [&](std::size_t j, std::size_t p) {
        return scales[j * n_problems + p] * scales[j * n_problems + p];
    };
    for (std::size_t j = 0; j < rows.home.size(); ++j) {
        if (rows.home[j] < 0) continue;
        Real* const to = group.weights.data() + (static_cast<std::size_t>(rows.home[j]) * 2 + 1) * group.width;
        group.for_each_lane([&](std::size_t k, std::size_t p) { to[k] = static_cast<Real>(square(j, p)); });
    }
    for (std::int64_t i = 0; i < rows.n_rows(); ++i) {
        std::array<double, max_group_width> own{};
        for (const Entry<Real>& entry : rows.own_entries(i)) {
            const std::int64_t at = X.begin(i) + entry.column;
            const auto j = static_cast<std::size_t>(X.column(at));
            const auto value = static_cast<double>(X.value(at));
            group.for_each_lane([&](std::size_t k, std::size_t p) { own[k] += value * value * square(j, p); });
        }
        Real* const to = group.squares.data() + static_cast<std::size_t>(i) * 2 * group.width;
        for (std::size_t k = 0; k < group.width; ++k) to[k] = static_cast<Real>(own[k]);
    }
}

}  // namespace assay::linear
