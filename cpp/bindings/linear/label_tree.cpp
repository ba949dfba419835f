// label_tree.cpp: labels divided into parts that are alike, and the search of a tree of linear models.
#include <nanobind/stl/tuple.h>

#include "assay/clusters/balanced_parts.hpp"
#include "assay/linear/tree_search.hpp"
#include "bindings/base/matrices.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

/// A tree and its weights, checked once.
template <class Weight>
struct TreeOfModels {
    InputArray<std::int64_t> weight_begin;
    InputArray<std::int32_t> nodes;
    InputArray<Weight> weights;
    InputArray<double> bias;
    InputArray<std::int32_t> child_begin;
    InputArray<std::int32_t> labels;
};

/// Children come after their parents, in the order of these, and every node but the root is the child of one.
void require_tree(std::span<const std::int32_t> child_begin, std::span<const std::int32_t> labels) {
    require_size("children", child_begin.size(), labels.size() + 2);
    require(child_begin.front() == 0 && std::ranges::is_sorted(child_begin) &&
                child_begin.back() == static_cast<std::int32_t>(labels.size()),
            "the children of the nodes must rise from 0 to " + std::to_string(labels.size()));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool has_children = child_begin[i + 1] < child_begin[i + 2];
        require(!has_children || child_begin[i + 1] > static_cast<std::int32_t>(i),
                "node " + std::to_string(i) + " comes after its children");
        require(has_children == (labels[i] < 0), "node " + std::to_string(i) + " must have either children or a label");
    }
}

template <class Weight>
TreeOfModels<Weight> tree_of_models(InputArray<std::int64_t> weight_begin, InputArray<std::int32_t> nodes,
                                    InputArray<Weight> weights, InputArray<double> bias,
                                    InputArray<std::int32_t> child_begin, InputArray<std::int32_t> labels) {
    require_tree(span_of(child_begin), span_of(labels));
    require_size("bias", bias.size(), labels.size());
    const auto lists = span_of(nodes);
    const auto begin = span_of(weight_begin);
    require_lists(begin, lists, span_of(weights), static_cast<std::int64_t>(labels.size()));
    for (std::size_t j = 0; j + 1 < begin.size(); ++j) {
        const auto of_feature =
            lists.subspan(static_cast<std::size_t>(begin[j]), static_cast<std::size_t>(begin[j + 1] - begin[j]));
        require(std::ranges::adjacent_find(of_feature, std::ranges::greater_equal{}) == of_feature.end(),
                "the nodes of the weights of feature " + std::to_string(j) + " do not rise");
    }
    return {std::move(weight_begin), std::move(nodes),       std::move(weights),
            std::move(bias),         std::move(child_begin), std::move(labels)};
}

template <class Weight, class Value, class Index>
auto searched(const TreeOfModels<Weight>& self, InputArray<Index> row_begin, InputArray<Index> columns,
              InputArray<Value> values, std::int32_t beam, std::int32_t most, int n_threads) {
    require(beam >= 1, "the beam must be 1 or more; it is " + std::to_string(beam));
    require(most >= 0, "most must be 0 or more; it is " + std::to_string(most));
    auto found = without_gil([&] {
        const auto n_features = static_cast<std::int64_t>(self.weight_begin.size()) - 1;
        const auto X = checked_csr_view(n_features, row_begin, columns, values);
        const FeatureWeights<Weight> listed{span_of(self.weights), span_of(self.weight_begin), span_of(self.nodes)};
        const linear::TreeView tree{span_of(self.child_begin), span_of(self.labels), span_of(self.bias)};
        return linear::search_tree(X, listed, tree, beam, most, n_threads);
    });
    return to_arrays(std::move(found.begin), std::move(found.labels), std::move(found.scores));
}

template <class Weight>
void bind_tree(nb::module_& m) {
    nb::class_<TreeOfModels<Weight>> tree(m, sizeof(Weight) == 4 ? "TreeOfModels32" : "TreeOfModels64");
    for_each_matrix([&]<class Value, class Index>() {
        tree.def("search", &searched<Weight, Value, Index>, "row_begin"_a.noconvert(), "columns"_a.noconvert(),
                 "values"_a.noconvert(), nb::kw_only(), "beam"_a, "most"_a, "n_threads"_a);
    });
    m.def("tree_of_models", &tree_of_models<Weight>, "weight_begin"_a.noconvert(), "nodes"_a.noconvert(),
          "weights"_a.noconvert(), "bias"_a.noconvert(), "child_begin"_a.noconvert(), "labels"_a.noconvert());
}

template <class Value, class Index>
void bind_parts(nb::module_& m) {
    m.def(
        "balanced_parts",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           std::int32_t n_parts, std::int32_t max_iterations, std::uint64_t seed, int n_threads) {
            auto found = without_gil([&] {
                const auto X = checked_csr_view(n_columns, row_begin, columns, values);
                return clusters::balanced_parts(X, {n_parts, max_iterations, seed, n_threads});
            });
            return to_numpy(std::move(found));
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), nb::kw_only(),
        "n_parts"_a, "max_iterations"_a, "seed"_a, "n_threads"_a);
}

}  // namespace

void bind_label_tree(nb::module_& m) {
    m.attr("UNREACHED") = linear::kUnreached;
    bind_tree<float>(m);
    bind_tree<double>(m);
    for_each_matrix([&]<class Value, class Index>() { bind_parts<Value, Index>(m); });
}

}  // namespace assay::bindings
