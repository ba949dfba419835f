// features.cpp: vectorizers.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>

#include "assay/base/memory.hpp"
#include "assay/ngrams/counted_corpus.hpp"
#include "assay/ngrams/matrix_rows.hpp"
#include "assay/ngrams/stored_terms.hpp"
#include "assay/ngrams/token_columns.hpp"
#include "assay/ngrams/vectorize.hpp"
#include "assay/ngrams/vocabulary.hpp"
#include "assay/prediction/locate_features.hpp"
#include "assay/text/unicode.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/names.hpp"
#include "bindings/families.hpp"
#include "bindings/text/documents.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

/// A block of columns with its weights and everything that these refer to.
struct MatrixBlock {
    ngrams::RowBlock block;
    InputArray<double> idf;
    nb::object owner;
};

MatrixBlock make_block(ngrams::RowBlock block, nb::object owner, bool binary, bool sublinear, const std::string& norm,
                       const InputArray<double>& idf, std::int32_t first_column, std::int64_t n_columns) {
    if (idf.size() != 0 && static_cast<std::int64_t>(idf.size()) != n_columns) {
        throw nb::value_error(
            ("idf has " + std::to_string(idf.size()) + " elements for " + std::to_string(n_columns) + " columns")
                .c_str());
    }
    MatrixBlock result{block, idf, std::move(owner)};
    result.block.first_column = first_column;
    result.block.weighting = {binary, sublinear, named(norm_names(), norm, "norm"), span_of(result.idf)};
    return result;
}

template <class Value>
auto matrix(const std::vector<MatrixBlock*>& blocks, int n_threads) {
    std::vector<ngrams::RowBlock> rows;
    for (const MatrixBlock* block : blocks) {
        rows.push_back(block->block);
        rows.back().weighting.idf = span_of(block->idf);
        if (rows.back().rows->n_rows() != rows.front().rows->n_rows())
            throw nb::value_error("blocks of different length");
    }
    std::vector<std::int64_t> indptr;
    ZeroedArray<std::int32_t> indices;
    ZeroedArray<Value> values;
    {
        nb::gil_scoped_release unlocked;
        indptr = ngrams::row_pointers(rows, n_threads);
        const auto n = static_cast<std::size_t>(indptr.back());
        indices = ZeroedArray<std::int32_t>(n);
        values = ZeroedArray<Value>(n);
        write_rows<Value>(rows, indptr, indices.span(), values.span(), n_threads);
    }
    return to_arrays(std::move(indptr), std::move(indices), std::move(values));
}

/// Terms with the arrays that hold them.
struct OwnedTerms {
    OwnedTerms(InputArray<std::uint8_t> content, InputArray<std::int64_t> ends)
        : bytes(std::move(content)),
          offsets(std::move(ends)),
          terms({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, span_of(offsets)) {}

    InputArray<std::uint8_t> bytes;
    InputArray<std::int64_t> offsets;
    ngrams::StoredTerms terms;
};

nb::typed<nb::list, nb::str> name_list(const ngrams::StringBlob& blob) {
    const std::size_t n = blob.offsets.size() - 1;
    nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(n)));
    if (!list.is_valid()) nb::raise_python_error();
    for (std::size_t i = 0; i < n; ++i) {
        PyObject* name =
            PyUnicode_DecodeUTF8(blob.bytes.data() + blob.offsets[i],
                                 static_cast<Py_ssize_t>(blob.offsets[i + 1] - blob.offsets[i]), "surrogatepass");
        if (name == nullptr) nb::raise_python_error();
        PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), name);
    }
    return nb::borrow<nb::typed<nb::list, nb::str>>(list);
}

}  // namespace

