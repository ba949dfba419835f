#include "assay/linear/bayes/naive_bayes.hpp"

#include <utility>

#include "bindings/base/matrices.hpp"
#include "bindings/families.hpp"
#include "bindings/linear/class_lists.hpp"
#include "bindings/linear/targets.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

linear::SharedWeightsView weights_view(const InputArray<std::int64_t>& begin, const InputArray<std::int32_t>& classes,
                                       const InputArray<double>& differences, const InputArray<double>& of_feature,
                                       const InputArray<double>& of_class, const InputArray<double>& scale) {
    require_lists(span_of(begin), span_of(classes), span_of(differences), static_cast<std::int64_t>(of_class.size()));
    if (of_feature.size() != 1) require_size("of_feature", of_feature.size(), begin.size() - 1);
    require_size("scale", scale.size(), of_class.size());
    return {span_of(begin),      span_of(classes),  span_of(differences),
            span_of(of_feature), span_of(of_class), span_of(scale)};
}

void require_smoothing(const InputArray<double>& alpha, std::int64_t n_features) {
    if (alpha.size() != 1) require_size("alpha", alpha.size(), static_cast<std::size_t>(n_features));
}

auto to_tuple(linear::SharedWeights&& weights) {
    return to_arrays(std::move(weights.begin), std::move(weights.classes), std::move(weights.differences),
                     std::move(weights.of_feature), std::move(weights.of_class), std::move(weights.scale),
                     std::move(weights.biases));
}

template <class Value, class Index>
void bind_rows(nb::module_& m) {
    m.def(
        "count_features",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> classes, InputArray<double> weights, InputArray<std::int64_t> begin,
           InputArray<std::int32_t> features, InputArray<double> counts, int n_threads, LabelOffsets label_offsets) {
            linear::ClassCounts found = without_gil([&] {
                const auto X = checked_csr_view(n_columns, row_begin, columns, values);
                const auto earlier = class_counts_view(begin, features, counts, n_columns);
                const auto targets = targets_view(classes, label_offsets, static_cast<std::size_t>(X.n_rows()));
                require_size("weights", weights.size(), static_cast<std::size_t>(X.n_rows()));
                require_range("class", span_of(classes), static_cast<std::int32_t>(earlier.n_classes()));
                return linear::count_features(X, targets, span_of(weights), earlier, n_threads);
            });
            return to_arrays(std::move(found.begin), std::move(found.features), std::move(found.counts));
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
        "classes"_a.noconvert(), "weights"_a.noconvert(), "begin"_a.noconvert(), "features"_a.noconvert(),
        "counts"_a.noconvert(), "n_threads"_a, "label_offsets"_a.none() = nb::none());
    m.def(
        "score_with_shared_weights",
        [](InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int64_t> begin, InputArray<std::int32_t> classes, InputArray<double> differences,
           InputArray<double> of_feature, InputArray<double> of_class, InputArray<double> scale,
           InputArray<double> biases, Table<double> scores, int n_threads) {
            const nb::gil_scoped_release released;
            const auto weights = weights_view(begin, classes, differences, of_feature, of_class, scale);
            const auto X = checked_csr_view(weights.n_features(), row_begin, columns, values);
            require_size("biases", biases.size(), of_class.size());
            require_size("scores", scores.size(), static_cast<std::size_t>(X.n_rows()) * of_class.size());
            linear::score_rows(X, weights, span_of(biases), n_threads, span_of(scores));
        },
        "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "begin"_a.noconvert(),
        "classes"_a.noconvert(), "differences"_a.noconvert(), "of_feature"_a.noconvert(), "of_class"_a.noconvert(),
        "scale"_a.noconvert(), "biases"_a.noconvert(), "scores"_a.noconvert(), "n_threads"_a);
}

}  // namespace

void bind_naive_bayes(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() { bind_rows<Value, Index>(m); });
    m.def(
        "multinomial_weights",
        [](InputArray<std::int64_t> begin, InputArray<std::int32_t> features, InputArray<double> counts,
           std::int64_t n_features, InputArray<double> alpha, int n_threads) {
            return to_tuple(without_gil([&] {
                require_smoothing(alpha, n_features);
                return linear::multinomial_weights(class_counts_view(begin, features, counts, n_features), n_features,
                                                   span_of(alpha), n_threads);
            }));
        },
        "begin"_a.noconvert(), "features"_a.noconvert(), "counts"_a.noconvert(), "n_features"_a, "alpha"_a.noconvert(),
        "n_threads"_a);
    m.def(
        "complement_weights",
        [](InputArray<std::int64_t> begin, InputArray<std::int32_t> features, InputArray<double> counts,
           std::int64_t n_features, InputArray<double> alpha, bool normalise, int n_threads) {
            return to_tuple(without_gil([&] {
                require_smoothing(alpha, n_features);
                return linear::complement_weights(class_counts_view(begin, features, counts, n_features), n_features,
                                                  span_of(alpha), normalise, n_threads);
            }));
        },
        "begin"_a.noconvert(), "features"_a.noconvert(), "counts"_a.noconvert(), "n_features"_a, "alpha"_a.noconvert(),
        "normalise"_a, "n_threads"_a);
    m.def(
        "bernoulli_weights",
        [](InputArray<std::int64_t> begin, InputArray<std::int32_t> features, InputArray<double> counts,
           std::int64_t n_features, InputArray<double> class_sizes, double alpha, int n_threads) {
            return to_tuple(without_gil([&] {
                const auto listed = class_counts_view(begin, features, counts, n_features);
                require_size("class_sizes", class_sizes.size(), static_cast<std::size_t>(listed.n_classes()));
                return linear::bernoulli_weights(listed, n_features, span_of(class_sizes), alpha, n_threads);
            }));
        },
        "begin"_a.noconvert(), "features"_a.noconvert(), "counts"_a.noconvert(), "n_features"_a,
        "class_sizes"_a.noconvert(), "alpha"_a, "n_threads"_a);
    m.def(
        "write_out_weights",
        [](InputArray<std::int64_t> begin, InputArray<std::int32_t> classes, InputArray<double> differences,
           InputArray<double> of_feature, InputArray<double> of_class, InputArray<double> scale, Table<double> table,
           int n_threads) {
            const nb::gil_scoped_release released;
            const auto weights = weights_view(begin, classes, differences, of_feature, of_class, scale);
            require_size("table", table.size(), (begin.size() - 1) * of_class.size());
            write_out(weights, n_threads, span_of(table));
        },
        "begin"_a.noconvert(), "classes"_a.noconvert(), "differences"_a.noconvert(), "of_feature"_a.noconvert(),
        "of_class"_a.noconvert(), "scale"_a.noconvert(), "table"_a.noconvert(), "n_threads"_a);
}

}  // namespace assay::bindings
