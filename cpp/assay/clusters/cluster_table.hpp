// cluster_table.hpp: the centres of k clusters as sums of their rows, side by side for each feature.
//
//   S_j = Σ of the rows of cluster j,   c_j = g_j S_j   with g_j = 1 / n_j,  or 1 / ‖S_j‖ on the sphere
//   ‖x − c_j‖² = ‖x‖² + h_j − 2 g_j x·S_j               with h_j = g_j² ‖S_j‖²
//
// Sums are kept as [column][cluster]: one pass over the non-zeros of a row gives its products with all centres, and a
// row that moves from one cluster to another costs its own non-zeros only. Nothing is ever done once for each column
// and cluster but to clear the table. Numbers are double throughout, so that adding and subtracting rows does not wear
// the sums out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/base/lanes.hpp"
#include "assay/base/memory.hpp"
#include "assay/base/parallel.hpp"

namespace assay::clusters {

inline constexpr std::int32_t no_cluster = -1;
inline constexpr std::int64_t kmeans_rows_per_block = 128;

/// A row that joins a cluster, leaves one, or both.
struct Move {
    std::int64_t row;
    std::int32_t from = no_cluster;
    std::int32_t to = no_cluster;
};

struct ClusterTable {
    static constexpr std::size_t lane_unit = 8;

    ClusterTable(std::int32_t columns, std::size_t n_clusters, bool on_sphere)
        : n_columns(columns),
          k(n_clusters),
          stride((n_clusters + lane_unit - 1) / lane_unit * lane_unit),
          spherical(on_sphere),
          sums(static_cast<std::size_t>(columns) * stride),
          count(stride, 0.0),
          square(stride, 0.0),
          scale(stride, 0.0),
          centre_square(stride, 0.0) {}

    std::int32_t n_columns;
    std::size_t k, stride;
    bool spherical;
    ZeroedArray<double> sums;           // [column][cluster]
    std::vector<double> count;          // n_j
    std::vector<double> square;         // ‖S_j‖²
    std::vector<double> scale;          // g_j
    std::vector<double> centre_square;  // h_j

    double* column(std::int32_t j) { return sums.data() + static_cast<std::size_t>(j) * stride; }
    const double* column(std::int32_t j) const { return sums.data() + static_cast<std::size_t>(j) * stride; }

    /// Sets g_j and h_j from n_j and ‖S_j‖².
    void rescale() {
        for (std::size_t j = 0; j < k; ++j) {
            square[j] = std::max(square[j], 0.0);
            const double length = spherical ? std::sqrt(square[j]) : count[j];
            scale[j] = length > 0 ? 1 / length : 0.0;
            centre_square[j] = scale[j] * scale[j] * square[j];
        }
    }

    /// Forgets all rows.
    void clear(int n_threads) {
        for_each_block(n_columns, 4096, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
            std::fill(column(static_cast<std::int32_t>(begin)),
                      column(static_cast<std::int32_t>(begin)) + static_cast<std::size_t>(end - begin) * stride, 0.0);
        });
        std::fill(count.begin(), count.end(), 0.0);
        std::fill(square.begin(), square.end(), 0.0);
    }

    /// x·S_j for one cluster.
    template <class Real>
    double product_with(std::span<const Entry<Real>> row, std::size_t j) const {
        double total = 0;
        for (const auto& entry : row) total += static_cast<double>(entry.value) * column(entry.column)[j];
        return total;
    }
};

/// out[j] = x·S_j for all clusters. Sums lie all over a table that is larger than the caches: those of an entry are
/// asked for before its turn, across the end of the row up to `last`, the end of all rows.
template <int Bytes, class Real>
ASSAY_INLINE void products_with_all(const ClusterTable& table, std::span<const Entry<Real>> row,
                                    const Entry<Real>* last, double* out) {
    constexpr std::ptrdiff_t entries_ahead = 12;
    const auto chunk = [&]<int Width>(std::size_t at) ASSAY_INLINE_LAMBDA {
        using L = Lanes<double, Width, Bytes>;
        L first = L::all(0), second = L::all(0);
        const auto term = [&](std::size_t e) ASSAY_INLINE_LAMBDA {
            const Entry<Real>* const ahead = std::min(row.data() + e + entries_ahead, last - 1);
            for (int line = 0; line < Width; line += 8) __builtin_prefetch(table.column(ahead->column) + at + line);
            return static_cast<double>(row[e].value) * L::load(table.column(row[e].column) + at);
        };
        std::size_t e = 0;
        for (; e + 2 <= row.size(); e += 2) first += term(e), second += term(e + 1);
        if (e < row.size()) first += term(e);
        (first + second).store(out + at);
    };
    std::size_t at = 0;
    for (; at + 16 <= table.stride; at += 16) chunk.template operator()<16>(at);
    for (; at < table.stride; at += 8) chunk.template operator()<8>(at);
}

