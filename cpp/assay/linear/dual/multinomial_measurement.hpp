// multinomial_measurement.hpp: objective and ½‖∇f‖² of multinomial logistic regression, with weights at rest.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assay/base/parallel.hpp"
#include "assay/linear/dual/multinomial_model.hpp"

namespace assay::linear {

/// Row i as far as it is multiplied alone.
template <class Real>
MixedRow<Real> row_of(const Multinomial<Real>& model, std::int64_t i) {
    return model.tiled ? MixedRow<Real>{{}, model.rows.row(i)} : model.rows.mixed_row(i);
}

/// scores[row][class] = w·x without the row's own features.
template <class Real, int Width>
struct MultinomialScores {
    const Multinomial<Real>& model;
    std::int64_t first, last;
    std::span<Real> scores;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::int64_t i = first; i < last; ++i) {
            multiply_row<Width, Real, Bytes>(row_of(model, i), model.weights.data(), model.stride,
                                             scores.data() + static_cast<std::size_t>(i) * model.stride);
        }
    }
};

/// sums[column][class] += Σ x · factors[row][class] for classes [first, last).
template <class Real, int Width>
struct MultinomialAdd {
    const Multinomial<Real>& model;
    std::span<const Real> factors;
    std::span<Real> sums;

    template <int Bytes>
    ASSAY_INLINE void run() {
        for (std::int64_t i = 0; i < model.rows.n_rows(); ++i) {
            add_to_row<Width, Real, Bytes>(row_of(model, i),
                                           factors.data() + static_cast<std::size_t>(i) * model.stride, model.stride,
                                           sums.data());
        }
    }
};

/// Solves A x = b for a positive semi-definite A of n rows by elimination; flat directions get no step.
inline std::vector<double> solve_dense(std::vector<double> A, std::vector<double> b) {
    const std::size_t n = b.size();
    double top = 0;
    for (std::size_t k = 0; k < n; ++k) top = std::max(top, A[k * n + k]);
    std::vector<bool> flat(n, false);
    for (std::size_t k = 0; k < n; ++k) {
        if (A[k * n + k] <= 1e-10 * top) {
            flat[k] = true;
            continue;
        }
        for (std::size_t r = k + 1; r < n; ++r) {
            const double factor = A[r * n + k] / A[k * n + k];
            if (factor == 0) continue;
            for (std::size_t c = k; c < n; ++c) A[r * n + c] -= factor * A[k * n + c];
            b[r] -= factor * b[k];
        }
    }
    std::vector<double> x(n, 0.0);
    for (std::size_t k = n; k-- > 0;) {
        if (flat[k]) continue;
        double value = b[k];
        for (std::size_t c = k + 1; c < n; ++c) value -= A[k * n + c] * x[c];
        x[k] = value / A[k * n + k];
    }
    return x;
}

/// Sets loss, norm and gap = ½‖∇f‖² exactly, after moving a free intercept to its best.
template <class Real, int Width>
class MultinomialMeasurement {
 public:
    MultinomialMeasurement(Multinomial<Real>& model, int n_threads)
        : model_(model),
          n_threads_(n_threads),
          n_rows_(static_cast<std::size_t>(model.rows.n_rows())),
          scores_(n_rows_ * model.stride),
          slopes_(n_rows_ * model.stride, Real(0)) {}

    void take() {
        for_each_block(model_.rows.n_rows(), rows_at_once, n_threads_, [&](std::int64_t first, std::int64_t last, int) {
            MultinomialScores<Real, Width> pass{model_, first, last, scores_};
            with_widest_vectors(pass);
            if (!model_.tiled) return;
            const auto rows = model_.heads(first, last);
            Real* const to = scores_.data() + static_cast<std::size_t>(first) * model_.stride;
            DenseScores<Real> dense{rows, model_.n_dense(), model_.weights.data(), model_.stride, to};
            with_widest_vectors(dense);
        });
        const std::size_t K = model_.n_classes, stride = model_.stride;
        if (model_.feature.present && !model_.feature.penalised) move_intercept();
        std::vector<double> slope(K), p(K);
        double loss = 0, norm = 0, gap = 0;
        for (std::size_t i = 0; i < n_rows_; ++i) {
            loss += model_.cost[i] * softmax(i, p);
            const double own = model_.rows.own_square[i];
            for (std::size_t k = 0; k < K; ++k) {
                const double target = static_cast<std::size_t>(model_.labels[i]) == k ? 1.0 : 0.0;
                const double pull = model_.cost[i] * (p[k] - target);
                const double factor =
                    model_.cost[i] * (target - static_cast<double>(model_.probabilities[i * stride + k]));
                slopes_[i * stride + k] = static_cast<Real>(pull);
                slope[k] += pull;
                norm += own * factor * factor;
                gap += 0.5 * own * (factor + pull) * (factor + pull);
            }
        }
        if (model_.feature.penalised) {
            for (std::size_t k = 0; k < K; ++k) {
                const double b = model_.intercept[k], whole = b / model_.feature.square + slope[k];
                norm += b * b / model_.feature.square;
                gap += 0.5 * model_.feature.square * whole * whole;
            }
        }
        ZeroedArray<Real> gradient(model_.weights.size());
        std::copy_n(model_.weights.data(), gradient.size(), gradient.data());
        MultinomialAdd<Real, Width> add{model_, slopes_, gradient.span()};
        with_widest_vectors(add);
        if (model_.tiled) add_dense(gradient.data());
        for (std::size_t at = 0; at < gradient.size(); ++at) {
            norm += static_cast<double>(model_.weights[at]) * static_cast<double>(model_.weights[at]);
            gap += 0.5 * static_cast<double>(gradient[at]) * static_cast<double>(gradient[at]);
        }
        model_.loss = loss, model_.norm = norm, model_.gap = gap + intercept_gap_;
    }

