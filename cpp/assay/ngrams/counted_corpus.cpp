#include "assay/ngrams/counted_corpus.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

#include "assay/base/parallel.hpp"

namespace assay::ngrams {
namespace {

constexpr std::int64_t kDocumentsPerBlock = 64;
constexpr int kMostThreads = 64;  // a thread's number is kept in a byte, and each has a vocabulary of its own

/// Below the space, a character changes which of two n-grams comes first.
bool has_byte_below_space(const text::TokenTable& tokens) {
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
        for (const char c : tokens[i]) {
            if (static_cast<std::uint8_t>(c) < 0x20) return true;
        }
    }
    return false;
}

}  // namespace

CountedCorpus::CountedCorpus(std::int64_t n_documents, const text::Analyzer& analyzer, int n_threads)
    : analyzer_(analyzer),
      n_threads_(n_threads),
      rows_(n_documents),
      thread_of_row_(static_cast<std::size_t>(n_documents)) {}

std::vector<std::unique_ptr<CountedCorpus>> CountedCorpus::count(std::span<const text::TextSpan> documents,
                                                                 std::span<const text::Analyzer> analyzers,
                                                                 int n_threads) {
    const auto n = static_cast<std::int64_t>(documents.size());
    const std::int64_t n_blocks = (n + kDocumentsPerBlock - 1) / kDocumentsPerBlock;
    const int used = static_cast<int>(std::clamp<std::int64_t>(n_blocks, 1, std::clamp(n_threads, 1, kMostThreads)));
    std::vector<std::unique_ptr<CountedCorpus>> corpora;
    for (const text::Analyzer& analyzer : analyzers) {
        corpora.emplace_back(new CountedCorpus(n, analyzer, used));
        corpora.back()->begin_counting();
    }
    for_each_block(n, kDocumentsPerBlock, used, [&](std::int64_t begin, std::int64_t end, int thread) {
        const double in_all = static_cast<double>(n) / static_cast<double>(std::max<std::int64_t>(begin, 1));
        for (auto& corpus : corpora) corpus->counters_[static_cast<std::size_t>(thread)]->expect(in_all);
        for (std::int64_t row = begin; row < end; ++row) {
            for (auto& corpus : corpora) corpus->count_document(row, documents[static_cast<std::size_t>(row)], thread);
        }
    });
    for (auto& corpus : corpora) corpus->finish_counting();
    return corpora;
}

void CountedCorpus::begin_counting() {
    for (int thread = 0; thread < n_threads_; ++thread) {
        counters_.push_back(std::make_unique<NgramCounter>(analyzer_));
        writers_.push_back(std::make_unique<RowStore::Writer>(rows_));
    }
}

