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

template <class T>
using Vector = InputArray<T>;
template <class T>
using OutputVector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Keeps the arrays of a corpus's counts alive, and knows that they fit together.
class CorpusCounts {
 public:
    CorpusCounts(Vector<std::int64_t> offsets, Vector<std::int32_t> columns, Vector<std::int32_t> counts,
                 std::int64_t n_columns)
        : offsets_(std::move(offsets)),
          columns_(std::move(columns)),
          counts_(std::move(counts)),
          n_columns_(n_columns) {
        const auto offset = view(offsets_);
        require(!offset.empty() && offset.front() == 0 && std::ranges::is_sorted(offset) &&
                    offset.back() == static_cast<std::int64_t>(columns_.size()) && columns_.size() == counts_.size(),
                "row offsets do not match the columns and counts");
        require_range(view(columns_), n_columns, "columns");
    }

    ngrams::CountRows rows() const { return {view(offsets_), view(columns_), view(counts_)}; }
    std::int64_t n_columns() const { return n_columns_; }

    void check_rows(std::span<const std::int32_t> rows) const {
        require_range(rows, static_cast<std::int64_t>(offsets_.size()) - 1, "rows");
    }

 private:
    Vector<std::int64_t> offsets_;
    Vector<std::int32_t> columns_;
    Vector<std::int32_t> counts_;
    std::int64_t n_columns_;
};

/// Row j of an array with two columns is what a fold makes of column j.
using FoldTable = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

ngrams::FoldColumns checked_columns(const CorpusCounts& corpus, const FoldTable& table, std::size_t n_weights) {
    const ngrams::FoldColumns fold(view(table));
    require_size(fold.size(), static_cast<std::size_t>(corpus.n_columns()), "fold");
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
        [](const CorpusCounts& corpus, const Vector<std::int32_t>& rows, const FoldTable& fold,
           const Vector<double>& idf, bool binary, bool sublinear, std::int32_t norm,
           const Vector<std::int64_t>& offsets, int n_threads, OutputVector<std::int32_t> columns,
           OutputVector<Real> values) {
            corpus.check_rows(view(rows));
            require(norm >= 0 && norm <= static_cast<std::int32_t>(ngrams::Norm::l2), "unknown norm");
            require(offsets.size() == rows.size() + 1 && columns.size() == values.size() &&
                        offsets.data()[rows.size()] == static_cast<std::int64_t>(columns.size()),
                    "offsets do not match the output");
            const ngrams::Weighting weighting{binary, sublinear, static_cast<ngrams::Norm>(norm), view(idf)};
            nb::gil_scoped_release release;
            const ngrams::FoldColumns checked = checked_columns(corpus, fold, idf.size());
            weight_rows<Real>(corpus.rows(), view(rows), checked, weighting, view(offsets), n_threads, view(columns),
                              view(values));
        },
        "corpus"_a, "rows"_a, "fold"_a, "idf"_a, "binary"_a, "sublinear"_a, "norm"_a, "offsets"_a, "n_threads"_a,
        "columns"_a.noconvert(), "values"_a.noconvert());
}

}  // namespace

void bind_fold_features(nb::module_& m) {
    using namespace nb::literals;

    nb::class_<CorpusCounts>(m, "CorpusCounts")
        .def(nb::init<Vector<std::int64_t>, Vector<std::int32_t>, Vector<std::int32_t>, std::int64_t>(), "offsets"_a,
             "columns"_a, "counts"_a, "n_columns"_a);

    m.def(
        "count_fold_columns",
        [](const CorpusCounts& corpus, const Vector<std::int32_t>& rows, int n_threads,
           OutputVector<std::int32_t> documents, OutputVector<std::int64_t> occurrences) {
            corpus.check_rows(view(rows));
            const auto n_columns = static_cast<std::size_t>(corpus.n_columns());
            require_size(documents.size(), n_columns, "documents");
            if (occurrences.size() > 0) require_size(occurrences.size(), n_columns, "occurrences");
            nb::gil_scoped_release release;
            ngrams::count_columns(corpus.rows(), view(rows), n_threads, view(documents), view(occurrences));
        },
        "corpus"_a, "rows"_a, "n_threads"_a, "documents"_a.noconvert(), "occurrences"_a.noconvert());

    m.def(
        "measure_fold_rows",
        [](const CorpusCounts& corpus, const Vector<std::int32_t>& rows, const FoldTable& fold, int n_threads,
           OutputVector<std::int64_t> offsets) {
            corpus.check_rows(view(rows));
            require_size(offsets.size(), rows.size() + 1, "offsets");
            nb::gil_scoped_release release;
            ngrams::measure_rows(corpus.rows(), view(rows), checked_columns(corpus, fold, 0), n_threads, view(offsets));
        },
        "corpus"_a, "rows"_a, "fold"_a, "n_threads"_a, "offsets"_a.noconvert());

    bind_weight_rows<float>(m);
    bind_weight_rows<double>(m);
}

}  // namespace assay::bindings
