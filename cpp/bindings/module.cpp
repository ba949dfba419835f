// module.cpp: the one extension module; each kernel family registers itself in a file of its own.
#include <nanobind/nanobind.h>

#include "bindings/families.hpp"

// Nothing here may call Python, as making an enumeration does (nb::enum_; names.hpp has another way): there the handler
// of a signal runs, and where it raises, on Ctrl-C, nanobind ends the process.
NB_MODULE(_native, m) {
    nanobind::set_leak_warnings(false);  // objects that live until the interpreter ends are no leak
    m.doc() = "The native core of assay: kernels over plain arrays.";
    assay::bindings::bind_instruction_set(m);  // first of all: kernels may run from here on
    assay::bindings::bind_documents(m);        // and before all that reads Documents by an Analyzer
    assay::bindings::bind_features(m);
    assay::bindings::bind_embeddings(m);
    assay::bindings::bind_explanation(m);
    assay::bindings::bind_fold_features(m);
    assay::bindings::bind_kmeans(m);
    assay::bindings::bind_label_tree(m);
    assay::bindings::bind_linear_svm(m);
    assay::bindings::bind_logarithms(m);
    assay::bindings::bind_logistic(m);
    assay::bindings::bind_naive_bayes(m);
    assay::bindings::bind_near_copies(m);
    assay::bindings::bind_nbsvm(m);
    assay::bindings::bind_perceptron(m);
    assay::bindings::bind_resampling(m);
    assay::bindings::bind_score_texts(m);
    assay::bindings::bind_scores(m);
    assay::bindings::bind_selection(m);
    assay::bindings::bind_spread_picks(m);
    assay::bindings::bind_stratification(m);
    assay::bindings::bind_text_rows(m);
}
