#include "assay/copies/markup.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "assay/text/text.hpp"

namespace assay::copies {
namespace {

using CodePoints = std::vector<std::uint32_t>;

constexpr std::size_t kLongestName = 10;
constexpr std::uint32_t kUnknown = 0xFFFD;

struct Entity {
    std::string_view name;
    std::uint32_t character;
};

constexpr Entity kEntities[] = {
    {"aelig", 0xE6},    {"amp", '&'},      {"apos", '\''},    {"bdquo", 0x201E}, {"bull", 0x2022},  {"cent", 0xA2},
    {"copy", 0xA9},     {"deg", 0xB0},     {"emsp", ' '},     {"ensp", ' '},     {"euro", 0x20AC},  {"gt", '>'},
    {"hellip", 0x2026}, {"iexcl", 0xA1},   {"iquest", 0xBF},  {"laquo", 0xAB},   {"ldquo", 0x201C}, {"lsquo", 0x2018},
    {"lt", '<'},        {"mdash", 0x2014}, {"middot", 0xB7},  {"nbsp", ' '},     {"ndash", 0x2013}, {"oelig", 0x153},
    {"oslash", 0xF8},   {"para", 0xB6},    {"pound", 0xA3},   {"quot", '"'},     {"raquo", 0xBB},   {"rdquo", 0x201D},
    {"reg", 0xAE},      {"rsquo", 0x2019}, {"sbquo", 0x201A}, {"sect", 0xA7},    {"szlig", 0xDF},   {"thinsp", ' '},
    {"times", 0xD7},    {"trade", 0x2122}, {"yen", 0xA5},
};

// What follows a letter in the name of a letter with an accent, as in &eacute;
constexpr std::string_view kAccents[] = {"acute", "caron", "cedil", "circ", "grave", "ring", "tilde", "uml"};

constexpr std::string_view kTags[] = {
    "a",      "abbr",    "address", "article", "aside",  "b",      "base",   "big",   "blockquote", "body", "br",
    "button", "center",  "cite",    "code",    "col",    "dd",     "del",    "div",   "dl",         "dt",   "em",
    "figure", "font",    "footer",  "form",    "h1",     "h2",     "h3",     "h4",    "h5",         "h6",   "head",
    "header", "hr",      "html",    "i",       "iframe", "img",    "input",  "ins",   "label",      "li",   "link",
    "main",   "meta",    "nav",     "nobr",    "o:p",    "ol",     "option", "p",     "pre",        "q",    "s",
    "script", "section", "select",  "small",   "span",   "strike", "strong", "style", "sub",        "sup",  "table",
    "tbody",  "td",      "tfoot",   "th",      "thead",  "title",  "tr",     "tt",    "u",          "ul",   "wbr",
};

static_assert(std::ranges::is_sorted(kTags));

bool is_letter(std::uint32_t c) {
    return c >= 'a' && c <= 'z';
}

bool is_digit(std::uint32_t c) {
    return c >= '0' && c <= '9';
}

std::optional<std::uint32_t> hex_digit(std::uint32_t c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return std::nullopt;
}

/// The characters from `at` on that may stand in a name, as many as the longest has.
template <class Allowed>
std::string_view name_at(const CodePoints& text, std::size_t at, std::array<char, kLongestName + 1>& space,
                         Allowed&& allowed) {
    std::size_t size = 0;
    while (size < space.size() && at + size < text.size() && allowed(text[at + size])) {
        space[size] = static_cast<char>(text[at + size]);
        ++size;
    }
    return {space.data(), size};
}

/// What an entity of this name stands for; none where there is no such name.
std::optional<std::uint32_t> character_of(std::string_view name) {
    const auto* const found = std::ranges::find(kEntities, name, &Entity::name);
    if (found != std::end(kEntities)) return found->character;
    if (name.size() > 1 && std::ranges::find(kAccents, name.substr(1)) != std::end(kAccents)) {
        return static_cast<std::uint32_t>(name.front());
    }
    return std::nullopt;
}

/// Reads the number of "#233;" or "#xe9;" behind its mark; `at` is then behind the semicolon.
std::optional<std::uint32_t> number_at(const CodePoints& text, std::size_t& at) {
    std::size_t i = at + 1;
    const bool is_hex = i < text.size() && text[i] == 'x';
    const std::size_t begin = is_hex ? ++i : i, most = is_hex ? 6 : 7;
    std::uint32_t value = 0;
    for (; i < text.size() && i - begin < most; ++i) {
        const std::optional<std::uint32_t> digit = hex_digit(text[i]);
        if (!digit || (!is_hex && *digit > 9)) break;
        value = value * (is_hex ? 16 : 10) + *digit;
    }
    if (i == begin || i == text.size() || text[i] != ';') return std::nullopt;
    at = i + 1;
    const bool is_character = value != 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    return is_character ? value : kUnknown;
}

/// What the entity behind the mark & at `at` stands for, however often the mark itself was escaped.
std::optional<std::uint32_t> entity_at(const CodePoints& text, std::size_t& at) {
    std::array<char, kLongestName + 1> space;
    std::size_t i = at + 1;
    bool escaped = false;
    for (;;) {
        const std::string_view name = name_at(text, i, space, is_letter);
        const std::size_t end = i + name.size();
        std::optional<std::uint32_t> found;
        std::size_t behind = end + 1;
        if (name.empty() && i < text.size() && text[i] == '#') {
            behind = i;
            found = number_at(text, behind);
        } else if (end < text.size() && text[end] == ';') {
            found = character_of(name);
        }
        if (!found && !escaped) return std::nullopt;
        if (!found || *found != '&' || text[i] == '#') {
            at = found ? behind : i;
            return found.value_or('&');
        }
        escaped = true;
        i = behind;
    }
}

/// The end of the tag that begins at `at`; `at` where there is none.
std::size_t tag_end(const CodePoints& text, std::size_t at) {
    std::size_t i = at + 1;
    if (i < text.size() && text[i] != '!') {
        i += text[i] == '/' ? 1 : 0;
        std::array<char, kLongestName + 1> space;
        const auto allowed = [](std::uint32_t c) { return is_letter(c) || is_digit(c) || c == ':'; };
        const std::string_view name = name_at(text, i, space, allowed);
        if (!std::ranges::binary_search(kTags, name)) return at;
        i += name.size();
        if (i < text.size() && text[i] > ' ' && text[i] != '/' && text[i] != '>') return at;
    }
    while (i < text.size() && text[i] != '<' && text[i] != '>') ++i;
    return i < text.size() && text[i] == '>' ? i + 1 : at;
}

bool decode_entities(CodePoints& text) {
    std::size_t kept = 0;
    bool changed = false;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t behind = i;
        const std::optional<std::uint32_t> found = text[i] == '&' ? entity_at(text, behind) : std::nullopt;
        changed = changed || found.has_value();
        text[kept++] = found.value_or(text[i]);
        i = found ? behind : i + 1;
    }
    text.resize(kept);
    return changed;
}

bool drop_tags(CodePoints& text) {
    std::size_t kept = 0;
    bool changed = false;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = text[i] == '<' ? tag_end(text, i) : i;
        changed = changed || end != i;
        text[kept++] = end != i ? ' ' : text[i];
        i = end != i ? end : i + 1;
    }
    text.resize(kept);
    return changed;
}

}  // namespace

bool without_markup(const text::NormalizedText& text, std::vector<std::uint32_t>& plain) {
    const auto holds = [&](char mark) { return std::memchr(text.data(), mark, text.size) != nullptr; };
    if (!holds('&') && !holds('<')) return false;
    plain.clear();
    for (const char* at = text.data(); at < text.data() + text.size;) plain.push_back(text::decode_trusted(at));
    const bool had_entities = decode_entities(plain);
    return drop_tags(plain) || had_entities;
}

}  // namespace assay::copies
