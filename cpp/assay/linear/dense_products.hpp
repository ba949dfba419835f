// dense_products.hpp: products of dense rows with the weights of many classes, in tiles that stay in registers.
//
// A tile is a few rows by a vector or two of classes. One read of a column's weights serves all rows of the tile, and
// one of a row's value all classes; taken row by row, the weights of all columns would come from a far cache for every
// row anew. Every element of a product is summed in the order of its terms, whatever the tile, so that a share of the
// work can go to any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "assay/base/lanes.hpp"

namespace assay::linear {

/// Classes are padded to a multiple of this, a cache line.
template <class Real>
inline constexpr std::size_t tile_classes = 64 / sizeof(Real);

template <class Real>
std::size_t tiled_stride(std::size_t n_classes) {
    return (n_classes + tile_classes<Real> - 1) / tile_classes<Real> * tile_classes<Real>;
}

/// n numbers filled up to an odd number of cache lines: rows that are taken together then do not compete for the same
/// places of the cache.
template <class Real>
std::size_t spread_stride(std::size_t n) {
    return (tiled_stride<Real>(n) / tile_classes<Real> | 1) * tile_classes<Real>;
}

/// As many rows as leave room for two more vectors in sixteen registers.
template <int Bytes>
inline constexpr std::size_t tile_rows = Bytes >= 32 ? 6 : 3;

/// out[r][k] += Σ_t left(r, t) · right[t][k] for Rows rows and tile_classes classes.
template <std::size_t Rows, class Real, int Bytes, class Left>
ASSAY_INLINE void add_tile(std::size_t n_terms, Left left, const Real* right, Real* out, std::size_t stride) {
    using L = Lanes<Real, static_cast<int>(tile_classes<Real>), Bytes>;
    L sums[Rows];
    for (std::size_t r = 0; r < Rows; ++r) sums[r] = L::load(out + r * stride);
    for (std::size_t t = 0; t < n_terms; ++t) {
        const L factors = L::load(right + t * stride);
        for (std::size_t r = 0; r < Rows; ++r) sums[r] += left(r, t) * factors;
    }
    for (std::size_t r = 0; r < Rows; ++r) sums[r].store(out + r * stride);
}

/// scores[r][k] += Σⱼ rows[r][j] · weights[j][k]; k < stride, a multiple of tile_classes.
template <class Real>
struct DenseScores {
    std::span<const Real* const> rows;
    std::size_t n_columns;
    const Real* weights;
    std::size_t stride;
    Real* scores;

    template <int Bytes>
    ASSAY_INLINE void run() {
        constexpr std::size_t columns_at_once = 256;  // a tile of their weights stays in the nearest cache
        for (std::size_t j = 0; j < n_columns; j += columns_at_once) {
            const std::size_t n = std::min(columns_at_once, n_columns - j);
            for (std::size_t k = 0; k < stride; k += tile_classes<Real>) {
                std::size_t r = 0;
                for (; r + tile_rows<Bytes> <= rows.size(); r += tile_rows<Bytes>)
                    add<tile_rows<Bytes>, Bytes>(r, j, k, n);
                for (; r < rows.size(); ++r) add<1, Bytes>(r, j, k, n);
            }
        }
    }

 private:
    template <std::size_t Rows, int Bytes>
    ASSAY_INLINE void add(std::size_t r, std::size_t j, std::size_t k, std::size_t n) {
        const Real* from[Rows];
        for (std::size_t i = 0; i < Rows; ++i) from[i] = rows[r + i] + j;
        const auto value = [&](std::size_t i, std::size_t t) ASSAY_INLINE_LAMBDA { return from[i][t]; };
        add_tile<Rows, Real, Bytes>(n, value, weights + j * stride + k, scores + r * stride + k, stride);
    }
};

/// weights[j][k] += Σᵣ rows[r][j] · factors[r][k] for columns j in [first, last), or the same with rows[r][j]²; k <
/// used, a multiple of tile_classes up to the stride.
template <class Real, bool squared = false>
struct DenseUpdate {
    std::span<const Real* const> rows;
    const Real* factors;
    std::size_t stride;
    std::size_t first, last;
    Real* weights;
    std::size_t used = stride;

    template <int Bytes>
    ASSAY_INLINE void run() {
        std::size_t j = first;
        for (; j + tile_rows<Bytes> <= last; j += tile_rows<Bytes>) add<tile_rows<Bytes>, Bytes>(j);
        for (; j < last; ++j) add<1, Bytes>(j);
    }

 private:
    template <std::size_t Columns, int Bytes>
    ASSAY_INLINE void add(std::size_t j) {
        const auto value = [&](std::size_t i, std::size_t t) ASSAY_INLINE_LAMBDA {
            const Real x = rows[t][j + i];
            return squared ? x * x : x;
        };
        for (std::size_t k = 0; k < used; k += tile_classes<Real>) {
            add_tile<Columns, Real, Bytes>(rows.size(), value, factors + k, weights + j * stride + k, stride);
        }
    }
};

}  // namespace assay::linear
