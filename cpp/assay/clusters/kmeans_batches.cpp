// kmeans_batches.cpp: mini-batch k-means. A centre that is the mean of all rows it ever got is a sum and a count, which
// is what the table of clusters holds: a batch only adds its rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/base/random.hpp"
#include "assay/clusters/cluster_table.hpp"
#include "assay/clusters/kmeans.hpp"

namespace assay::clusters {
namespace {

/// Nearest clusters of batch rows [begin, end), and their squared distances.
template <class Real>
struct AssignBatch {
    const FoldedRows<Real>& rows;
    const ClusterTable& table;
    std::int64_t begin, end;
    std::span<Move> batch;
    std::span<double> distances;

    template <int Bytes>
    ASSAY_INLINE void run() {
        const Entry<Real>* const last = rows.entries.data() + rows.entries.size();
        std::vector<double> products(table.stride);
        for (auto at = static_cast<std::size_t>(begin); at < static_cast<std::size_t>(end); ++at) {
            products_with_all<Bytes, Real>(table, rows.row(batch[at].row), last, products.data());
            double lowest = std::numeric_limits<double>::infinity();
            for (std::size_t j = 0; j < table.k; ++j) {
                const double beyond = table.centre_square[j] - 2 * table.scale[j] * products[j];
                if (beyond < lowest) lowest = beyond, batch[at].to = static_cast<std::int32_t>(j);
            }
            distances[at] = std::max(0.0, rows.square[static_cast<std::size_t>(batch[at].row)] + lowest);
        }
    }
};

/// Rows of batch number `number`: drawn, or all of them in order where the batch is as large as the matrix.
void draw_batch(std::int64_t n_rows, std::uint64_t seed, std::int64_t number, std::vector<Move>& batch) {
    const bool all = static_cast<std::int64_t>(batch.size()) == n_rows;
    Random random(seed, static_cast<std::uint64_t>(number));
    for (std::size_t at = 0; at < batch.size(); ++at) {
        const auto row = all ? static_cast<std::int64_t>(at)
                             : static_cast<std::int64_t>(random.below(static_cast<std::uint32_t>(n_rows)));
        batch[at] = {row, no_cluster, no_cluster};
    }
}

/// Lets clusters with few rows start anew at rows of the batch, drawn; they count as much as the smallest of the
/// others.
template <class Real>
std::int32_t restart_small_clusters(const FoldedRows<Real>& rows, std::span<const Move> batch, double ratio,
                                    Random& random, ClusterTable& table) {
    const double largest =
        *std::max_element(table.count.begin(), table.count.begin() + static_cast<std::ptrdiff_t>(table.k));
    std::vector<std::size_t> small;
    double smallest_left = largest;
    for (std::size_t j = 0; j < table.k; ++j) {
        if (table.count[j] < ratio * largest) {
            small.push_back(j);
        } else {
            smallest_left = std::min(smallest_left, table.count[j]);
        }
    }
    for (const std::size_t j : small) {
        const Move& drawn = batch[random.below(static_cast<std::uint32_t>(batch.size()))];
        for (std::int32_t column = 0; column < table.n_columns; ++column) table.column(column)[j] = 0;
        for (const auto& entry : rows.row(drawn.row)) {
            table.column(entry.column)[j] = static_cast<double>(entry.value) * smallest_left;
        }
        table.count[j] = smallest_left;
        table.square[j] = rows.square[static_cast<std::size_t>(drawn.row)] * smallest_left * smallest_left;
    }
    table.rescale();
    return static_cast<std::int32_t>(small.size());
}

/// The centres in the columns of X; columns that no row has keep their place in the mean of what was there before.
template <class Real, class Value>
void store_centres(const FoldedRows<Real>& rows, const ClusterTable& table, std::span<const double> counts_before,
                   int n_threads, std::span<Value> centres) {
    const std::size_t n_original = rows.home.size();
    for_each_block(static_cast<std::int64_t>(table.k), 1, n_threads, [&](std::int64_t cluster, std::int64_t, int) {
        const auto j = static_cast<std::size_t>(cluster);
        Value* const centre = centres.data() + j * n_original;
        for (std::size_t column = 0; column < n_original; ++column) {
            const std::int32_t home = rows.home[column];
            const double sum =
                home >= 0 ? table.column(home)[j] : static_cast<double>(centre[column]) * counts_before[j];
            centre[column] = static_cast<Value>(sum * table.scale[j]);
        }
    });
}

}  // namespace

template <class Value, class Index>
BatchReport run_batches(const CsrView<Value, Index>& X, const BatchSettings& settings, std::span<Value> centres,
                        std::span<double> counts) {
    const auto rows = fold_rows<Value>(X, settings.n_threads, OwnFeatures::keep);
    const std::size_t k = counts.size();
    ClusterTable table(rows.n_columns, k, settings.spherical);
    // A centre that has no row behind it yet is where it is until its first row comes.
    std::vector<double> before(counts.begin(), counts.end());
    for (double& count : before) count = std::max(count, 1e-9);
    load_centres(rows, std::span<const Value>(centres), before, table);
    const std::int64_t n_rows = rows.n_rows(), size = std::min(settings.batch_size, n_rows);
    std::vector<Move> batch(static_cast<std::size_t>(size));
    std::vector<double> distances(batch.size()), with_before(table.stride);
    const double weight = std::min(1.0, 2.0 * static_cast<double>(size) / static_cast<double>(n_rows + 1));
    double smoothed = 0, lowest = std::numeric_limits<double>::infinity();
    std::int32_t without_gain = 0;
    const auto batches_between_restarts =
        static_cast<std::int64_t>(std::max<std::size_t>(10 * k / batch.size(), 1)) * 10;
    BatchReport report;
    while (report.batches < settings.max_batches) {
        draw_batch(n_rows, settings.seed, ++report.batches, batch);
        for_each_block(size, kmeans_rows_per_block, settings.n_threads, [&](std::int64_t begin, std::int64_t end, int) {
            AssignBatch<Value> body{rows, table, begin, end, batch, distances};
            with_widest_vectors(body);
        });
        move_rows(rows, std::span<const Move>(batch), settings.n_threads, table, with_before);
        if (settings.patience == 0) continue;
        double inertia = 0;
        for (const double distance : distances) inertia += distance;
        inertia /= static_cast<double>(size);
        smoothed = report.batches == 1 ? inertia : smoothed * (1 - weight) + inertia * weight;
        if (report.batches % batches_between_restarts == 0) {
            Random random(settings.seed, ~static_cast<std::uint64_t>(report.batches));
            const auto restarted =
                restart_small_clusters(rows, std::span<const Move>(batch), settings.reassignment_ratio, random, table);
            report.reassigned += restarted;
            if (restarted > 0) without_gain = 0;
        }
        without_gain = smoothed < lowest ? 0 : without_gain + 1;
        lowest = std::min(lowest, smoothed);
        if (without_gain >= settings.patience) break;
    }
    store_centres(rows, table, before, settings.n_threads, centres);
    std::copy_n(table.count.begin(), k, counts.begin());
    return report;
}

#define ASSAY_BATCHES(Value, Index)                                                                        \
    template BatchReport run_batches(const CsrView<Value, Index>&, const BatchSettings&, std::span<Value>, \
                                     std::span<double>);
ASSAY_FOR_EACH_MATRIX(ASSAY_BATCHES)
#undef ASSAY_BATCHES

}  // namespace assay::clusters
