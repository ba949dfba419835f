// class_newton.cpp: the steps of newton.cpp for one class over folded rows. What is special here: class_newton.hpp.
#include "assay/linear/primal/class_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "assay/base/parallel.hpp"

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

template <class Real, class Weight>
double score(std::span<const Entry<Real>> row, const Weight* weights) {
    double first = 0, second = 0;
    std::size_t at = 0;
    const auto term = [&](std::size_t e) {
        return static_cast<double>(row[e].value) * static_cast<double>(weights[row[e].column]);
    };
    for (; at + 2 <= row.size(); at += 2) first += term(at), second += term(at + 1);
    return at < row.size() ? first + second + term(at) : first + second;
}

/// Rows that have curvature, over the columns that they have, and a constant column after these.
template <class Real>
class CurvedRows {
 public:
    /// Takes the listed rows, with the bend that is left of each after its own feature is eliminated.
    CurvedRows(const FoldedRows<Real>& rows, std::span<const std::int32_t> list, Vector bends, double constant)
        : rows_(rows), list_(list), bends_(std::move(bends)), constant_(constant) {
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
            for (const auto& [column, value] : row(r)) {
                sums[static_cast<std::size_t>(column)] += bends_[r] * static_cast<double>(value * value);
            }
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
            double of_constant = 0;
            const double shift = constant_ * static_cast<double>(direction.back());
            const std::size_t end = list_.size() * (block + 1) / n_blocks_;
            for (std::size_t r = list_.size() * block / n_blocks_; r < end; ++r) {
                const auto entries = row(r);
                const double factor = bends_[r] * (score(entries, direction.data()) + shift);
                of_constant += factor;
                const auto narrow = static_cast<Real>(factor);
                for (const auto& [column, value] : entries) sums[static_cast<std::size_t>(column)] += narrow * value;
            }
            sums.back() = static_cast<Real>(constant_ * of_constant);
        });
        for (std::size_t block = 1; block < n_blocks_; ++block) {
            for (std::size_t j = 0; j < out.size(); ++j) out[j] += sums_[block][j];
        }
    }

    std::span<const Entry<Real>> row(std::size_t r) const {
        if (!is_copied_) return rows_.row(list_[r]);
        return std::span(entries_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
    }

 private:
    void copy() {
        std::vector<std::int32_t> place(static_cast<std::size_t>(rows_.n_columns), 0);
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
          state_(n_rows_) {
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
            if (converged || iteration >= settings_.max_iterations) break;
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
                result[row] = score(rows_.row(i), w.data()) + own_[row] * own[row] + shift;
            }
        });
        work_ += rows_.n_values() + rows_.n_rows();
        return result;
    }

    /// The gradient, and which rows have curvature.
    void differentiate(const Vector& w, const Vector& own) {
        inside_.clear();
        gradient_ = w;
        gradient_.back() *= penalty_of(n_columns_);
        own_gradient_ = own;
        flatness_ = 0;
        double of_constant = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            if (state_[i] <= 0) continue;
            inside_.push_back(static_cast<std::int32_t>(i));
            const auto row = rows_.row(static_cast<std::int64_t>(i));
            for (const auto& [column, value] : row) {
                gradient_[static_cast<std::size_t>(column)] += slope_[i] * static_cast<double>(value);
            }
            own_gradient_[i] += slope_[i] * own_[i];
            of_constant += slope_[i];
            flatness_ += state_[i] * constant_.value * constant_.value;
            work_ += static_cast<std::int64_t>(1 + row.size());
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
            for (const auto& [column, value] : rows_.row(row)) {
                pull[static_cast<std::size_t>(column)] -= factor * static_cast<double>(value);
            }
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
            const double z = score(rows_.row(row), step.data()) + shift;
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
        for (std::size_t j = 0; j < n; ++j) scaled[j] = residual[j] / diagonal[j];
        std::vector<Real> direction = scaled;
        double rho = dot(residual, scaled), model = 0;
        const std::size_t most = std::clamp<std::size_t>(n, 5, 1000);
        for (std::size_t iteration = 1; iteration <= most && rho > 0; ++iteration) {
            curved.multiply(direction, n_threads_, bent);
            work_ += curved.n_values();
            for (std::size_t j = 0; j + 1 < n; ++j) bent[j] += direction[j];
            bent.back() += static_cast<Real>(constant_penalty) * direction.back();
            const double bend = dot(direction, bent);
            if (!(bend > 0)) break;
            const double length = rho / bend;
            const auto narrow = static_cast<Real>(length);
            for (std::size_t j = 0; j < n; ++j) {
                found[j] += narrow * direction[j];
                residual[j] -= narrow * bent[j];
                scaled[j] = residual[j] / diagonal[j];
            }
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

    /// The longest step 1, ½, ¼, … that lowers f enough (Armijo); 0 when none does. Updates `objective`.
    double search_line(const Vector& w, const Vector& own, const Vector& step, const Vector& own_step,
                       const Vector& scores, const Vector& turn, double& objective) const {
        const double slope = dot(gradient_, step) + dot(own_gradient_, own_step);
        const double start = norm(w, own), across = product(w, step) + dot(own, own_step),
                     square = norm(step, own_step);
        Vector moved_scores(n_rows_);
        double length = 1;
        for (int halving = 0; halving < 40; ++halving, length /= 2) {
            for (std::size_t i = 0; i < n_rows_; ++i) moved_scores[i] = scores[i] + length * turn[i];
            const double moved = 0.5 * (start + length * (2 * across + length * square)) + loss_.value(moved_scores);
            if (moved <= objective + 1e-4 * length * slope && moved < objective) {
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
    std::int64_t work_ = 0;             // values that were read, and rows
    static constexpr double forcing_ = 0.1;
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
