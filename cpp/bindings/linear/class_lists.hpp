// class_lists.hpp: counts listed by class, as NumPy arrays that have been checked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "assay/linear/bayes/naive_bayes.hpp"
#include "bindings/base/tables.hpp"

namespace assay::bindings {

/// Lists are checked as a CSR matrix is: offsets that never fall, and indices inside of what they point to.
inline void require_lists(std::span<const std::int64_t> begin, std::span<const std::int32_t> indices,
                          std::span<const double> values, std::int64_t limit) {
    if (begin.empty() || begin.front() != 0 || !std::ranges::is_sorted(begin)) {
        throw std::invalid_argument("offsets of lists must begin with 0 and never fall");
    }
    require_size("indices of lists", indices.size(), static_cast<std::size_t>(begin.back()));
    require_size("values of lists", values.size(), indices.size());
    require_range("index", indices, static_cast<std::int32_t>(limit));
}

inline linear::ClassCountsView class_counts_view(const InputArray<std::int64_t>& begin,
                                                 const InputArray<std::int32_t>& features,
                                                 const InputArray<double>& counts, std::int64_t n_features) {
    require_lists(span_of(begin), span_of(features), span_of(counts), n_features);
    return {span_of(begin), span_of(features), span_of(counts)};
}

}  // namespace assay::bindings
