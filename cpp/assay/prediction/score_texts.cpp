#include "assay/prediction/score_texts.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "assay/base/code_counter.hpp"
#include "assay/base/parallel.hpp"

namespace assay::prediction {
namespace {

constexpr std::int64_t kDocumentsPerBlock = 64;

/// One thread's scoring of documents by one block.
template <class Value>
class BlockScorer {
 public:
    BlockScorer(const ScoredBlock& block, const FeatureWeights<Value>& weights, std::size_t n_outputs)
        : block_(block),
          weights_(weights),
          n_outputs_(n_outputs),
          frequency_(block.weighting, block.vocabulary == nullptr),
          sums_(n_outputs) {
        if (block.vocabulary != nullptr) {
            lookup_ = std::make_unique<ngrams::FeatureLookup>(*block.analyzer, *block.vocabulary);
        } else {
            hashing_ = std::make_unique<ngrams::FeatureHashing>(*block.analyzer, block.hashing);
        }
    }

    void add(text::TextSpan text, std::span<double> scores) {
        if (lookup_ != nullptr) {
            const std::span<const std::uint32_t> columns = lookup_->columns(text);
            counter_.clear(columns.size());
            for (const std::uint32_t column : columns) {
                counter_.add(column, [&] {
                    prefetch(column);
                    return ngrams::FeatureCount{column, 1};
                });
            }
            add_entries(counter_.counted(), scores);
        } else {
            const std::span<const ngrams::FeatureCount> entries = hashing_->row(text);
            for (const ngrams::FeatureCount& entry : entries) prefetch(entry.code);
            add_entries(entries, scores);
        }
    }

 private:
    std::size_t row_of(std::uint32_t column) const { return static_cast<std::size_t>(block_.first_column) + column; }

    void prefetch(std::uint32_t column) const {
        if (!block_.weighting.idf.empty()) __builtin_prefetch(block_.weighting.idf.data() + column);
        weights_.prefetch(row_of(column), n_outputs_);
    }

    void add_entries(std::span<const ngrams::FeatureCount> entries, std::span<double> scores) {
        const ngrams::Weighting& weighting = block_.weighting;
        std::fill(sums_.begin(), sums_.end(), 0.0);
        double size = 0.0;
        for (const ngrams::FeatureCount& entry : entries) {
            double value = frequency_(entry.count);
            if (!weighting.idf.empty()) value *= weighting.idf[entry.code];
            size += ngrams::part_of_norm(weighting.norm, value);
            weights_.add(row_of(entry.code), value, sums_);
        }
        const double norm = ngrams::divisor_of(weighting.norm, size);
        for (std::size_t k = 0; k < n_outputs_; ++k) scores[k] += sums_[k] / norm;
    }

    const ScoredBlock& block_;
    const FeatureWeights<Value>& weights_;
    const std::size_t n_outputs_;
    const ngrams::TermFrequency frequency_;
    std::vector<double> sums_;
    CodeCounter<ngrams::FeatureCount> counter_;
    std::unique_ptr<ngrams::FeatureLookup> lookup_;
    std::unique_ptr<ngrams::FeatureHashing> hashing_;
};

}  // namespace

template <class Value>
void score_texts(std::span<const text::TextSpan> documents, std::span<const ScoredBlock> blocks,
                 const FeatureWeights<Value>& weights, std::span<const double> bias, int n_threads,
                 std::span<double> scores) {
    const std::size_t n_outputs = bias.size();
    std::vector<std::vector<std::unique_ptr<BlockScorer<Value>>>> scorers(
        static_cast<std::size_t>(std::max(n_threads, 1)));
    const auto n_documents = static_cast<std::int64_t>(documents.size());
    for_each_block(n_documents, kDocumentsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int thread) {
        auto& mine = scorers[static_cast<std::size_t>(thread)];
        for (std::size_t b = mine.size(); b < blocks.size(); ++b) {
            mine.push_back(std::make_unique<BlockScorer<Value>>(blocks[b], weights, n_outputs));
        }
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            const std::span<double> of_document = scores.subspan(i * n_outputs, n_outputs);
            std::copy(bias.begin(), bias.end(), of_document.begin());
            text::in_document(static_cast<std::int64_t>(i), [&] {
                for (auto& scorer : mine) scorer->add(documents[i], of_document);
            });
        }
    });
}

template void score_texts(std::span<const text::TextSpan>, std::span<const ScoredBlock>, const FeatureWeights<float>&,
                          std::span<const double>, int, std::span<double>);
template void score_texts(std::span<const text::TextSpan>, std::span<const ScoredBlock>, const FeatureWeights<double>&,
                          std::span<const double>, int, std::span<double>);

}  // namespace assay::prediction
