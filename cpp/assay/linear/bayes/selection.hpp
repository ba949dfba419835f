// selection.hpp: how much the presence of each feature tells about the class, from one pass over the matrix.
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/memory.hpp"
#include "assay/base/sparse.hpp"

namespace assay::linear {

/// One entry a feature.
struct FeatureMeasures {
    explicit FeatureMeasures(std::size_t n_features)
        : document_frequency(n_features),
          information_gain(n_features),
          chi_squared(n_features),
          mutual_information(n_features),
          gini(n_features),
          telling_class(n_features),
          telling_count(n_features) {}

    ZeroedArray<std::int64_t> document_frequency;  // rows that have the feature
    ZeroedArray<double> information_gain;          // bits
    ZeroedArray<double> chi_squared;
    ZeroedArray<double> mutual_information;  // pointwise, of the feature and its telling class
    ZeroedArray<double> gini;
    ZeroedArray<std::int32_t> telling_class;  // -1 for a feature that no row has
    ZeroedArray<std::int64_t> telling_count;  // rows of that class that have the feature
};

/// A row has a feature if it stores a value for it that is not zero. With n_c rows of class c that have feature j, out
/// of N_c, and n = Σ n_c, N = Σ N_c, over all classes:
///
///     information gain  H(class) − [n/N·H(class | j) + (N − n)/N·H(class | not j)],       H = −Σ p log₂ p
///     χ²                Σ over the 2 × n_classes cells of (found − expected)² / expected
///     mutual            log₂ (n_c·N / (n·N_c)), −∞ where n_c = 0
///     Gini              G(class) − [n/N·G(class | j) + (N − n)/N·G(class | not j)],       G = 1 − Σ p²
///
/// The telling class is `target`, or, where that is negative, the class c with the highest n_c / N_c, the first of
/// equals.
///
/// Given: X without duplicate entries, labels in [0, n_classes), one a row. Rows are read once, class by class. Sums
/// run over the classes in order, so that the result has the same bits for every number of threads.
template <class Value, class Index>
FeatureMeasures measure_features(const CsrView<Value, Index>& X, std::span<const std::int32_t> labels,
                                 std::int32_t n_classes, std::int32_t target, int n_threads);

}  // namespace assay::linear
