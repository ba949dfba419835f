// tree_search.hpp: the labels of rows by a tree of linear models, searched from the root with a beam.
//
// A node has a linear score s. What the nodes on the way to a node say together is
//
//   P = Σ max(0, 1 − s)²              what the way costs: nothing where every score reaches the margin
//   score = 1 − √P,  or, where P = 0, the least s on the way;  at least kUnreached
//
// so that the score of a child of the root is s itself (down to kUnreached), and a way is never better than a part of
// it. Of the inner nodes of a depth, the `beam` with the best scores are gone into, the lowest numbers of equals first;
// all their children are scored. Labels that were not reached are not among the answers.
//
// Nodes are numbered so that the children of each follow each other, and the lists of weights rise by node: only the
// stretch of a feature's list that belongs to a node that is gone into is read (as in Etter et al. 2022).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/feature_weights.hpp"
#include "assay/base/sparse.hpp"

namespace assay::linear {

constexpr double kUnreached = -10.0;

/// A tree of `labels.size()` nodes beside the root.
struct TreeView {
    std::span<const std::int32_t>
        child_begin;                       // children of node i from [i + 1] to [i + 2]; of the root from [0] to [1]
    std::span<const std::int32_t> labels;  // of each node its label; -1 for inner nodes
    std::span<const double> bias;          // of each node
};

/// The labels that were reached of each row, rising, and their scores.
struct ReachedLabels {
    std::vector<std::int64_t> begin;  // n_rows + 1
    std::vector<std::int32_t> labels;
    std::vector<double> scores;
};

/// Requires weights that are lists rising by node, and a tree whose children come after their parents.
/// Of each row at most `most` labels are kept, those with the best scores; 0 keeps all.
template <class Value, class Index, class Weight>
ReachedLabels search_tree(const CsrView<Value, Index>& X, const FeatureWeights<Weight>& weights, const TreeView& tree,
                          std::int32_t beam, std::int32_t most, int n_threads);

}  // namespace assay::linear
