// multinomial_step.hpp: the step of Yu, Huang & Lin (2011, algorithm 7) for multinomial logistic regression.
//
// With p = α/C, scores z and A = C(‖x‖² + s²), a step on one example solves in all its classes at once
//
//     min_q  Σₖ qₖ log qₖ + A/2 ‖q − p‖² − z·q,    Σₖ qₖ = 1
//
// by Newton steps on log q, the multiplier of the sum eliminated.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "assay/linear/dual/multinomial_block.hpp"
#include "assay/linear/dual/multinomial_model.hpp"

namespace assay::linear {

/// An exact step on each of some examples, one after the other. `block`, when there is one, has the scores that their
/// dense columns give, and takes the steps instead of the weights of those.
template <class Real, int Width>
struct MultinomialSteps {
    Multinomial<Real>& model;
    std::span<const std::int32_t> order;
    MultinomialBlock<Real>* block;

    static constexpr std::size_t chunk = class_chunk;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, chunk, Bytes>;
        const std::size_t stride = model.stride;
        std::vector<Real> z(stride), s(stride), q(stride), u(stride), room(stride), bias(stride);
        const auto square_of_one = static_cast<Real>(model.feature.square);
        for (std::size_t k = 0; k < stride; ++k) bias[k] = static_cast<Real>(model.intercept[k]);
        for (std::size_t at = 0; at < order.size(); ++at) {
            const std::int32_t i = order[at];
            const auto index = static_cast<std::size_t>(i);
            const auto label = static_cast<std::size_t>(model.labels[index]);
            const auto row = block ? MixedRow<Real>{{}, model.rows.row(i)} : model.rows.mixed_row(i);
            const auto cost = static_cast<Real>(model.cost[index]);
            const Real own = cost * static_cast<Real>(model.rows.own_square[index]);
            Real* const p = model.probabilities.data() + index * stride;
            Real* const step = block ? block->step(at) : room.data();
            multiply_row<Width, Real, Bytes>(row, model.weights.data(), stride, z.data(),
                                             look_ahead(model.rows, order, at, model.weights.data(), stride));
            if (block) block->template add_scores<Bytes>(at, z.data());

            // Scores, their softmax s, and what the example adds to the sums.
            z[label] += own;
            L top = L::all(std::numeric_limits<Real>::lowest()), inner = L::all(0);
            const Real plain_score = z[label] - own * p[label];
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L probability = L::load(p + k), lanes = L::load(model.mask.data() + k);
                const L plain = L::load(z.data() + k) - own * probability;
                inner += probability * plain;
                const L score = plain + L::load(bias.data() + k) + (lanes - Real(1)) * Real(1e30);
                score.store(z.data() + k);
                top = max(top, score);
            }
            const Real highest = top.highest();
            L sum = L::all(0);
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L power = exp(L::load(z.data() + k) - highest) * L::load(model.mask.data() + k);
                power.store(s.data() + k);
                sum += power;
            }
            const Real total = sum.sum();
            const auto log_sum = static_cast<Real>(std::log(static_cast<double>(total)));
            model.loss += static_cast<double>(cost * (highest + log_sum - z[label]));
            model.norm += static_cast<double>(cost * (plain_score - inner.sum()));

            const Real steepness = cost * (static_cast<Real>(model.rows.square[index]) + square_of_one);
            model.gap += static_cast<double>(cost * minimise<Bytes>(z, p, total, steepness, s, u, q));
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L next = L::load(q.data() + k), change = cost * (L::load(p + k) - next);
                change.store(step + k);
                next.store(p + k);
            }
            add_to_row<Width, Real, Bytes>(row, step, stride, model.weights.data());
            if (model.feature.present) {
                for (std::size_t k = 0; k < stride; ++k) {
                    model.intercept[k] += model.feature.square * static_cast<double>(step[k]);
                    bias[k] = static_cast<Real>(model.intercept[k]);
                }
            }
        }
    }

 private:
    /// min_q Σ q log q + A/2 ‖q − p‖² − z·q over the simplex. With u = log q, every class has u + A q = z + A
    /// p − λ; Newton steps on u take the multiplier λ that keeps Σ q = 1 to first order. Turns s from powers
    /// into probabilities, and returns the divergence of p from them to leading order.
    template <int Bytes>
    ASSAY_INLINE Real minimise(std::span<const Real> z, const Real* p, Real total, Real steepness, std::span<Real> s,
                               std::span<Real> u, std::span<Real> q) {
        using L = Lanes<Real, chunk, Bytes>;
        constexpr Real precise = sizeof(Real) == 4 ? Real(1e-3) : Real(1e-7);  // the error is its square
        const L one = L::all(1), floor = L::all(sizeof(Real) == 4 ? Real(1e-30) : Real(1e-290));
        const std::size_t stride = model.stride;
        L divergence = L::all(0);
        for (std::size_t k = 0; k < stride; k += chunk) {
            const L softmax = L::load(s.data() + k) / total, probability = L::load(p + k);
            const L distance = probability - softmax, both = max(probability + softmax, floor);
            divergence += distance * distance / both;
            softmax.store(s.data() + k);
            log(max(Real(0.5) * both, floor)).store(u.data() + k);
        }
        for (int iteration = 0; iteration < 50; ++iteration) {
            L sum = L::all(0), leverage = L::all(0), pull = L::all(0);
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L logarithm = L::load(u.data() + k), lanes = L::load(model.mask.data() + k);
                const L next = exp(logarithm) * lanes;
                const L residual = logarithm + steepness * (next - L::load(p + k)) - L::load(z.data() + k);
                const L weight = next / (one + steepness * next);
                sum += next;
                leverage += weight;
                pull += weight * residual * lanes;
                next.store(q.data() + k);
            }
            const Real multiplier = (sum.sum() - Real(1) - pull.sum()) / leverage.sum();
            L furthest = L::all(0);
            for (std::size_t k = 0; k < stride; k += chunk) {
                const L logarithm = L::load(u.data() + k), now = L::load(q.data() + k);
                const L lanes = L::load(model.mask.data() + k);
                const L residual = logarithm + steepness * (now - L::load(p + k)) - L::load(z.data() + k);
                L move = (L::all(-multiplier) - residual) * lanes / (one + steepness * now);
                move = min(move, L::all(2));  // a longer step up would overshoot like an exponential
                (logarithm + move).store(u.data() + k);
                furthest = max(furthest, abs(move) * min(one, Real(100) * now));
            }
            if (furthest.highest() < precise) break;
        }
        L sum = L::all(0);
        for (std::size_t k = 0; k < stride; k += chunk) {
            const L next = exp(L::load(u.data() + k)) * L::load(model.mask.data() + k);
            next.store(q.data() + k);
            sum += next;
        }
        const Real scale = Real(1) / sum.sum();
        for (std::size_t k = 0; k < stride; k += chunk) (L::load(q.data() + k) * scale).store(q.data() + k);
        return divergence.sum();
    }
};

}  // namespace assay::linear
