// locate_features.hpp: where in the original texts the features stand.
//
// A feature is a run of symbols (tokens, or characters) of the normalised text. Normalising changes lengths
// (İ becomes two code points, ﬁ two letters, an accent nothing), so each symbol keeps the code points of the original
// that it came from.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "assay/ngrams/vectorize.hpp"

namespace assay::prediction {

/// Symbols and features of documents, one document after the other. Positions count code points of a document.
struct LocatedFeatures {
    std::vector<std::int64_t> symbol_begin{0};    // symbols of document d: [symbol_begin[d], symbol_begin[d + 1])
    std::vector<std::int32_t> starts, ends;       // of each symbol; the space that pads a word (char_wb) has no length
    std::vector<char> symbol_bytes;               // the symbols as they stand after normalising,
    std::vector<std::int64_t> symbol_offsets{0};  // symbol i: [symbol_offsets[i], symbol_offsets[i + 1])
    std::vector<std::int64_t> feature_begin{0};   // occurrences of features of document d, the same way
    std::vector<std::int32_t> columns;            // of each occurrence
    std::vector<std::int8_t> signs;               // -1 where a hash is subtracted
    std::vector<std::int64_t> first;              // its symbols: [first, first + lengths)
    std::vector<std::int32_t> lengths;

    void clear();
};

/// Called with the number of a document and its features, of which symbols have no bytes; any thread calls it.
using LocatedVisitor = std::function<void(std::int64_t, const LocatedFeatures&)>;

/// Every occurrence of a known feature, in order of its first symbol, shorter ones first.
LocatedFeatures locate_features(std::span<const text::TextSpan> documents, const ngrams::LookupPlace& place,
                                int n_threads);

/// The same by hashing, where every feature has a column.
LocatedFeatures locate_hashed_features(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                                       const ngrams::Hashing& hashing, int n_threads);

/// The same, one document at a time, without keeping them.
void visit_features(std::span<const text::TextSpan> documents, const ngrams::LookupPlace& place, int n_threads,
                    const LocatedVisitor& visitor);
void visit_hashed_features(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                           const ngrams::Hashing& hashing, int n_threads, const LocatedVisitor& visitor);

}  // namespace assay::prediction
