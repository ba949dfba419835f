#include "assay/linear/stochastic/perceptron.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>

#include "bindings/base/matrices.hpp"
#include "bindings/families.hpp"
#include "bindings/linear/targets.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

// One epoch as Python hands it over: the rows, what is known about them, and the model that is learned in
// place.
template <class Value, class Index>
struct Epoch {
    CsrView<Value, Index> X;
    linear::Targets classes;
    std::span<const double> copies;
    std::span<const std::int64_t> order;
    linear::PerceptronSettings settings;
    linear::LinearModel model;

    std::int64_t run(linear::ClockedSums* sums, linear::MistakeLog* log) const {
        return linear::learn_from_mistakes(X, classes, copies, order, settings, model, sums, log);
    }
};

linear::LinearModel model_view(const Table<double>& weights, const OutputArray<double>& biases) {
    require_size("biases", biases.size(), weights.shape(1));
    return {span_of(weights), span_of(biases)};
}

template <class Value, class Index>
Epoch<Value, Index> epoch_view(const InputArray<Index>& offsets, const InputArray<Index>& columns,
                               const InputArray<Value>& values, const InputArray<std::int32_t>& classes,
                               const InputArray<double>& copies, const InputArray<std::int64_t>& order,
                               linear::PerceptronSettings settings, const Table<double>& weights,
                               const OutputArray<double>& biases, const LabelOffsets& label_offsets = std::nullopt) {
    const auto X = checked_csr_view(static_cast<std::int64_t>(weights.shape(0)), offsets, columns, values);
    const auto targets = targets_view(classes, label_offsets, static_cast<std::size_t>(X.n_rows()));
    require_size("copies", copies.size(), static_cast<std::size_t>(X.n_rows()));
    const std::size_t fewest = targets.are_sets() ? 1 : 2;  // two single classes share an output
    const auto n_classes = static_cast<std::int32_t>(std::max(biases.size(), fewest));
    require_range("class", span_of(classes), n_classes);
    require_range("row of the order", span_of(order), X.n_rows());
    return {X, targets, span_of(copies), span_of(order), settings, model_view(weights, biases)};
}

