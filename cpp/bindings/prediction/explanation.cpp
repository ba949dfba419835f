// explanation.cpp: what the characters of texts contribute to scores.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <string>

#include "assay/prediction/share_contributions.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/families.hpp"
#include "bindings/text/documents.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

using OutputArray = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void require_pointers(std::span<const std::int64_t> begin, std::size_t n_documents, std::size_t size,
                      const char* name) {
    require(
        begin.size() == n_documents + 1 && begin.front() == 0 && begin.back() == static_cast<std::int64_t>(size) &&
            std::is_sorted(begin.begin(), begin.end()),
        std::string(name) + " must rise from 0 to " + std::to_string(size) + ", one for each document and one more");
}

/// Throws unless every occurrence is of symbols that exist, and every symbol of characters that do.
void require_located(const prediction::LocatedSpan& located) {
    const auto n_symbols = static_cast<std::int64_t>(located.starts.size());
    require_size(located.ends.size(), located.starts.size(), "ends");
    for (std::size_t s = 0; s < located.starts.size(); ++s) {
        require(located.starts[s] >= 0 && located.starts[s] <= located.ends[s],
                "symbol " + std::to_string(s) + " ends before it begins");
    }
    const std::size_t n = located.columns.size();
    require_size(located.signs.size(), n, "signs");
    require_size(located.first.size(), n, "first");
    require_size(located.lengths.size(), n, "lengths");
    for (std::size_t o = 0; o < n; ++o) {
        require(located.first[o] >= 0 && located.lengths[o] >= 1 && located.first[o] + located.lengths[o] <= n_symbols,
                "occurrence " + std::to_string(o) + " is of symbols that are not there");
    }
}

}  // namespace

void bind_explanation(nb::module_& m) {
    m.def(
        "share_contributions",
        [](InputArray<std::int32_t> starts, InputArray<std::int32_t> ends, InputArray<std::int32_t> located_columns,
           InputArray<std::int8_t> signs, InputArray<std::int64_t> first, InputArray<std::int32_t> lengths,
           InputArray<std::int32_t> columns, InputArray<double> contributions, OutputArray characters) {
            const prediction::LocatedSpan located{span_of(starts), span_of(ends),  span_of(located_columns),
                                                  span_of(signs),  span_of(first), span_of(lengths)};
            require_located(located);
            require_size(contributions.size(), columns.size(), "contributions");
            prediction::share_contributions(located, span_of(columns), span_of(contributions),
                                            {characters.data(), characters.size()});
        },
        "starts"_a, "ends"_a, "located_columns"_a, "signs"_a, "first"_a, "lengths"_a, "columns"_a,
        "contributions"_a.noconvert(), "characters"_a.noconvert());
    m.def(
        "share_among_texts",
        [](const Documents& documents, const text::Analyzer& analyzer, nb::object vocabulary, std::uint32_t n_hashed,
           bool alternate_sign, InputArray<std::int64_t> row_begin, InputArray<std::int32_t> columns,
           InputArray<double> contributions, std::int32_t first_column, InputArray<std::int64_t> character_begin,
           OutputArray characters, int n_threads) {
            const auto spans = documents.spans();
            require_size(contributions.size(), columns.size(), "contributions");
            require_pointers(span_of(row_begin), spans.size(), columns.size(), "row_begin");
            require_pointers(span_of(character_begin), spans.size(), characters.size(), "character_begin");
            const prediction::ContributionRows rows{span_of(row_begin), span_of(columns), span_of(contributions)};
            const std::span<double> out(characters.data(), characters.size());
            const auto* words = vocabulary.is_none() ? nullptr : nb::cast<const ngrams::Vocabulary*>(vocabulary);
            require(words != nullptr || n_hashed >= 1, "hashing needs at least one column");
            unlocked_run([&] {
                if (words != nullptr) {
                    prediction::share_among_texts(spans, {&analyzer, words}, rows, first_column,
                                                  span_of(character_begin), n_threads, out);
                } else {
                    prediction::share_among_texts(spans, analyzer, {n_hashed, alternate_sign}, rows, first_column,
                                                  span_of(character_begin), n_threads, out);
                }
            });
        },
        "documents"_a, "analyzer"_a, "vocabulary"_a.none(), "n_hashed"_a, "alternate_sign"_a, "row_begin"_a.noconvert(),
        "columns"_a.noconvert(), "contributions"_a.noconvert(), "first_column"_a, "character_begin"_a.noconvert(),
        "characters"_a.noconvert(), "n_threads"_a);
}

}  // namespace assay::bindings
