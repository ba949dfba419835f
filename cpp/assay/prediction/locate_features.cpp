#include "assay/prediction/locate_features.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "assay/base/parallel.hpp"
#include "assay/text/characters.hpp"
#include "assay/text/tokenize.hpp"
#include "assay/text/unicode.hpp"

namespace assay::prediction {
namespace {

constexpr std::int64_t kDocumentsPerBlock = 64;
constexpr std::size_t kTokensAhead = 256;
constexpr std::uint64_t kFeaturesAhead = 24;

/// For each byte of the normalised text, which code points of the original it came from.
class Origins {
 public:
    /// `text` has been normalised before, so it is known to be valid.
    void find(text::TextSpan text, const text::NormalizeOptions& options, std::uint64_t normalized_size) {
        same_ = is_ascii(text);  // then a byte is a code point, and stays one
        if (same_) return;
        starts_.clear();
        ends_.clear();
        starts_.reserve(normalized_size);
        ends_.reserve(normalized_size);
        std::int32_t position = 0;
        for_each_code_point(text, [&](std::uint32_t code_point) {
            const std::uint64_t n_bytes = code_point < 0x80 ? 1 : normalized_length(code_point, options);
            // A mark that was stripped from a letter is shown with the letter.
            if (n_bytes == 0 && !ends_.empty() && text::classify(code_point).is_case_ignorable())
                ends_.back() = position + 1;
            starts_.insert(starts_.end(), n_bytes, position);
            ends_.insert(ends_.end(), n_bytes, position + 1);
            ++position;
        });
    }

    std::int32_t start(std::uint64_t byte) const { return same_ ? static_cast<std::int32_t>(byte) : starts_[byte]; }
    std::int32_t end(std::uint64_t byte) const {  // of what ends before `byte`
        return same_ ? static_cast<std::int32_t>(byte) : ends_[byte - 1];
    }

 private:
    static bool is_ascii(text::TextSpan text) {
        if (text.encoding() != text::Encoding::utf8 || text.size() > kMostUnits) return false;
        const auto* bytes = static_cast<const std::uint8_t*>(text.data());
        std::uint8_t all = 0;
        for (std::uint64_t i = 0; i < text.size(); ++i) all |= bytes[i];
        return all < 0x80;
    }

    template <class Visit>
    static void for_each_code_point(text::TextSpan text, Visit&& visit) {
        if (text.size() > kMostUnits) throw std::length_error("a document is longer than 2,147,483,647 code units");
        const auto each = [&](const auto* units) {
            for (std::uint64_t i = 0; i < text.size(); ++i) visit(units[i]);
        };
        switch (text.encoding()) {
            case text::Encoding::utf8: {
                const char* at = static_cast<const char*>(text.data());
                for (const char* end = at + text.size(); at < end;) visit(text::decode_trusted(at));
                return;
            }
            case text::Encoding::latin1:
                return each(static_cast<const std::uint8_t*>(text.data()));
            case text::Encoding::ucs2:
                return each(static_cast<const std::uint16_t*>(text.data()));
            case text::Encoding::ucs4:
                return each(static_cast<const std::uint32_t*>(text.data()));
        }
    }

    /// Only the form of a sigma depends on its neighbours, and both forms are equally long.
    std::uint64_t normalized_length(std::uint32_t code_point, const text::NormalizeOptions& options) {
        text::normalize({&code_point, 1, text::Encoding::ucs4},
                        {options.lowercase, options.accents, text::Marking::none}, one_);
        return one_.size;
    }

    static constexpr std::uint64_t kMostUnits = std::numeric_limits<std::int32_t>::max();

    std::vector<std::int32_t> starts_, ends_;  // by byte
    bool same_ = false;
    text::NormalizedText one_;
};

/// Columns by a vocabulary. Symbols are those of the vocabulary.
class KnownColumns {
 public:
    KnownColumns(const text::Analyzer& analyzer, const ngrams::Vocabulary& vocabulary)
        : of_tokens_(analyzer.of_tokens()), vocabulary_(vocabulary), table_(vocabulary.table()) {}

    void clear() { symbols_.clear(); }

    /// Asks for what visit(first, …) will look up.
    void prepare(std::uint64_t first) const {
        if (first + 1 >= symbols_.size() || table_.size() == 0) return;
        const ngrams::Symbol symbol = symbols_[first], next = symbols_[first + 1];
        if (symbol != ngrams::kNoSymbol && next != ngrams::kNoSymbol)
            table_.prefetch(table_.home(ngrams::bigram_key(symbol, next)));
    }
    void prepare(const char* bytes, std::uint64_t length) const {
        if (of_tokens_) vocabulary_.tokens().prefetch(text::TokenTable::key_of(bytes, length));
    }

