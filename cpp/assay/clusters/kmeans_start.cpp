// kmeans_start.cpp: k-means++ on sparse rows. The draws of a step are laid side by side in one narrow table, so that
// one pass over the rows gives the distances to all of them.
#include <algorithm>
#include <cmath>

#include "assay/base/random.hpp"
#include "assay/clusters/cluster_table.hpp"
#include "assay/clusters/kmeans.hpp"

namespace assay::clusters {
namespace {

/// Squared distances of rows [begin, end) to the rows that the table holds, [row][lane].
template <class Real>
struct MeasureRows {
    const FoldedRows<Real>& rows;
    const ClusterTable& table;
    std::int64_t begin, end;
    double* distances;

    template <int Bytes>
    ASSAY_INLINE void run() {
        constexpr double rounding = 1e-14;  // so that a copy of a row is at distance 0
        const Entry<Real>* const last = rows.entries.data() + rows.entries.size();
        std::vector<double> products(table.stride);
        for (std::int64_t i = begin; i < end; ++i) {
            products_with_all<Bytes, Real>(table, rows.row(i), last, products.data());
            for (std::size_t lane = 0; lane < table.k; ++lane) {
                const double size = rows.square[static_cast<std::size_t>(i)] + table.square[lane];
                const double distance = size - 2 * products[lane];
                distances[static_cast<std::size_t>(i) * table.k + lane] = distance > rounding * size ? distance : 0.0;
            }
        }
    }
};

/// Puts rows into the lanes of a table, or takes them out again.
template <class Real>
void fill_lanes(const FoldedRows<Real>& rows, std::span<const std::int64_t> drawn, bool in, ClusterTable& table) {
    for (std::size_t lane = 0; lane < drawn.size(); ++lane) {
        for (const auto& entry : rows.row(drawn[lane])) {
            table.column(entry.column)[lane] = in ? static_cast<double>(entry.value) : 0.0;
        }
        table.square[lane] = rows.square[static_cast<std::size_t>(drawn[lane])];
    }
}

/// The row at which the running sum of `weights` passes `target`.
std::int64_t row_at(std::span<const double> weights, double target) {
    double sum = 0;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] <= 0) continue;
        sum += weights[i];
        last = static_cast<std::int64_t>(i);
        if (sum > target) break;
    }
    return last;
}

}  // namespace

template <class Value, class Index>
std::vector<std::int64_t> draw_spread_rows(const CsrView<Value, Index>& X, std::int32_t n_clusters, std::uint64_t seed,
                                           int n_threads) {
    const auto rows = fold_rows<Value>(X, n_threads, OwnFeatures::keep);
    const std::int64_t n_rows = rows.n_rows();
    const auto n = static_cast<std::size_t>(n_rows);
    const auto n_draws = static_cast<std::size_t>(2 + std::floor(std::log(static_cast<double>(n_clusters))));
    Random random(seed, 0);
    std::vector<std::int64_t> chosen;
    std::vector<double> nearest(n, 1.0), distances(n * n_draws);  // the first row is drawn from all alike
    double total = static_cast<double>(n);
    ClusterTable table(rows.n_columns, n_draws, false);
    const auto n_blocks = static_cast<std::size_t>((n_rows + kmeans_rows_per_block - 1) / kmeans_rows_per_block);
    std::vector<double> potentials(n_blocks * n_draws);
    while (chosen.size() < static_cast<std::size_t>(n_clusters)) {
        const bool first = chosen.empty();
        std::vector<std::int64_t> drawn;
        for (std::size_t lane = 0; lane < n_draws; ++lane) {
            const double share = random.uniform();
            if (lane == 0 || !first) drawn.push_back(row_at(nearest, share * total));
        }
        drawn.resize(n_draws, drawn.front());
        fill_lanes(rows, drawn, true, table);
        for_each_block(n_rows, kmeans_rows_per_block, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
            MeasureRows<Value> body{rows, table, begin, end, distances.data()};
            with_widest_vectors(body);
            double* const potential =
                potentials.data() + static_cast<std::size_t>(begin / kmeans_rows_per_block) * n_draws;
            std::fill_n(potential, n_draws, 0.0);
            for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                for (std::size_t lane = 0; lane < n_draws; ++lane) {
                    double& distance = distances[i * n_draws + lane];
                    if (!first) distance = std::min(distance, nearest[i]);
                    potential[lane] += distance;
                }
            }
        });
        fill_lanes(rows, drawn, false, table);
        std::vector<double> sums(n_draws, 0.0);
        for (std::size_t at = 0; at < potentials.size(); ++at) sums[at % n_draws] += potentials[at];
        const auto best = static_cast<std::size_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
        chosen.push_back(drawn[best]);
        total = sums[best];
        for (std::size_t i = 0; i < n; ++i) nearest[i] = distances[i * n_draws + best];
    }
    return chosen;
}

#define ASSAY_SPREAD(Value, Index) \
    template std::vector<std::int64_t> draw_spread_rows(const CsrView<Value, Index>&, std::int32_t, std::uint64_t, int);
ASSAY_FOR_EACH_MATRIX(ASSAY_SPREAD)
#undef ASSAY_SPREAD

}  // namespace assay::clusters