 private:
    static constexpr std::int64_t rows_at_once = 240, columns_at_once = 96;

    void add_dense(Real* sums) const {
        const auto n_columns = static_cast<std::int64_t>(model_.n_dense());
        for_each_block(n_columns, columns_at_once, n_threads_, [&](std::int64_t first, std::int64_t last, int) {
            for (std::int64_t i = 0; i < model_.rows.n_rows(); i += rows_at_once) {
                const auto rows = model_.heads(i, std::min(i + rows_at_once, model_.rows.n_rows()));
                const Real* const factors = slopes_.data() + static_cast<std::size_t>(i) * model_.stride;
                DenseUpdate<Real> add{
                    rows, factors, model_.stride, static_cast<std::size_t>(first), static_cast<std::size_t>(last),
                    sums};
                with_widest_vectors(add);
            }
        });
    }

    /// Probabilities of row i; returns its loss.
    double softmax(std::size_t i, std::vector<double>& p) const {
        const std::size_t K = model_.n_classes, stride = model_.stride;
        const auto label = static_cast<std::size_t>(model_.labels[i]);
        const double own = model_.cost[i] * model_.rows.own_square[i];
        double top = -std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < K; ++k) {
            const double target = label == k ? 1.0 : 0.0;
            p[k] = static_cast<double>(scores_[i * stride + k]) + model_.intercept[k] +
                   own * (target - static_cast<double>(model_.probabilities[i * stride + k]));
            top = std::max(top, p[k]);
        }
        const double score = p[label];
        double sum = 0;
        for (std::size_t k = 0; k < K; ++k) sum += p[k] = std::exp(p[k] - top);
        for (std::size_t k = 0; k < K; ++k) p[k] /= sum;
        return std::log(sum) + top - score;
    }

    void move_intercept() {
        const std::size_t K = model_.n_classes;
        std::vector<double> p(K);
        for (int iteration = 0; iteration < 20; ++iteration) {
            std::vector<double> slope(K, 0.0), curvature(K * K, 0.0);
            for (std::size_t i = 0; i < n_rows_; ++i) {
                softmax(i, p);
                for (std::size_t k = 0; k < K; ++k) {
                    slope[k] -= model_.cost[i] * (p[k] - (static_cast<std::size_t>(model_.labels[i]) == k ? 1.0 : 0.0));
                    curvature[k * K + k] += model_.cost[i] * p[k];
                    const double factor = model_.cost[i] * p[k];
                    for (std::size_t c = 0; c < K; ++c) curvature[k * K + c] -= factor * p[c];
                }
            }
            const std::vector<double> step = solve_dense(curvature, slope);
            double longest = 0;
            intercept_gap_ = 0;
            for (std::size_t k = 0; k < K; ++k) {
                longest = std::max(longest, std::abs(step[k]));
                intercept_gap_ += 0.5 * slope[k] * step[k];
            }
            if (longest < 1e-9) return;
            const double factor = longest > 1 ? 1 / longest : 1.0;
            double mean = 0;  // adding a constant to all changes nothing; keep them centred
            for (std::size_t k = 0; k < K; ++k) mean += factor * step[k] / static_cast<double>(K);
            for (std::size_t k = 0; k < K; ++k) {
                model_.intercept[k] += factor * step[k] - mean;
                model_.centre[k] += factor * step[k] - mean;
            }
        }
    }

    Multinomial<Real>& model_;
    const int n_threads_;
    const std::size_t n_rows_;
    std::vector<Real> scores_, slopes_;  // [row][class]
    double intercept_gap_ = 0;
};

}  // namespace assay::linear
