// resampling.cpp: bindings of the resampling kernels.
#include "assay/resampling/resampling.hpp"

#include <vector>

#include "assay/resampling/document_resampling.hpp"
#include "assay/resampling/set_resampling.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {
namespace {

using Output = nb::ndarray<double, nb::c_contig, nb::device::cpu>;  // first axis: resamples

/// Spans over the cells after every index in them has been checked.
resampling::Cells checked_cells(const InputArray<std::int32_t>& truth, const Table<const std::int32_t>& predictions,
                                const InputArray<std::int64_t>& counts, const InputArray<std::int32_t>& strata,
                                std::int32_t n_classes) {
    const std::size_t n_cells = truth.size();
    require(n_cells > 0, "there are no cells");
    require(predictions.shape(1) == 1 || predictions.shape(1) == 2, "there must be one system or two");
    require_size("predictions", predictions.shape(0), n_cells);
    require_size("counts", counts.size(), n_cells);
    require_size("strata", strata.size(), n_cells);
    require_range("truth", span_of(truth), n_classes);
    require_range("predictions", span_of(predictions), n_classes);
    std::int64_t n_documents = 0;
    for (std::size_t c = 0; c < n_cells; ++c) {
        require(counts.data()[c] > 0 && counts.data()[c] < (std::int64_t{1} << 31), "counts must be positive");
        require(c == 0 || strata.data()[c - 1] <= strata.data()[c], "strata must not decrease");
        n_documents += counts.data()[c];
    }
    require(n_documents < (std::int64_t{1} << 31), "there may be at most 2^31 - 1 documents");
    return {span_of(truth),  span_of(predictions),
            span_of(counts), span_of(strata),
            n_classes,       static_cast<std::int32_t>(predictions.shape(1))};
}

/// Rows of codes are (measure, average, class).
std::vector<resampling::LabelMetric> checked_metrics(const Table<const std::int32_t>& codes,
                                                     const InputArray<double>& betas, std::int32_t n_classes) {
    require_size("a row of metric codes", codes.shape(1), 3);
    require_size("betas", betas.size(), codes.shape(0));
    std::vector<resampling::LabelMetric> metrics;
    for (std::size_t m = 0; m < codes.shape(0); ++m) {
        const std::int32_t* code = codes.data() + 3 * m;
        require(code[0] >= 0 && code[0] <= static_cast<std::int32_t>(resampling::Measure::f_beta), "unknown measure");
        require(code[1] >= 0 && code[1] <= static_cast<std::int32_t>(resampling::Average::weighted), "unknown average");
        require_range("metric codes", std::span(code + 2, 1), n_classes);
        metrics.push_back({static_cast<resampling::Measure>(code[0]), static_cast<resampling::Average>(code[1]),
                           code[2], betas.data()[m]});
    }
    return metrics;
}

/// Runs work(cells, metrics, values) without the GIL when everything fits together.
template <class Work>
void with_cells(const InputArray<std::int32_t>& truth, const Table<const std::int32_t>& predictions,
                const InputArray<std::int64_t>& counts, const InputArray<std::int32_t>& strata, std::int32_t n_classes,
                const Table<const std::int32_t>& codes, const InputArray<double>& betas, std::size_t n_rows,
                Output& values, Work&& work) {
    const resampling::Cells cells = checked_cells(truth, predictions, counts, strata, n_classes);
    const std::vector<resampling::LabelMetric> metrics = checked_metrics(codes, betas, n_classes);
    require_size("values", values.size(), n_rows * predictions.shape(1) * metrics.size());
    nb::gil_scoped_release release;
    work(cells, std::span(metrics), span_of(values));
}

/// The arrays that describe DocumentMetrics; row k of the last three is the ranking for one class.
struct DocumentArrays {
    Table<const double> means_of;
    InputArray<double> gaps;
    InputArray<std::int32_t> bins;
    std::int32_t n_bins;
    Table<const std::int32_t> order;
    Table<const std::uint8_t> positive;
    Table<const std::uint8_t> last_of_tie;
};

std::vector<resampling::Ranking> checked_rankings(const DocumentArrays& arrays) {
    const std::size_t n = arrays.means_of.shape(0);
    const std::size_t n_rankings = arrays.order.shape(0);
    require_size("order", arrays.order.size(), n_rankings * n);
    require_size("positive", arrays.positive.size(), n_rankings * n);
    require_size("last_of_tie", arrays.last_of_tie.size(), n_rankings * n);
    require_range("order", span_of(arrays.order), static_cast<std::int64_t>(n));
    for (const std::uint8_t flag : span_of(arrays.positive)) require(flag <= 1, "positive must hold 0 and 1");
    std::vector<resampling::Ranking> rankings;
    for (std::size_t k = 0; k < n_rankings; ++k) {
        rankings.push_back({span_of(arrays.order).subspan(k * n, n), span_of(arrays.positive).subspan(k * n, n),
                            span_of(arrays.last_of_tie).subspan(k * n, n)});
    }
    return rankings;
}

/// Runs work(metrics, values) without the GIL when everything fits together; values has n_rows rows of
/// metrics.
template <class Work>
void with_documents(const DocumentArrays& arrays, std::size_t n_rows, Output& values, Work&& work) {
    const std::size_t n = arrays.means_of.shape(0);
    require(n < (std::size_t{1} << 31), "there may be at most 2^31 - 1 documents");
    if (arrays.n_bins > 0) {
        require_size("gaps", arrays.gaps.size(), n);
        require_size("bins", arrays.bins.size(), n);
        require_range("bins", span_of(arrays.bins), arrays.n_bins);
    }
    const std::vector<resampling::Ranking> rankings = checked_rankings(arrays);
    const resampling::DocumentMetrics metrics{static_cast<std::int64_t>(n),
                                              span_of(arrays.means_of),
                                              static_cast<std::int64_t>(arrays.means_of.shape(1)),
                                              span_of(arrays.gaps),
                                              span_of(arrays.bins),
                                              arrays.n_bins,
                                              rankings};
    require_size("values", values.size(), n_rows * static_cast<std::size_t>(metrics.size()));
    nb::gil_scoped_release release;
    work(metrics, span_of(values));
}

/// The arrays that describe SetCells.
struct SetArrays {
    InputArray<std::int64_t> counts;
    InputArray<std::int64_t> begin;
    InputArray<std::int32_t> slots;
    nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu> means_of;  // cells x systems x means
    std::int32_t n_labels;
};

/// Runs work(cells, plan, values) without the GIL when everything fits together.
template <class Work>
void with_sets(const SetArrays& arrays, const Table<const std::int32_t>& codes, const InputArray<double>& betas,
               double undefined, bool every_class, std::uint64_t seed, int n_threads, Output& values, Work&& work) {
    const std::size_t n_cells = arrays.counts.size();
    const std::size_t n_systems = arrays.means_of.shape(1);
    require(n_cells > 0, "there are no cells");
    require(arrays.n_labels > 0, "there are no labels");
    require(n_systems == 1 || n_systems == 2, "there must be one system or two");
    require_size("means_of", arrays.means_of.shape(0), n_cells);
    require_size("begin", arrays.begin.size(), n_cells * n_systems + 1);
    require_offsets("begin", span_of(arrays.begin), arrays.slots.size());
    require_range("slots", span_of(arrays.slots), std::int64_t{3} * arrays.n_labels);
    std::int64_t n_texts = 0;
    for (const std::int64_t count : span_of(arrays.counts)) {
        require(count > 0 && count < (std::int64_t{1} << 31), "counts must be positive");
        n_texts += count;
    }
    require(n_texts < (std::int64_t{1} << 31), "there may be at most 2^31 - 1 texts");
    const std::vector<resampling::LabelMetric> metrics = checked_metrics(codes, betas, arrays.n_labels);
    for (const resampling::LabelMetric& metric : metrics) {
        require(metric.measure >= resampling::Measure::precision, "label sets have precision, recall and F only");
    }
    const resampling::SetCells cells{span_of(arrays.counts),
                                     span_of(arrays.begin),
                                     span_of(arrays.slots),
                                     std::span(arrays.means_of.data(), arrays.means_of.size()),
                                     arrays.n_labels,
                                     static_cast<std::int32_t>(n_systems),
                                     static_cast<std::int32_t>(arrays.means_of.shape(2))};
    const std::size_t n_resamples = values.shape(0);
    require_size("values", values.size(), n_resamples * n_systems * (metrics.size() + arrays.means_of.shape(2)));
    nb::gil_scoped_release release;
    work(cells,
         resampling::ResamplingPlan{metrics, undefined, static_cast<std::int64_t>(n_resamples), seed, n_threads,
                                    every_class},
         span_of(values));
}

void check_strata(const InputArray<std::int32_t>& members, const InputArray<std::int64_t>& bounds,
                  std::size_t n_documents) {
    require_range("members", span_of(members), static_cast<std::int64_t>(n_documents));
    require_offsets("bounds", span_of(bounds), members.size());
}

}  // namespace

