#include "assay/clusters/kmeans.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assay/clusters/cluster_table.hpp"

namespace assay::clusters {
namespace {

// What rounding may have done to a squared distance, in parts of the numbers that it was made of.
constexpr double rounding = 1e-13;
constexpr std::size_t most_bounds = std::size_t{1} << 27;  // 512 MB; beyond, every row is looked at every time

/// Lower bounds B of the distances of a row to all centres but its own, and the upper bound U of that to its own, both
/// as of the time when all centres had moved by nothing: with P_j, how far centre j has moved since the start,
/// ‖x − c_j‖ ≥ B_j − P_j and ‖x − c_a‖ ≤ U + P_a.
struct Bounds {
    std::vector<float> lower;   // [row][cluster], infinite for the own cluster and for padding
    std::vector<double> upper;  // [row]
    std::vector<double> moved;  // P
    std::vector<float> moved_at_most;

    void start(std::size_t n_rows, std::size_t stride) {
        lower.resize(n_rows * stride);
        upper.resize(n_rows);
        moved.assign(stride, 0.0);
        moved_at_most.assign(stride, 0.0F);
    }
    bool kept() const { return !upper.empty(); }
};

template <class Real>
struct Lloyd {
    const FoldedRows<Real>& rows;
    const KMeansSettings& settings;
    ClusterTable table;
    std::vector<std::int32_t> labels;
    Bounds bounds;
    std::int64_t evaluated = 0;
};

/// Assigns rows [begin, end) and notes those that move.
template <class Real>
struct AssignRows {
    Lloyd<Real>& state;
    std::int64_t begin, end;
    std::vector<Move>& moves;
    std::int64_t evaluated = 0;

    template <int Bytes>
    ASSAY_INLINE void run() {
        const ClusterTable& table = state.table;
        const Bounds& bounds = state.bounds;
        const Entry<Real>* const last = state.rows.entries.data() + state.rows.entries.size();
        std::vector<double> products(table.stride);
        for (std::int64_t i = begin; i < end; ++i) {
            const auto at = static_cast<std::size_t>(i);
            if (bounds.kept() && stays<Bytes>(at)) continue;
            ++evaluated;
            products_with_all<Bytes, Real>(table, state.rows.row(i), last, products.data());
            std::size_t best = 0;
            double lowest = std::numeric_limits<double>::infinity();
            for (std::size_t j = 0; j < table.k; ++j) {
                const double beyond = table.centre_square[j] - 2 * table.scale[j] * products[j];
                products[j] = beyond;
                if (beyond < lowest) lowest = beyond, best = j;
            }
            const auto label = static_cast<std::int32_t>(best);
            if (label != state.labels[at]) moves.push_back({i, state.labels[at], label});
            if (bounds.kept()) keep_bounds(at, best, products.data());
        }
    }

    template <int Bytes>
    ASSAY_INLINE bool stays(std::size_t at) const {
        using L = Lanes<float, 8, Bytes>;
        const Bounds& bounds = state.bounds;
        const std::size_t stride = state.table.stride;
        L nearest = L::all(std::numeric_limits<float>::infinity());
        for (std::size_t j = 0; j < stride; j += 8) {
            nearest =
                min(nearest, L::load(bounds.lower.data() + at * stride + j) - L::load(bounds.moved_at_most.data() + j));
        }
        float values[8];
        nearest.store(values);
        const float lowest = *std::min_element(values, values + 8);
        const auto own = static_cast<std::size_t>(state.labels[at]);
        return static_cast<double>(lowest) > bounds.upper[at] + bounds.moved[own];
    }

