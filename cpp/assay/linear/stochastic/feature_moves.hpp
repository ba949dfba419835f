// feature_moves.hpp: what descent keeps of each feature, and the parts of a step on it.
//
// Every feature that a batch has makes up for the shrinkages that it missed, the batch is scored, and its mean gradient
// g moves the weights by the rule of the rate (constant, inverse scaling, AdaGrad, Adam). The shrinkage for an amount
// a = λ · Σ rates is  w ← sign(w) max(0, |w| − ρ a) / (1 + (1 − ρ) a).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/base/memory.hpp"
#include "assay/linear/joint_classes.hpp"
#include "assay/linear/stochastic/logistic_sgd.hpp"
#include "assay/linear/stochastic/logistic_slope.hpp"

namespace assay::linear {

inline constexpr double first_decay = 0.9, second_decay = 0.999;  // of Adam's means
inline constexpr std::size_t decay_table = 1024;

/// All that is known of one feature lies side by side: its weights, what the rate remembers of their gradients, the
/// step at which it was last brought up to date, and where its gradient in the present batch is kept.
template <class Real>
struct FeatureTable {
    std::size_t n_classes, stride, row;
    ZeroedArray<Real> memory;

    FeatureTable(std::size_t n_features, std::size_t classes, LearningRate rate)
        : n_classes(classes),
          stride(classes == 1 ? 1 : class_stride(classes)),
          row(stride * n_parts(rate) + (stride == 1 ? 2 : 8)),
          memory(n_features * row) {}

    static std::size_t n_parts(LearningRate rate) {
        return rate == LearningRate::adam ? 3 : rate == LearningRate::adagrad ? 2 : 1;
    }
    Real* weights(std::size_t j) { return memory.data() + j * row; }
    const Real* weights(std::size_t j) const { return memory.data() + j * row; }
    std::int32_t last_seen(std::size_t j) const { return whole(weights(j)[row - 2]); }
    void see(std::size_t j, std::int32_t step) { weights(j)[row - 2] = as_bits(step); }
    std::int32_t slot(std::size_t j) const { return whole(weights(j)[row - 1]); }
    void set_slot(std::size_t j, std::int32_t slot_of_j) { weights(j)[row - 1] = as_bits(slot_of_j); }

 private:
    using Bits = typename Register<Real, 1>::whole;
    static std::int32_t whole(Real value) { return static_cast<std::int32_t>(std::bit_cast<Bits>(value)); }
    static Real as_bits(std::int32_t value) { return std::bit_cast<Real>(static_cast<Bits>(value)); }
};

template <class Real>
struct Descent {
    const FoldedRows<Real>& rows;  // every feature kept; the constant one is column rows.n_columns
    Targets labels;
    std::span<const double> weight;
    const DescentSettings& settings;
    FeatureTable<Real> table;
    std::int32_t step = 0;
    std::int32_t lag;                                 // steps that a feature's penalty may wait
    std::vector<double> rate_sums{0.0};               // Σ η up to each step, for rates that all features share
    std::vector<double> first_powers, second_powers;  // of Adam's decays

    std::size_t constant() const { return static_cast<std::size_t>(rows.n_columns); }

    double step_rate = 0, first_full = 1, second_full = 1;  // of the present step

    void begin_step() {
        ++step;
        step_rate = settings.first_rate;
        if (settings.rate == LearningRate::inverse_scaling) step_rate /= std::pow(step, settings.power);
        if (settings.rate == LearningRate::adam) {
            first_full = 1 - std::pow(first_decay, step);
            second_full = 1 - std::pow(second_decay, step);
        }
    }
    void end_step() { rate_sums.push_back(rate_sums.back() + step_rate); }
};

/// The parts of a step, for `stride` classes in lanes of Width.
template <class Real, int Width, int Bytes>
struct Moves {
    using L = Lanes<Real, Width, Bytes>;
    Descent<Real>& descent;
    static constexpr Real tiny = Real(1e-16);  // under the root, so that a first gradient of 0 gives no step

    /// The penalty's proximal step, for `amount` of penalty times rate.
    ASSAY_INLINE L shrink(const L& weights, const L& amount) const {
        const auto ridge = static_cast<Real>(1 - descent.settings.l1_ratio);
        const auto lasso = static_cast<Real>(descent.settings.l1_ratio);
        L w = weights;
        if (descent.settings.l1_ratio > 0) {
            const L size = max(L::all(0), abs(w) - lasso * amount);
            w = where_negative(w, L::all(0) - size, size);
        }
        return w / (Real(1) + ridge * amount);
    }

    /// Makes up for what feature j missed since it was last seen.
    ASSAY_INLINE void catch_up(std::size_t j) const {
        if (!lags(j)) return;
        Real* const weights = descent.table.weights(j);
        const std::int32_t last = descent.table.last_seen(j);
        for (std::size_t k = 0; k < descent.table.stride; k += Width) {
            shrink(L::load(weights + k), missed_penalty(weights + k, last)).store(weights + k);
        }
        descent.table.see(j, descent.step - 1);
    }