void bind_resampling(nb::module_& m) {
    using namespace nb::literals;

    m.def(
        "observed_metrics",
        [](const InputArray<std::int32_t>& truth, const Table<const std::int32_t>& predictions,
           const InputArray<std::int64_t>& counts, const InputArray<std::int32_t>& strata, std::int32_t n_classes,
           const Table<const std::int32_t>& codes, const InputArray<double>& betas, double undefined, Output values) {
            with_cells(truth, predictions, counts, strata, n_classes, codes, betas, 1, values,
                       [&](const auto& cells, auto metrics, auto out) {
                           resampling::observed_metrics(cells, metrics, undefined, out);
                       });
        },
        "truth"_a, "predictions"_a, "counts"_a, "strata"_a, "n_classes"_a, "codes"_a, "betas"_a, "undefined"_a,
        "values"_a.noconvert());

    m.def(
        "tally_metrics",
        [](const nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>& tallies,
           const Table<const std::int32_t>& codes, const InputArray<double>& betas, double undefined, int n_threads,
           Output values, bool every_class) {
            require_size("a row of tallies", tallies.shape(1), 3);
            const std::size_t n_classes = tallies.shape(2);
            require(n_classes > 0, "there are no classes");
            const std::vector<resampling::LabelMetric> metrics =
                checked_metrics(codes, betas, static_cast<std::int32_t>(n_classes));
            require_size("values", values.size(), tallies.shape(0) * metrics.size());
            nb::gil_scoped_release release;
            resampling::tally_metrics(std::span(tallies.data(), tallies.size()), n_classes, metrics, undefined,
                                      n_threads, span_of(values), every_class);
        },
        "tallies"_a, "codes"_a, "betas"_a, "undefined"_a, "n_threads"_a, "values"_a.noconvert(),
        "every_class"_a = false);

    const auto define_resampler = [&m](const char* name, auto kernel) {
        m.def(
            name,
            [kernel](const InputArray<std::int32_t>& truth, const Table<const std::int32_t>& predictions,
                     const InputArray<std::int64_t>& counts, const InputArray<std::int32_t>& strata,
                     std::int32_t n_classes, const Table<const std::int32_t>& codes, const InputArray<double>& betas,
                     double undefined, std::uint64_t seed, int n_threads, Output values) {
                with_cells(truth, predictions, counts, strata, n_classes, codes, betas, values.shape(0), values,
                           [&](const auto& cells, auto metrics, auto out) {
                               kernel(
                                   cells,
                                   resampling::ResamplingPlan{
                                       metrics, undefined, static_cast<std::int64_t>(values.shape(0)), seed, n_threads},
                                   out);
                           });
            },
            "truth"_a, "predictions"_a, "counts"_a, "strata"_a, "n_classes"_a, "codes"_a, "betas"_a, "undefined"_a,
            "seed"_a, "n_threads"_a, "values"_a.noconvert());
    };
    define_resampler("bootstrap_metrics", resampling::bootstrap_metrics);
    define_resampler("randomize_metrics", [](const resampling::Cells& cells, const resampling::ResamplingPlan& plan,
                                             std::span<double> values) {
        require(cells.n_systems == 2, "randomization needs two systems");
        resampling::randomize_metrics(cells, plan, values);
    });

    m.def(
        "jackknife_metrics",
        [](const InputArray<std::int32_t>& truth, const Table<const std::int32_t>& predictions,
           const InputArray<std::int64_t>& counts, const InputArray<std::int32_t>& strata, std::int32_t n_classes,
           const Table<const std::int32_t>& codes, const InputArray<double>& betas, double undefined, int n_threads,
           Output values) {
            with_cells(truth, predictions, counts, strata, n_classes, codes, betas, truth.size(), values,
                       [&](const auto& cells, auto metrics, auto out) {
                           resampling::jackknife_metrics(cells, metrics, undefined, n_threads, out);
                       });
        },
        "truth"_a, "predictions"_a, "counts"_a, "strata"_a, "n_classes"_a, "codes"_a, "betas"_a, "undefined"_a,
        "n_threads"_a, "values"_a.noconvert());

    nb::class_<SetArrays>(m, "SetArrays")
        .def(nb::init<InputArray<std::int64_t>, InputArray<std::int64_t>, InputArray<std::int32_t>,
                      nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>, std::int32_t>(),
             "counts"_a, "begin"_a, "slots"_a, "means_of"_a, "n_labels"_a);

    const auto define_set_resampler = [&m](const char* name, auto kernel) {
        m.def(
            name,
            [kernel](const SetArrays& arrays, const Table<const std::int32_t>& codes, const InputArray<double>& betas,
                     double undefined, bool every_class, std::uint64_t seed, int n_threads, Output values) {
                with_sets(arrays, codes, betas, undefined, every_class, seed, n_threads, values, kernel);
            },
            "arrays"_a, "codes"_a, "betas"_a, "undefined"_a, "every_class"_a, "seed"_a, "n_threads"_a,
            "values"_a.noconvert());
    };
    define_set_resampler("bootstrap_sets", resampling::bootstrap_sets);
    define_set_resampler("randomize_sets", [](const resampling::SetCells& cells, const resampling::ResamplingPlan& plan,
                                              std::span<double> values) {
        require(cells.n_systems == 2, "randomization needs two systems");
        resampling::randomize_sets(cells, plan, values);
    });

    nb::class_<DocumentArrays>(m, "DocumentArrays")
        .def(nb::init<Table<const double>, InputArray<double>, InputArray<std::int32_t>, std::int32_t,
                      Table<const std::int32_t>, Table<const std::uint8_t>, Table<const std::uint8_t>>(),
             "means_of"_a, "gaps"_a, "bins"_a, "n_bins"_a, "order"_a, "positive"_a, "last_of_tie"_a);

    m.def(
        "weighted_documents",
        [](const DocumentArrays& arrays, const InputArray<std::int32_t>& weights, Output values) {
            require_size("weights", weights.size(), arrays.means_of.shape(0));
            with_documents(arrays, 1, values, [&](const auto& metrics, auto out) {
                resampling::weighted_metrics(metrics, span_of(weights), out);
            });
        },
        "arrays"_a, "weights"_a, "values"_a.noconvert());

    m.def(
        "draw_documents",
        [](const InputArray<std::int32_t>& members, const InputArray<std::int64_t>& bounds, std::uint64_t seed,
           std::uint64_t resample, OutputArray<std::int32_t> weights) {
            check_strata(members, bounds, weights.size());
            nb::gil_scoped_release release;
            resampling::draw_documents(span_of(members), span_of(bounds), seed, resample, span_of(weights));
        },
        "members"_a, "bounds"_a, "seed"_a, "resample"_a, "weights"_a.noconvert());

    m.def(
        "bootstrap_documents",
        [](const DocumentArrays& arrays, const InputArray<std::int32_t>& members,
           const InputArray<std::int64_t>& bounds, std::uint64_t seed, int n_threads, Output values) {
            check_strata(members, bounds, arrays.means_of.shape(0));
            const std::size_t n_resamples = values.shape(0);
            with_documents(arrays, n_resamples, values, [&](const auto& metrics, auto out) {
                resampling::bootstrap_documents(metrics, span_of(members), span_of(bounds),
                                                static_cast<std::int64_t>(n_resamples), seed, n_threads, out);
            });
        },
        "arrays"_a, "members"_a, "bounds"_a, "seed"_a, "n_threads"_a, "values"_a.noconvert());

    m.def(
        "randomize_documents",
        [](const DocumentArrays& arrays, std::uint64_t seed, int n_threads, Output values) {
            require(arrays.means_of.shape(0) % 2 == 0, "documents of two systems must be even in number");
            const std::size_t n_resamples = values.shape(0);
            with_documents(arrays, 2 * n_resamples, values, [&](const auto& metrics, auto out) {
                resampling::randomize_documents(metrics, static_cast<std::int64_t>(n_resamples), seed, n_threads, out);
            });
        },
        "arrays"_a, "seed"_a, "n_threads"_a, "values"_a.noconvert());

    m.def(
        "jackknife_documents",
        [](const DocumentArrays& arrays, int n_threads, Output values) {
            const std::size_t n_blocks = values.shape(0);
            require(n_blocks > 0, "there must be at least one block");
            with_documents(arrays, n_blocks, values, [&](const auto& metrics, auto out) {
                resampling::jackknife_documents(metrics, static_cast<std::int64_t>(n_blocks), n_threads, out);
            });
        },
        "arrays"_a, "n_threads"_a, "values"_a.noconvert());
}

}  // namespace assay::bindings