void CountedCorpus::count_document(std::int64_t row, text::TextSpan text, int thread) {
    const auto t = static_cast<std::size_t>(thread);
    text::in_document(row, [&] { writers_[t]->append(row, counters_[t]->add(text)); });
    thread_of_row_[static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(thread);
}

void CountedCorpus::finish_counting() {
    for (auto& writer : writers_) rows_.keep(std::move(*writer));
    writers_.clear();
    std::vector<NgramCounter::Result> counts(counters_.size());
    run_threads(n_threads_, [&](int thread) {
        const auto t = static_cast<std::size_t>(thread);
        counts[t] = counters_[t]->take();
        counters_[t].reset();
    });
    counters_.clear();
    counted_ = merge_counts(std::move(counts), analyzer_.of_tokens(), n_threads_);
}

std::int64_t CountedCorpus::n_features() const {
    const auto seen = [](std::uint32_t frequency) { return frequency > 0; };
    return std::ranges::count_if(counted_.unigram_frequencies, seen) +
           std::ranges::count_if(counted_.ngram_frequencies, seen);
}

std::int64_t CountedCorpus::assign_columns(double lowest, double highest) {
    const auto mark = [&](std::span<const std::uint32_t> frequencies) {
        std::vector<std::uint8_t> marked(frequencies.size());
        for (std::size_t i = 0; i < marked.size(); ++i) {
            const auto frequency = static_cast<double>(frequencies[i]);
            marked[i] = frequencies[i] > 0 && frequency >= lowest && frequency <= highest;
            complete_ = complete_ && (marked[i] != 0 || frequencies[i] == 0);
        }
        return marked;
    };
    complete_ = true;
    Kept kept;
    kept.unigrams = mark(counted_.unigram_frequencies);
    kept.ngrams = mark(counted_.ngram_frequencies);
    order(kept);
    return columns_.n_columns;
}

void CountedCorpus::keep_columns(std::span<const std::uint8_t> marked) {
    if (static_cast<std::int64_t>(marked.size()) != columns_.n_columns) {
        throw std::invalid_argument(std::to_string(marked.size()) + " marks for " + std::to_string(columns_.n_columns) +
                                    " columns");
    }
    std::vector<std::int32_t> anew(marked.size(), kNoColumn);
    std::int32_t next = 0;
    for (std::size_t column = 0; column < marked.size(); ++column) {
        if (marked[column] != 0) anew[column] = next++;
    }
    for (auto* columns : {&columns_.of_unigram, &columns_.of_ngram}) {
        for (std::int32_t& column : *columns) {
            if (column != kNoColumn) column = anew[static_cast<std::size_t>(column)];
        }
    }
    columns_.n_columns = next;
    complete_ = false;
    make_maps();
}

void CountedCorpus::order(const Kept& kept) {
    const bool by_name = analyzer_.of_tokens() && analyzer_.max_n > 1 && has_byte_below_space(counted_.tokens);
    columns_ = by_name ? order_by_name(kept) : number_columns(counted_, kept);
    make_maps();
}

/// The slow way: writes all names and sorts them.
Columns CountedCorpus::order_by_name(const Kept& kept) {
    Columns columns;
    const auto number = [&](std::span<const std::uint8_t> marked, std::vector<std::int32_t>& of) {
        of.assign(marked.size(), kNoColumn);
        for (std::size_t i = 0; i < marked.size(); ++i) {
            if (marked[i] != 0) of[i] = static_cast<std::int32_t>(columns.n_columns++);
        }
    };
    number(kept.unigrams, columns.of_unigram);
    number(kept.ngrams, columns.of_ngram);
    text::TokenTable tokens;
    for (std::uint32_t i = 0; i < counted_.tokens.size(); ++i) tokens.intern(counted_.tokens[i]);
    const Vocabulary unordered(std::move(tokens), counted_.n_stop_words, std::vector(counted_.ngram_keys),
                               Columns(columns));
    const StringBlob names = unordered.names(analyzer_.unit);
    const auto name = [&](std::int32_t i) {
        const auto begin = static_cast<std::size_t>(names.offsets[static_cast<std::size_t>(i)]);
        const auto end = static_cast<std::size_t>(names.offsets[static_cast<std::size_t>(i) + 1]);
        return std::string_view(names.bytes.data() + begin, end - begin);
    };
    std::vector<std::int32_t> order(static_cast<std::size_t>(columns.n_columns));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return name(a) < name(b); });
    std::vector<std::int32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    for (auto* of : {&columns.of_unigram, &columns.of_ngram}) {
        for (std::int32_t& column : *of) {
            if (column != kNoColumn) column = place[static_cast<std::size_t>(column)];
        }
    }
    return columns;
}

void CountedCorpus::make_maps() {
    maps_.assign(counted_.names.size(), {});
    run_threads(static_cast<int>(counted_.names.size()), [&](int thread) {
        CodeMap& map = maps_[static_cast<std::size_t>(thread)];
        const Names& names = counted_.names[static_cast<std::size_t>(thread)];
        const auto translate = [](std::span<const std::uint32_t> name, std::span<const std::int32_t> column) {
            std::vector<std::int32_t> map_of(name.size(), kNoColumn);
            for (std::size_t i = 0; i < name.size(); ++i) {
                if (name[i] < column.size()) map_of[i] = column[name[i]];
            }
            return map_of;
        };
        const bool same_symbols = thread == 0 || !analyzer_.of_tokens();
        map.of_unigram = same_symbols ? columns_.of_unigram : translate(names.symbols, columns_.of_unigram);
        map.of_ngram = translate(names.ngrams, columns_.of_ngram);
    });
}

std::vector<std::int64_t> CountedCorpus::document_frequencies() const {
    std::vector<std::int64_t> frequencies(static_cast<std::size_t>(columns_.n_columns));
    const auto scatter = [&](std::span<const std::int32_t> columns, std::span<const std::uint32_t> from) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (columns[i] != kNoColumn) frequencies[static_cast<std::size_t>(columns[i])] = from[i];
        }
    };
    scatter(columns_.of_unigram, counted_.unigram_frequencies);
    scatter(columns_.of_ngram, counted_.ngram_frequencies);
    return frequencies;
}

std::vector<std::int64_t> CountedCorpus::term_frequencies(bool binary) {
    if (binary) return document_frequencies();
    std::vector<std::int64_t> frequencies(static_cast<std::size_t>(columns_.n_columns));
    const RowBlock block = rows();
    std::vector<FeatureCount> entries;
    for (std::int64_t row = 0; row < rows_.n_rows(); ++row) {
        read_columns(block, row, entries);
        for (const FeatureCount& entry : entries) frequencies[entry.code] += entry.count;
    }
    return frequencies;
}

RowBlock CountedCorpus::rows() {
    rows_.require_untaken();
    RowBlock block{.rows = &rows_, .maps = maps_, .map_of_row = thread_of_row_, .complete = complete_, .weighting = {}};
    block.column_bits = std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(columns_.n_columns))));
    return block;
}

std::unique_ptr<Vocabulary> CountedCorpus::take_vocabulary() {
    return std::make_unique<Vocabulary>(std::move(counted_.tokens), counted_.n_stop_words,
                                        std::move(counted_.ngram_keys), std::move(columns_));
}

}  // namespace assay::ngrams