    ASSAY_INLINE void keep_bounds(std::size_t at, std::size_t best, const double* beyond) const {
        constexpr double float_rounding = 3e-7;
        Bounds& bounds = state.bounds;
        const ClusterTable& table = state.table;
        const double square = state.rows.square[at];
        float* const lower = bounds.lower.data() + at * table.stride;
        for (std::size_t j = 0; j < table.k; ++j) {
            const double slack = rounding * (square + table.centre_square[j]);
            const double distance = std::sqrt(std::max(square + beyond[j] - slack, 0.0));
            lower[j] = static_cast<float>((distance + bounds.moved[j]) * (1 - float_rounding));
        }
        for (std::size_t j = table.k; j < table.stride; ++j) lower[j] = std::numeric_limits<float>::infinity();
        const double slack = rounding * (square + table.centre_square[best]);
        lower[best] = std::numeric_limits<float>::infinity();
        bounds.upper[at] = std::sqrt(std::max(square + beyond[best] + slack, 0.0)) - bounds.moved[best];
    }
};

/// Moves to make, in the order of the rows.
template <class Real>
std::vector<Move> assign(Lloyd<Real>& state) {
    const std::int64_t n_rows = state.rows.n_rows();
    const auto n_blocks = static_cast<std::size_t>((n_rows + kmeans_rows_per_block - 1) / kmeans_rows_per_block);
    std::vector<std::vector<Move>> found(n_blocks);
    std::vector<std::int64_t> evaluated(n_blocks, 0);
    for_each_block(n_rows, kmeans_rows_per_block, state.settings.n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       const auto block = static_cast<std::size_t>(begin / kmeans_rows_per_block);
                       AssignRows<Real> body{state, begin, end, found[block]};
                       with_widest_vectors(body);
                       evaluated[block] = body.evaluated;
                   });
    std::vector<Move> moves;
    for (std::size_t block = 0; block < n_blocks; ++block) {
        moves.insert(moves.end(), found[block].begin(), found[block].end());
        state.evaluated += evaluated[block];
    }
    for (const Move& move : moves) state.labels[static_cast<std::size_t>(move.row)] = move.to;
    return moves;
}

/// Squared distance of each row to the centre of its label.
template <class Real>
std::vector<double> own_distances(const Lloyd<Real>& state) {
    std::vector<double> found(state.labels.size());
    for_each_block(state.rows.n_rows(), kmeans_rows_per_block, state.settings.n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       for (std::int64_t i = begin; i < end; ++i) {
                           const auto at = static_cast<std::size_t>(i);
                           const auto j = static_cast<std::size_t>(state.labels[at]);
                           const double product = state.table.product_with(state.rows.row(i), j);
                           found[at] = std::max(0.0, state.rows.square[at] + state.table.centre_square[j] -
                                                         2 * state.table.scale[j] * product);
                       }
                   });
    return found;
}

/// Gives each cluster without rows the row that is farthest from its centre; adds to `moves`.
template <class Real>
std::int32_t fill_empty_clusters(Lloyd<Real>& state, std::vector<Move>& moves) {
    std::vector<std::int64_t> size(state.table.k, 0);
    for (const std::int32_t label : state.labels) ++size[static_cast<std::size_t>(label)];
    if (std::find(size.begin(), size.end(), 0) == size.end()) return 0;
    std::vector<double> distance = own_distances(state);
    std::vector<std::int64_t> move_of(state.labels.size(), -1);
    for (std::size_t m = 0; m < moves.size(); ++m) {
        move_of[static_cast<std::size_t>(moves[m].row)] = static_cast<std::int64_t>(m);
    }
    std::int32_t n_filled = 0;
    for (std::size_t empty = 0; empty < size.size(); ++empty) {
        if (size[empty] > 0) continue;
        std::size_t farthest = state.labels.size();
        for (std::size_t i = 0; i < state.labels.size(); ++i) {
            if (size[static_cast<std::size_t>(state.labels[i])] < 2) continue;
            if (farthest == state.labels.size() || distance[i] > distance[farthest]) farthest = i;
        }
        if (farthest == state.labels.size() || distance[farthest] <= 0) break;  // no row is off its centre
        const auto to = static_cast<std::int32_t>(empty);
        --size[static_cast<std::size_t>(state.labels[farthest])];
        ++size[empty];
        ++n_filled;
        if (move_of[farthest] >= 0) {
            moves[static_cast<std::size_t>(move_of[farthest])].to = to;
        } else {
            moves.push_back({static_cast<std::int64_t>(farthest), state.labels[farthest], to});
        }
        state.labels[farthest] = to;
        distance[farthest] = 0;
        if (state.bounds.kept()) {  // its bounds were those of another own centre
            const std::size_t stride = state.table.stride;
            std::fill_n(state.bounds.lower.begin() + static_cast<std::ptrdiff_t>(farthest * stride), stride, 0.0F);
            state.bounds.upper[farthest] = std::numeric_limits<double>::infinity();
        }
    }
    return n_filled;
}

/// Moves rows; returns Σ ‖c_j′ − c_j‖² and lengthens how far each centre has moved.
template <class Real>
double recentre(Lloyd<Real>& state, std::span<const Move> moves) {
    ClusterTable& table = state.table;
    const std::vector<double> scale = table.scale, centre_square = table.centre_square;
    std::vector<double> with_before(table.stride);
    move_rows(state.rows, moves, state.settings.n_threads, table, with_before);
    std::vector<std::uint8_t> touched(table.stride, 0);
    for (const Move& move : moves) {
        if (move.from != no_cluster) touched[static_cast<std::size_t>(move.from)] = 1;
        touched[static_cast<std::size_t>(move.to)] = 1;
    }
    double total = 0;
    for (std::size_t j = 0; j < table.k; ++j) {
        if (!touched[j]) continue;
        const double size = centre_square[j] + table.centre_square[j];
        const double shift = std::max(0.0, size - 2 * scale[j] * table.scale[j] * with_before[j]);
        total += shift;
        if (!state.bounds.kept()) continue;
        state.bounds.moved[j] += std::sqrt(shift + rounding * size);
        state.bounds.moved_at_most[j] = static_cast<float>(state.bounds.moved[j] * (1 + 2e-7));
    }
    return total;
}

