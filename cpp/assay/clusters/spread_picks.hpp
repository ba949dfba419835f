// spread_picks.hpp: rows that are worth much and unlike each other, taken one after the other.
//
//   take the row of the highest  worth(i) · (1 − spread · s(i)),   s(i) = max_j x_i·x_j over the rows j taken before
//
// the lowest row of equals; s is 0 as long as there is no j, and never counts below 0. With equal worths and
// a spread of 1 this is the greedy k-center (Gonzalez 1985), by cosine.
//
// What a row scores never rises while rows are taken, so a score that was found earlier is a bound: rows wait in order
// of their bounds, only the first is measured again, and it is taken if it is still the first (Minoux 1978). The
// values of the rows taken are listed by column, the latest first, so that a row is measured against those alone that
// it has not been measured against.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/sparse.hpp"

namespace assay::clusters {

struct SpreadSettings {
    std::int64_t n = 1;     // rows to take
    double spread = 1;      // how much being unlike counts, from 0, only worth, to 1
    double most_alike = 1;  // a row with a higher s is not taken
};

struct SpreadPicks {
    std::vector<std::int64_t> rows;  // in the order in which they were taken; fewer than n where there are no others
    std::vector<double> nearest;     // s of each when it was taken
    std::int64_t measured = 0;       // how often a row was measured
};

/// Rows of X must have length 1, or be empty. `worth` has a number for each row, those of 0 or less are never taken;
/// `before` are rows that count as taken already.
template <class Value, class Index>
SpreadPicks pick_spread_rows(const CsrView<Value, Index>& X, std::span<const double> worth,
                             std::span<const std::int64_t> before, const SpreadSettings& settings);

}  // namespace assay::clusters
