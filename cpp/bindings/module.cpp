// module.cpp: the one extension module; each kernel family registers itself in a file of its own.
#include <nanobind/nanobind.h>

#include "assay/unicode.hpp"

namespace assay::bindings {
void bind_naive_bayes(nanobind::module_& m);
void bind_perceptron(nanobind::module_& m);
}  // namespace assay::bindings

NB_MODULE(_native, m) {
    m.doc() = "The native core of assay: kernels over plain arrays.";
    m.attr("unicode_version") = assay::unicode_version();
    assay::bindings::bind_naive_bayes(m);
    assay::bindings::bind_perceptron(m);
}
