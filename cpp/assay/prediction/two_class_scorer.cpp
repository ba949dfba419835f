#include "assay/prediction/two_class_scorer.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "assay/base/code_counter.hpp"
#include "assay/base/parallel.hpp"

namespace assay::prediction {
namespace {

constexpr std::int64_t kDocumentsPerBlock = 64;
constexpr std::size_t kAhead = 24;
constexpr std::uint32_t kPair = 0x80000000u;
constexpr std::int64_t kMostColumns = 1 << 30;  // so that every place in the table has a code

}  // namespace

bool TwoClassScorer::takes(const ScoredBlock& block) {
    return block.vocabulary != nullptr && block.vocabulary->n_columns() < kMostColumns && block.analyzer->of_tokens() &&
           block.analyzer->max_n <= 2 && block.first_column == 0;
}

TwoClassScorer::TwoClassScorer(const ScoredBlock& block, std::span<const float> weights, double bias)
    : block_(block), bias_(bias), idfs_{0.0} {
    std::unordered_map<double, std::uint32_t> numbers;
    const auto weighed = [&](std::int32_t column) -> Weighed {
        if (column == ngrams::kNoColumn) return {0, 0.0f};
        const auto j = static_cast<std::size_t>(column);
        const double idf = block.weighting.idf.empty() ? 1.0 : block.weighting.idf[j];
        const auto [found, is_new] = numbers.try_emplace(idf, static_cast<std::uint32_t>(idfs_.size()));
        if (is_new) idfs_.push_back(idf);
        return {found->second, weights[j]};
    };
    const ngrams::Vocabulary& vocabulary = *block.vocabulary;
    if (block.analyzer->min_n == 1) {
        for (ngrams::Symbol symbol = 0; symbol < vocabulary.tokens().size(); ++symbol) {
            words_.push_back(weighed(vocabulary.unigram_column(symbol)));
        }
    }
    if (block.analyzer->max_n < 2) return;
    const KeyTable<ngrams::Vocabulary::Slot>& table = vocabulary.table();
    pairs_.reserve(table.size());
    // Homes rise with the hash in both tables, so that both are gone through from front to back.
    for (const ngrams::Vocabulary::Slot& pair : table.slots()) {
        if (pair.key == 0 || pair.column == ngrams::kNoColumn) continue;
        pairs_.find_or_insert(pair.key, pairs_.home(pair.key),
                              [&](Slot& slot) { slot.weighed = weighed(pair.column); });
    }
}

/// One thread's scoring.
class TwoClassScorer::Worker {
 public:
    explicit Worker(const TwoClassScorer& scorer)
        : scorer_(scorer),
          lookup_(*scorer.block_.analyzer, *scorer.block_.vocabulary),
          frequency_(scorer.block_.weighting, false) {}

    double score(text::TextSpan text) {
        const std::span<const ngrams::Symbol> symbols = lookup_.symbols(text);
        counter_.clear(2 * symbols.size());
        if (!scorer_.words_.empty()) {
            for (const ngrams::Symbol symbol : symbols) {
                if (symbol == ngrams::kNoSymbol) continue;
                if (const Weighed found = scorer_.words_[symbol]; found.idf != 0) see(symbol, found);
            }
        }
        if (scorer_.pairs_.size() > 0 && symbols.size() > 1) see_pairs(symbols);
        return sum();
    }

 private:
    struct Seen {
        std::uint32_t code;
        std::uint32_t count;
        Weighed weighed;
    };

    void see(std::uint32_t code, Weighed weighed) {
        counter_.add(code, [&] { return Seen{code, 1, weighed}; });
    }

    void see_pairs(std::span<const ngrams::Symbol> symbols) {
        const std::size_t n = symbols.size() - 1;
        std::uint64_t keys[kAhead], homes[kAhead];
        const auto ask = [&](std::size_t i) {
            const ngrams::Symbol first = symbols[i], second = symbols[i + 1];
            const std::uint64_t key =
                first == ngrams::kNoSymbol || second == ngrams::kNoSymbol ? 0 : ngrams::bigram_key(first, second);
            keys[i % kAhead] = key;
            homes[i % kAhead] = scorer_.pairs_.home(key);
            scorer_.pairs_.prefetch(homes[i % kAhead]);
        };
        for (std::size_t i = 0; i < std::min(kAhead, n); ++i) ask(i);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t key = keys[i % kAhead];
            const std::uint64_t home = homes[i % kAhead];
            if (i + kAhead < n) ask(i + kAhead);
            if (key == 0) continue;
            if (const Slot* slot = scorer_.pairs_.find(key, home); slot != nullptr) {
                const auto place = static_cast<std::uint32_t>(slot - scorer_.pairs_.slots().data());
                see(place | kPair, slot->weighed);
            }
        }
    }

    double sum() const {
        const ngrams::Norm norm = scorer_.block_.weighting.norm;
        double total = 0.0, size = 0.0;
        for (const Seen& seen : counter_.counted()) {
            const double value = frequency_(seen.count) * scorer_.idfs_[seen.weighed.idf];
            size += ngrams::part_of_norm(norm, value);
            total += value * static_cast<double>(seen.weighed.weight);
        }
        return scorer_.bias_ + total / ngrams::divisor_of(norm, size);
    }

    const TwoClassScorer& scorer_;
    ngrams::FeatureLookup lookup_;
    const ngrams::TermFrequency frequency_;
    CodeCounter<Seen> counter_;
};

void TwoClassScorer::score(std::span<const text::TextSpan> documents, int n_threads, std::span<double> scores) const {
    std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(std::max(n_threads, 1)));
    const auto n_documents = static_cast<std::int64_t>(documents.size());
    for_each_block(n_documents, kDocumentsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int thread) {
        std::unique_ptr<Worker>& mine = workers[static_cast<std::size_t>(thread)];
        if (mine == nullptr) mine = std::make_unique<Worker>(*this);
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            text::in_document(static_cast<std::int64_t>(i), [&] { scores[i] = mine->score(documents[i]); });
        }
    });
}

}  // namespace assay::prediction
