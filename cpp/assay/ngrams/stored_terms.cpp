#include "assay/ngrams/stored_terms.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/text/text.hpp"
#include "assay/text/unicode.hpp"

namespace assay::ngrams {
namespace {

bool is_continuation(char byte) {
    return (static_cast<std::uint8_t>(byte) & 0xC0) == 0x80;
}

/// Throws unless the bytes are UTF-8, in which lone surrogates may be encoded as well.
void require_utf8(std::span<const char> bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
        std::uint64_t eight;
        if (i + 8 <= bytes.size() && (std::memcpy(&eight, bytes.data() + i, 8), (eight & 0x8080808080808080) == 0)) {
            i += 8;
            continue;
        }
        const auto first = static_cast<std::uint8_t>(bytes[i]);
        const std::uint32_t length = text::utf8_length(first);
        bool good = length == 1 || (first >= 0xC2 && first < 0xF5 && i + length <= bytes.size());
        for (std::uint32_t k = 1; good && k < length; ++k) good = is_continuation(bytes[i + k]);
        if (good && length > 2) {  // no longer than needed, and not past the end of Unicode
            const char* at = bytes.data() + i;
            const std::uint32_t code_point = text::decode_trusted(at);
            good = code_point >= (length == 3 ? 0x800u : 0x10000u) && code_point < text::kEndOfUnicode;
        }
        if (!good) throw std::invalid_argument("byte " + std::to_string(i) + " of the terms is not UTF-8");
        i += length;
    }
}

}  // namespace

StoredTerms::StoredTerms(std::span<const char> bytes, std::span<const std::int64_t> offsets)
    : bytes_(bytes), offsets_(offsets), rise_(true) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(bytes.size())) {
        throw std::invalid_argument("the offsets of a vocabulary must run from 0 to the number of its bytes");
    }
    if (size() > 0x7FFFFFFF) throw std::invalid_argument(std::to_string(size()) + " terms are more than there can be");
    require_utf8(bytes);
    for (std::size_t i = 0; i < size(); ++i) {
        const std::int64_t begin = offsets[i], end = offsets[i + 1];
        if (begin > end || end > static_cast<std::int64_t>(bytes.size())) {
            throw std::invalid_argument("offset " + std::to_string(i) + " of a vocabulary is out of order");
        }
        if (begin < end && is_continuation(bytes[static_cast<std::size_t>(begin)])) {
            throw std::invalid_argument("offset " + std::to_string(i) + " of a vocabulary cuts a character in two");
        }
        if (i > 0 && rise_) rise_ = (*this)[i - 1] < (*this)[i];
    }
}

std::int32_t StoredTerms::find(std::string_view term) const {
    std::size_t begin = 0, end = size();
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        if ((*this)[middle] < term) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < size() && (*this)[begin] == term ? static_cast<std::int32_t>(begin) : kNoColumn;
}

std::unique_ptr<Vocabulary> wanted_part(const text::Analyzer& analyzer, const StoredTerms& terms,
                                        const Vocabulary& wanted) {
    const StringBlob names = wanted.names(analyzer.unit);
    const StoredTerms asked(names.bytes, names.offsets);
    StringBlob found;
    std::vector<std::int32_t> columns;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const std::int32_t column = terms.find(asked[i]);
        if (column == kNoColumn) continue;
        columns.push_back(column);
        found.bytes.insert(found.bytes.end(), asked[i].begin(), asked[i].end());
        found.offsets.push_back(static_cast<std::int64_t>(found.bytes.size()));
    }
    return std::make_unique<Vocabulary>(analyzer, StoredTerms(found.bytes, found.offsets), columns,
                                        static_cast<std::int64_t>(terms.size()));
}

}  // namespace assay::ngrams
