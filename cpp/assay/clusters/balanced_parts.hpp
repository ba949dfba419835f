// balanced_parts.hpp: rows in parts of the same size, so that rows of a part are alike.
//
//   2-means on the unit sphere with two clusters of given sizes, again and again (Prabhu et al. 2018, Parabel):
//   assign      d = c₁ − c₂; the rows with the largest x_i·d are cluster 1, the lowest i of equals first
//   re-centre   c = the sum of a cluster's rows, brought to length 1
//
// until no row moves. One centre begins as a row drawn by lot, the other as the row that is least like it. Part p has
// ⌊n/k⌋ or ⌈n/k⌉ rows, the larger parts first. Halves of halves have neighbouring numbers, so neighbouring parts are
// alike too. What is drawn depends on the part and not on the thread: any number of threads gives the same parts.
#pragma once

#include <cstdint>
#include <vector>

#include "assay/base/sparse.hpp"

namespace assay::clusters {

struct BalancedSettings {
    std::int32_t n_parts = 2;
    std::int32_t max_iterations = 20;  // of each division in two
    std::uint64_t seed = 0;
    int n_threads = 1;
};

/// The part of each row.  Requires rows of length 1 or 0, and from 1 to n_rows parts.
template <class Value, class Index>
std::vector<std::int32_t> balanced_parts(const CsrView<Value, Index>& X, const BalancedSettings& settings);

}  // namespace assay::clusters
