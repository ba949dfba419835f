// kmeans.hpp: k-means by Lloyd's algorithm, on rows as they are or on the unit sphere, exact but for what need not be
// looked at.
//
//   minimise Σ_i ‖x_i − c_a(i)‖²   over assignments a and centres c  (on the sphere: ‖x_i‖ = ‖c_j‖ = 1)
//   assign      a(i) = argmin_j ‖x_i − c_j‖, the lowest j of equals
//   re-centre   c_j = mean of its rows, brought to length 1 on the sphere
//
// until no row moves, or Σ_j ‖c_j′ − c_j‖² ≤ tolerance. Distances of a row to all centres are kept as bounds: a centre
// that moved by p is at most p nearer and p farther (Elkan 2003). A row whose own centre is nearer than all others can
// be by these bounds is not looked at again; otherwise one pass over its non-zeros gives all its distances anew.
//
// A cluster that loses all its rows gets the row that is farthest from its own centre, of those whose cluster has
// others, and goes on from there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/sparse.hpp"

namespace assay::clusters {

struct KMeansSettings {
    bool spherical = false;
    double tolerance = 0;  // squared length that the centres may still move together
    std::int32_t max_iterations = 300;
    int n_threads = 1;
};

struct KMeansReport {
    std::vector<std::int32_t> labels;  // nearest centre of each row
    double inertia = 0;                // Σ ‖x − c‖²; on the sphere Σ (1 − x·c), which is half of it
    std::int32_t iterations = 0;
    std::int32_t relocated = 0;  // rows that were given to clusters that had become empty
    bool converged = false;      // no row moved, or the centres moved by no more than the tolerance
    std::int64_t evaluated = 0;  // rows that were looked at, over all iterations
};

/// Runs k-means from given centres, [cluster][column], which are replaced by those that were found.
/// Rows must not name a column twice, and must have length 1 on the sphere.
template <class Value, class Index>
KMeansReport run_kmeans(const CsrView<Value, Index>& X, const KMeansSettings& settings, std::int32_t n_clusters,
                        std::span<Value> centres);

/// k-means++ (Arthur & Vassilvitskii 2007), greedy: k rows, each drawn with a probability proportional to its squared
/// distance to those before it, the best of 2 + ln k draws taken. Returns the rows in the order of their choice.
template <class Value, class Index>
std::vector<std::int64_t> draw_spread_rows(const CsrView<Value, Index>& X, std::int32_t n_clusters, std::uint64_t seed,
                                           int n_threads);

struct BatchSettings {
    bool spherical = false;
    std::int64_t batch_size = 1024;
    std::int64_t max_batches = 1;      // 1 with batch_size = all rows: every row once, in order
    std::int32_t patience = 10;        // batches without a better smoothed inertia after which to stop; 0 never stops
    double reassignment_ratio = 0.01;  // clusters with less than this share of the largest one's rows start anew
    std::uint64_t seed = 0;
    int n_threads = 1;
};

struct BatchReport {
    std::int64_t batches = 0;
    std::int32_t reassigned = 0;
};

/// Mini-batch k-means (Sculley 2010): rows of a batch are assigned to the nearest centre, and each centre becomes the
/// mean of all rows that it ever got. `centres` [cluster][column] and `counts`, the rows that stand behind each, are
/// read and replaced.
template <class Value, class Index>
BatchReport run_batches(const CsrView<Value, Index>& X, const BatchSettings& settings, std::span<Value> centres,
                        std::span<double> counts);

}  // namespace assay::clusters
