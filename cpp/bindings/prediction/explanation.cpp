// explanation.cpp: where features stand in texts, and what the characters of texts contribute to scores.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <string>

#include "assay/prediction/locate_features.hpp"
#include "assay/prediction/share_contributions.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
#include "bindings/base/reports.hpp"
#include "bindings/families.hpp"
#include "bindings/text/documents.hpp"

namespace assay::bindings {

using namespace nb::literals;

namespace {

/// Throws unless there is one offset for each document and one more, rising from 0 to `end`.
void require_document_offsets(const char* name, std::span<const std::int64_t> offsets, std::size_t n_documents,
                              std::size_t end) {
    require_size(name, offsets.size(), n_documents + 1);
    require_offsets(name, offsets, end);
}

/// Throws unless every occurrence is of symbols that exist, and every symbol of characters that do.
void require_located(const prediction::LocatedSpan& located) {
    const auto n_symbols = static_cast<std::int64_t>(located.starts.size());
    require_size("ends", located.ends.size(), located.starts.size());
    for (std::size_t s = 0; s < located.starts.size(); ++s) {
        require(located.starts[s] >= 0 && located.starts[s] <= located.ends[s],
                "symbol " + std::to_string(s) + " ends before it begins");
    }
    const std::size_t n = located.columns.size();
    require_size("signs", located.signs.size(), n);
    require_size("first", located.first.size(), n);
    require_size("lengths", located.lengths.size(), n);
    for (std::size_t o = 0; o < n; ++o) {
        require(located.first[o] >= 0 && located.lengths[o] >= 1 && located.first[o] + located.lengths[o] <= n_symbols,
                "occurrence " + std::to_string(o) + " is of symbols that are not there");
    }
}

LocatedFeaturesDict arrays_of(prediction::LocatedFeatures&& located) {
    LocatedFeaturesDict arrays;
    arrays["symbol_begin"] = to_numpy(std::move(located.symbol_begin));
    arrays["starts"] = to_numpy(std::move(located.starts));
    arrays["ends"] = to_numpy(std::move(located.ends));
    arrays["symbol_bytes"] = nb::bytes(located.symbol_bytes.data(), located.symbol_bytes.size());
    arrays["symbol_offsets"] = to_numpy(std::move(located.symbol_offsets));
    arrays["feature_begin"] = to_numpy(std::move(located.feature_begin));
    arrays["columns"] = to_numpy(std::move(located.columns));
    arrays["signs"] = to_numpy(std::move(located.signs));
    arrays["first"] = to_numpy(std::move(located.first));
    arrays["lengths"] = to_numpy(std::move(located.lengths));
    return arrays;
}

}  // namespace

void bind_explanation(nb::module_& m) {
    m.def(
        "locate_features",
        [](const Documents& documents, const text::Analyzer& analyzer, const ngrams::Vocabulary& vocabulary,
           int n_threads) {
            return arrays_of(unlocked_run(
                [&] { return prediction::locate_features(documents.spans(), {&analyzer, &vocabulary}, n_threads); }));
        },
        "documents"_a, "analyzer"_a, "vocabulary"_a, "n_threads"_a);
    m.def(
        "locate_hashed_features",
        [](const Documents& documents, const text::Analyzer& analyzer, std::uint32_t n_columns, bool alternate_sign,
           int n_threads) {
            if (n_columns < 1) throw nb::value_error("hashing needs at least one column");
            return arrays_of(unlocked_run([&] {
                return prediction::locate_hashed_features(documents.spans(), analyzer, {n_columns, alternate_sign},
                                                          n_threads);
            }));
        },
        "documents"_a, "analyzer"_a, "n_columns"_a, "alternate_sign"_a, "n_threads"_a);
    m.def(
        "share_contributions",
        [](InputArray<std::int32_t> starts, InputArray<std::int32_t> ends, InputArray<std::int32_t> located_columns,
           InputArray<std::int8_t> signs, InputArray<std::int64_t> first, InputArray<std::int32_t> lengths,
           InputArray<std::int32_t> columns, InputArray<double> contributions, OutputArray<double> characters) {
            const prediction::LocatedSpan located{span_of(starts), span_of(ends),  span_of(located_columns),
                                                  span_of(signs),  span_of(first), span_of(lengths)};
            require_located(located);
            require_size("contributions", contributions.size(), columns.size());
            prediction::share_contributions(located, span_of(columns), span_of(contributions), span_of(characters));
        },
        "starts"_a, "ends"_a, "located_columns"_a, "signs"_a, "first"_a, "lengths"_a, "columns"_a,
        "contributions"_a.noconvert(), "characters"_a.noconvert());
    m.def(
        "share_among_texts",
        [](const Documents& documents, const text::Analyzer& analyzer, const ngrams::Vocabulary* vocabulary,
           std::uint32_t n_hashed, bool alternate_sign, InputArray<std::int64_t> row_begin,
           InputArray<std::int32_t> columns, InputArray<double> contributions, std::int32_t first_column,
           InputArray<std::int64_t> character_begin, OutputArray<double> characters, int n_threads) {
            const auto spans = documents.spans();
            require_size("contributions", contributions.size(), columns.size());
            require_document_offsets("row_begin", span_of(row_begin), spans.size(), columns.size());
            require_document_offsets("character_begin", span_of(character_begin), spans.size(), characters.size());
            const prediction::ContributionRows rows{span_of(row_begin), span_of(columns), span_of(contributions)};
            const std::span<double> out = span_of(characters);
            require(vocabulary != nullptr || n_hashed >= 1, "hashing needs at least one column");
            unlocked_run([&] {
                if (vocabulary != nullptr) {
                    prediction::share_among_texts(spans, {&analyzer, vocabulary}, rows, first_column,
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
