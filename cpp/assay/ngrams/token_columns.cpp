#include "assay/ngrams/token_columns.hpp"

#include <algorithm>
#include <stdexcept>

#include "assay/base/parallel.hpp"

namespace assay::ngrams {
namespace {

constexpr std::int64_t kDocumentsPerBlock = 256;

}  // namespace

TokenColumns token_columns(std::span<const text::TextSpan> documents, const LookupPlace& place, int n_threads) {
    if (!place.analyzer->of_tokens()) throw std::invalid_argument("only analyzers of tokens give sequences of tokens");
    const auto n_documents = static_cast<std::int64_t>(documents.size());
    TokenColumns all;
    all.begin.resize(documents.size() + 1);
    std::vector<std::vector<std::int32_t>> blocks(
        static_cast<std::size_t>((n_documents + kDocumentsPerBlock - 1) / kDocumentsPerBlock));
    for_each_block(n_documents, kDocumentsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        FeatureLookup lookup(*place.analyzer, *place.vocabulary);
        std::vector<std::int32_t>& columns = blocks[static_cast<std::size_t>(begin / kDocumentsPerBlock)];
        for (std::int64_t d = begin; d < end; ++d) {
            const auto document = static_cast<std::size_t>(d);
            text::in_document(d, [&] {
                const std::span<const Symbol> symbols = lookup.symbols(documents[document]);
                for (const Symbol symbol : symbols) columns.push_back(place.vocabulary->unigram_column(symbol));
                all.begin[document + 1] = static_cast<std::int64_t>(symbols.size());
            });
        }
    });
    for (std::size_t d = 0; d < documents.size(); ++d) all.begin[d + 1] += all.begin[d];
    all.columns.reserve(static_cast<std::size_t>(all.begin.back()));
    for (const std::vector<std::int32_t>& block : blocks) {
        all.columns.insert(all.columns.end(), block.begin(), block.end());
    }
    return all;
}

}  // namespace assay::ngrams
