#include "assay/linear/bayes/selection.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "assay/base/parallel.hpp"

namespace assay::linear {
namespace {

template <class Integer>
std::size_t at(Integer index) {
    return static_cast<std::size_t>(index);
}

// x·log₂ x of whole numbers, most of which are small.
class Entropies {
 public:
    explicit Entropies(std::int64_t greatest) : table_(at(std::min<std::int64_t>(greatest, 1 << 16) + 1)) {
        for (std::size_t x = 1; x < table_.size(); ++x) table_[x] = compute(static_cast<double>(x));
    }

    double operator()(std::int64_t x) const {
        return at(x) < table_.size() ? table_[at(x)] : compute(static_cast<double>(x));
    }

 private:
    static double compute(double x) { return x * std::log2(x); }

    std::vector<double> table_;
};

// What the classes that have a feature add to its sums; n is the number of their rows that have it, size N_c. Where a
// measure needs the rows without the feature, it is their difference to what all rows would give.
struct Sums {
    double within;           // Σ n log n
    double without;          // Σ (N_c − n) log (N_c − n) − N_c log N_c
    double squares;          // Σ n²
    double squares_without;  // Σ (N_c − n)² − N_c²
    double weighted;         // Σ n² / N_c
    double telling_share;    // n / N_c of the telling class
    std::int64_t rows;       // Σ n
    std::int32_t telling_class;
    std::int32_t telling_count;
};

// Rows in the order of their classes: class c has rows[begin[c]], …, rows[begin[c + 1] − 1].
struct ClassRows {
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> rows;

    ClassRows(std::span<const std::int32_t> labels, std::int32_t n_classes)
        : begin(at(n_classes) + 1), rows(labels.size()) {
        for (const std::int32_t label : labels) ++begin[at(label) + 1];
        for (std::size_t c = 0; c + 1 < begin.size(); ++c) begin[c + 1] += begin[c];
        std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            rows[at(next[at(labels[i])]++)] = static_cast<std::int64_t>(i);
        }
    }

    std::int64_t size(std::int32_t c) const { return begin[at(c) + 1] - begin[at(c)]; }
};

void add_class(Sums& sums, std::int32_t n, std::int64_t size, std::int32_t c, std::int32_t target,
               const Entropies& entropy) {
    const auto found = static_cast<double>(n), all = static_cast<double>(size);
    sums.within += entropy(n);
    sums.without += entropy(size - n) - entropy(size);
    sums.squares += found * found;
    sums.squares_without += found * (found - 2 * all);
    sums.weighted += found * found / all;
    const bool telling = target < 0 ? sums.rows == 0 || found / all > sums.telling_share : c == target;
    sums.rows += n;
    if (!telling) return;
    sums.telling_share = found / all;
    sums.telling_class = c;
    sums.telling_count = n;
}

template <class Value, class Index>
ZeroedArray<Sums> sum_over_classes(const CsrView<Value, Index>& X, const ClassRows& by_class, std::int32_t target,
                                   const Entropies& entropy) {
    ZeroedArray<Sums> sums(at(X.n_columns));
    ZeroedArray<std::int32_t> counts(at(X.n_columns));
    std::vector<Index> touched;
    for (std::int32_t c = 0; at(c) + 1 < by_class.begin.size(); ++c) {
        touched.clear();
        for (std::int64_t i = by_class.begin[at(c)]; i < by_class.begin[at(c) + 1]; ++i) {
            const std::int64_t row = by_class.rows[at(i)];
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                if (X.value(k) == Value{0}) continue;
                if (counts[at(X.column(k))]++ == 0) touched.push_back(X.columns[at(k)]);
            }
        }
        for (const Index column : touched) {
            std::int32_t& n = counts[at(column)];
            add_class(sums[at(column)], n, by_class.size(c), c, target, entropy);
            n = 0;
        }
    }
    return sums;
}

}  // namespace

template <class Value, class Index>
FeatureMeasures measure_features(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                 std::int32_t n_classes, std::int32_t target, int n_threads) {
    const ClassRows by_class(labels, n_classes);
    const Entropies entropy(X.n_rows());
    const ZeroedArray<Sums> sums = sum_over_classes(X, by_class, target, entropy);

    const auto N = static_cast<double>(X.n_rows());
    double entropies = 0, squares = 0;  // Σ N_c log N_c, Σ N_c²
    for (std::int32_t c = 0; c < n_classes; ++c) {
        const auto size = static_cast<double>(by_class.size(c));
        entropies += entropy(by_class.size(c));
        squares += size * size;
    }

    FeatureMeasures measures(at(X.n_columns));
    for_each_block(X.n_columns, 1 << 14, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::size_t j = at(begin); j < at(end); ++j) {
            const Sums& s = sums[j];
            const auto n = static_cast<double>(s.rows), rest = N - n;
            const bool counted = s.rows > 0 && (target < 0 || s.telling_count > 0);
            measures.document_frequency[j] = s.rows;
            measures.telling_class[j] = target >= 0 ? target : s.rows > 0 ? s.telling_class : -1;
            measures.telling_count[j] = s.telling_count;
            measures.mutual_information[j] =
                counted ? std::log2(s.telling_share * N / n) : -std::numeric_limits<double>::infinity();
            if (n == 0 || rest == 0) continue;  // it tells nothing: the other measures stay 0
            // Rounding can leave a feature that tells nothing a hair below 0.
            const double conditional =
                entropy(s.rows) - s.within + entropy(X.n_rows() - s.rows) - entropies - s.without;
            measures.information_gain[j] = std::max(0.0, (entropy(X.n_rows()) - entropies - conditional) / N);
            measures.chi_squared[j] = std::max(0.0, (s.weighted * N / n - n) * N / rest);
            measures.gini[j] = std::max(0.0, (s.squares / n + (squares + s.squares_without) / rest - squares / N) / N);
        }
    });
    return measures;
}

#define ASSAY_MEASURE(Value, Index)                                                                        \
    template FeatureMeasures measure_features(const CsrView<Value, Index>&, std::span<const std::int32_t>, \
                                              std::int32_t, std::int32_t, int);
ASSAY_FOR_EACH_MATRIX(ASSAY_MEASURE)
#undef ASSAY_MEASURE

}  // namespace assay::linear
