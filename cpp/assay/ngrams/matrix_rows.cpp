#include "assay/ngrams/matrix_rows.hpp"

#include <algorithm>

#include "assay/base/parallel.hpp"
#include "assay/base/radix_sort.hpp"
#include "assay/ngrams/merge_counts.hpp"
#include "assay/ngrams/ngram_counter.hpp"
#include "assay/ngrams/term_frequency.hpp"

namespace assay::ngrams {
namespace {

constexpr std::int64_t kRowsPerBlock = 256;
constexpr std::size_t kAhead = 16;  // entries whose place in a table is asked for before it is needed

}  // namespace

void read_columns(const RowBlock& block, std::int64_t row, std::vector<FeatureCount>& entries) {
    block.rows->read(row, entries);
    if (block.maps.empty()) return;
    const CodeMap& map = block.maps[block.map_of_row[static_cast<std::size_t>(row)]];
    const std::int32_t* const tables[] = {map.of_ngram.data(), map.of_unigram.data()};
    const auto place = [&](std::uint32_t code) { return tables[code >> 31] + (code & ~kUnigram); };
    const std::size_t n = entries.size();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (i + kAhead < n) __builtin_prefetch(place(entries[i + kAhead].code));
        const std::int32_t column = *place(entries[i].code);
        entries[kept] = {static_cast<std::uint32_t>(column), entries[i].count};
        kept += column != kNoColumn;
    }
    entries.resize(kept);
}

std::vector<std::int64_t> row_pointers(std::span<const RowBlock> blocks, int n_threads) {
    for (const RowBlock& block : blocks) block.rows->require_untaken();
    const std::int64_t n_rows = blocks.empty() ? 0 : blocks.front().rows->n_rows();
    std::vector<std::int64_t> indptr(static_cast<std::size_t>(n_rows) + 1, 0);
    for_each_block(n_rows, kRowsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<FeatureCount> entries;
        for (std::int64_t row = begin; row < end; ++row) {
            std::int64_t& length = indptr[static_cast<std::size_t>(row) + 1];
            for (const RowBlock& block : blocks) {
                if (block.complete) {
                    length += block.rows->length(row);
                } else {
                    read_columns(block, row, entries);
                    length += static_cast<std::int64_t>(entries.size());
                }
            }
        }
    });
    for (std::size_t row = 1; row < indptr.size(); ++row) indptr[row] += indptr[row - 1];
    return indptr;
}

template <class Value>
void write_rows(std::span<const RowBlock> blocks, std::span<const std::int64_t> indptr, std::span<std::int32_t> indices,
                std::span<Value> values, int n_threads) {
    if (blocks.empty()) return;
    std::vector<TermFrequency> frequencies;
    for (const RowBlock& block : blocks) {
        frequencies.emplace_back(block.weighting, block.signed_counts);
        block.rows->begin_taking();
    }
    for_each_block(
        blocks.front().rows->n_rows(), kRowsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
            std::vector<FeatureCount> entries, space;
            std::vector<double> weights;
            for (std::int64_t row = begin; row < end; ++row) {
                auto at = static_cast<std::size_t>(indptr[static_cast<std::size_t>(row)]);
                for (std::size_t b = 0; b < blocks.size(); ++b) {
                    const RowBlock& block = blocks[b];
                    read_columns(block, row, entries);
                    block.rows->release(row);
                    if (!block.maps.empty())
                        radix_sort(entries, space, block.column_bits, [](const FeatureCount& e) { return e.code; });
                    const Weighting& weighting = block.weighting;
                    weights.resize(entries.size());
                    double sum = 0.0;
                    for (std::size_t i = 0; i < entries.size(); ++i) {
                        if (!weighting.idf.empty() && i + kAhead < entries.size()) {
                            __builtin_prefetch(weighting.idf.data() + entries[i + kAhead].code);
                        }
                        double weight = frequencies[b](entries[i].count);
                        if (!weighting.idf.empty()) weight *= weighting.idf[entries[i].code];
                        weights[i] = weight;
                        sum += part_of_norm(weighting.norm, weight);
                    }
                    const double norm = divisor_of(weighting.norm, sum);
                    for (std::size_t i = 0; i < entries.size(); ++i, ++at) {
                        indices[at] = static_cast<std::int32_t>(entries[i].code) + block.first_column;
                        values[at] = static_cast<Value>(weights[i] / norm);
                    }
                }
            }
        });
}

template void write_rows(std::span<const RowBlock>, std::span<const std::int64_t>, std::span<std::int32_t>,
                         std::span<float>, int);
template void write_rows(std::span<const RowBlock>, std::span<const std::int64_t>, std::span<std::int32_t>,
                         std::span<double>, int);
template void write_rows(std::span<const RowBlock>, std::span<const std::int64_t>, std::span<std::int32_t>,
                         std::span<std::int64_t>, int);

}  // namespace assay::ngrams
