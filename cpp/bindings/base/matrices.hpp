// matrices.hpp: CSR matrices as Python hands them over.
#pragma once

#include <cstdint>

#include "assay/base/sparse.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"

namespace assay::bindings {

template <class Value, class Index>
CsrView<Value, Index> csr_view(std::int64_t n_columns, const InputArray<Index>& row_begin,
                               const InputArray<Index>& columns, const InputArray<Value>& values) {
    return {n_columns, span_of(row_begin), span_of(columns), span_of(values)};
}

/// The same after its offsets and columns have been checked, so that kernels may trust them.
template <class Value, class Index>
CsrView<Value, Index> checked_csr_view(std::int64_t n_columns, const InputArray<Index>& row_begin,
                                       const InputArray<Index>& columns, const InputArray<Value>& values) {
    const auto X = csr_view(n_columns, row_begin, columns, values);
    check_csr(X);
    return X;
}

/// Calls bind<Value, Index>() for each kind of matrix that kernels are compiled for.
template <class Bind>
void for_each_matrix(Bind&& bind) {
#define ASSAY_BIND(Value, Index) bind.template operator()<Value, Index>();
    ASSAY_FOR_EACH_MATRIX(ASSAY_BIND)
#undef ASSAY_BIND
}

}  // namespace assay::bindings
