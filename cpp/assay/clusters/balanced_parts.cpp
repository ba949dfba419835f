#include "assay/clusters/balanced_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>

#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"

namespace assay::clusters {
namespace {

/// Rows that are to be divided further, and the numbers of the parts that they will be.
struct Segment {
    std::size_t begin, end;         // in the order of the rows
    std::int32_t first_part, last;  // parts [first_part, last)
};

/// Where part p begins among n rows in k parts.
std::size_t begin_of_part(std::size_t n, std::int32_t k, std::int32_t p) {
    const auto parts = static_cast<std::size_t>(k), at = static_cast<std::size_t>(p);
    return at * (n / parts) + std::min(at, n % parts);
}

/// One thread's divisions in two.
template <class Value, class Index>
class Bisection {
 public:
    explicit Bisection(const CsrView<Value, Index>& X)
        : X_(X), first_(static_cast<std::size_t>(X.n_columns)), second_(static_cast<std::size_t>(X.n_columns)) {}

    /// Puts the rows of the first cluster, `n_first` of them, before the others, each in rising order.
    void divide(std::span<std::int64_t> rows, std::size_t n_first, std::int32_t max_iterations, Random random) {
        start(rows, random);
        std::vector<std::uint8_t> before;
        for (std::int32_t step = 0; step < max_iterations; ++step) {
            assign(rows, n_first);
            if (in_first_ == before) break;
            before = in_first_;
            centre(rows);
        }
        std::vector<std::int64_t> kept, others;
        for (std::size_t i = 0; i < rows.size(); ++i) (in_first_[i] != 0 ? kept : others).push_back(rows[i]);
        std::ranges::copy(others, std::ranges::copy(kept, rows.begin()).out);
    }

 private:
    void start(std::span<const std::int64_t> rows, Random& random) {
        std::ranges::fill(first_, 0.0);
        std::ranges::fill(second_, 0.0);
        add(first_, rows[random.below(static_cast<std::uint32_t>(rows.size()))], 1.0);
        std::size_t farthest = 0;
        double least = 2.0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double alike = product(first_, rows[i]);
            if (alike < least) {
                least = alike;
                farthest = i;
            }
        }
        add(second_, rows[farthest], 1.0);
    }

    void assign(std::span<const std::int64_t> rows, std::size_t n_first) {
        for (std::size_t j = 0; j < first_.size(); ++j) first_[j] -= second_[j];
        leaning_.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) leaning_[i] = product(first_, rows[i]);
        order_.resize(rows.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        const auto nearer = [&](std::size_t a, std::size_t b) {
            return leaning_[a] != leaning_[b] ? leaning_[a] > leaning_[b] : a < b;
        };
        const auto middle = order_.begin() + static_cast<std::ptrdiff_t>(n_first);
        std::nth_element(order_.begin(), middle, order_.end(), nearer);
        in_first_.assign(rows.size(), 0);
        for (auto at = order_.begin(); at != middle; ++at) in_first_[*at] = 1;
    }

    void centre(std::span<const std::int64_t> rows) {
        std::ranges::fill(first_, 0.0);
        std::ranges::fill(second_, 0.0);
        for (std::size_t i = 0; i < rows.size(); ++i) add(in_first_[i] != 0 ? first_ : second_, rows[i], 1.0);
        for (std::vector<double>* centre : {&first_, &second_}) {
            double squares = 0.0;
            for (const double value : *centre) squares += value * value;
            if (squares == 0.0) continue;
            const double length = std::sqrt(squares);
            for (double& value : *centre) value /= length;
        }
    }

    void add(std::vector<double>& sum, std::int64_t row, double factor) const {
        for (std::int64_t at = X_.begin(row); at < X_.end(row); ++at) {
            sum[static_cast<std::size_t>(X_.column(at))] += factor * static_cast<double>(X_.value(at));
        }
    }

    double product(const std::vector<double>& vector, std::int64_t row) const {
        double sum = 0.0;
        for (std::int64_t at = X_.begin(row); at < X_.end(row); ++at) {
            sum += vector[static_cast<std::size_t>(X_.column(at))] * static_cast<double>(X_.value(at));
        }
        return sum;
    }

    const CsrView<Value, Index>& X_;
    std::vector<double> first_, second_;  // centres; the first becomes the difference while rows are assigned
    std::vector<double> leaning_;
    std::vector<std::size_t> order_;
    std::vector<std::uint8_t> in_first_;
};

}  // namespace

template <class Value, class Index>
std::vector<std::int32_t> balanced_parts(const CsrView<Value, Index>& X, const BalancedSettings& settings) {
    const auto n_rows = static_cast<std::size_t>(X.n_rows());
    const std::int32_t n_parts = settings.n_parts;
    if (n_parts < 1 || static_cast<std::size_t>(n_parts) > n_rows) {
        throw std::invalid_argument(std::to_string(n_rows) + " rows cannot be divided into " + std::to_string(n_parts) +
                                    " parts");
    }
    std::vector<std::int64_t> rows(n_rows);
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    std::vector<Segment> segments{{0, n_rows, 0, n_parts}};
    for (std::uint64_t level = 0; static_cast<std::int32_t>(segments.size()) < n_parts; ++level) {
        const auto n_threads = static_cast<std::size_t>(std::max(settings.n_threads, 1));
        std::vector<std::vector<Bisection<Value, Index>>> workers(n_threads);
        for_each_block(static_cast<std::int64_t>(segments.size()), 1, settings.n_threads,
                       [&](std::int64_t at, std::int64_t, int thread) {
                           const Segment& whole = segments[static_cast<std::size_t>(at)];
                           if (whole.last - whole.first_part < 2) return;
                           auto& mine = workers[static_cast<std::size_t>(thread)];
                           if (mine.empty()) mine.emplace_back(X);
                           const std::int32_t half = whole.first_part + (whole.last - whole.first_part) / 2;
                           const std::size_t n_first = begin_of_part(n_rows, n_parts, half) - whole.begin;
                           const std::uint64_t stream = (level << 32) + static_cast<std::uint64_t>(whole.first_part);
                           mine[0].divide(std::span(rows).subspan(whole.begin, whole.end - whole.begin), n_first,
                                          settings.max_iterations, Random(settings.seed, stream));
                       });
        std::vector<Segment> halves;
        for (const Segment& whole : segments) {
            if (whole.last - whole.first_part < 2) {
                halves.push_back(whole);
                continue;
            }
            const std::int32_t half = whole.first_part + (whole.last - whole.first_part) / 2;
            const std::size_t middle = begin_of_part(n_rows, n_parts, half);
            halves.push_back({whole.begin, middle, whole.first_part, half});
            halves.push_back({middle, whole.end, half, whole.last});
        }
        segments = std::move(halves);
    }
    std::vector<std::int32_t> part_of(n_rows);
    for (const Segment& part : segments) {
        for (std::size_t i = part.begin; i < part.end; ++i)
            part_of[static_cast<std::size_t>(rows[i])] = part.first_part;
    }
    return part_of;
}

#define ASSAY_INSTANTIATE(Value, Index) \
    template std::vector<std::int32_t> balanced_parts(const CsrView<Value, Index>&, const BalancedSettings&);
ASSAY_FOR_EACH_MATRIX(ASSAY_INSTANTIATE)
#undef ASSAY_INSTANTIATE

}  // namespace assay::clusters
