#include "assay/fold_features.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "assay/parallel.hpp"

namespace assay {
namespace {

constexpr std::int64_t kRowsPerBlock = 128;
constexpr std::size_t kTabledCounts = 64;

/// Most counts are small: their values before idf come from a table.
class RawValues {
 public:
    RawValues(bool binary, bool sublinear) : binary_(binary), sublinear_(sublinear) {
        for (std::size_t count = 1; count < kTabledCounts; ++count) table_[count] = compute(count);
    }

    double operator()(std::int32_t count) const {
        const auto index = static_cast<std::size_t>(count);
        return index < kTabledCounts ? table_[index] : compute(index);
    }

 private:
    double compute(std::size_t count) const {
        const double value = binary_ ? 1.0 : static_cast<double>(count);
        return sublinear_ ? 1.0 + std::log(value) : value;
    }

    bool binary_;
    bool sublinear_;
    std::array<double, kTabledCounts> table_{};
};

struct RowRange {
    std::size_t begin;
    std::size_t end;
};

RowRange range_of(const CountRows& corpus, std::int32_t row) {
    const auto r = static_cast<std::size_t>(row);
    return {static_cast<std::size_t>(corpus.offsets[r]), static_cast<std::size_t>(corpus.offsets[r + 1])};
}

/// The norm of a row, or 1 where the row is not to be divided.
double divisor_of(std::span<const double> row, RowNorm norm) {
    if (norm == RowNorm::none) return 1.0;
    double sum = 0.0;
    for (const double value : row) sum += norm == RowNorm::l1 ? std::fabs(value) : value * value;
    const double length = norm == RowNorm::l2 ? std::sqrt(sum) : sum;
    return length == 0.0 ? 1.0 : length;
}

}  // namespace

void count_columns(const CountRows& corpus, std::span<const std::int32_t> rows, int n_threads,
                   std::span<std::int64_t> documents, std::span<std::int64_t> occurrences) {
    // Threads own ranges of rows and add integers, so the order in which they finish does not matter.
    const std::size_t n_columns = documents.size();
    const auto n_parts = static_cast<std::size_t>(n_threads);
    std::vector<std::vector<std::int64_t>> partial(n_parts, std::vector<std::int64_t>());
    run_threads(n_threads, [&](int thread) {
        const auto t = static_cast<std::size_t>(thread);
        std::vector<std::int64_t>& sums = partial[t];
        sums.assign(2 * n_columns, 0);
        for (std::size_t i = rows.size() * t / n_parts; i < rows.size() * (t + 1) / n_parts; ++i) {
            const RowRange range = range_of(corpus, rows[i]);
            for (std::size_t at = range.begin; at < range.end; ++at) {
                const auto column = static_cast<std::size_t>(corpus.columns[at]);
                ++sums[2 * column];
                sums[2 * column + 1] += corpus.counts[at];
            }
        }
    });
    for_each_block(static_cast<std::int64_t>(n_columns), 1 << 14, n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
                           documents[j] = 0;
                           occurrences[j] = 0;
                           for (const std::vector<std::int64_t>& sums : partial) {
                               documents[j] += sums[2 * j];
                               occurrences[j] += sums[2 * j + 1];
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
                 const FoldWeighting& weighting, std::span<const std::int64_t> offsets, int n_threads,
                 std::span<std::int32_t> columns, std::span<Real> values) {
    const RawValues raw(weighting.binary, weighting.sublinear);
    const std::span<const double> idf = weighting.idf;
    const auto weight_row = [&, weighted = !idf.empty()](std::size_t i, std::vector<double>& buffer) {
        const RowRange range = range_of(corpus, rows[i]);
        if (buffer.size() < range.end - range.begin) buffer.resize(range.end - range.begin);
        double* row = buffer.data();
        std::int32_t* numbers = columns.data() + offsets[i];
        std::size_t size = 0;
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const auto column = static_cast<std::size_t>(corpus.columns[at]);
            const std::int32_t number = fold.number(column);
            if (number < 0) continue;
            const double value = raw(corpus.counts[at]);
            numbers[size] = number;
            row[size++] = weighted ? value * idf[static_cast<std::size_t>(fold.documents(column))] : value;
        }
        const double divisor = divisor_of({row, size}, weighting.norm);
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

template void weight_rows<float>(const CountRows&, std::span<const std::int32_t>, const FoldColumns&,
                                 const FoldWeighting&, std::span<const std::int64_t>, int, std::span<std::int32_t>,
                                 std::span<float>);
template void weight_rows<double>(const CountRows&, std::span<const std::int32_t>, const FoldColumns&,
                                  const FoldWeighting&, std::span<const std::int64_t>, int, std::span<std::int32_t>,
                                  std::span<double>);

}  // namespace assay
