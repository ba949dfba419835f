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

#include "assay/base/lanes.hpp"

namespace assay::embeddings {

/// Numbers side by side in a register; vectors are filled up with zeros to a multiple of it.
inline constexpr std::int64_t kRowUnit = 8;

/// Different vectors, each with how often it is meant.
struct VectorList {
    std::vector<float*> at;
    std::vector<float> weight;

    std::size_t size() const { return at.size(); }
    void clear() { at.clear(), weight.clear(); }
    void add(float* vector) {
        for (std::size_t i = 0; i < at.size(); ++i) {
            if (at[i] == vector) {
                weight[i] += 1;
                return;
            }
        }
        at.push_back(vector);
        weight.push_back(1);
    }
};

/// The words of one position; the first output is the word that stands there.
struct Window {
    VectorList inputs, outputs;

    void clear() { inputs.clear(), outputs.clear(); }
};

/// Space for the numbers of a step, kept from one to the next.
struct StepSpace {
    std::vector<float> errors;    // [column][row, filled up to a multiple of 4]
    std::vector<float> old_rows;  // where the columns are too many for one pass over the rows
    std::vector<float*> old_at;
    std::vector<float> mean;
};

namespace word2vec {

template <int Bytes>
using Row = Lanes<float, kRowUnit, Bytes>;

/// One number in every lane. (Adding it to zero, as Lanes::all does, is not nothing to a compiler: it turns -0 to 0.)
template <int Bytes>
ASSAY_INLINE Row<Bytes> spread(float value) {
    Row<Bytes> row;
    for (auto& part : row.part) part = value - typename Row<Bytes>::type{};
    return row;
}

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

/// The products of NR rows and NC columns; writes four numbers for each column, of which NR mean something.
template <int Bytes, int NR, int NC>
ASSAY_INLINE void score_tile(float* const* rows, float* const* columns, std::int64_t size, float* scores,
                             std::size_t stride) {
    using R = Row<Bytes>;
    R sums[NC][4];
    for (int c = 0; c < NC; ++c) {
        for (int r = 0; r < 4; ++r) sums[c][r] = R::all(0);
    }
    for (std::int64_t d = 0; d < size; d += kRowUnit) {
        R row[NR];
        for (int r = 0; r < NR; ++r) row[r] = R::load(rows[r] + d);
        for (int c = 0; c < NC; ++c) {
            const R column = R::load(columns[c] + d);
            for (int r = 0; r < NR; ++r) sums[c][r] += row[r] * column;
        }
    }
    for (int c = 0; c < NC; ++c) {
        sum_lanes<Bytes>(sums[c][0], sums[c][1], sums[c][2], sums[c][3], scores + static_cast<std::size_t>(c) * stride);
    }
}

/// Calls tile.operator()<N>(first) for tiles of `Most` of n things, and for what is left.
template <int Most, class Tile>
ASSAY_INLINE void in_tiles(std::size_t n, Tile&& tile) {
    std::size_t first = 0;
    for (; first + Most <= n; first += Most) tile.template operator()<Most>(first);
    if constexpr (Most > 1) {
        const std::size_t left = n - first;
        [&]<int... Rest>(std::integer_sequence<int, Rest...>) ASSAY_INLINE_LAMBDA {
            ((left == Rest + 1 ? tile.template operator()<Rest + 1>(first) : void()), ...);
        }(std::make_integer_sequence<int, Most - 1>{});
    }
}

inline std::size_t stride_of(std::size_t n_rows) {
    return (n_rows + 3) / 4 * 4;
}

/// σ of all products of rows and columns.
template <int Bytes>
ASSAY_INLINE void probabilities(const VectorList& rows, float* const* columns, std::size_t n_columns, std::int64_t size,
                                std::vector<float>& found) {
    using R = Row<Bytes>;
    const std::size_t stride = stride_of(rows.size());
    found.resize((n_columns * stride + kRowUnit - 1) / kRowUnit * kRowUnit);
    in_tiles<3>(n_columns, [&]<int NC>(std::size_t column) ASSAY_INLINE_LAMBDA {
        in_tiles<4>(rows.size(), [&]<int NR>(std::size_t row) ASSAY_INLINE_LAMBDA {
            score_tile<Bytes, NR, NC>(rows.at.data() + row, columns + column, size,
                                      found.data() + column * stride + row, stride);
        });
    });
    for (std::size_t i = 0; i < found.size(); i += kRowUnit) {
        (1.0F / (1.0F + exp(R::all(0) - R::load(found.data() + i)))).store(found.data() + i);
    }
}

/// Adds to the rows what the errors say of NC columns, and to these what they say of the rows, read from `old`.
template <int Bytes, int NC>
ASSAY_INLINE void move_vectors(float* const* rows, float* const* old, std::size_t n_rows, float* const* columns,
                               const float* errors, std::int64_t size) {
    using R = Row<Bytes>;
    const std::size_t stride = stride_of(n_rows);
    for (std::int64_t d = 0; d < size; d += kRowUnit) {
        R column[NC], moved_column[NC];
        for (int c = 0; c < NC; ++c) moved_column[c] = column[c] = R::load(columns[c] + d);
        for (std::size_t r = 0; r < n_rows; ++r) {
            const R row = R::load(old[r] + d);
            R moved = R::load(rows[r] + d);
            for (int c = 0; c < NC; ++c) {
                const R error = spread<Bytes>(errors[static_cast<std::size_t>(c) * stride + r]);
                moved += error * column[c];
                moved_column[c] += error * row;
            }
            moved.store(rows[r] + d);
        }
        for (int c = 0; c < NC; ++c) moved_column[c].store(columns[c] + d);
    }
}

}  // namespace word2vec

/// Skip-gram: every input is drawn to the first output and away from the others. Vectors have `size` numbers, a
/// multiple of kRowUnit.
template <int Bytes>
ASSAY_INLINE void move_skip_gram(const Window& window, std::int64_t size, float rate, StepSpace& space) {
    using namespace word2vec;
    constexpr int kAtOnce = 6;  // outputs: as many as the registers hold
    const VectorList &inputs = window.inputs, &outputs = window.outputs;
    const std::size_t n = inputs.size(), stride = stride_of(n);
    probabilities<Bytes>(inputs, outputs.at.data(), outputs.size(), size, space.errors);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const float target = k == 0 ? 1.0F : 0.0F, step = rate * outputs.weight[k];
        float* errors = space.errors.data() + k * stride;
        for (std::size_t j = 0; j < n; ++j) errors[j] = (target - errors[j]) * (step * inputs.weight[j]);
    }
    float* const* old = inputs.at.data();
    if (outputs.size() > kAtOnce) {
        const auto length = static_cast<std::size_t>(size);
        space.old_rows.resize(n * length);
        space.old_at.resize(n);
        for (std::size_t j = 0; j < n; ++j) {
            space.old_at[j] = std::copy_n(inputs.at[j], length, space.old_rows.data() + j * length) - length;
        }
        old = space.old_at.data();
    }
    in_tiles<kAtOnce>(outputs.size(), [&]<int NC>(std::size_t k) ASSAY_INLINE_LAMBDA {
        move_vectors<Bytes, NC>(inputs.at.data(), old, n, outputs.at.data() + k, space.errors.data() + k * stride,
                                size);
    });
}

