// targets.hpp (bindings): the labels of rows, one each or sets, as NumPy arrays that have been checked.
#pragma once

#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "assay/linear/targets.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"

namespace assay::bindings {

/// Where the set of each row begins among the labels; None for one label a row.
using LabelOffsets = std::optional<InputArray<std::int64_t>>;

inline linear::Targets targets_view(const InputArray<std::int32_t>& labels, const LabelOffsets& offsets,
                                    std::size_t n_rows) {
    if (!offsets) {
        require_size("labels", labels.size(), n_rows);
        return {span_of(labels)};
    }
    require_size("label_offsets", offsets->size(), n_rows + 1);
    require_offsets("label_offsets", span_of(*offsets), labels.size());
    return {span_of(labels), span_of(*offsets)};
}

}  // namespace assay::bindings
