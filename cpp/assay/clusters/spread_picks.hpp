// spread_picks.hpp: rows that are worth most, no two of them alike.
//
// Rows are looked at by falling worth, the lowest row of equals first. A row is taken unless its product with one that
// was taken before is above `most_alike`, until there are n. What is left out is thus like a row that was taken and is
// worth as much or more: the rows taken cover all that was looked at, each with its likes around it.
//
// The values of the rows taken are listed by column, so that a row is measured against those alone that share a column
// with it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/sparse.hpp"

namespace assay::clusters {

struct SpreadPicks {
    std::vector<std::int64_t> rows;  // in the order in which they were taken; fewer than n where there are no others
    std::vector<double> nearest;     // of each the largest product with a row taken before, at least 0
};

/// `worth` has a number for each row, those of 0 or less are never taken; `before` are rows that count as taken
/// already.
template <class Value, class Index>
SpreadPicks pick_spread_rows(const CsrView<Value, Index>& X, std::span<const double> worth,
                             std::span<const std::int64_t> before, std::int64_t n, double most_alike);

}  // namespace assay::clusters
