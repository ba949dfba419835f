// class_newton.cpp: the steps of newton.cpp for one class over folded rows. What is special here: class_newton.hpp.
#include "assay/linear/primal/class_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "assay/base/lanes.hpp"
#include "assay/base/parallel.hpp"
#include "assay/linear/primal/dense_curvature.hpp"

namespace assay::linear {
namespace {

using Vector = std::vector<double>;

/// Σ a·b in double, in sums side by side.
template <class A, class B>
double dot(const std::vector<A>& a, const std::vector<B>& b) {
    constexpr std::size_t n_sums = 8;
    std::array<double, n_sums> sums{};
    std::size_t at = 0;
    for (; at + n_sums <= a.size(); at += n_sums) {
        for (std::size_t s = 0; s < n_sums; ++s) {
            sums[s] += static_cast<double>(a[at + s]) * static_cast<double>(b[at + s]);
        }
    }
    for (; at < a.size(); ++at) sums[0] += static_cast<double>(a[at]) * static_cast<double>(b[at]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class Real>
double score(const MixedRow<Real>& row, const double* weights) {
    double first = 0, second = 0;
    for (std::size_t j = 0; j + 2 <= row.head.size(); j += 2) {
        first += static_cast<double>(row.head[j]) * weights[j];
        second += static_cast<double>(row.head[j + 1]) * weights[j + 1];
    }
    if (row.head.size() % 2 == 1) first += static_cast<double>(row.head.back()) * weights[row.head.size() - 1];
    const auto term = [&](std::size_t e) {
        return static_cast<double>(row.tail[e].value) * weights[row.tail[e].column];
    };
    std::size_t at = 0;
    for (; at + 2 <= row.tail.size(); at += 2) first += term(at), second += term(at + 1);
    return at < row.tail.size() ? first + second + term(at) : first + second;
}

/// sums[column] += factor · value, or factor · value² where `squared` is set.
template <bool squared = false, class Real>
void add_to(const MixedRow<Real>& row, double factor, Vector& sums) {
    const auto term = [&](Real value) {
        const auto x = static_cast<double>(value);
        return squared ? factor * x * x : factor * x;
    };
    for (std::size_t j = 0; j < row.head.size(); ++j) sums[j] += term(row.head[j]);
    for (const auto& [column, value] : row.tail) sums[static_cast<std::size_t>(column)] += term(value);
}

/// Rows that have curvature, over the columns that they have, and a constant column after these.
template <class Real>
class CurvedRows {
 public:
    /// Takes the listed rows, with the bend that is left of each after its own feature is eliminated.
    CurvedRows(const FoldedRows<Real>& rows, std::span<const std::int32_t> list, Vector bends, double constant)
        : rows_(rows), list_(list), bends_(std::move(bends)), constant_(constant) {
        n_values_ = static_cast<std::int64_t>(list.size()) * rows.n_dense;
        for (const std::int32_t i : list) n_values_ += static_cast<std::int64_t>(rows.row(i).size());
        is_copied_ = 4 * n_values_ < 3 * rows.n_values();
        if (is_copied_) copy();
        const auto n_blocks = std::min(n_values_ / values_in_block, n_values_ / (8 * std::int64_t{n_columns()} + 1));
        n_blocks_ = static_cast<std::size_t>(std::clamp<std::int64_t>(n_blocks, 1, most_blocks));
    }

    std::int64_t n_values() const { return n_values_ + static_cast<std::int64_t>(list_.size()); }
    std::int32_t n_columns() const { return is_copied_ ? static_cast<std::int32_t>(columns_.size()) : rows_.n_columns; }
    std::size_t size() const { return static_cast<std::size_t>(n_columns()) + 1; }
    /// The column of the folded rows that column j is.
    std::size_t original(std::size_t j) const { return is_copied_ ? static_cast<std::size_t>(columns_[j]) : j; }

    /// Σ bend · x², and the penalty.
    std::vector<Real> diagonal(double penalty, double constant_penalty) const {
        Vector sums(size(), penalty);
        sums.back() = constant_penalty;
        for (std::size_t r = 0; r < list_.size(); ++r) {
            add_to<true>(row(r), bends_[r], sums);
            sums.back() += bends_[r] * constant_ * constant_;
        }
        const double floor = 1e-12 * *std::max_element(sums.begin(), sums.end());
        std::vector<Real> result(sums.size());
        std::ranges::transform(sums, result.begin(),
                               [&](double sum) { return static_cast<Real>(std::max(sum, floor)); });
        return result;
    }

    /// out = Xᵀ (bends ∘ X direction), by blocks of rows that are the same for any number of threads.
    void multiply(const std::vector<Real>& direction, int n_threads, std::vector<Real>& out) {
        sums_.resize(n_blocks_);
        for_each_block(static_cast<std::int64_t>(n_blocks_), 1, n_threads, [&](std::int64_t b, std::int64_t, int) {
            const auto block = static_cast<std::size_t>(b);
            std::vector<Real>& sums = block == 0 ? out : sums_[block];
            sums.assign(direction.size(), Real(0));
            BlockProduct work{*this, list_.size() * block / n_blocks_, list_.size() * (block + 1) / n_blocks_,
                              direction, sums};
            with_widest_vectors(work);
        });
        for (std::size_t block = 1; block < n_blocks_; ++block) {
            for (std::size_t j = 0; j < out.size(); ++j) out[j] += sums_[block][j];
        }
    }

    /// The Hessian over the dense columns, factorised.
    DenseCurvature dense_curvature(double penalty, int n_threads) const {
        const auto n_dense = static_cast<std::size_t>(rows_.n_dense);
        Vector values;
        values.reserve(list_.size() * n_dense);
        for (const std::int32_t i : list_) values.insert(values.end(), rows_.head(i).begin(), rows_.head(i).end());
        return DenseCurvature(DenseMatrix{values, n_dense}, bends_, penalty, n_threads);
    }

    MixedRow<Real> row(std::size_t r) const {
        if (!is_copied_) return rows_.mixed_row(list_[r]);
        return {rows_.head(list_[r]), std::span(entries_).subspan(begin_[r], begin_[r + 1] - begin_[r])};
    }

 private:
    struct BlockProduct {
        const CurvedRows& rows;
        std::size_t begin, end;
        const std::vector<Real>& direction;
        std::vector<Real>& sums;

        template <int Bytes>
        ASSAY_INLINE void run() {
            using L = Lanes<Real, 1, Bytes>;
            const double shift = rows.constant_ * static_cast<double>(direction.back());
            double of_constant = 0;
            for (std::size_t r = begin; r < end; ++r) {
                const MixedRow<Real> row = rows.row(r);
                const L turn = product<Real, 1, Bytes>(row, direction.data());
                const double factor = rows.bends_[r] * (static_cast<double>(turn.part[0]) + shift);
                of_constant += factor;
                add_row<Real, 1, Bytes>(row, L::all(static_cast<Real>(factor)), sums.data());
            }
            sums.back() = static_cast<Real>(rows.constant_ * of_constant);
        }
    };

    void copy() {
        std::vector<std::int32_t> place(static_cast<std::size_t>(rows_.n_columns), 0);
        std::fill_n(place.begin(), rows_.n_dense, 1);
        for (const std::int32_t i : list_) {
            for (const auto& entry : rows_.row(i)) place[static_cast<std::size_t>(entry.column)] = 1;
        }
        for (std::size_t j = 0; j < place.size(); ++j) {
            if (place[j] == 0) continue;
            place[j] = static_cast<std::int32_t>(columns_.size());
            columns_.push_back(static_cast<std::int32_t>(j));
        }
        entries_.reserve(static_cast<std::size_t>(n_values_));
        begin_.reserve(list_.size() + 1);
        begin_.push_back(0);
        for (const std::int32_t i : list_) {
            for (const auto& [column, value] : rows_.row(i)) {
                entries_.push_back({place[static_cast<std::size_t>(column)], value});
            }
            begin_.push_back(entries_.size());
        }
    }

    static constexpr std::int64_t values_in_block = 1 << 18, most_blocks = 8;
    const FoldedRows<Real>& rows_;
    std::span<const std::int32_t> list_;
    Vector bends_;
    double constant_;
    std::int64_t n_values_ = 0;
    bool is_copied_ = false;             // else the folded rows are read where they are
    std::vector<std::int32_t> columns_;  // of the folded rows
    std::vector<Entry<Real>> entries_;
    std::vector<std::size_t> begin_;
    std::size_t n_blocks_ = 1;
    std::vector<std::vector<Real>> sums_;  // of blocks
};

template <class Real>
class ClassNewton {
 public:
    ClassNewton(const FoldedRows<Real>& rows, const LossTerms& loss, const ConstantFeature& constant,
                const SolverSettings& settings, int n_threads)
        : rows_(rows),
          loss_(loss),
          constant_(constant),
          settings_(settings),
          n_threads_(n_threads),
          n_rows_(loss.cost.size()),
          n_columns_(static_cast<std::size_t>(rows.n_columns)),
          own_(n_rows_),
          slope_(n_rows_),
          state_(n_rows_),
          forcing_(settings.tolerance < 1e-9 ? 1e-5 : 0.1) {
        std::ranges::transform(rows.own_square, own_.begin(), [](double square) { return std::sqrt(square); });
    }

    void solve(ClassWeights& weights, SolverReport& report, std::size_t p) {
        Vector w = weights.shared, own = weights.own;
        w.push_back(constant_.value > 0 ? weights.intercept / constant_.value : 0.0);
        Vector scores = multiply(w, own), step(w.size()), own_step(n_rows_);
        double objective = 0.5 * norm(w, own) + loss_.value(scores);
        bool converged = false;
        std::int32_t iteration = 0;
        double gap = 0, last_unseen = std::numeric_limits<double>::infinity();  // gap before a fall too small to see
        while (true) {
            loss_.differentiate(scores, slope_, state_);
            differentiate(w, own);
            gap = gap_of();
            converged = gap <= settings_.tolerance * objective;
            if (converged || iteration >= settings_.max_iterations || is_tired()) break;
            find_step(w, own, settings_.tolerance * objective, step, own_step);
            const Vector turn = multiply(step, own_step);
            ++iteration;
            double length = search_line(w, own, step, own_step, scores, turn, objective);
            // Near the optimum f falls by less than it is rounded by; as long as the gradient still falls, so does f.
            if (length == 0 && gap <= 1e-9 * objective && gap < 0.25 * last_unseen) {
                length = 1;
                last_unseen = gap;
            }
            if (length == 0) {  // no progress is possible in double precision
                converged = gap <= 1e-9 * objective;
                break;
            }
            for (std::size_t j = 0; j < w.size(); ++j) w[j] += length * step[j];
            for (std::size_t i = 0; i < n_rows_; ++i) {
                own[i] += length * own_step[i];
                scores[i] += length * turn[i];
            }
        }
        weights.intercept = constant_.value * w.back();
        w.pop_back();
        weights.shared = std::move(w);
        weights.own = std::move(own);
        report.objective[p] = objective;
        report.gap[p] = gap;
        report.iterations[p] = std::max<std::int32_t>(iteration, 1);
        report.converged[p] = converged;
        report.work[p] = static_cast<double>(work_);
    }

 private:
    /// Whether more has been read than settings.patience allows.
    bool is_tired() const {
        return static_cast<double>(work_) >=
               settings_.patience * static_cast<double>(rows_.n_values() + rows_.n_rows());
    }

    double penalty_of(std::size_t j) const { return j == n_columns_ && constant_.is_free ? 0.0 : 1.0; }

    /// Of all weights that are penalised, times their penalty.
    double norm(const Vector& w, const Vector& own) const { return product(w, w) + dot(own, own); }
    double product(const Vector& a, const Vector& b) const {
        return dot(a, b) - (1 - penalty_of(n_columns_)) * a.back() * b.back();
    }

    Vector multiply(const Vector& w, const Vector& own) {
        Vector result(n_rows_);
        const double shift = constant_.value * w.back();
        for_each_block(rows_.n_rows(), 8192, n_threads_, [&](std::int64_t first, std::int64_t last, int) {
            for (std::int64_t i = first; i < last; ++i) {
                const auto row = static_cast<std::size_t>(i);
                result[row] = score(rows_.mixed_row(i), w.data()) + own_[row] * own[row] + shift;
            }
        });
        work_ += rows_.n_values() + rows_.n_rows();
        return result;
    }

    /// The gradient, and which rows have curvature, or a slope: that of a row far on the wrong side is steep and
    /// straight.
    void differentiate(const Vector& w, const Vector& own) {
        inside_.clear();
        gradient_ = w;
        gradient_.back() *= penalty_of(n_columns_);
        own_gradient_ = own;
        flatness_ = 0;
        double of_constant = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            if (state_[i] <= 0 && slope_[i] == 0) continue;
            inside_.push_back(static_cast<std::int32_t>(i));
            const auto row = rows_.mixed_row(static_cast<std::int64_t>(i));
            add_to(row, slope_[i], gradient_);
            own_gradient_[i] += slope_[i] * own_[i];
            of_constant += slope_[i];
            flatness_ += state_[i] * constant_.value * constant_.value;
            work_ += static_cast<std::int64_t>(1 + row.head.size() + row.tail.size());
        }
        gradient_.back() += constant_.value * of_constant;
    }

    double gap_of() const {
        double total = 0.5 * (product(gradient_, gradient_) + dot(own_gradient_, own_gradient_));
        if (constant_.is_free && flatness_ > 0) total += 0.5 * gradient_.back() * gradient_.back() / flatness_;
        return total;
    }

    /// Solves H step = −∇f until the quadratic model has all but converged, or what is left of its gradient is less
    /// than `enough` needs.
    void find_step(const Vector& w, const Vector& own, double enough, Vector& step, Vector& own_step) {
        // A row's own weight, with gradient g, moves by −(g + b o z)/(1 + b o²) where the others move its score by z.
        Vector bends, pull(n_columns_ + 1);
        pull = gradient_;
        for (const std::int32_t row : inside_) {
            const auto i = static_cast<std::size_t>(row);
            const double softness = 1 + state_[i] * own_[i] * own_[i];
            bends.push_back(state_[i] / softness);
            const double factor = state_[i] * own_[i] * own_gradient_[i] / softness;
            if (factor == 0) continue;
            add_to(rows_.mixed_row(row), -factor, pull);
            pull.back() -= factor * constant_.value;
        }
        CurvedRows<Real> curved(rows_, inside_, std::move(bends), constant_.value);
        for (std::size_t j = 0; j < n_columns_; ++j) step[j] = -w[j];  // of a column that no row with curvature has
        step.back() = 0;
        descend(curved, pull, enough, step);
        for (std::size_t i = 0; i < n_rows_; ++i) own_step[i] = -own[i];
        const double shift = constant_.value * step.back();
        for (const std::int32_t row : inside_) {
            const auto i = static_cast<std::size_t>(row);
            const double z = score(rows_.mixed_row(row), step.data()) + shift;
            own_step[i] = -(own_gradient_[i] + state_[i] * own_[i] * z) / (1 + state_[i] * own_[i] * own_[i]);
        }
    }

    /// Conjugate gradients over the columns of `curved`.
    void descend(CurvedRows<Real>& curved, const Vector& pull, double enough, Vector& step) {
        const std::size_t n = curved.size();
        const double constant_penalty = penalty_of(n_columns_);
        const std::vector<Real> diagonal = curved.diagonal(1.0, constant_penalty);
        std::vector<Real> residual(n), scaled(n), bent(n), found(n);
        for (std::size_t j = 0; j + 1 < n; ++j) residual[j] = static_cast<Real>(-pull[curved.original(j)]);
        residual.back() = constant_.value > 0 ? static_cast<Real>(-pull.back()) : Real(0);
        const bool is_fresh = spent_ >= price_of_curvature();  // what is known of the Hessian over dense columns
        if (is_fresh) {
            curvature_.emplace(curved.dense_curvature(1.0, n_threads_));
            spent_ = 0;
        }
        precondition(residual, diagonal, scaled);
        std::vector<Real> direction = scaled;
        double rho = dot(residual, scaled), model = 0;
        const std::size_t most = std::clamp<std::size_t>(n, 5, 1000);
        for (std::size_t iteration = 1; iteration <= most && rho > 0; ++iteration) {
            if (++spent_ >= price_of_curvature() && !is_fresh && iteration > 1) break;  // good enough to go on from
            curved.multiply(direction, n_threads_, bent);
            work_ += curved.n_values();
            if (is_tired() && iteration > 1) break;
            for (std::size_t j = 0; j + 1 < n; ++j) bent[j] += direction[j];
            bent.back() += static_cast<Real>(constant_penalty) * direction.back();
            const double bend = dot(direction, bent);
            if (!(bend > 0)) break;
            const double length = rho / bend;
            const auto narrow = static_cast<Real>(length);
            for (std::size_t j = 0; j < n; ++j) {
                found[j] += narrow * direction[j];
                residual[j] -= narrow * bent[j];
            }
            precondition(residual, diagonal, scaled);
            const double gain = 0.5 * length * rho;
            model += gain;
            // Nash & Sofer's rule: stop when a step of conjugate gradients no longer pays in the model.
            if (static_cast<double>(iteration) * gain <= forcing_ * model) break;
            const double next_rho = dot(residual, scaled);
            // The gradient that is left may be all that the tolerance allows.
            if (dot(residual, residual) <= enough) break;
            const auto beta = static_cast<Real>(next_rho / rho);
            rho = next_rho;
            for (std::size_t j = 0; j < n; ++j) direction[j] = scaled[j] + beta * direction[j];
        }
        for (std::size_t j = 0; j + 1 < n; ++j) step[curved.original(j)] = static_cast<double>(found[j]);
        step.back() = static_cast<double>(found.back());
    }

    /// scaled = M⁻¹ residual, where M is the diagonal, or what is known of the Hessian over dense columns.
    void precondition(const std::vector<Real>& residual, const std::vector<Real>& diagonal, std::vector<Real>& scaled) {
        for (std::size_t j = 0; j < residual.size(); ++j) scaled[j] = residual[j] / diagonal[j];
        if (!curvature_) return;
        const auto n_dense = static_cast<std::ptrdiff_t>(rows_.n_dense);
        Vector dense(residual.begin(), residual.begin() + n_dense);
        curvature_->solve(dense);
        std::ranges::transform(dense, scaled.begin(), [](double x) { return static_cast<Real>(x); });
    }

    /// Conjugate gradients' iterations after which the Hessian over dense columns is worth forming: they have cost as
    /// much.
    std::size_t price_of_curvature() const {
        const auto n = static_cast<std::size_t>(rows_.n_dense);
        constexpr std::size_t widest = 8192, least = 16;  // columns; iterations
        return n > 0 && n <= widest ? std::max(n / 8, least) : std::numeric_limits<std::size_t>::max();
    }

    /// Where f is lowest along the step, by Newton steps in the length, which read no matrix; 0 where f does not fall.
    /// Updates `objective`.
    double search_line(const Vector& w, const Vector& own, const Vector& step, const Vector& own_step,
                       const Vector& scores, const Vector& turn, double& objective) const {
        const double across = product(w, step) + dot(own, own_step), square = norm(step, own_step);
        const double first_slope = dot(gradient_, step) + dot(own_gradient_, own_step);
        double length = 1, low = 0, high = std::numeric_limits<double>::infinity();
        for (int turns = 0; turns < 20; ++turns) {
            const auto [slope, bend] = loss_.along(scores, turn, length);
            const double whole = across + length * square + slope;
            if (std::abs(whole) <= 0.05 * std::abs(first_slope)) break;
            (whole < 0 ? low : high) = length;
            double next = length - whole / (square + bend);
            if (!(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 2 * length;
            length = next;
        }
        Vector moved_scores(n_rows_), moved_w(w.size()), moved_own(n_rows_);
        for (int halving = 0; halving < 40; ++halving, length /= 2) {
            // The norm of the sum, not a sum of three products, which may leave nothing but their rounding.
            for (std::size_t j = 0; j < w.size(); ++j) moved_w[j] = w[j] + length * step[j];
            for (std::size_t i = 0; i < n_rows_; ++i) {
                moved_own[i] = own[i] + length * own_step[i];
                moved_scores[i] = scores[i] + length * turn[i];
            }
            const double moved = 0.5 * norm(moved_w, moved_own) + loss_.value(moved_scores);
            if (moved < objective) {
                objective = moved;
                return length;
            }
        }
        return 0;
    }

    const FoldedRows<Real>& rows_;
    const LossTerms& loss_;
    const ConstantFeature constant_;
    const SolverSettings& settings_;
    const int n_threads_;
    const std::size_t n_rows_, n_columns_;
    Vector own_;                        // norm of each row's own features
    Vector slope_, state_;              // of the loss, one a row
    std::vector<std::int32_t> inside_;  // rows with curvature
    Vector gradient_, own_gradient_;    // of f in the shared weights and the constant's; in rows' own weights
    double flatness_ = 0;               // curvature in the constant's weight
    std::optional<DenseCurvature> curvature_;
    std::size_t spent_ = 0;  // iterations of conjugate gradients since the Hessian over dense columns was formed
    std::int64_t work_ = 0;  // values that were read, and rows
    const double forcing_;   // how far the model is solved; for the last digits, all but wholly
};

}  // namespace

template <class Real>
void solve_class(const FoldedRows<Real>& rows, const LossTerms& loss, const ConstantFeature& constant,
                 const SolverSettings& settings, int n_threads, ClassWeights& weights, SolverReport& report,
                 std::size_t p) {
    ClassNewton<Real>(rows, loss, constant, settings, n_threads).solve(weights, report, p);
}

template void solve_class(const FoldedRows<float>&, const LossTerms&, const ConstantFeature&, const SolverSettings&,
                          int, ClassWeights&, SolverReport&, std::size_t);
template void solve_class(const FoldedRows<double>&, const LossTerms&, const ConstantFeature&, const SolverSettings&,
                          int, ClassWeights&, SolverReport&, std::size_t);

}  // namespace assay::linear
