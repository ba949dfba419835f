#include "assay/perceptron.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>

#include "arrays.hpp"

namespace assay::bindings {
namespace {

using namespace nb::literals;

// One epoch as Python hands it over: the rows, what is known about them, and the model that is learned in
// place.
template <class Value, class Index>
struct Epoch {
    CsrView<Value, Index> X;
    std::span<const std::int32_t> classes;
    std::span<const double> copies;
    std::span<const std::int64_t> order;
    Settings settings;
    LinearModel model;

    std::int64_t run(ClockedSums* sums, MistakeLog* log) const {
        return learn_from_mistakes(X, classes, copies, order, settings, model, sums, log);
    }
};

LinearModel model_view(const Table<double>& weights, const Array<double>& biases) {
    check_size("biases", biases.size(), weights.shape(1));
    return {span_of(weights), span_of(biases)};
}

template <class Value, class Index>
Epoch<Value, Index> epoch_view(const Array<const Index>& offsets, const Array<const Index>& columns,
                               const Array<const Value>& values, const Array<const std::int32_t>& classes,
                               const Array<const double>& copies, const Array<const std::int64_t>& order,
                               Settings settings, const Table<double>& weights, const Array<double>& biases) {
    const auto X =
        csr_view<Value, Index>(offsets, columns, values, static_cast<std::int64_t>(weights.shape(0)));
    check_size("classes", classes.size(), static_cast<std::size_t>(X.n_rows()));
    check_size("copies", copies.size(), static_cast<std::size_t>(X.n_rows()));
    const auto n_classes = static_cast<std::int32_t>(std::max<std::size_t>(biases.size(), 2));
    check_range("class", span_of(classes), n_classes);
    check_range("row of the order", span_of(order), X.n_rows());
    return {X, span_of(classes), span_of(copies), span_of(order), settings, model_view(weights, biases)};
}

template <class Value, class Index>
void bind_training(nb::module_& m) {
    m.def(
        "fingerprint_rows",
        [](Array<const Index> offsets, Array<const Index> columns, Array<const Value> values,
           std::int64_t n_columns, Array<const std::int32_t> classes, int n_threads) {
            std::vector<std::uint64_t> fingerprints;
            {
                const nb::gil_scoped_release released;
                const auto X = csr_view<Value, Index>(offsets, columns, values, n_columns);
                check_size("classes", classes.size(), static_cast<std::size_t>(X.n_rows()));
                fingerprints = fingerprint_rows(X, span_of(classes), n_threads);
            }
            return to_numpy(std::move(fingerprints));
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "n_columns"_a,
        "classes"_a.noconvert(), "n_threads"_a);
    m.def(
        "perceptron_epoch",
        [](Array<const Index> offsets, Array<const Index> columns, Array<const Value> values,
           Array<const std::int32_t> classes, Array<const double> copies, Array<const std::int64_t> order,
           double rate, bool fit_intercept, Table<double> weights, Array<double> biases) {
            const nb::gil_scoped_release released;
            const auto epoch = epoch_view<Value, Index>(offsets, columns, values, classes, copies, order,
                                                        {rate, fit_intercept}, weights, biases);
            return epoch.run(nullptr, nullptr);
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "copies"_a.noconvert(), "order"_a.noconvert(), "rate"_a, "fit_intercept"_a, "weights"_a.noconvert(),
        "biases"_a.noconvert());
    m.def(
        "averaged_perceptron_epoch",
        [](Array<const Index> offsets, Array<const Index> columns, Array<const Value> values,
           Array<const std::int32_t> classes, Array<const double> copies, Array<const std::int64_t> order,
           bool fit_intercept, Table<double> weights, Array<double> biases, Table<double> weight_sums,
           Array<double> bias_sums, double clock, bool count_updates) {
            const nb::gil_scoped_release released;
            const auto epoch = epoch_view<Value, Index>(offsets, columns, values, classes, copies, order,
                                                        {1, fit_intercept}, weights, biases);
            check_size("weight_sums", weight_sums.size(), weights.size());
            ClockedSums sums{model_view(weight_sums, bias_sums), clock,
                             count_updates ? Clock::updates : Clock::examples};
            const std::int64_t n_mistakes = epoch.run(&sums, nullptr);
            return std::pair(n_mistakes, sums.clock);
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "copies"_a.noconvert(), "order"_a.noconvert(), "fit_intercept"_a, "weights"_a.noconvert(),
        "biases"_a.noconvert(), "weight_sums"_a.noconvert(), "bias_sums"_a.noconvert(), "clock"_a,
        "count_updates"_a);
    m.def(
        "voted_perceptron_epoch",
        [](Array<const Index> offsets, Array<const Index> columns, Array<const Value> values,
           Array<const std::int32_t> classes, Array<const double> copies, Array<const std::int64_t> order,
           bool fit_intercept, Table<double> weights, Array<double> biases) {
            std::vector<std::int64_t> rows;
            std::vector<std::int32_t> predicted;
            std::vector<double> steps;
            MistakeLog log;
            {
                const nb::gil_scoped_release released;
                epoch_view<Value, Index>(offsets, columns, values, classes, copies, order, {1, fit_intercept},
                                         weights, biases)
                    .run(nullptr, &log);
                for (const Mistake& mistake : log.mistakes) {
                    rows.push_back(mistake.row);
                    predicted.push_back(mistake.predicted);
                    steps.push_back(mistake.step);
                }
            }
            return nb::make_tuple(to_numpy(std::move(rows)), to_numpy(std::move(predicted)),
                                  to_numpy(std::move(steps)), to_numpy(std::move(log.survivals)));
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "copies"_a.noconvert(), "order"_a.noconvert(), "fit_intercept"_a, "weights"_a.noconvert(),
        "biases"_a.noconvert());
}

template <class Index>
void bind_voting(nb::module_& m) {
    m.def(
        "count_votes",
        [](Array<const Index> offsets, Array<const Index> columns, Array<const double> values,
           Array<const Index> support_offsets, Array<const Index> support_rows,
           Array<const double> support_values, Array<const std::int64_t> rows,
           Array<const std::int32_t> truths, Array<const std::int32_t> predicted, Array<const double> steps,
           Array<const double> votes, bool fit_intercept, std::int64_t n_support, Table<double> ballots,
           int n_threads) {
            const nb::gil_scoped_release released;
            const auto support =
                csr_view<double, Index>(support_offsets, support_rows, support_values, n_support);
            const auto X = csr_view<double, Index>(offsets, columns, values, support.n_rows());
            const auto n_classes = static_cast<std::int64_t>(ballots.shape(1));
            check_size("ballots", ballots.shape(0), static_cast<std::size_t>(X.n_rows()));
            check_size("truths", truths.size(), rows.size());
            check_size("predicted", predicted.size(), rows.size());
            check_size("steps", steps.size(), rows.size());
            check_size("votes", votes.size(), rows.size() + 1);
            check_range("mistaken row", span_of(rows), n_support);
            check_range("class", span_of(truths), static_cast<std::int32_t>(n_classes));
            check_range("class", span_of(predicted), static_cast<std::int32_t>(n_classes));
            count_votes(X, support,
                        Electorate{span_of(rows), span_of(truths), span_of(predicted), span_of(steps),
                                   span_of(votes), fit_intercept, n_classes},
                        n_threads, span_of(ballots));
        },
        "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
        "support_offsets"_a.noconvert(), "support_rows"_a.noconvert(), "support_values"_a.noconvert(),
        "rows"_a.noconvert(), "truths"_a.noconvert(), "predicted"_a.noconvert(), "steps"_a.noconvert(),
        "votes"_a.noconvert(), "fit_intercept"_a, "n_support"_a, "ballots"_a.noconvert(), "n_threads"_a);
}

}  // namespace

void bind_perceptron(nb::module_& m) {
    bind_training<float, std::int32_t>(m);
    bind_training<float, std::int64_t>(m);
    bind_training<double, std::int32_t>(m);
    bind_training<double, std::int64_t>(m);
    bind_voting<std::int32_t>(m);
    bind_voting<std::int64_t>(m);
    m.def(
        "shuffle_groups",
        [](Array<const std::int64_t> rows, Array<const std::int64_t> group_begin, std::uint64_t seed,
           std::uint64_t epoch) {
            const auto begins = span_of(group_begin);
            if (begins.empty() || begins.front() != 0 ||
                begins.back() != static_cast<std::int64_t>(rows.size()) || !std::ranges::is_sorted(begins)) {
                throw std::invalid_argument("groups must cover the rows from first to last");
            }
            return to_numpy(shuffle_groups(span_of(rows), begins, seed, epoch));
        },
        "rows"_a.noconvert(), "group_begin"_a.noconvert(), "seed"_a, "epoch"_a);
}

}  // namespace assay::bindings