/// The mean of each cluster's rows, on the sphere brought to length 1, in the columns of X. Every mean takes its rows
/// in their order.
template <class Value, class Index>
void write_centres(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels, bool spherical,
                   std::size_t n_clusters, int n_threads, std::span<Value> centres) {
    const auto n_columns = static_cast<std::size_t>(X.n_columns);
    std::vector<std::vector<std::int64_t>> members(n_clusters);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        members[static_cast<std::size_t>(labels[i])].push_back(static_cast<std::int64_t>(i));
    }
    for_each_block(static_cast<std::int64_t>(n_clusters), 1, n_threads, [&](std::int64_t cluster, std::int64_t, int) {
        const auto& mine = members[static_cast<std::size_t>(cluster)];
        if (mine.empty()) return;
        std::vector<double> sum(n_columns, 0.0);
        for (const std::int64_t i : mine) {
            for (std::int64_t at = X.begin(i); at < X.end(i); ++at) {
                sum[static_cast<std::size_t>(X.column(at))] += static_cast<double>(X.value(at));
            }
        }
        double length = static_cast<double>(mine.size());
        if (spherical) {
            length = 0;
            for (const double value : sum) length += value * value;
            length = std::sqrt(length);
        }
        Value* const centre = centres.data() + static_cast<std::size_t>(cluster) * n_columns;
        for (std::size_t column = 0; column < n_columns; ++column) {
            centre[column] = static_cast<Value>(length > 0 ? sum[column] / length : 0.0);
        }
    });
}

}  // namespace

template <class Value, class Index>
KMeansReport run_kmeans(const CsrView<Value, Index>& X, const KMeansSettings& settings, std::int32_t n_clusters,
                        std::span<Value> centres) {
    const auto rows = fold_rows<Value>(X, settings.n_threads, OwnFeatures::keep);
    const auto k = static_cast<std::size_t>(n_clusters), n_rows = static_cast<std::size_t>(rows.n_rows());
    Lloyd<Value> state{rows,
                       settings,
                       ClusterTable(rows.n_columns, k, settings.spherical),
                       std::vector<std::int32_t>(n_rows, no_cluster),
                       {}};
    load_centres(rows, std::span<const Value>(centres), std::vector<double>(k, 1.0), state.table);
    KMeansReport report;
    std::vector<std::int32_t> behind_centres;
    while (report.iterations < settings.max_iterations && !report.converged) {
        std::vector<Move> moves = assign(state);
        ++report.iterations;
        report.relocated += fill_empty_clusters(state, moves);
        if (moves.empty()) {
            report.converged = true;
            behind_centres = state.labels;
            break;
        }
        if (report.iterations == 1) state.table.clear(settings.n_threads);
        const double shift = recentre(state, moves);
        behind_centres = state.labels;
        if (report.iterations == 1 && n_rows * state.table.stride <= most_bounds) {
            state.bounds.start(n_rows, state.table.stride);
            std::fill(state.bounds.upper.begin(), state.bounds.upper.end(), std::numeric_limits<double>::infinity());
        }
        // The first shift was measured from nothing, not from the centres of the start.
        if (report.iterations > 1 && shift <= settings.tolerance) {
            report.converged = true;
            assign(state);
        } else if (report.iterations == settings.max_iterations) {
            assign(state);
        }
    }
    double inertia = 0;
    for (const double distance : own_distances(state)) inertia += distance;
    report.inertia = settings.spherical ? inertia / 2 : inertia;
    report.evaluated = state.evaluated;
    write_centres(X, behind_centres, settings.spherical, k, settings.n_threads, centres);
    report.labels = std::move(state.labels);
    return report;
}

#define ASSAY_KMEANS(Value, Index)                                                                      \
    template KMeansReport run_kmeans(const CsrView<Value, Index>&, const KMeansSettings&, std::int32_t, \
                                     std::span<Value>);
ASSAY_FOR_EACH_MATRIX(ASSAY_KMEANS)
#undef ASSAY_KMEANS

}  // namespace assay::clusters
