#include "assay/clusters/spread_picks.hpp"

#include <cmath>

#include "bindings/base/matrices.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

template <class Value, class Index>
void bind_types(nb::module_& m) {
    m.def(
        "pick_spread_rows",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<double> worth, InputArray<std::int64_t> before, std::int64_t n, double most_alike) {
            clusters::SpreadPicks picks = without_gil([&] {
                const auto X = checked_csr_view(n_columns, row_begin, columns, values);
                require_size("worth", worth.size(), static_cast<std::size_t>(X.n_rows()));
                require_range("before", span_of(before), X.n_rows());
                for (const double each : span_of(worth)) require(std::isfinite(each), "worth must be finite numbers");
                return clusters::pick_spread_rows(X, span_of(worth), span_of(before), n, most_alike);
            });
            return to_arrays(std::move(picks.rows), std::move(picks.nearest));
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
        "worth"_a.noconvert(), "before"_a.noconvert(), nb::kw_only(), "n"_a, "most_alike"_a,
        "Rows worth most, no two of them alike, and how like the nearest one taken before each is.");
}

}  // namespace

void bind_spread_picks(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() { bind_types<Value, Index>(m); });
}

}  // namespace assay::bindings
