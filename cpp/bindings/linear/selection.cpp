#include "assay/linear/bayes/selection.hpp"

#include <utility>

#include "bindings/base/matrices.hpp"
#include "bindings/base/reports.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

template <class Value, class Index>
void bind_types(nb::module_& m) {
    m.def(
        "measure_features",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> labels, std::int32_t n_classes, std::int32_t target, int n_threads) {
            linear::FeatureMeasures found = without_gil([&] {
                const auto X = checked_csr_view(n_columns, row_begin, columns, values);
                require_size("labels", labels.size(), static_cast<std::size_t>(X.n_rows()));
                require_range("labels", span_of(labels), n_classes);
                return linear::measure_features(X, span_of(labels), n_classes, target, n_threads);
            });
            FeatureMeasuresDict result;
            result["document_frequency"] = to_numpy(std::move(found.document_frequency));
            result["information_gain"] = to_numpy(std::move(found.information_gain));
            result["chi_squared"] = to_numpy(std::move(found.chi_squared));
            result["mutual_information"] = to_numpy(std::move(found.mutual_information));
            result["gini"] = to_numpy(std::move(found.gini));
            result["telling_class"] = to_numpy(std::move(found.telling_class));
            result["telling_count"] = to_numpy(std::move(found.telling_count));
            return result;
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
        "labels"_a.noconvert(), "n_classes"_a, "target"_a, "n_threads"_a,
        "How much the presence of each feature tells about the class.");
}

}  // namespace

void bind_selection(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() { bind_types<Value, Index>(m); });
}

}  // namespace assay::bindings