template <class Value, class Index>
void bind_training(nb::module_& m) {
    m.def(
        "fingerprint_rows",
        [](InputArray<Index> offsets, InputArray<Index> columns, InputArray<Value> values, std::int64_t n_columns,
           InputArray<std::int32_t> classes, int n_threads, LabelOffsets label_offsets) {
            return to_numpy(without_gil([&] {
                const auto X = checked_csr_view(n_columns, offsets, columns, values);
                const auto targets = targets_view(classes, label_offsets, static_cast<std::size_t>(X.n_rows()));
                return linear::fingerprint_rows(X, targets, n_threads);
            }));
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "n_columns"_a,
        "classes"_a.noconvert(), "n_threads"_a, "label_offsets"_a.none() = nb::none());
    m.def(
        "perceptron_epoch",
        [](InputArray<Index> offsets, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> classes, InputArray<double> copies, InputArray<std::int64_t> order, double rate,
           bool fit_intercept, Table<double> weights, OutputArray<double> biases, LabelOffsets label_offsets) {
            const nb::gil_scoped_release released;
            const auto epoch = epoch_view<Value, Index>(offsets, columns, values, classes, copies, order,
                                                        {rate, fit_intercept}, weights, biases, label_offsets);
            return epoch.run(nullptr, nullptr);
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "copies"_a.noconvert(), "order"_a.noconvert(), "rate"_a, "fit_intercept"_a, "weights"_a.noconvert(),
        "biases"_a.noconvert(), "label_offsets"_a.none() = nb::none());
    m.def(
        "averaged_perceptron_epoch",
        [](InputArray<Index> offsets, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> classes, InputArray<double> copies, InputArray<std::int64_t> order,
           bool fit_intercept, Table<double> weights, OutputArray<double> biases, Table<double> weight_sums,
           OutputArray<double> bias_sums, double clock, bool count_updates, LabelOffsets label_offsets) {
            const nb::gil_scoped_release released;
            const auto epoch = epoch_view<Value, Index>(offsets, columns, values, classes, copies, order,
                                                        {1, fit_intercept}, weights, biases, label_offsets);
            require_size("weight_sums", weight_sums.size(), weights.size());
            linear::ClockedSums sums{model_view(weight_sums, bias_sums), clock,
                                     count_updates ? linear::Clock::updates : linear::Clock::examples};
            const std::int64_t n_mistakes = epoch.run(&sums, nullptr);
            return std::pair(n_mistakes, sums.clock);
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "copies"_a.noconvert(), "order"_a.noconvert(), "fit_intercept"_a, "weights"_a.noconvert(),
        "biases"_a.noconvert(), "weight_sums"_a.noconvert(), "bias_sums"_a.noconvert(), "clock"_a, "count_updates"_a,
        "label_offsets"_a.none() = nb::none());
    m.def(
        "voted_perceptron_epoch",
        [](InputArray<Index> offsets, InputArray<Index> columns, InputArray<Value> values,
           InputArray<std::int32_t> classes, InputArray<double> copies, InputArray<std::int64_t> order,
           bool fit_intercept, Table<double> weights, OutputArray<double> biases) {
            std::vector<std::int64_t> rows;
            std::vector<std::int32_t> predicted;
            std::vector<double> steps;
            linear::MistakeLog log;
            {
                const nb::gil_scoped_release released;
                epoch_view<Value, Index>(offsets, columns, values, classes, copies, order, {1, fit_intercept}, weights,
                                         biases)
                    .run(nullptr, &log);
                for (const linear::Mistake& mistake : log.mistakes) {
                    rows.push_back(mistake.row);
                    predicted.push_back(mistake.predicted);
                    steps.push_back(mistake.step);
                }
            }
            return to_arrays(std::move(rows), std::move(predicted), std::move(steps), std::move(log.survivals));
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "copies"_a.noconvert(), "order"_a.noconvert(), "fit_intercept"_a, "weights"_a.noconvert(),
        "biases"_a.noconvert());
}

template <class Index>
void bind_voting(nb::module_& m) {
    m.def(
        "count_votes",
        [](InputArray<Index> offsets, InputArray<Index> columns, InputArray<double> values,
           InputArray<Index> support_offsets, InputArray<Index> support_rows, InputArray<double> support_values,
           InputArray<std::int64_t> rows, InputArray<std::int32_t> truths, InputArray<std::int32_t> predicted,
           InputArray<double> steps, InputArray<double> votes, bool fit_intercept, std::int64_t n_support,
           Table<double> ballots, int n_threads) {
            const nb::gil_scoped_release released;
            const auto support = checked_csr_view(n_support, support_offsets, support_rows, support_values);
            const auto X = checked_csr_view(support.n_rows(), offsets, columns, values);
            const auto n_classes = static_cast<std::int64_t>(ballots.shape(1));
            require_size("ballots", ballots.shape(0), static_cast<std::size_t>(X.n_rows()));
            require_size("truths", truths.size(), rows.size());
            require_size("predicted", predicted.size(), rows.size());
            require_size("steps", steps.size(), rows.size());
            require_size("votes", votes.size(), rows.size() + 1);
            require_range("mistaken row", span_of(rows), n_support);
            require_range("class", span_of(truths), static_cast<std::int32_t>(n_classes));
            require_range("class", span_of(predicted), static_cast<std::int32_t>(n_classes));
            linear::count_votes(X, support,
                                linear::Electorate{span_of(rows), span_of(truths), span_of(predicted), span_of(steps),
                                                   span_of(votes), fit_intercept, n_classes},
                                n_threads, span_of(ballots));
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "support_offsets"_a.noconvert(),
        "support_rows"_a.noconvert(), "support_values"_a.noconvert(), "rows"_a.noconvert(), "truths"_a.noconvert(),
        "predicted"_a.noconvert(), "steps"_a.noconvert(), "votes"_a.noconvert(), "fit_intercept"_a, "n_support"_a,
        "ballots"_a.noconvert(), "n_threads"_a);
}

}  // namespace

void bind_perceptron(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() { bind_training<Value, Index>(m); });
    bind_voting<std::int32_t>(m);
    bind_voting<std::int64_t>(m);
    m.def(
        "shuffle_groups",
        [](InputArray<std::int64_t> rows, InputArray<std::int64_t> group_begin, std::uint64_t seed,
           std::uint64_t epoch) {
            require_offsets("group_begin", span_of(group_begin), rows.size());
            return to_numpy(linear::shuffle_groups(span_of(rows), span_of(group_begin), seed, epoch));
        },
        "rows"_a.noconvert(), "group_begin"_a.noconvert(), "seed"_a, "epoch"_a);
}

}  // namespace assay::bindings
