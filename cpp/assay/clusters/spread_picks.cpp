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

    void add(std::int64_t row) {
        for (std::int64_t at = X_.begin(row); at < X_.end(row); ++at) {
            auto& latest = latest_[static_cast<std::size_t>(X_.column(at))];
            values_.push_back({products_.size(), latest, static_cast<double>(X_.value(at))});
            latest = static_cast<std::int64_t>(values_.size()) - 1;
        }
        products_.push_back(0);
    }

    /// The largest product of a row with one of those that were taken, at least 0.
    double nearest(std::int64_t row) {
        std::fill(products_.begin(), products_.end(), 0.0);
        for (std::int64_t at = X_.begin(row); at < X_.end(row); ++at) {
            const auto value = static_cast<double>(X_.value(at));
            std::int64_t next = latest_[static_cast<std::size_t>(X_.column(at))];
            while (next >= 0) {
                const Held& held = values_[static_cast<std::size_t>(next)];
                products_[held.taken] += value * held.value;
                next = held.earlier;
            }
        }
        double largest = 0;
        for (const double product : products_) largest = std::max(largest, product);
        return largest;
    }

 private:
    struct Held {
        std::size_t taken;     // number of the row, in the order in which rows were taken
        std::int64_t earlier;  // the value before in the same column; -1 for none
        double value;
    };

    const CsrView<Value, Index>& X_;
    std::vector<std::int64_t> latest_;  // of each column, into values_
    std::vector<Held> values_;
    std::vector<double> products_;
};

struct Waiting {
    double worth;
    std::int64_t row;
    bool operator<(const Waiting& other) const {  // heaps have the largest first: the highest worth, the lowest row
        return worth < other.worth || (worth == other.worth && row > other.row);
    }
};

}  // namespace

template <class Value, class Index>
SpreadPicks pick_spread_rows(const CsrView<Value, Index>& X, std::span<const double> worth,
                             std::span<const std::int64_t> before, std::int64_t n, double most_alike) {
    TakenRows<Value, Index> taken(X);
    for (const std::int64_t row : before) taken.add(row);
    std::vector<Waiting> waiting;
    for (std::int64_t row = 0; row < X.n_rows(); ++row) {
        const double value = worth[static_cast<std::size_t>(row)];
        if (value > 0) waiting.push_back({value, row});
    }
    std::make_heap(waiting.begin(), waiting.end());
    SpreadPicks picks;
    while (!waiting.empty() && static_cast<std::int64_t>(picks.rows.size()) < n) {
        std::pop_heap(waiting.begin(), waiting.end());
        const std::int64_t row = waiting.back().row;
        waiting.pop_back();
        const double nearest = taken.nearest(row);
        if (nearest > most_alike) continue;
        picks.rows.push_back(row);
        picks.nearest.push_back(nearest);
        taken.add(row);
    }
    return picks;
}

#define ASSAY_PICKS(Value, Index)                                                                \
    template SpreadPicks pick_spread_rows(const CsrView<Value, Index>&, std::span<const double>, \
                                          std::span<const std::int64_t>, std::int64_t, double);
ASSAY_FOR_EACH_MATRIX(ASSAY_PICKS)
#undef ASSAY_PICKS

}  // namespace assay::clusters
