// stratification.cpp: binding of the stratification of label sets.
#include "assay/resampling/stratification.hpp"

#include <numeric>

#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {
namespace {

constexpr double kMostWanted = 0x1p62;

void require_positive(const char* name, std::span<const std::int64_t> values) {
    for (const std::int64_t value : values) {
        require(value > 0, std::string(name) + " holds " + std::to_string(value) + ", which is not above 0");
    }
}

double sum(std::span<const std::int64_t> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

void bind_stratification(nb::module_& m) {
    using namespace nb::literals;

    m.def(
        "stratify_units",
        [](const InputArray<std::int64_t>& offsets, const InputArray<std::int32_t>& labels,
           const InputArray<std::int64_t>& counts, const InputArray<std::int64_t>& sizes, std::int32_t n_labels,
           const InputArray<std::int64_t>& weights, std::uint64_t seed, OutputArray<std::int32_t> part_of_unit) {
            require(n_labels >= 0, "n_labels must not be negative");
            require_size("offsets", offsets.size(), sizes.size() + 1);
            require_size("part_of_unit", part_of_unit.size(), sizes.size());
            require(sizes.size() < (std::size_t{1} << 31), "there may be at most 2^31 - 1 units");
            require_lists(span_of(offsets), span_of(labels), span_of(counts), n_labels);
            require_positive("counts", span_of(counts));
            require_positive("sizes", span_of(sizes));
            require_positive("weights", span_of(weights));
            require(weights.size() > 0, "there are no weights");
            const double most = std::max(sum(span_of(sizes)), sum(span_of(counts)));
            require(most * sum(span_of(weights)) < kMostWanted, "sizes times weights must stay below 2^62");
            nb::gil_scoped_release release;
            resampling::stratify_units({span_of(offsets), span_of(labels), span_of(counts), span_of(sizes), n_labels},
                                       span_of(weights), seed, span_of(part_of_unit));
        },
        "offsets"_a, "labels"_a, "counts"_a, "sizes"_a, "n_labels"_a, "weights"_a, "seed"_a,
        "part_of_unit"_a.noconvert());
}

}  // namespace assay::bindings
