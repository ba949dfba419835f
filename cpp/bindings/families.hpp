// families.hpp: what each binding file adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace assay::bindings {

void bind_embeddings(nanobind::module_& m);
void bind_documents(nanobind::module_& m);
void bind_explanation(nanobind::module_& m);
void bind_features(nanobind::module_& m);
void bind_fold_features(nanobind::module_& m);
void bind_instruction_set(nanobind::module_& m);
void bind_kmeans(nanobind::module_& m);
void bind_label_tree(nanobind::module_& m);
void bind_linear_svm(nanobind::module_& m);
void bind_logarithms(nanobind::module_& m);
void bind_logistic(nanobind::module_& m);
void bind_naive_bayes(nanobind::module_& m);
void bind_near_copies(nanobind::module_& m);
void bind_nbsvm(nanobind::module_& m);
void bind_perceptron(nanobind::module_& m);
void bind_resampling(nanobind::module_& m);
void bind_score_texts(nanobind::module_& m);
void bind_scores(nanobind::module_& m);
void bind_selection(nanobind::module_& m);
void bind_spread_picks(nanobind::module_& m);
void bind_stratification(nanobind::module_& m);
void bind_text_rows(nanobind::module_& m);

}  // namespace assay::bindings
