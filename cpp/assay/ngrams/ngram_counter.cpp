#include "assay/ngrams/ngram_counter.hpp"

#include <algorithm>

#include "assay/text/characters.hpp"
#include "assay/text/tokenize.hpp"

namespace assay::ngrams {
namespace {

constexpr std::uint64_t kWindow = 1 << 14;        // positions for which a level is finished before the next begins
constexpr std::uint64_t kAhead = 24;              // slots asked for before they are needed
constexpr std::uint64_t kWordMemory = 16u << 20;  // features of words remembered before they are forgotten

}  // namespace

NgramCounter::NgramCounter(const text::Analyzer& analyzer) : analyzer_(analyzer) {
    for (const std::string& word : analyzer_.stop_words) tokens_.intern(word);
    n_stop_words_ = tokens_.size();
}

std::span<const FeatureCount> NgramCounter::add(text::TextSpan text) {
    row_.clear();
    if (++document_ == 0) throw std::length_error("more than 4,294,967,295 documents");
    text::normalize(text, analyzer_.normalize, text_);
    switch (analyzer_.unit) {
        case text::Unit::word:
        case text::Unit::piece:
            add_tokens();
            break;
        case text::Unit::chars:
            add_characters();
            break;
        case text::Unit::char_wb:
            add_words_of_characters();
            break;
    }
    return row_;
}

void NgramCounter::see(Occurrence& occurrence, std::uint32_t code, std::uint32_t times) {
    if (occurrence.document == document_) {
        row_[occurrence.position].count += times;
    } else {
        occurrence.document = document_;
        occurrence.position = static_cast<std::uint32_t>(row_.size());
        ++occurrence.document_frequency;
        row_.push_back({code, times});
    }
}

Occurrence& NgramCounter::unigram(Symbol symbol) {
    if (symbol >= unigrams_.size()) unigrams_.resize(std::max<std::size_t>(symbol + 1, unigrams_.size() * 2));
    return unigrams_[symbol];
}

void NgramCounter::add_tokens() {
    symbols_.clear();
    batch_.clear();
    const auto intern_batch = [&] {
        for (const text::TokenTable::Key& key : batch_.keys()) {
            const Symbol symbol = tokens_.intern(key);
            if (symbol >= n_stop_words_) symbols_.push_back(symbol);
        }
        batch_.clear();
    };
    text::for_each_token(text_, analyzer_, [&](std::uint64_t begin, std::uint64_t end) {
        batch_.add(tokens_, text_.data() + begin, end - begin);
        if (batch_.full()) intern_batch();
    });
    intern_batch();
    count_levels(symbols_);
}

void NgramCounter::add_characters() {
    text::collapse_spaces(text_, symbols_);
    count_levels(symbols_);
}

void NgramCounter::count_levels(std::span<const Symbol> symbols) {
    if (analyzer_.min_n == 1) {
        for (const Symbol symbol : symbols) see(unigram(symbol), symbol | kUnigram, 1);
    }
    if (analyzer_.max_n < 2) return;
    for (std::uint64_t begin = 0; begin < symbols.size(); begin += kWindow) {
        const std::uint64_t end = std::min<std::uint64_t>(begin + kWindow, symbols.size());
        for (std::uint32_t n = 2; n <= analyzer_.max_n && begin + n <= symbols.size(); ++n) {
            if (n >= analyzer_.min_n) {
                walk_level(symbols, begin, end, n, [&](CountingSlot& slot) { see(slot.occurrence, slot.id, 1); });
            } else {
                walk_level(symbols, begin, end, n, [](CountingSlot&) {});
            }
        }
    }
}

/// Finds the n-grams that begin in [begin, end), given those of n - 1 in prefixes_, and leaves theirs there.
template <class Found>
void NgramCounter::walk_level(std::span<const Symbol> symbols, std::uint64_t begin, std::uint64_t end, std::uint32_t n,
                              Found&& found) {
    const std::uint64_t last = std::min<std::uint64_t>(end, symbols.size() - n + 1);
    const std::uint64_t count = last - begin;
    if (prefixes_.size() < count) prefixes_.resize(std::max(count, kWindow));
    const Symbol* first = symbols.data() + begin;
    const auto key_at = [&](std::uint64_t i) {
        return n == 2 ? bigram_key(first[i], first[i + 1]) : longer_key(prefixes_[i], first[i + n - 1]);
    };
    const auto number = [&](CountingSlot& slot) {
        slot.id = new_ngram_id(keys_.size());
        keys_.push_back(slot.key);
    };
    constexpr std::uint64_t kBatch = 512;
    std::uint64_t homes[kBatch];
    for (std::uint64_t start = 0; start < count; start += kBatch) {
        const std::uint64_t size = std::min(kBatch, count - start);
        ngrams_.reserve(size, growth_);
        const auto ask = [&](std::uint64_t i) {
            homes[i] = ngrams_.home(key_at(start + i));
            ngrams_.prefetch(homes[i]);
        };
        for (std::uint64_t i = 0; i < std::min(kAhead, size); ++i) ask(i);
        for (std::uint64_t i = 0; i < size; ++i) {
            if (i + kAhead < size) ask(i + kAhead);
            CountingSlot& slot = ngrams_.find_or_insert(key_at(start + i), homes[i], number);
            prefixes_[start + i] = slot.id;
            found(slot);
        }
    }
}

void NgramCounter::add_words_of_characters() {
    // Each different word of the document once, with its count; then each word's features as often.
    if (word_features_.size() > kWordMemory) {
        words_.clear();
        word_features_.clear();
        word_features_offsets_.assign(1, 0);
        word_states_.clear();
    }
    words_of_document_.clear();
    text::for_each_token(text_, analyzer_, [&](std::uint64_t begin, std::uint64_t end) {
        const std::uint32_t word = words_.intern(text::TokenTable::key_of(text_.data() + begin, end - begin));
        if (word == word_states_.size()) {
            expand_word(begin, end);
            word_states_.push_back({0, 0});
        }
        WordState& state = word_states_[word];
        if (state.document == document_) {
            ++words_of_document_[state.position].count;
        } else {
            state = {document_, static_cast<std::uint32_t>(words_of_document_.size())};
            words_of_document_.push_back({word, 1});
        }
    });
    ngram_occurrences_.resize(std::max(ngram_occurrences_.size(), keys_.size() + keys_.size() / 4));
    for (const FeatureCount& word : words_of_document_) {
        const std::uint64_t end = word_features_offsets_[word.code + 1];
        for (std::uint64_t i = word_features_offsets_[word.code]; i < end; ++i) {
            const std::uint32_t code = word_features_[i];
            see((code & kUnigram) != 0 ? unigram(code & ~kUnigram) : ngram_occurrences_[code], code, word.count);
        }
    }
}

/// Appends the codes of a new word's features to word_features_.
void NgramCounter::expand_word(std::uint64_t begin, std::uint64_t end) {
    text::pad_word(text_, begin, end, symbols_);
    const auto n_symbols = static_cast<std::uint32_t>(std::min<std::size_t>(symbols_.size(), 0xFFFFFFFF));
    const auto emit = [&](CountingSlot& slot) { word_features_.push_back(slot.id); };
    if (analyzer_.min_n == 1) {
        for (const Symbol symbol : symbols_) word_features_.push_back(symbol | kUnigram);
    }
    // A word shorter than min_n is itself the only feature.
    const std::uint32_t deepest = std::min(analyzer_.max_n, n_symbols);
    const std::uint32_t from = std::min(analyzer_.min_n, n_symbols);
    for (std::uint64_t window = 0; window < n_symbols; window += kWindow) {
        const std::uint64_t window_end = std::min<std::uint64_t>(window + kWindow, n_symbols);
        for (std::uint32_t n = 2; n <= deepest && window + n <= n_symbols; ++n) {
            if (n >= from) {
                walk_level(symbols_, window, window_end, n, emit);
            } else {
                walk_level(symbols_, window, window_end, n, [](CountingSlot&) {});
            }
        }
    }
    word_features_offsets_.push_back(word_features_.size());
}

NgramCounter::Result NgramCounter::take() {
    Result result{std::move(tokens_), n_stop_words_, {}, {}, take_ngram_frequencies()};
    result.ngram_keys = std::move(keys_);
    result.unigram_frequencies.reserve(unigrams_.size());
    for (const Occurrence& o : unigrams_) result.unigram_frequencies.push_back(o.document_frequency);
    return result;
}

std::vector<std::uint32_t> NgramCounter::take_ngram_frequencies() {
    std::vector<std::uint32_t> frequencies(keys_.size());
    if (analyzer_.unit == text::Unit::char_wb) {
        for (std::size_t id = 0; id < std::min(keys_.size(), ngram_occurrences_.size()); ++id) {
            frequencies[id] = ngram_occurrences_[id].document_frequency;
        }
    } else {
        for (const CountingSlot& slot : ngrams_.slots()) {
            if (slot.key != 0) frequencies[slot.id] = slot.occurrence.document_frequency;
        }
    }
    ngrams_ = {};
    return frequencies;
}

}  // namespace assay::ngrams