void bind_features(nb::module_& m) {
    nb::class_<OwnedTerms>(m, "StoredTerms")
        .def(
            "__init__",
            [](OwnedTerms* self, InputArray<std::uint8_t> bytes, InputArray<std::int64_t> offsets) {
                nb::gil_scoped_release unlocked;
                new (self) OwnedTerms(std::move(bytes), std::move(offsets));
            },
            "bytes"_a, "offsets"_a)
        .def("__len__", [](const OwnedTerms& self) { return self.terms.size(); })
        .def_prop_ro("rise", [](const OwnedTerms& self) { return self.terms.rise(); })
        .def(
            "wanted_part",
            [](const OwnedTerms& self, const text::Analyzer& analyzer, const ngrams::Vocabulary& wanted) {
                nb::gil_scoped_release unlocked;
                return ngrams::wanted_part(analyzer, self.terms, wanted);
            },
            "analyzer"_a, "wanted"_a);

    nb::class_<ngrams::Vocabulary>(m, "Vocabulary")
        .def(
            "__init__",
            [](ngrams::Vocabulary* self, const text::Analyzer& analyzer, const OwnedTerms& owned,
               const InputArray<std::int32_t>& columns, std::int64_t n_columns) {
                nb::gil_scoped_release unlocked;
                new (self) ngrams::Vocabulary(analyzer, owned.terms, span_of(columns), n_columns);
            },
            "analyzer"_a, "terms"_a, "columns"_a, "n_columns"_a)
        .def_prop_ro("n_columns", &ngrams::Vocabulary::n_columns)
        .def(
            "name_list",
            [](const ngrams::Vocabulary& self, const text::Analyzer& analyzer) {
                return name_list(self.names(analyzer.unit));
            },
            "analyzer"_a)
        .def(
            "name_blob",
            [](const ngrams::Vocabulary& self, const text::Analyzer& analyzer) {
                ngrams::StringBlob blob;
                std::vector<std::uint8_t> bytes;
                {
                    nb::gil_scoped_release unlocked;
                    blob = self.names(analyzer.unit);
                    bytes.assign(blob.bytes.begin(), blob.bytes.end());
                }
                return to_arrays(std::move(bytes), std::move(blob.offsets));
            },
            "analyzer"_a);

    nb::class_<ngrams::CountedCorpus>(m, "CountedCorpus")
        .def_prop_ro("n_documents", &ngrams::CountedCorpus::n_documents)
        .def_prop_ro("n_features", &ngrams::CountedCorpus::n_features)
        .def("assign_columns", &ngrams::CountedCorpus::assign_columns, "lowest"_a, "highest"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def(
            "keep_columns",
            [](ngrams::CountedCorpus& self, const InputArray<std::uint8_t>& marked) {
                nb::gil_scoped_release unlocked;
                self.keep_columns(span_of(marked));
            },
            "marked"_a)
        .def("document_frequencies",
             [](const ngrams::CountedCorpus& self) { return to_numpy(self.document_frequencies()); })
        .def(
            "term_frequencies",
            [](ngrams::CountedCorpus& self, bool binary) { return to_numpy(self.term_frequencies(binary)); },
            "binary"_a)
        .def_prop_ro("complete", &ngrams::CountedCorpus::complete)
        .def("take_vocabulary", &ngrams::CountedCorpus::take_vocabulary, nb::call_guard<nb::gil_scoped_release>());

    nb::class_<ngrams::RowStore>(m, "RowStore").def("__len__", &ngrams::RowStore::n_rows);

    nb::class_<MatrixBlock>(m, "MatrixBlock");
    m.def(
        "counted_block",
        [](nb::handle_t<ngrams::CountedCorpus> corpus, bool binary, bool sublinear, const std::string& norm,
           const InputArray<double>& idf, std::int32_t first_column, std::int64_t n_columns) {
            return make_block(nb::cast<ngrams::CountedCorpus&>(corpus).rows(), nb::borrow(corpus), binary, sublinear,
                              norm, idf, first_column, n_columns);
        },
        "corpus"_a, nb::kw_only(), "binary"_a, "sublinear"_a, "norm"_a, "idf"_a, "first_column"_a, "n_columns"_a);
    m.def(
        "row_block",
        [](nb::handle_t<ngrams::RowStore> rows, bool signed_counts, bool binary, bool sublinear,
           const std::string& norm, const InputArray<double>& idf, std::int32_t first_column, std::int64_t n_columns) {
            ngrams::RowBlock block{
                .rows = &nb::cast<ngrams::RowStore&>(rows), .maps = {}, .map_of_row = {}, .weighting = {}};
            block.signed_counts = signed_counts;
            return make_block(block, nb::borrow(rows), binary, sublinear, norm, idf, first_column, n_columns);
        },
        "rows"_a, nb::kw_only(), "signed_counts"_a, "binary"_a, "sublinear"_a, "norm"_a, "idf"_a, "first_column"_a,
        "n_columns"_a);
    m.def("matrix_float32", &matrix<float>, "blocks"_a, "n_threads"_a);
    m.def("matrix_float64", &matrix<double>, "blocks"_a, "n_threads"_a);
    m.def("matrix_int64", &matrix<std::int64_t>, "blocks"_a, "n_threads"_a);

    m.def(
        "count_documents",
        [](const Documents& documents, const std::vector<text::Analyzer>& analyzers, int n_threads) {
            return unlocked_run([&] { return ngrams::CountedCorpus::count(documents.spans(), analyzers, n_threads); });
        },
        "documents"_a, "analyzers"_a, "n_threads"_a);
    m.def(
        "look_up",
        [](const Documents& documents, const std::vector<const text::Analyzer*>& analyzers,
           const std::vector<const ngrams::Vocabulary*>& vocabularies, int n_threads) {
            if (analyzers.size() != vocabularies.size()) throw nb::value_error("one vocabulary for each analyzer");
            std::vector<ngrams::LookupPlace> places;
            for (std::size_t k = 0; k < analyzers.size(); ++k) places.push_back({analyzers[k], vocabularies[k]});
            return unlocked_run([&] { return ngrams::look_up(documents.spans(), places, n_threads); });
        },
        "documents"_a, "analyzers"_a, "vocabularies"_a, "n_threads"_a);
    m.def(
        "hash_documents",
        [](const Documents& documents, const text::Analyzer& analyzer, std::uint32_t n_columns, bool alternate_sign,
           int n_threads) {
            if (n_columns < 1) throw nb::value_error("hashing needs at least one column");
            return unlocked_run([&] {
                return ngrams::hash_documents(documents.spans(), analyzer, {n_columns, alternate_sign}, n_threads);
            });
        },
        "documents"_a, "analyzer"_a, "n_columns"_a, "alternate_sign"_a, "n_threads"_a);
    m.def(
        "token_columns",
        [](const Documents& documents, const text::Analyzer& analyzer, const ngrams::Vocabulary& vocabulary,
           int n_threads) {
            ngrams::TokenColumns found = unlocked_run(
                [&] { return ngrams::token_columns(documents.spans(), {&analyzer, &vocabulary}, n_threads); });
            return to_arrays(std::move(found.begin), std::move(found.columns));
        },
        "documents"_a, "analyzer"_a, "vocabulary"_a, "n_threads"_a);
    m.def(
        "hash_names",
        [](const nb::typed<nb::list, nb::str>& names, std::uint32_t n_columns) {
            if (n_columns < 1) throw nb::value_error("hashing needs at least one column");
            std::vector<std::int32_t> columns;
            for (nb::handle name : names) {
                const nb::object utf8 = nb::steal(PyUnicode_AsEncodedString(name.ptr(), "utf-8", "surrogatepass"));
                if (!utf8.is_valid()) nb::raise_python_error();
                const auto length = static_cast<std::uint64_t>(PyBytes_GET_SIZE(utf8.ptr()));
                columns.push_back(static_cast<std::int32_t>(
                    ngrams::hash_feature(PyBytes_AS_STRING(utf8.ptr()), length, {n_columns, false}).column));
            }
            return to_numpy(std::move(columns));
        },
        "names"_a, "n_columns"_a);
}

}  // namespace assay::bindings