    /// Is it one of the document's symbols (no stop word)?
    bool add(const char* bytes, std::uint64_t length) {
        ngrams::Symbol symbol;
        if (of_tokens_) {
            symbol = vocabulary_.symbol_of(text::TokenTable::key_of(bytes, length));
            if (symbol == ngrams::Vocabulary::kStopWord) return false;
        } else {
            symbol = text::decode_trusted(bytes);
        }
        symbols_.push_back(symbol);
        return true;
    }

    /// Calls emit(column, sign, n) for each n-gram of symbols [first, first + n), n from min_n to max_n.
    template <class Emit>
    void visit(std::uint64_t first, std::uint32_t min_n, std::uint32_t max_n, Emit&& emit) {
        if (min_n == 1) {
            const std::int32_t column = vocabulary_.unigram_column(symbols_[first]);
            if (column != ngrams::kNoColumn) emit(column, std::int8_t{1}, 1u);
        }
        if (table_.size() == 0 || symbols_[first] == ngrams::kNoSymbol) return;
        ngrams::NgramId prefix = ngrams::kNoNgram;
        for (std::uint32_t n = 2; n <= max_n; ++n) {
            const ngrams::Symbol next = symbols_[first + n - 1];
            if (next == ngrams::kNoSymbol) return;
            const std::uint64_t key =
                n == 2 ? ngrams::bigram_key(symbols_[first], next) : ngrams::longer_key(prefix, next);
            const ngrams::Vocabulary::Slot* slot = table_.find(key, table_.home(key));
            if (slot == nullptr) return;
            prefix = slot->id;
            if (n >= min_n && slot->column != ngrams::kNoColumn) emit(slot->column, std::int8_t{1}, n);
        }
    }

 private:
    const bool of_tokens_;
    const ngrams::Vocabulary& vocabulary_;
    const KeyTable<ngrams::Vocabulary::Slot>& table_;
    std::vector<ngrams::Symbol> symbols_;
};

/// Columns by hashing the symbols as they are joined.
class HashedColumns {
 public:
    HashedColumns(const text::Analyzer& analyzer, const ngrams::Hashing& hashing)
        : gap_(analyzer.of_tokens() ? 1 : 0), hashing_(hashing) {
        if (!analyzer.of_tokens()) return;
        for (const std::string& word : analyzer.stop_words) stop_words_.intern(word);
    }

    void clear() {
        joined_.clear();
        ends_.clear();
    }

    void prepare(std::uint64_t) const {}
    void prepare(const char*, std::uint64_t) const {}

    bool add(const char* bytes, std::uint64_t length) {
        if (stop_words_.size() > 0 &&
            stop_words_.find(text::TokenTable::key_of(bytes, length)) != text::TokenTable::kNone)
            return false;
        joined_.append(bytes, length);
        ends_.push_back(joined_.size());
        joined_.append(gap_, ' ');
        return true;
    }

    template <class Emit>
    void visit(std::uint64_t first, std::uint32_t min_n, std::uint32_t max_n, Emit&& emit) {
        const std::uint64_t begin = first == 0 ? 0 : ends_[first - 1] + gap_;
        for (std::uint32_t n = min_n; n <= max_n; ++n) {
            const ngrams::HashedFeature found =
                ngrams::hash_feature(joined_.data() + begin, ends_[first + n - 1] - begin, hashing_);
            emit(static_cast<std::int32_t>(found.column), found.negative ? std::int8_t{-1} : std::int8_t{1}, n);
        }
    }

 private:
    const std::uint64_t gap_;
    const ngrams::Hashing hashing_;
    text::TokenTable stop_words_;
    std::string joined_;
    std::vector<std::uint64_t> ends_;
};

/// One thread's reading of documents.
template <class Columns>
class Locator {
 public:
    /// The bytes of symbols are kept only `with_names`.
    Locator(const text::Analyzer& analyzer, Columns&& columns, bool with_names)
        : analyzer_(analyzer), columns_(std::move(columns)), with_names_(with_names) {}