/// Moves rows from cluster to cluster, and brings n_j, ‖S_j‖² and S_j·S_j′, the product with the sums before, up to
/// date. With Δ = S′ − S, a sum of rows: S·S′ = ‖S‖² + S·Δ and ‖S′‖² = S·S′ + S′·Δ.
/// Each sum takes its rows in the order of `moves`, whatever the number of threads.
template <class Real>
void move_rows(const FoldedRows<Real>& rows, std::span<const Move> moves, int n_threads, ClusterTable& table,
               std::span<double> product_with_before) {
    const auto n_moves = static_cast<std::int64_t>(moves.size());
    std::vector<double> products(moves.size() * 2);
    const auto take_products = [&] {
        for_each_block(n_moves, kmeans_rows_per_block, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
            for (std::int64_t m = begin; m < end; ++m) {
                const Move& move = moves[static_cast<std::size_t>(m)];
                const auto row = rows.row(move.row);
                double* const both = products.data() + 2 * m;
                both[0] = move.from == no_cluster ? 0 : table.product_with(row, static_cast<std::size_t>(move.from));
                both[1] = move.to == no_cluster ? 0 : table.product_with(row, static_cast<std::size_t>(move.to));
            }
        });
    };
    const auto add_products = [&](std::span<double> to) {
        for (std::size_t m = 0; m < moves.size(); ++m) {
            if (moves[m].from != no_cluster) to[static_cast<std::size_t>(moves[m].from)] -= products[2 * m];
            if (moves[m].to != no_cluster) to[static_cast<std::size_t>(moves[m].to)] += products[2 * m + 1];
        }
    };
    take_products();
    std::copy(table.square.begin(), table.square.end(), product_with_before.begin());
    add_products(product_with_before);
    // Every thread goes through all rows and takes its own columns; neighbours in the table are equally frequent.
    const int n_parts = std::clamp(n_threads, 1, 16);
    for_each_block(n_parts, 1, n_parts, [&](std::int64_t part, std::int64_t, int) {
        for (const Move& move : moves) {
            for (const auto& entry : rows.row(move.row)) {
                if (entry.column % n_parts != part) continue;
                double* const sums = table.column(entry.column);
                if (move.from != no_cluster) sums[move.from] -= static_cast<double>(entry.value);
                if (move.to != no_cluster) sums[move.to] += static_cast<double>(entry.value);
            }
        }
    });
    for (const Move& move : moves) {
        if (move.from != no_cluster) table.count[static_cast<std::size_t>(move.from)] -= 1;
        if (move.to != no_cluster) table.count[static_cast<std::size_t>(move.to)] += 1;
    }
    take_products();
    std::copy(product_with_before.begin(), product_with_before.end(), table.square.begin());
    add_products(table.square);
    table.rescale();
}

/// Sums as if cluster j had counts[j] rows, all at its centre. Requires centres [cluster][original column].
template <class Real, class Value>
void load_centres(const FoldedRows<Real>& rows, std::span<const Value> centres, std::span<const double> counts,
                  ClusterTable& table) {
    const std::size_t n_original = rows.home.size();
    for (std::size_t j = 0; j < table.k; ++j) {
        const Value* const centre = centres.data() + j * n_original;
        double square = 0;
        for (std::size_t column = 0; column < n_original; ++column) {
            const double value = static_cast<double>(centre[column]) * counts[j];
            square += value * value;  // of all columns: those that no row has count in the distance, too
            if (value != 0 && rows.home[column] >= 0) table.column(rows.home[column])[j] = value;
        }
        table.square[j] = square;
        table.count[j] = counts[j];
    }
    table.rescale();
}

}  // namespace assay::clusters
