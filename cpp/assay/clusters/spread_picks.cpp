#include "assay/clusters/spread_picks.hpp"

#include <algorithm>
#include <cstddef>

namespace assay::clusters {
namespace {

/// The values of rows that were taken, by column.
template <class Value, class Index>
class TakenRows {
 public:
    explicit TakenRows(const CsrView<Value, Index>& X) : X_(X), latest_(static_cast<std::size_t>(X.n_columns), -1) {}

    std::int64_t size() const { return size_; }

    void add(std::int64_t row) {
        for (std::int64_t at = X_.begin(row); at < X_.end(row); ++at) {
            auto& latest = latest_[static_cast<std::size_t>(X_.column(at))];
            values_.push_back({size_, latest, static_cast<double>(X_.value(at))});
            latest = static_cast<std::int64_t>(values_.size()) - 1;
        }
        products_.push_back(0);
        ++size_;
    }

    /// The largest product of a row with those that were taken from the number `first` on, at least 0.
    double nearest(std::int64_t row, std::int64_t first) {
        double largest = 0;
        for (std::int64_t at = X_.begin(row); at < X_.end(row); ++at) {
            const auto value = static_cast<double>(X_.value(at));
            std::int64_t next = latest_[static_cast<std::size_t>(X_.column(at))];
            while (next >= 0 && values_[static_cast<std::size_t>(next)].number >= first) {
                const Held& held = values_[static_cast<std::size_t>(next)];
                products_[static_cast<std::size_t>(held.number)] += value * held.value;
                next = held.earlier;
            }
        }
        const auto begin = products_.begin() + first;
        for (auto product = begin; product != products_.end(); ++product) {
            largest = std::max(largest, *product);
            *product = 0;
        }
        return largest;
    }

 private:
    struct Held {
        std::int64_t number;   // of the row, in the order in which rows were taken
        std::int64_t earlier;  // the value before in the same column; -1 for none
        double value;
    };

    const CsrView<Value, Index>& X_;
    std::vector<std::int64_t> latest_;  // of each column, into values_
    std::vector<Held> values_;
    std::vector<double> products_;
    std::int64_t size_ = 0;
};

struct Waiting {
    double bound;
    std::int64_t row;
    bool operator<(const Waiting& other) const {  // std heaps have the largest first: the highest bound, the lowest row
        return bound < other.bound || (bound == other.bound && row > other.row);
    }
};

}  // namespace

template <class Value, class Index>
SpreadPicks pick_spread_rows(const CsrView<Value, Index>& X, std::span<const double> worth,
                             std::span<const std::int64_t> before, const SpreadSettings& settings) {
    TakenRows<Value, Index> taken(X);
    for (const std::int64_t row : before) taken.add(row);
    std::vector<Waiting> waiting;
    for (std::int64_t row = 0; row < X.n_rows(); ++row) {
        const double value = worth[static_cast<std::size_t>(row)];
        if (value > 0) waiting.push_back({value, row});
    }
    std::make_heap(waiting.begin(), waiting.end());
    std::vector<double> nearest(worth.size(), 0);
    std::vector<std::int64_t> seen(worth.size(), 0);
    SpreadPicks picks;
    while (!waiting.empty() && static_cast<std::int64_t>(picks.rows.size()) < settings.n) {
        std::pop_heap(waiting.begin(), waiting.end());
        Waiting& first = waiting.back();
        const auto row = static_cast<std::size_t>(first.row);
        if (seen[row] < taken.size()) {
            nearest[row] = std::max(nearest[row], taken.nearest(first.row, seen[row]));
            seen[row] = taken.size();
            ++picks.measured;
            first.bound = worth[row] * std::max(1 - settings.spread * nearest[row], 0.0);
            if (nearest[row] > settings.most_alike) {
                waiting.pop_back();
            } else {
                std::push_heap(waiting.begin(), waiting.end());
            }
            continue;
        }
        picks.rows.push_back(first.row);
        picks.nearest.push_back(nearest[row]);
        taken.add(first.row);
        waiting.pop_back();
    }
    return picks;
}

#define ASSAY_PICKS(Value, Index)                                                                \
    template SpreadPicks pick_spread_rows(const CsrView<Value, Index>&, std::span<const double>, \
                                          std::span<const std::int64_t>, const SpreadSettings&);
ASSAY_FOR_EACH_MATRIX(ASSAY_PICKS)
#undef ASSAY_PICKS

}  // namespace assay::clusters