    ASSAY_INLINE bool lags(std::size_t j) const {
        return descent.settings.penalty > 0 && descent.step - 1 - descent.table.last_seen(j) >= descent.lag &&
               j != descent.constant();
    }

    /// Penalty times the feature's rates over the steps that it missed.
    ASSAY_INLINE L missed_penalty(const Real* weights, std::int32_t last) const {
        const auto penalty = static_cast<Real>(descent.settings.penalty);
        const std::int32_t now = descent.step - 1;
        const std::size_t stride = descent.table.stride;
        const auto all_missed =
            penalty * static_cast<Real>(descent.settings.first_rate) * static_cast<Real>(now - last);
        if (descent.settings.rate == LearningRate::adagrad) {
            return all_missed * inverse_root(L::load(weights + stride) + tiny);
        }
        if (descent.settings.rate == LearningRate::adam) {
            const double full = 1 - std::pow(second_decay, std::max(last, 1));
            return all_missed * inverse_root(L::load(weights + 2 * stride) * static_cast<Real>(1 / full) + tiny);
        }
        return L::all(penalty * static_cast<Real>(descent.rate_sums[static_cast<std::size_t>(now)] -
                                                  descent.rate_sums[static_cast<std::size_t>(last)]));
    }

    /// One gradient step on feature j.
    ASSAY_INLINE void apply(std::size_t j, const Real* gradient) const {
        auto& table = descent.table;
        Real* const weights = table.weights(j);
        const std::size_t stride = table.stride;
        const std::int32_t last = table.last_seen(j);
        for (std::size_t k = 0; k < stride; k += Width) {
            const L g = L::load(gradient + k);
            const L w = L::load(weights + k);
            if (descent.settings.rate == LearningRate::adagrad) {
                const L squares = L::load(weights + stride + k) + g * g;
                squares.store(weights + stride + k);
                (w - static_cast<Real>(descent.settings.first_rate) * g * inverse_root(squares + tiny))
                    .store(weights + k);
            } else if (descent.settings.rate == LearningRate::adam) {
                const auto gone = static_cast<std::size_t>(descent.step - last);
                const double first_left = gone < decay_table ? descent.first_powers[gone] : 0.0;
                const double second_left = gone < decay_table ? descent.second_powers[gone]
                                                              : std::pow(second_decay, static_cast<double>(gone));
                const L mean = L::load(weights + stride + k) * static_cast<Real>(first_left) +
                               g * static_cast<Real>(1 - first_decay);
                const L square = L::load(weights + 2 * stride + k) * static_cast<Real>(second_left) +
                                 g * g * static_cast<Real>(1 - second_decay);
                mean.store(weights + stride + k);
                square.store(weights + 2 * stride + k);
                const L pace = inverse_root(square * static_cast<Real>(1 / descent.second_full) + tiny) *
                               static_cast<Real>(descent.step_rate);
                const L next = w - mean * static_cast<Real>(1 / descent.first_full) * pace;
                const bool penalised = descent.settings.penalty > 0 && j != descent.constant();
                (penalised ? shrink(next, pace * static_cast<Real>(descent.settings.penalty)) : next)
                    .store(weights + k);
            } else {
                (w - static_cast<Real>(descent.step_rate) * g).store(weights + k);
            }
        }
        if (descent.settings.rate == LearningRate::adam) table.see(j, descent.step);
    }

    /// z = w·x + b.
    ASSAY_INLINE void score(std::int32_t i, Real* z) const {
        const auto& table = descent.table;
        const auto row = static_cast<std::ptrdiff_t>(table.row);
        for (std::size_t k = 0; k < table.stride; k += Width) {
            L sum = product<Real, Width, Bytes>(descent.rows.row(i), table.weights(0) + k, row);
            if (descent.settings.has_intercept) sum += L::load(table.weights(descent.constant()) + k);
            sum.store(z + k);
        }
    }

    /// Turns scores into the slope of the loss in them, and returns the loss if it is wanted.
    ASSAY_INLINE double differentiate(std::int32_t i, Real* z, bool wants_loss) const {
        const LogisticSlope<Real, Width, Bytes> slope{descent.table.n_classes, descent.table.stride};
        const auto index = static_cast<std::size_t>(i);
        const auto s = static_cast<Real>(descent.weight[index]);
        if (descent.settings.multinomial) {
            return slope.softmax(z, static_cast<std::size_t>(descent.labels.members[index]), s, wants_loss);
        }
        return slope.one_vs_rest(z, descent.labels, index, 0, slope.n_classes, s, wants_loss);
    }
};

}  // namespace assay::linear
