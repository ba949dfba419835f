// matrices.hpp: what the solvers of linear models are given, checked against each other.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "assay/base/sparse.hpp"
#include "assay/linear/solver_report.hpp"
#include "bindings/base/arrays.hpp"

namespace assay::bindings {

template <class T>
using OutputArray = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<T> span_of(const OutputArray<T>& array) {
    return {array.data(), array.size()};
}

template <class Value, class Index>
CsrView<Value, Index> csr_view(std::int64_t n_columns, const InputArray<Index>& row_begin,
                               const InputArray<Index>& columns, const InputArray<Value>& values) {
    return {n_columns, span_of(row_begin), span_of(columns), span_of(values)};
}

inline void require_size(const char* name, std::size_t found, std::size_t expected) {
    if (found != expected) {
        throw std::invalid_argument(std::string(name) + " must hold " + std::to_string(expected) +
                                    " values, but holds " + std::to_string(found));
    }
}

/// Checks the sizes of everything that a linear solver is given and writes to.
template <class Value, class Index>
void require_fit(const CsrView<Value, Index>& X, const InputArray<std::int32_t>& labels, const InputArray<double>& cost,
                 const OutputArray<Value>& coefficients, const OutputArray<double>& intercept) {
    if (X.row_begin.empty() || X.n_columns < 0) {
        throw std::invalid_argument("a matrix needs row offsets and columns");
    }
    require_size("labels", labels.size(), X.row_begin.size() - 1);
    require_size("cost", cost.size(), X.row_begin.size() - 1);
    require_size("coefficients", coefficients.size(), static_cast<std::size_t>(X.n_columns) * intercept.size());
}

inline void require_labels_below(std::span<const std::int32_t> labels, std::size_t n_classes) {
    for (const std::int32_t label : labels) {
        if (label < 0 || static_cast<std::size_t>(label) >= n_classes) {
            throw std::invalid_argument("label " + std::to_string(label) + " is not one of " +
                                        std::to_string(n_classes) + " classes");
        }
    }
}

/// What a solver reached, as a dict of arrays.
inline nb::dict report_dict(const linear::SolverReport& report) {
    nb::dict result;
    result["objective"] = to_numpy(report.objective);
    result["gap"] = to_numpy(report.gap);
    result["iterations"] = to_numpy(report.iterations);
    result["converged"] = to_numpy(report.converged);
    return result;
}

}  // namespace assay::bindings
