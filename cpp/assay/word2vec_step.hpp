// word2vec_step.hpp: one position of the text in word2vec with negative sampling.
//
//   given      inputs u_j with weights a_j, outputs v_k with weights b_k and targets t_k (1 for the word that stands
//              there, 0 for a drawn one)
//   cost       C = -Σ_j Σ_k a_j b_k ln σ(±u_j·v_k)                       + for t_k = 1, - for t_k = 0
//   gradient   ∂C/∂u_j = -Σ_k e_jk v_k,  ∂C/∂v_k = -Σ_j e_jk u_j,        e_jk = a_j b_k (t_k - σ(u_j·v_k))
//   update     u_j += rate Σ_k e_jk v_k,  v_k += rate Σ_j e_jk u_j       all from the vectors before the update
//
// All inputs of a window share the drawn outputs, so that each of the three sums is a small product of matrices (Ji et
// al. 2016, "Parallelizing word2vec in shared and distributed memory").
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/lanes.hpp"

namespace assay {

/// Numbers side by side in a register; rows are filled up with zeros to a multiple of it.
inline constexpr std::int64_t kRowUnit = 8;

/// The words of one position. Rows may not come twice among the inputs, nor among the outputs; weights say how often
/// a word is meant.
struct Window {
    std::vector<float*> inputs, outputs;
    std::vector<float> input_weights, output_weights;
    std::vector<float> errors;    // [output][input, filled up to a multiple of kRowUnit]
    std::vector<float> old_rows;  // inputs before the update, where the outputs are too many for one pass

