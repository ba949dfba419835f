#include "assay/ngrams/fold_features.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "assay/base/parallel.hpp"

namespace assay::ngrams {
namespace {

constexpr std::int64_t kRowsPerBlock = 128;
constexpr std::size_t kPrefetchAhead = 16;

struct RowRange {
    std::size_t begin;
    std::size_t end;
};

RowRange range_of(const CountRows& corpus, std::int32_t row) {
    const auto r = static_cast<std::size_t>(row);
    return {static_cast<std::size_t>(corpus.offsets[r]), static_cast<std::size_t>(corpus.offsets[r + 1])};
}

double divisor_of(Norm norm, std::span<const double> row) {
    if (norm == Norm::none) return 1.0;
    // Four sums at a time: one alone would wait for each addition before the next.
    std::array<double, 4> sums{};
    for (std::size_t k = 0; k < row.size(); ++k) sums[k % 4] += part_of_norm(norm, row[k]);
    return ngrams::divisor_of(norm, (sums[0] + sums[1]) + (sums[2] + sums[3]));
}

}  // namespace

void count_columns(const CountRows& corpus, std::span<const std::int32_t> rows, int n_threads,
                   std::span<std::int32_t> documents, std::span<std::int64_t> occurrences) {
    // Threads own ranges of columns, so that no sum is shared and none depends on the number of threads.
    const auto n_parts = static_cast<std::int64_t>(std::max(n_threads, 1));
    const auto n_columns = static_cast<std::int64_t>(documents.size());
    run_threads(static_cast<int>(n_parts), [&](int thread) {
        const std::int64_t begin = n_columns * thread / n_parts;
        const std::int64_t end = n_columns * (thread + 1) / n_parts;
        std::fill(documents.begin() + begin, documents.begin() + end, 0);
        if (!occurrences.empty()) std::fill(occurrences.begin() + begin, occurrences.begin() + end, 0);
        for (const std::int32_t row : rows) {
            const RowRange range = range_of(corpus, row);
            for (std::size_t at = range.begin; at < range.end; ++at) {
                const std::int32_t column = corpus.columns[at];
                if (column < begin || column >= end) continue;
                ++documents[static_cast<std::size_t>(column)];
                if (!occurrences.empty()) occurrences[static_cast<std::size_t>(column)] += corpus.counts[at];
            }
        }
    });
}

void measure_rows(const CountRows& corpus, std::span<const std::int32_t> rows, const FoldColumns& fold, int n_threads,
                  std::span<std::int64_t> offsets) {
    for_each_block(static_cast<std::int64_t>(rows.size()), kRowsPerBlock, n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                           const RowRange range = range_of(corpus, rows[i]);
                           std::int64_t size = 0;
                           for (std::size_t at = range.begin; at < range.end; ++at) {
                               size += fold.number(static_cast<std::size_t>(corpus.columns[at])) >= 0 ? 1 : 0;
                           }
                           offsets[i + 1] = size;
                       }
                   });
    offsets[0] = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) offsets[i + 1] += offsets[i];
}

template <class Real>
void weight_rows(const CountRows& corpus, std::span<const std::int32_t> rows, const FoldColumns& fold,
                 const Weighting& weighting, std::span<const std::int64_t> offsets, int n_threads,
                 std::span<std::int32_t> columns, std::span<Real> values) {
    const TermFrequency frequency(weighting, false);
    const std::span<const double> idf = weighting.idf;
    const auto weight_row = [&, weighted = !idf.empty()](std::size_t i, std::vector<double>& buffer) {
        const RowRange range = range_of(corpus, rows[i]);
        if (buffer.size() < range.end - range.begin) buffer.resize(range.end - range.begin);
        double* row = buffer.data();
        std::int32_t* numbers = columns.data() + offsets[i];
        std::size_t size = 0;
        for (std::size_t at = range.begin; at < range.end; ++at) {
            if (at + kPrefetchAhead < corpus.columns.size()) {
                fold.prefetch(static_cast<std::size_t>(corpus.columns[at + kPrefetchAhead]));
            }
            const auto column = static_cast<std::size_t>(corpus.columns[at]);
            const std::int32_t number = fold.number(column);
            if (number < 0) continue;
            const double value = frequency(static_cast<std::uint32_t>(corpus.counts[at]));
            numbers[size] = number;
            row[size++] = weighted ? value * idf[static_cast<std::size_t>(fold.documents(column))] : value;
        }
        const double divisor = divisor_of(weighting.norm, {row, size});
        Real* out = values.data() + offsets[i];
        for (std::size_t k = 0; k < size; ++k) out[k] = static_cast<Real>(row[k] / divisor);
    };
    for_each_block(static_cast<std::int64_t>(rows.size()), kRowsPerBlock, n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       std::vector<double> buffer;
                       for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                           weight_row(i, buffer);
                       }
                   });
}

template void weight_rows<float>(const CountRows&, std::span<const std::int32_t>, const FoldColumns&, const Weighting&,
                                 std::span<const std::int64_t>, int, std::span<std::int32_t>, std::span<float>);
template void weight_rows<double>(const CountRows&, std::span<const std::int32_t>, const FoldColumns&, const Weighting&,
                                  std::span<const std::int64_t>, int, std::span<std::int32_t>, std::span<double>);

}  // namespace assay::ngrams