/// CBOW: the mean of the inputs is drawn to the first output and away from the others, and its whole step goes to each
/// of them, as in the program of Mikolov et al. Here the outputs are the rows and the mean is the only column.
template <int Bytes>
ASSAY_INLINE void move_cbow(const Window& window, std::int64_t size, float rate, StepSpace& space) {
    using namespace word2vec;
    using R = Row<Bytes>;
    constexpr int kAtOnce = 4;  // registers of a vector
    const VectorList &inputs = window.inputs, &outputs = window.outputs;
    float n_meant = 0;
    for (const float weight : inputs.weight) n_meant += weight;
    space.mean.resize(static_cast<std::size_t>(size));
    const auto n_units = static_cast<std::size_t>(size / kRowUnit);
    in_tiles<kAtOnce>(n_units, [&]<int N>(std::size_t unit) ASSAY_INLINE_LAMBDA {
        const std::size_t d = unit * kRowUnit;
        R sum[N];
        for (int i = 0; i < N; ++i) sum[i] = R::all(0);
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            const R weight = spread<Bytes>(inputs.weight[j] / n_meant);
            for (int i = 0; i < N; ++i) sum[i] += R::load(inputs.at[j] + d + i * kRowUnit) * weight;
        }
        for (int i = 0; i < N; ++i) sum[i].store(space.mean.data() + d + i * kRowUnit);
    });
    float* const mean = space.mean.data();
    probabilities<Bytes>(outputs, &mean, 1, size, space.errors);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        space.errors[k] = ((k == 0 ? 1.0F : 0.0F) - space.errors[k]) * (rate * outputs.weight[k]);
    }
    in_tiles<kAtOnce>(n_units, [&]<int N>(std::size_t unit) ASSAY_INLINE_LAMBDA {
        const std::size_t d = unit * kRowUnit;
        R before[N], step[N];
        for (int i = 0; i < N; ++i) {
            before[i] = R::load(mean + d + i * kRowUnit);
            step[i] = R::all(0);
        }
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            const R error = spread<Bytes>(space.errors[k]);
            for (int i = 0; i < N; ++i) {
                float* at = outputs.at[k] + d + i * kRowUnit;
                const R output = R::load(at);
                step[i] += error * output;
                (output + error * before[i]).store(at);
            }
        }
        for (std::size_t j = 0; j < inputs.size(); ++j) {
            const R weight = spread<Bytes>(inputs.weight[j]);
            for (int i = 0; i < N; ++i) {
                float* at = inputs.at[j] + d + i * kRowUnit;
                (R::load(at) + step[i] * weight).store(at);
            }
        }
    });
}

}  // namespace assay::embeddings