    void clear() {
        inputs.clear(), outputs.clear();
        input_weights.clear(), output_weights.clear();
    }
    std::size_t stride() const { return (inputs.size() + kRowUnit - 1) / kRowUnit * kRowUnit; }
};

namespace word2vec {

template <int Bytes>
using Row = Lanes<float, kRowUnit, Bytes>;

/// The sums over the lanes of four registers, in the same order of additions for every register width.
template <int Bytes>
ASSAY_INLINE void sum_lanes(const Row<Bytes>& a, const Row<Bytes>& b, const Row<Bytes>& c, const Row<Bytes>& d,
                            float* sums) {
    typedef float four __attribute__((vector_size(16)));
    typedef float four_unaligned __attribute__((vector_size(16), aligned(4), may_alias));
    four halves[2];
    if constexpr (Row<Bytes>::n_registers == 1) {
        const auto ab = __builtin_shufflevector(a.part[0], b.part[0], 0, 8, 1, 9, 4, 12, 5, 13) +
                        __builtin_shufflevector(a.part[0], b.part[0], 2, 10, 3, 11, 6, 14, 7, 15);
        const auto cd = __builtin_shufflevector(c.part[0], d.part[0], 0, 8, 1, 9, 4, 12, 5, 13) +
                        __builtin_shufflevector(c.part[0], d.part[0], 2, 10, 3, 11, 6, 14, 7, 15);
        const auto all = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
                         __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
        halves[0] = __builtin_shufflevector(all, all, 0, 1, 2, 3);
        halves[1] = __builtin_shufflevector(all, all, 4, 5, 6, 7);
    } else {
        for (int half = 0; half < 2; ++half) {
            const auto ab = __builtin_shufflevector(a.part[half], b.part[half], 0, 4, 1, 5) +
                            __builtin_shufflevector(a.part[half], b.part[half], 2, 6, 3, 7);
            const auto cd = __builtin_shufflevector(c.part[half], d.part[half], 0, 4, 1, 5) +
                            __builtin_shufflevector(c.part[half], d.part[half], 2, 6, 3, 7);
            halves[half] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
        }
    }
    *reinterpret_cast<four_unaligned*>(sums) = halves[0] + halves[1];
}

/// u_j·v_k for NJ inputs and NK outputs; writes four numbers for each output, of which NJ mean something.
template <int Bytes, int NJ, int NK>
ASSAY_INLINE void score_tile(float* const* inputs, float* const* outputs, std::int64_t size, float* scores,
                             std::size_t stride) {
    using R = Row<Bytes>;
    R sums[NK][4];
    for (int k = 0; k < NK; ++k) {
        for (int j = 0; j < 4; ++j) sums[k][j] = R::all(0);
    }
    for (std::int64_t d = 0; d < size; d += kRowUnit) {
        R u[NJ];
        for (int j = 0; j < NJ; ++j) u[j] = R::load(inputs[j] + d);
        for (int k = 0; k < NK; ++k) {
            const R v = R::load(outputs[k] + d);
            for (int j = 0; j < NJ; ++j) sums[k][j] += u[j] * v;
        }
    }
    for (int k = 0; k < NK; ++k) {
        sum_lanes<Bytes>(sums[k][0], sums[k][1], sums[k][2], sums[k][3], scores + static_cast<std::size_t>(k) * stride);
    }
}

template <int Bytes, int NK>
ASSAY_INLINE void score_outputs(const Window& window, std::size_t first_output, std::int64_t size, float* scores) {
    const std::size_t stride = window.stride(), n = window.inputs.size();
    float* const* inputs = window.inputs.data();
    float* const* outputs = window.outputs.data() + first_output;
    scores += first_output * stride;
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4) score_tile<Bytes, 4, NK>(inputs + j, outputs, size, scores + j, stride);
    switch (n - j) {
        case 3:
            return score_tile<Bytes, 3, NK>(inputs + j, outputs, size, scores + j, stride);
        case 2:
            return score_tile<Bytes, 2, NK>(inputs + j, outputs, size, scores + j, stride);
        case 1:
            return score_tile<Bytes, 1, NK>(inputs + j, outputs, size, scores + j, stride);
        default:
            return;
    }
}

/// e_jk times the rate, from the scores in their place. The first output is the word that stands there.
template <int Bytes>
ASSAY_INLINE void errors_from_scores(Window& window, float rate) {
    using R = Row<Bytes>;
    const std::size_t stride = window.stride();
    window.input_weights.resize(stride, 0);
    for (std::size_t k = 0; k < window.outputs.size(); ++k) {
        const float target = k == 0 ? 1.0F : 0.0F, step = rate * window.output_weights[k];
        for (std::size_t j = 0; j < stride; j += kRowUnit) {
            float* at = window.errors.data() + k * stride + j;
            const R probability = 1.0F / (1.0F + exp(R::all(0) - R::load(at)));
            ((target - probability) * R::load(window.input_weights.data() + j) * step).store(at);
        }
    }
}

/// Adds e·v to the inputs and e·u to NK outputs; u is read from `old`.
template <int Bytes, int NK>
ASSAY_INLINE void update_outputs(const Window& window, float* const* old, std::size_t first_output, std::int64_t size) {
    using R = Row<Bytes>;
    const std::size_t stride = window.stride(), n = window.inputs.size();
    const float* errors = window.errors.data() + first_output * stride;
    float* const* outputs = window.outputs.data() + first_output;
    for (std::int64_t d = 0; d < size; d += kRowUnit) {
        R v[NK], sum[NK];
        for (int k = 0; k < NK; ++k) sum[k] = v[k] = R::load(outputs[k] + d);
        for (std::size_t j = 0; j < n; ++j) {
            const R u = R::load(old[j] + d);
            R step = R::all(0);
            for (int k = 0; k < NK; ++k) {
                const R e = R::all(errors[static_cast<std::size_t>(k) * stride + j]);
                step += e * v[k];
                sum[k] += e * u;
            }
            float* input = window.inputs[j] + d;
            (R::load(input) + step).store(input);
        }
        for (int k = 0; k < NK; ++k) sum[k].store(outputs[k] + d);
    }
}

/// Calls pass.operator()<NK>(first) over all outputs, up to Most at a time.
template <int Most, class Pass>
ASSAY_INLINE void in_tiles(std::size_t n, Pass&& pass) {
    std::size_t first = 0;
    for (; first + Most <= n; first += Most) pass.template operator()<Most>(first);
    if constexpr (Most > 1) {
        if (first == n) return;
        [&]<int... Rest>(std::integer_sequence<int, Rest...>) ASSAY_INLINE_LAMBDA {
            ((n - first == Rest + 1 ? pass.template operator()<Rest + 1>(first) : void()), ...);
        }(std::make_integer_sequence<int, Most - 1>{});
    }
}

}  // namespace word2vec

/// Moves the vectors of one window; `size` numbers each, a multiple of kRowUnit.
template <int Bytes>
ASSAY_INLINE void word2vec_step(Window& window, std::int64_t size, float rate) {
    using namespace word2vec;
    constexpr int kScored = 3, kUpdated = 6;  // outputs at a time: as many as the registers hold
    const std::size_t n_outputs = window.outputs.size(), n_inputs = window.inputs.size();
    window.errors.resize(n_outputs * window.stride());
    in_tiles<kScored>(n_outputs, [&]<int NK>(std::size_t first) ASSAY_INLINE_LAMBDA {
        score_outputs<Bytes, NK>(window, first, size, window.errors.data());
    });
    errors_from_scores<Bytes>(window, rate);
    float* const* old = window.inputs.data();
    std::vector<float*> copies;
    if (n_outputs > kUpdated) {
        window.old_rows.resize(n_inputs * static_cast<std::size_t>(size));
        for (std::size_t j = 0; j < n_inputs; ++j) {
            copies.push_back(window.old_rows.data() + j * static_cast<std::size_t>(size));
            std::copy_n(window.inputs[j], size, copies.back());
        }
        old = copies.data();
    }
    in_tiles<kUpdated>(n_outputs, [&]<int NK>(std::size_t first)
                                      ASSAY_INLINE_LAMBDA { update_outputs<Bytes, NK>(window, old, first, size); });
}

}  // namespace assay