    void append(text::TextSpan document, LocatedFeatures& out) {
        text::normalize(document, analyzer_.normalize, text_);
        origins_.find(document, analyzer_.normalize, text_.size);
        if (analyzer_.of_tokens()) {
            begin_symbols(out);
            tokens_.clear();
            text::for_each_token(text_, analyzer_, [&](std::uint64_t begin, std::uint64_t end) {
                tokens_.push_back({begin, end});
                columns_.prepare(text_.data() + begin, end - begin);
                if (tokens_.size() == kTokensAhead) add_tokens(out);
            });
            add_tokens(out);
            end_symbols(analyzer_.min_n, analyzer_.max_n, out);
        } else if (analyzer_.unit == text::Unit::chars) {
            begin_symbols(out);
            add_document_characters(out);
            end_symbols(analyzer_.min_n, analyzer_.max_n, out);
        } else {
            text::for_each_token(text_, analyzer_,
                                 [&](std::uint64_t begin, std::uint64_t end) { add_word(begin, end, out); });
        }
        out.symbol_begin.push_back(static_cast<std::int64_t>(out.starts.size()));
        out.feature_begin.push_back(static_cast<std::int64_t>(out.columns.size()));
    }

 private:
    struct Token {
        std::uint64_t begin, end;
    };

    void add_tokens(LocatedFeatures& out) {
        for (const Token& token : tokens_) add(token.begin, token.end, out);
        tokens_.clear();
    }

    void begin_symbols(const LocatedFeatures& out) {
        columns_.clear();
        first_symbol_ = out.starts.size();
    }

    void add(std::uint64_t begin, std::uint64_t end, LocatedFeatures& out) {
        add_symbol(text_.data() + begin, end - begin, origins_.start(begin), origins_.end(end), out);
    }

    void add_symbol(const char* bytes, std::uint64_t length, std::int32_t start, std::int32_t end,
                    LocatedFeatures& out) {
        if (!columns_.add(bytes, length)) return;
        out.starts.push_back(start);
        out.ends.push_back(end);
        if (!with_names_) return;
        out.symbol_bytes.insert(out.symbol_bytes.end(), bytes, bytes + length);
        out.symbol_offsets.push_back(static_cast<std::int64_t>(out.symbol_bytes.size()));
    }

    /// As collapse_spaces, with where each character came from.
    void add_document_characters(LocatedFeatures& out) {
        text::collapse_spaces(text_, code_points_);
        std::size_t next = 0;
        bool after_space = false;
        for (std::uint64_t begin = 0; begin < text_.size;) {
            const char* at = text_.data() + begin;
            const bool space = text::classify(text::decode_trusted(at)).is_space();
            const auto end = static_cast<std::uint64_t>(at - text_.data());
            if (space && after_space) {
                out.ends.back() = origins_.end(end);
            } else {
                char bytes[8] = {};
                const std::uint32_t length = text::encode_utf8(code_points_[next++], bytes);
                add_symbol(bytes, length, origins_.start(begin), origins_.end(end), out);
            }
            after_space = space;
            begin = end;
        }
    }

    /// As pad_word. A feature may be shorter than min_n here, if the word is.
    void add_word(std::uint64_t begin, std::uint64_t end, LocatedFeatures& out) {
        begin_symbols(out);
        add_symbol(" ", 1, origins_.start(begin), origins_.start(begin), out);
        for (std::uint64_t byte = begin; byte < end;) {
            const std::uint64_t next = byte + text::utf8_length(static_cast<std::uint8_t>(text_.bytes[byte]));
            add(byte, next, out);
            byte = next;
        }
        add_symbol(" ", 1, origins_.end(end), origins_.end(end), out);
        const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(out.starts.size() - first_symbol_, 0xFFFFFFFF));
        end_symbols(std::min(analyzer_.min_n, n), std::min(analyzer_.max_n, n), out);
    }

    void end_symbols(std::uint32_t min_n, std::uint32_t max_n, LocatedFeatures& out) {
        const std::uint64_t n_symbols = out.starts.size() - first_symbol_;
        for (std::uint64_t i = 0; i < std::min(kFeaturesAhead, n_symbols); ++i) columns_.prepare(i);
        for (std::uint64_t i = 0; i + min_n <= n_symbols; ++i) {
            columns_.prepare(i + kFeaturesAhead);
            const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(max_n, n_symbols - i));
            columns_.visit(i, min_n, most, [&](std::int32_t column, std::int8_t sign, std::uint32_t n) {
                out.columns.push_back(column);
                out.signs.push_back(sign);
                out.first.push_back(static_cast<std::int64_t>(first_symbol_ + i));
                out.lengths.push_back(static_cast<std::int32_t>(n));
            });
        }
    }

