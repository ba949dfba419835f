// fold_features.cpp: bindings of the fold matrices. A corpus's counts are checked once, when they are
// wrapped.
#include "assay/ngrams/fold_features.hpp"

#include <algorithm>
#include <utility>

#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {
namespace {

/// Keeps the arrays of a corpus's counts alive, and knows that they fit together.
class CorpusCounts {
 public:
    CorpusCounts(InputArray<std::int64_t> offsets, InputArray<std::int32_t> columns, InputArray<std::int32_t> counts,
                 std::int64_t n_columns)
        : offsets_(std::move(offsets)),
          columns_(std::move(columns)),
          counts_(std::move(counts)),
          n_columns_(n_columns) {
        const auto offset = span_of(offsets_);
        require(!offset.empty() && offset.front() == 0 && std::ranges::is_sorted(offset) &&
                    offset.back() == static_cast<std::int64_t>(columns_.size()) && columns_.size() == counts_.size(),
                "row offsets do not match the columns and counts");
        require_range("columns", span_of(columns_), n_columns);
    }

    ngrams::CountRows rows() const { return {span_of(offsets_), span_of(columns_), span_of(counts_)}; }
    std::int64_t n_columns() const { return n_columns_; }

    void check_rows(std::span<const std::int32_t> rows) const {
        require_range("rows", rows, static_cast<std::int64_t>(offsets_.size()) - 1);
    }

 private:
    InputArray<std::int64_t> offsets_;
    InputArray<std::int32_t> columns_;
    InputArray<std::int32_t> counts_;
    std::int64_t n_columns_;
};

/// Row j of an array with two columns is what a fold makes of column j.
using FoldTable = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

ngrams::FoldColumns checked_columns(const CorpusCounts& corpus, const FoldTable& table, std::size_t n_weights) {
    const ngrams::FoldColumns fold(span_of(table));
    require_size("fold", fold.size(), static_cast<std::size_t>(corpus.n_columns()));
    for (std::size_t j = 0; n_weights > 0 && j < fold.size(); ++j) {
        if (fold.number(j) < 0) continue;
        if (fold.documents(j) >= 0 && static_cast<std::size_t>(fold.documents(j)) < n_weights) continue;
        throw std::invalid_argument("idf does not match the columns' numbers of documents");
    }
    return fold;
}

template <class Real>
void bind_weight_rows(nb::module_& m) {
    using namespace nb::literals;
    m.def(
        "weight_fold_rows",
        [](const CorpusCounts& corpus, const InputArray<std::int32_t>& rows, const FoldTable& fold,
           const InputArray<double>& idf, bool binary, bool sublinear, std::int32_t norm,
           const InputArray<std::int64_t>& offsets, int n_threads, OutputArray<std::int32_t> columns,
           OutputArray<Real> values) {
            corpus.check_rows(span_of(rows));
            require(norm >= 0 && norm <= static_cast<std::int32_t>(ngrams::Norm::l2), "unknown norm");
            require(offsets.size() == rows.size() + 1 && columns.size() == values.size() &&
                        offsets.data()[rows.size()] == static_cast<std::int64_t>(columns.size()),
                    "offsets do not match the output");
            const ngrams::Weighting weighting{binary, sublinear, static_cast<ngrams::Norm>(norm), span_of(idf)};
            nb::gil_scoped_release release;
            const ngrams::FoldColumns checked = checked_columns(corpus, fold, idf.size());
            weight_rows<Real>(corpus.rows(), span_of(rows), checked, weighting, span_of(offsets), n_threads,
                              span_of(columns), span_of(values));
        },
        "corpus"_a, "rows"_a, "fold"_a, "idf"_a, "binary"_a, "sublinear"_a, "norm"_a, "offsets"_a, "n_threads"_a,
        "columns"_a.noconvert(), "values"_a.noconvert());
}

}  // namespace

void bind_fold_features(nb::module_& m) {
    using namespace nb::literals;

    nb::class_<CorpusCounts>(m, "CorpusCounts")
        .def(nb::init<InputArray<std::int64_t>, InputArray<std::int32_t>, InputArray<std::int32_t>, std::int64_t>(),
             "offsets"_a, "columns"_a, "counts"_a, "n_columns"_a);

    m.def(
        "count_fold_columns",
        [](const CorpusCounts& corpus, const InputArray<std::int32_t>& rows, int n_threads,
           OutputArray<std::int32_t> documents, OutputArray<std::int64_t> occurrences) {
            corpus.check_rows(span_of(rows));
            const auto n_columns = static_cast<std::size_t>(corpus.n_columns());
            require_size("documents", documents.size(), n_columns);
            if (occurrences.size() > 0) require_size("occurrences", occurrences.size(), n_columns);
            nb::gil_scoped_release release;
            ngrams::count_columns(corpus.rows(), span_of(rows), n_threads, span_of(documents), span_of(occurrences));
        },
        "corpus"_a, "rows"_a, "n_threads"_a, "documents"_a.noconvert(), "occurrences"_a.noconvert());

    m.def(
        "measure_fold_rows",
        [](const CorpusCounts& corpus, const InputArray<std::int32_t>& rows, const FoldTable& fold, int n_threads,
           OutputArray<std::int64_t> offsets) {
            corpus.check_rows(span_of(rows));
            require_size("offsets", offsets.size(), rows.size() + 1);
            nb::gil_scoped_release release;
            ngrams::measure_rows(corpus.rows(), span_of(rows), checked_columns(corpus, fold, 0), n_threads,
                                 span_of(offsets));
        },
        "corpus"_a, "rows"_a, "fold"_a, "n_threads"_a, "offsets"_a.noconvert());

    bind_weight_rows<float>(m);
    bind_weight_rows<double>(m);
}

}  // namespace assay::bindings
