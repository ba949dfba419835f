// class_lists.hpp: counts listed by class, as NumPy arrays that have been checked.
#pragma once

#include <cstdint>

#include "assay/linear/bayes/naive_bayes.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"

namespace assay::bindings {

inline linear::ClassCountsView class_counts_view(const InputArray<std::int64_t>& begin,
                                                 const InputArray<std::int32_t>& features,
                                                 const InputArray<double>& counts, std::int64_t n_features) {
    require_lists(span_of(begin), span_of(features), span_of(counts), n_features);
    return {span_of(begin), span_of(features), span_of(counts)};
}

}  // namespace assay::bindings