    const text::Analyzer& analyzer_;
    Columns columns_;
    const bool with_names_;
    text::NormalizedText text_;
    std::vector<Token> tokens_;  // found, but not looked up yet
    Origins origins_;
    std::vector<std::uint32_t> code_points_;
    std::uint64_t first_symbol_ = 0;  // in `out`, of the run of symbols that n-grams are made of
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from, T shift = 0, std::size_t skip = 0) {
    for (std::size_t i = skip; i < from.size(); ++i) to.push_back(static_cast<T>(from[i] + shift));
}

void append(LocatedFeatures& to, const LocatedFeatures& from) {
    const auto n_symbols = static_cast<std::int64_t>(to.starts.size());
    const auto n_bytes = static_cast<std::int64_t>(to.symbol_bytes.size());
    const auto n_features = static_cast<std::int64_t>(to.columns.size());
    append(to.symbol_begin, from.symbol_begin, n_symbols, 1);
    append(to.starts, from.starts);
    append(to.ends, from.ends);
    append(to.symbol_bytes, from.symbol_bytes);
    append(to.symbol_offsets, from.symbol_offsets, n_bytes, 1);
    append(to.feature_begin, from.feature_begin, n_features, 1);
    append(to.columns, from.columns);
    append(to.signs, from.signs);
    append(to.first, from.first, n_symbols);
    append(to.lengths, from.lengths);
}

/// make() gives a thread its own locator; each(locator, document, its number) reads.
template <class Make, class Each>
void read_documents(std::span<const text::TextSpan> documents, int n_threads, Make&& make, Each&& each) {
    const auto n_documents = static_cast<std::int64_t>(documents.size());
    for_each_block(n_documents, kDocumentsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        auto locator = make();
        for (std::int64_t d = begin; d < end; ++d) {
            text::in_document(d, [&] { each(locator, documents[static_cast<std::size_t>(d)], d); });
        }
    });
}

template <class Make>
LocatedFeatures locate(std::span<const text::TextSpan> documents, int n_threads, Make&& make) {
    const auto n_documents = static_cast<std::int64_t>(documents.size());
    std::vector<LocatedFeatures> blocks(
        static_cast<std::size_t>((n_documents + kDocumentsPerBlock - 1) / kDocumentsPerBlock));
    read_documents(documents, n_threads, make, [&](auto& locator, text::TextSpan document, std::int64_t d) {
        locator.append(document, blocks[static_cast<std::size_t>(d / kDocumentsPerBlock)]);
    });
    if (blocks.size() == 1) return std::move(blocks.front());
    LocatedFeatures all;
    for (const LocatedFeatures& block : blocks) append(all, block);
    return all;
}

template <class Make>
void visit(std::span<const text::TextSpan> documents, int n_threads, const LocatedVisitor& visitor, Make&& make) {
    read_documents(documents, n_threads, make, [&](auto& locator, text::TextSpan document, std::int64_t d) {
        thread_local LocatedFeatures located;
        located.clear();
        locator.append(document, located);
        visitor(d, located);
    });
}

}  // namespace

void LocatedFeatures::clear() {
    symbol_begin.assign(1, 0);
    starts.clear();
    ends.clear();
    symbol_bytes.clear();
    symbol_offsets.assign(1, 0);
    feature_begin.assign(1, 0);
    columns.clear();
    signs.clear();
    first.clear();
    lengths.clear();
}

LocatedFeatures locate_features(std::span<const text::TextSpan> documents, const ngrams::LookupPlace& place,
                                int n_threads) {
    return locate(documents, n_threads,
                  [&] { return Locator(*place.analyzer, KnownColumns(*place.analyzer, *place.vocabulary), true); });
}

LocatedFeatures locate_hashed_features(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                                       const ngrams::Hashing& hashing, int n_threads) {
    return locate(documents, n_threads, [&] { return Locator(analyzer, HashedColumns(analyzer, hashing), true); });
}

void visit_features(std::span<const text::TextSpan> documents, const ngrams::LookupPlace& place, int n_threads,
                    const LocatedVisitor& visitor) {
    visit(documents, n_threads, visitor,
          [&] { return Locator(*place.analyzer, KnownColumns(*place.analyzer, *place.vocabulary), false); });
}

void visit_hashed_features(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                           const ngrams::Hashing& hashing, int n_threads, const LocatedVisitor& visitor) {
    visit(documents, n_threads, visitor, [&] { return Locator(analyzer, HashedColumns(analyzer, hashing), false); });
}

}  // namespace assay::prediction
