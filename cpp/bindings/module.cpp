// module.cpp: the one extension module; each kernel family registers itself in a file of its own.
#include <nanobind/nanobind.h>

#include "assay/unicode.hpp"

namespace assay {
void bind_naive_bayes(nanobind::module_& m);
void bind_perceptron(nanobind::module_& m);
}  // namespace assay

NB_MODULE(_native, m) {
    m.doc() = "The native core of assay: kernels over plain arrays.";
    m.attr("unicode_version") = assay::unicode_version();
    assay::bind_naive_bayes(m);
    assay::bind_perceptron(m);
}
