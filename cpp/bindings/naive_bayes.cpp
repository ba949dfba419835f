#include "assay/naive_bayes.hpp"

#include "tables.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace assay {
namespace {

template <class Value, class Index>
void bind_count_features(nb::module_& m) {
    m.def(
        "count_features",
        [](InputArray<Index> offsets, InputArray<Index> indices, InputArray<Value> values,
           InputArray<std::int32_t> classes, InputArray<double> weights, Table<double> counts,
           OutputArray<double> totals, int n_threads) {
            const auto n_columns = static_cast<std::int64_t>(counts.shape(0));
            require_size("totals", totals.size(), counts.shape(1));
            const nb::gil_scoped_release released;
            const auto X = checked_csr_view(n_columns, offsets, indices, values);
            require_size("classes", classes.size(), static_cast<std::size_t>(X.n_rows()));
            require_size("weights", weights.size(), static_cast<std::size_t>(X.n_rows()));
            require_range("class", view(classes), static_cast<std::int32_t>(totals.size()));
            count_features(X, view(classes), view(weights), n_threads, view(counts), view(totals));
        },
        "offsets"_a.noconvert(), "indices"_a.noconvert(), "values"_a.noconvert(), "classes"_a.noconvert(),
        "weights"_a.noconvert(), "counts"_a.noconvert(), "totals"_a.noconvert(), "n_threads"_a);
}

std::size_t check_smoothing(const Table<const double>& counts, const InputArray<double>& alpha) {
    if (alpha.size() != 1) require_size("alpha", alpha.size(), counts.shape(0));
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
        [](Table<const double> counts, InputArray<double> totals, InputArray<double> alpha,
           Table<double> log_probabilities, int n_threads) {
            require_size("totals", totals.size(), counts.shape(1));
            require_size("log_probabilities", log_probabilities.size(), check_smoothing(counts, alpha));
            const nb::gil_scoped_release released;
            multinomial_log_probabilities(view(counts), view(totals), view(alpha), n_threads,
                                          view(log_probabilities));
        },
        "counts"_a.noconvert(), "totals"_a.noconvert(), "alpha"_a.noconvert(),
        "log_probabilities"_a.noconvert(), "n_threads"_a);
    m.def(
        "complement_weights",
        [](Table<const double> counts, InputArray<double> totals, InputArray<double> alpha, bool normalise,
           Table<double> weights, int n_threads) {
            require_size("totals", totals.size(), counts.shape(1));
            require_size("weights", weights.size(), check_smoothing(counts, alpha));
            const nb::gil_scoped_release released;
            complement_weights(view(counts), view(totals), view(alpha), normalise, n_threads, view(weights));
        },
        "counts"_a.noconvert(), "totals"_a.noconvert(), "alpha"_a.noconvert(), "normalise"_a,
        "weights"_a.noconvert(), "n_threads"_a);
    m.def(
        "bernoulli_log_probabilities",
        [](Table<const double> counts, InputArray<double> class_counts, InputArray<double> alpha,
           Table<double> log_probabilities, Table<double> weights, OutputArray<double> biases,
           int n_threads) {
            require_size("class_counts", class_counts.size(), counts.shape(1));
            require_size("log_probabilities", log_probabilities.size(), check_smoothing(counts, alpha));
            require_size("weights", weights.size(), counts.size());
            require_size("biases", biases.size(), counts.shape(1));
            const nb::gil_scoped_release released;
            bernoulli_log_probabilities(view(counts), view(class_counts), view(alpha), n_threads,
                                        view(log_probabilities), view(weights), view(biases));
        },
        "counts"_a.noconvert(), "class_counts"_a.noconvert(), "alpha"_a.noconvert(),
        "log_probabilities"_a.noconvert(), "weights"_a.noconvert(), "biases"_a.noconvert(), "n_threads"_a);
}

}  // namespace assay
