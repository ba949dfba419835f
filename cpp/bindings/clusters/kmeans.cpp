#include "assay/clusters/kmeans.hpp"

#include <nanobind/stl/pair.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/base/matrices.hpp"
#include "bindings/base/reports.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

void require_positive(const char* name, std::int64_t found) {
    if (found < 1) throw std::invalid_argument(std::string(name) + " must be at least 1, not " + std::to_string(found));
}

template <class Value, class Index>
void bind_types(nb::module_& m) {
    m.def(
        "run_kmeans",
        [](InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values, Table<Value> centres,
           bool spherical, double tolerance, std::int32_t max_iterations, int n_threads) {
            clusters::KMeansReport report = without_gil([&] {
                const auto X =
                    checked_csr_view(static_cast<std::int64_t>(centres.shape(1)), row_begin, columns, values);
                require_positive("rows", X.n_rows());
                require_positive("clusters", static_cast<std::int64_t>(centres.shape(0)));
                require_positive("max_iterations", max_iterations);
                return clusters::run_kmeans(X, {spherical, tolerance, max_iterations, n_threads},
                                            static_cast<std::int32_t>(centres.shape(0)), span_of(centres));
            });
            KMeansReportDict result;
            result["labels"] = to_numpy(std::move(report.labels));
            result["inertia"] = report.inertia;
            result["iterations"] = report.iterations;
            result["relocated"] = report.relocated;
            result["converged"] = report.converged;
            result["evaluated"] = report.evaluated;
            return result;
        },
        "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "centres"_a.noconvert(),
        nb::kw_only(), "spherical"_a, "tolerance"_a, "max_iterations"_a, "n_threads"_a,
        "k-means from the given centres, which are replaced.");
    m.def(
        "draw_spread_rows",
        [](std::int64_t n_columns, InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values,
           std::int32_t n_clusters, std::uint64_t seed, int n_threads) {
            return to_numpy(without_gil([&] {
                const auto X = checked_csr_view(n_columns, row_begin, columns, values);
                require_positive("rows", X.n_rows());
                require_positive("clusters", n_clusters);
                return clusters::draw_spread_rows(X, n_clusters, seed, n_threads);
            }));
        },
        "n_columns"_a, "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), nb::kw_only(),
        "n_clusters"_a, "seed"_a, "n_threads"_a, "Rows to start from, by greedy k-means++.");
    m.def(
        "run_kmeans_batches",
        [](InputArray<Index> row_begin, InputArray<Index> columns, InputArray<Value> values, Table<Value> centres,
           OutputArray<double> counts, bool spherical, std::int64_t batch_size, std::int64_t max_batches,
           std::int32_t patience, double reassignment_ratio, std::uint64_t seed, int n_threads) {
            const clusters::BatchReport report = without_gil([&] {
                const auto X =
                    checked_csr_view(static_cast<std::int64_t>(centres.shape(1)), row_begin, columns, values);
                require_positive("rows", X.n_rows());
                require_positive("batch_size", batch_size);
                require_size("counts", counts.size(), centres.shape(0));
                return clusters::run_batches(
                    X, {spherical, batch_size, max_batches, patience, reassignment_ratio, seed, n_threads},
                    span_of(centres), span_of(counts));
            });
            return std::pair(report.batches, report.reassigned);
        },
        "row_begin"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(), "centres"_a.noconvert(),
        "counts"_a.noconvert(), nb::kw_only(), "spherical"_a, "batch_size"_a, "max_batches"_a, "patience"_a,
        "reassignment_ratio"_a, "seed"_a, "n_threads"_a,
        "Mini-batch k-means from the given centres and counts, which are replaced.");
}

}  // namespace

void bind_kmeans(nb::module_& m) {
    for_each_matrix([&]<class Value, class Index>() { bind_types<Value, Index>(m); });
}

}  // namespace assay::bindings
