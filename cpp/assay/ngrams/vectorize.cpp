#include "assay/ngrams/vectorize.hpp"

#include <algorithm>
#include <memory>

#include "assay/base/parallel.hpp"

namespace assay::ngrams {
namespace {

constexpr std::int64_t kDocumentsPerBlock = 64;

/// Makes the rows of all documents by each of n_makers ways; make(k) gives a thread its own maker of rows of way k.
template <class Make>
std::vector<RowStore> make_rows(std::span<const text::TextSpan> documents, int n_threads, std::size_t n_makers,
                                Make&& make) {
    using Maker = decltype(make(std::size_t{0}));
    struct Way {
        std::unique_ptr<Maker> maker;
        std::unique_ptr<RowStore::Writer> writer;
    };
    std::vector<RowStore> stores;
    for (std::size_t k = 0; k < n_makers; ++k) stores.emplace_back(static_cast<std::int64_t>(documents.size()));
    std::vector<std::vector<Way>> ways(static_cast<std::size_t>(std::max(n_threads, 1)));
    const auto n_rows = static_cast<std::int64_t>(documents.size());
    for_each_block(n_rows, kDocumentsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int thread) {
        std::vector<Way>& mine = ways[static_cast<std::size_t>(thread)];
        for (std::size_t k = mine.size(); k < n_makers; ++k) {
            mine.push_back({std::make_unique<Maker>(make(k)), std::make_unique<RowStore::Writer>(stores[k])});
        }
        for (std::int64_t row = begin; row < end; ++row) {
            text::in_document(row, [&] {
                for (Way& way : mine) way.writer->append(row, way.maker->row(documents[static_cast<std::size_t>(row)]));
            });
        }
    });
    for (std::vector<Way>& of_thread : ways) {
        for (std::size_t k = 0; k < of_thread.size(); ++k) stores[k].keep(std::move(*of_thread[k].writer));
    }
    return stores;
}

}  // namespace

std::vector<RowStore> look_up(std::span<const text::TextSpan> documents, std::span<const LookupPlace> places,
                              int n_threads) {
    return make_rows(documents, n_threads, places.size(),
                     [&](std::size_t k) { return FeatureLookup(*places[k].analyzer, *places[k].vocabulary); });
}

RowStore hash_documents(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                        const Hashing& hashing, int n_threads) {
    return std::move(
        make_rows(documents, n_threads, 1, [&](std::size_t) { return FeatureHashing(analyzer, hashing); }).front());
}

}  // namespace assay::ngrams
