#include "assay/base/folded_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "assay/base/parallel.hpp"

namespace assay::inline base {
namespace {

constexpr std::int64_t rows_per_block = 512;

/// In how many rows each column occurs.
template <class Value, class Index>
std::vector<std::int32_t> count_columns(const CsrView<Value, Index>& X, int n_threads) {
    const auto n_columns = static_cast<std::size_t>(X.n_columns);
    const int used = std::clamp(n_threads, 1, 4);  // one array of counts a thread
    std::vector<std::vector<std::int32_t>> counts(static_cast<std::size_t>(used));
    for_each_block(used, 1, used, [&](std::int64_t part, std::int64_t, int) {
        auto& mine = counts[static_cast<std::size_t>(part)];
        mine.assign(n_columns, 0);
        const std::int64_t n_stored = X.end(X.n_rows() - 1);
        const std::int64_t first = n_stored * part / used, last = n_stored * (part + 1) / used;
        for (std::int64_t at = first; at < last; ++at) ++mine[static_cast<std::size_t>(X.column(at))];
    });
    auto& total = counts.front();
    for (std::size_t part = 1; part < counts.size(); ++part) {
        for (std::size_t j = 0; j < n_columns; ++j) total[j] += counts[part][j];
    }
    return std::move(total);
}

/// Frequencies in steps of an eighth of an octave: fine enough to keep hot columns together, few enough to
/// sort fast.
std::size_t frequency_step(std::int32_t count) {
    const auto bits = static_cast<unsigned>(count);
    const int width = std::bit_width(bits);
    const unsigned below_top = width > 3 ? (bits >> (width - 4)) & 7u : 0u;
    return static_cast<std::size_t>(width) * 8 + below_top;
}

constexpr std::size_t n_steps = 33 * 8;

/// Where each column goes that more than one row has; returns the number of columns that are left.
std::int32_t place_columns(std::span<const std::int32_t> counts, std::span<std::int32_t> home) {
    std::array<std::int32_t, n_steps> next{};
    for (const std::int32_t count : counts) {
        if (count > 1) ++next[frequency_step(count)];
    }
    std::int32_t n_left = 0;
    for (std::size_t step = n_steps; step-- > 0;) n_left += std::exchange(next[step], n_left);
    for (std::size_t j = 0; j < counts.size(); ++j) {
        if (counts[j] > 1) {
            home[j] = next[frequency_step(counts[j])]++;
        } else {
            home[j] = counts[j] == 1 ? FoldedRows<float>::own : FoldedRows<float>::unseen;
        }
    }
    return n_left;
}

/// How many columns at least half of the rows have, as far as frequencies are told apart; they have the first places.
/// 0 when they are few or hold less than half of the stored values.
std::int32_t count_dense(std::span<const std::int32_t> counts, std::int64_t n_rows, std::int64_t n_stored) {
    constexpr std::int32_t fewest = 16;  // two vectors, below which nothing is gained
    const std::size_t least = frequency_step(static_cast<std::int32_t>(std::max<std::int64_t>((n_rows + 1) / 2, 2)));
    std::int32_t n_dense = 0;
    std::int64_t held = 0;
    for (const std::int32_t count : counts) {
        if (frequency_step(count) < least) continue;
        ++n_dense;
        held += count;
    }
    return n_dense >= fewest && 2 * held >= n_stored ? n_dense : 0;
}

}  // namespace

template <class Real, class Value, class Index>
FoldedRows<Real> fold_rows(const CsrView<Value, Index>& X, int n_threads, OwnFeatures own_features,
                           DenseColumns dense_columns) {
    check_csr(X);
    if (X.n_columns >= std::numeric_limits<std::int32_t>::max() - 1) {
        throw std::invalid_argument("a matrix of " + std::to_string(X.n_columns) + " columns is too wide");
    }
    FoldedRows<Real> folded;
    const auto n_rows = static_cast<std::size_t>(X.n_rows());
    folded.home.resize(static_cast<std::size_t>(X.n_columns));
    if (n_rows > 0) {
        const std::vector<std::int32_t> counts = count_columns(X, n_threads);
        folded.n_columns = place_columns(counts, folded.home);
        if (dense_columns == DenseColumns::apart) {
            folded.n_dense = count_dense(counts, X.n_rows(), static_cast<std::int64_t>(X.columns.size()));
        }
    }
    if (own_features == OwnFeatures::keep) {
        // In the order of the rows that have them, so that a row finds its own side by side.
        for (std::int64_t at = 0; at < static_cast<std::int64_t>(X.columns.size()); ++at) {
            std::int32_t& home = folded.home[static_cast<std::size_t>(X.column(at))];
            if (home == FoldedRows<Real>::own) home = folded.n_columns++;
        }
    }

    folded.row_begin.resize(n_rows);
    folded.row_end.resize(n_rows);
    folded.own_begin.resize(n_rows);
    folded.own_square.resize(n_rows);
    folded.square.resize(n_rows);
    // A row starts where it started in X, so that no pass over the matrix is needed to close the gaps that own features
    // leave; they themselves stand at its end.
    folded.entries = ZeroedArray<Entry<Real>>(X.columns.size());
    const auto n_dense = static_cast<std::size_t>(folded.n_dense);
    folded.dense = ZeroedArray<Real>(n_rows * n_dense);
    for_each_block(X.n_rows(), rows_per_block, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) {
            double own = 0, shared = 0;
            Real* const head = folded.dense.data() + static_cast<std::size_t>(i) * n_dense;
            std::int64_t to = X.begin(i), own_to = X.end(i);
            for (std::int64_t at = X.begin(i); at < X.end(i); ++at) {
                const auto value = static_cast<double>(X.value(at));
                const std::int32_t column = folded.home[static_cast<std::size_t>(X.column(at))];
                if (column < 0) {
                    own += value * value;
                    const auto place = static_cast<std::int32_t>(at - X.begin(i));
                    folded.entries[static_cast<std::size_t>(--own_to)] = {place, static_cast<Real>(value)};
                } else if (column < folded.n_dense) {
                    shared += value * value;
                    head[column] = static_cast<Real>(value);
                } else if (value != 0) {
                    shared += value * value;
                    folded.entries[static_cast<std::size_t>(to++)] = {column, static_cast<Real>(value)};
                }
            }
            const auto row = static_cast<std::size_t>(i);
            folded.row_begin[row] = X.begin(i);
            folded.row_end[row] = to;
            folded.own_begin[row] = own_to;
            folded.own_square[row] = own;
            folded.square[row] = own + shared;
        }
    });
    return folded;
}

#define ASSAY_FOLD(Value, Index)                                                                                \
    template FoldedRows<float> fold_rows<float, Value, Index>(const CsrView<Value, Index>&, int, OwnFeatures,   \
                                                              DenseColumns);                                    \
    template FoldedRows<double> fold_rows<double, Value, Index>(const CsrView<Value, Index>&, int, OwnFeatures, \
                                                                DenseColumns);
ASSAY_FOR_EACH_MATRIX(ASSAY_FOLD)
#undef ASSAY_FOLD

}  // namespace assay::inline base
