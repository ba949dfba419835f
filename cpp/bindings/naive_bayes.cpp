#include "assay/naive_bayes.hpp"

#include "arrays.hpp"

namespace assay::bindings {
namespace {

using namespace nb::literals;

template <class Value, class Index>
void bind_count_features(nb::module_& m) {
    m.def(
        "count_features",
        [](Array<const Index> offsets, Array<const Index> indices, Array<const Value> values,
           Array<const std::int32_t> classes, Array<const double> weights, Table<double> counts,
           Array<double> totals, int n_threads) {
            const auto n_columns = static_cast<std::int64_t>(counts.shape(0));
            check_size("totals", totals.size(), counts.shape(1));
            const nb::gil_scoped_release released;
            const auto X = csr_view<Value, Index>(offsets, indices, values, n_columns);
            check_size("classes", classes.size(), static_cast<std::size_t>(X.n_rows()));
            check_size("weights", weights.size(), static_cast<std::size_t>(X.n_rows()));
            check_range("class", span_of(classes), static_cast<std::int32_t>(totals.size()));
            count_features(X, span_of(classes), span_of(weights), n_threads, span_of(counts),
                           span_of(totals));
        },
        "offsets"_a.noconvert(), "indices"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "weights"_a.noconvert(), "counts"_a.noconvert(), "totals"_a.noconvert(), "n_threads"_a);
}

std::size_t check_smoothing(const Table<const double>& counts, const Array<const double>& alpha) {
    if (alpha.size() != 1) check_size("alpha", alpha.size(), counts.shape(0));
    return counts.size();
}

}  // namespace

void bind_naive_bayes(nb::module_& m) {
    bind_count_features<float, std::int32_t>(m);
    bind_count_features<float, std::int64_t>(m);
    bind_count_features<double, std::int32_t>(m);
    bind_count_features<double, std::int64_t>(m);
    m.def(
        "multinomial_log_probabilities",
        [](Table<const double> counts, Array<const double> totals, Array<const double> alpha,
           Table<double> log_probabilities, int n_threads) {
            check_size("totals", totals.size(), counts.shape(1));
            check_size("log_probabilities", log_probabilities.size(), check_smoothing(counts, alpha));
            const nb::gil_scoped_release released;
            multinomial_log_probabilities(span_of(counts), span_of(totals), span_of(alpha), n_threads,
                                          span_of(log_probabilities));
        },
        "counts"_a.noconvert(), "totals"_a.noconvert(), "alpha"_a.noconvert(),
        "log_probabilities"_a.noconvert(), "n_threads"_a);
    m.def(
        "complement_weights",
        [](Table<const double> counts, Array<const double> totals, Array<const double> alpha, bool normalise,
           Table<double> weights, int n_threads) {
            check_size("totals", totals.size(), counts.shape(1));
            check_size("weights", weights.size(), check_smoothing(counts, alpha));
            const nb::gil_scoped_release released;
            complement_weights(span_of(counts), span_of(totals), span_of(alpha), normalise, n_threads,
                               span_of(weights));
        },
        "counts"_a.noconvert(), "totals"_a.noconvert(), "alpha"_a.noconvert(), "normalise"_a,
        "weights"_a.noconvert(), "n_threads"_a);
    m.def(
        "bernoulli_log_probabilities",
        [](Table<const double> counts, Array<const double> class_counts, Array<const double> alpha,
           Table<double> log_probabilities, Table<double> weights, Array<double> biases, int n_threads) {
            check_size("class_counts", class_counts.size(), counts.shape(1));
            check_size("log_probabilities", log_probabilities.size(), check_smoothing(counts, alpha));
            check_size("weights", weights.size(), counts.size());
            check_size("biases", biases.size(), counts.shape(1));
            const nb::gil_scoped_release released;
            bernoulli_log_probabilities(span_of(counts), span_of(class_counts), span_of(alpha), n_threads,
                                        span_of(log_probabilities), span_of(weights), span_of(biases));
        },
        "counts"_a.noconvert(), "class_counts"_a.noconvert(), "alpha"_a.noconvert(),
        "log_probabilities"_a.noconvert(), "weights"_a.noconvert(), "biases"_a.noconvert(), "n_threads"_a);
}

}  // namespace assay::bindings
