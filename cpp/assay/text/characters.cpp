#include "assay/text/characters.hpp"

#include "assay/text/unicode.hpp"

namespace assay::text {

void collapse_spaces(const NormalizedText& text, std::vector<std::uint32_t>& code_points) {
    code_points.clear();
    code_points.reserve(text.size);
    bool after_space = false;
    const char* end = text.data() + text.size;
    for (const char* at = text.data(); at < end;) {
        const std::uint32_t code_point = decode_trusted(at);
        const bool space = classify(code_point).is_space();
        if (space && after_space) {
            code_points.back() = ' ';
        } else {
            code_points.push_back(code_point);
        }
        after_space = space;
    }
}

void pad_word(const NormalizedText& text, std::uint64_t begin, std::uint64_t end,
              std::vector<std::uint32_t>& code_points) {
    code_points.clear();
    code_points.push_back(' ');
    for (const char* at = text.data() + begin; at < text.data() + end;) code_points.push_back(decode_trusted(at));
    code_points.push_back(' ');
}

}  // namespace assay::text
