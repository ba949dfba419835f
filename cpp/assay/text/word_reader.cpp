#include "assay/text/word_reader.hpp"

#include <algorithm>

#include "assay/base/parallel.hpp"
#include "assay/text/normalize.hpp"
#include "assay/text/sentence_ends.hpp"
#include "assay/text/tokenize.hpp"

namespace assay::text {
namespace {

constexpr std::int64_t kDocumentsPerBlock = 64;
constexpr std::int32_t kNew = -2;  // the next of the words that the table did not hold

Marking marking_of(const WordReader::Options& options) {
    const Marking marking = options.analyzer.normalize.marking;
    const bool words = marking == Marking::words || marking == Marking::words_and_punctuation;
    if (!words) return marking;
    return options.by_sentence || options.keep_punctuation ? Marking::words_and_punctuation : Marking::words;
}

}  // namespace

/// What a thread found in some documents.
struct WordReader::Block {
    NormalizedText text;
    std::vector<std::int32_t> ids;  // of words that the table holds, kBoundary, or kNew
    std::vector<char> new_bytes;    // the words marked kNew, in order
    std::vector<std::uint64_t> new_ends;
};

WordReader::WordReader(Options options) : options_(std::move(options)) {
    options_.analyzer.normalize.marking = marking_of(options_);
}

void WordReader::read_document(TextSpan document, Block& block) const {
    normalize(document, options_.analyzer.normalize, block.text);
    SentenceEnds ends;
    const bool marks = options_.analyzer.normalize.marking == Marking::words_and_punctuation;
    for_each_token(block.text, options_.analyzer, [&](std::uint64_t begin, std::uint64_t end) {
        if (options_.by_sentence && marks && ends.before(block.text, begin, end) && !block.ids.empty() &&
            block.ids.back() != kBoundary) {
            block.ids.push_back(kBoundary);
        }
        if (marks && !options_.keep_punctuation && (block.text.token_bits[begin / 64] >> begin % 64 & 1) == 0) return;
        const TokenTable::Key key = TokenTable::key_of(block.text.data() + begin, end - begin);
        const std::uint32_t found = table_.find(key);
        if (found != TokenTable::kNone) {
            block.ids.push_back(static_cast<std::int32_t>(found));
            return;
        }
        block.ids.push_back(kNew);
        block.new_bytes.insert(block.new_bytes.end(), key.token, key.token + key.length);
        block.new_ends.push_back(block.new_bytes.size());
    });
    if (!block.ids.empty() && block.ids.back() != kBoundary) block.ids.push_back(kBoundary);
}

std::vector<std::int32_t> WordReader::read(std::span<const TextSpan> documents, int n_threads) {
    const auto n = static_cast<std::int64_t>(documents.size());
    std::vector<Block> blocks(static_cast<std::size_t>((n + kDocumentsPerBlock - 1) / kDocumentsPerBlock));
    for_each_block(n, kDocumentsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        Block& block = blocks[static_cast<std::size_t>(begin / kDocumentsPerBlock)];
        for (std::int64_t row = begin; row < end; ++row) {
            in_document(row, [&] { read_document(documents[static_cast<std::size_t>(row)], block); });
        }
        block.text = {};
        block.new_bytes.resize(block.new_bytes.size() + TokenTable::kPadding);
    });
    std::size_t size = 0;
    for (const Block& block : blocks) size += block.ids.size();
    std::vector<std::int32_t> ids;
    ids.reserve(size);
    for (Block& block : blocks) {
        std::size_t next = 0;
        std::uint64_t begin = 0;
        for (std::int32_t id : block.ids) {
            if (id == kNew) {
                const std::uint64_t end = block.new_ends[next++];
                id = static_cast<std::int32_t>(
                    table_.intern(TokenTable::key_of(block.new_bytes.data() + begin, end - begin)));
                begin = end;
                if (table_.size() > counts_.size()) counts_.push_back(0);
            }
            if (id != kBoundary) ++counts_[static_cast<std::size_t>(id)];
            ids.push_back(id);
        }
        block = {};
    }
    return ids;
}

}  // namespace assay::text
