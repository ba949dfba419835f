#include "assay/ngram_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "assay/parallel.hpp"

namespace assay {
namespace {

struct Ranked {
    std::uint64_t key;
    std::uint32_t id;
};

/// Sorts by key, of which only the lowest n_bits matter; `other` is working space of the same size.
void radix_sort(std::span<Ranked> items, std::span<Ranked> other, int n_bits) {
    if (items.size() < 512) {
        std::sort(items.begin(), items.end(), [](const Ranked& a, const Ranked& b) { return a.key < b.key; });
        return;
    }
    constexpr int kDigit = 11;
    std::span<Ranked> from = items, to = other;
    for (int shift = 0; shift < n_bits; shift += kDigit) {
        const auto digit = [shift](const Ranked& item) { return item.key >> shift & ((1u << kDigit) - 1); };
        std::array<std::uint64_t, 1u << kDigit> start{};
        for (const Ranked& item : from) ++start[digit(item)];
        std::uint64_t sum = 0;
        for (std::uint64_t& s : start) sum += std::exchange(s, sum);
        for (const Ranked& item : from) to[start[digit(item)]++] = item;
        std::swap(from, to);
    }
    if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
}

int bits_for(std::uint64_t n_values) {
    return n_values < 2 ? 1 : 64 - std::countl_zero(n_values - 1);
}

/// Sorts items by (parent << symbol_bits | rank). Threads take ranges of parents of about equal numbers of
/// items.
std::vector<Ranked> sort_level(std::vector<Ranked>&& items, std::uint64_t n_parents, int symbol_bits, int n_threads) {
    const int n_bits = symbol_bits + bits_for(n_parents);
    const std::size_t n = items.size();
    std::vector<Ranked> space(n);
    if (n_threads < 2 || n < 1u << 16) {
        radix_sort(items, space, n_bits);
        return std::move(items);
    }
    // Parents are cut into buckets by their highest bits, buckets into one range for each thread.
    const int shift = std::max(0, n_bits - 12);
    std::vector<std::uint64_t> start((1u << 12) + 1);
    for (const Ranked& item : items) ++start[(item.key >> shift) + 1];
    for (std::size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
    std::vector<std::size_t> cuts{0};
    for (std::size_t t = 1; t <= static_cast<std::size_t>(n_threads); ++t) {
        const auto goal = n * t / static_cast<std::size_t>(n_threads);
        const auto at = std::lower_bound(start.begin(), start.end(), goal);
        cuts.push_back(static_cast<std::size_t>(std::min(at, start.end() - 1) - start.begin()));
    }
    std::vector<Ranked> result(n);
    run_threads(n_threads, [&](int thread) {
        const std::size_t first = cuts[static_cast<std::size_t>(thread)],
                          last = cuts[static_cast<std::size_t>(thread) + 1];
        if (first >= last) return;
        const std::uint64_t low = std::uint64_t{first} << shift, high = std::uint64_t{last} << shift;
        const bool open = last + 1 == start.size();
        std::uint64_t at = start[first];
        for (const Ranked& item : items) {
            if (item.key >= low && (open || item.key < high)) result[at++] = item;
        }
        const std::size_t size = at - start[first];
        radix_sort({result.data() + start[first], size}, {space.data() + start[first], size}, n_bits);
    });
    return result;
}

std::uint64_t prefix_value(std::string_view token) {
    std::uint64_t word = 0;
    std::memcpy(&word, token.data(), std::min<std::size_t>(token.size(), 8));
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word;
}

}  // namespace

std::vector<std::uint32_t> rank_tokens(const TokenTable& tokens, int n_threads) {
    const std::uint32_t n = tokens.size();
    std::vector<Ranked> order(n);
    for (std::uint32_t id = 0; id < n; ++id) order[id] = {prefix_value(tokens[id]), id};
    const auto before = [&](const Ranked& a, const Ranked& b) {
        return a.key != b.key ? a.key < b.key : tokens[a.id] < tokens[b.id];
    };
    const auto at = [&](std::int64_t part, std::int64_t parts) {
        return order.begin() + static_cast<std::ptrdiff_t>(n * part / parts);
    };
    const std::int64_t parts = n < 4096 ? 1 : std::max(n_threads, 1);
    run_threads(static_cast<int>(parts), [&](int part) { std::sort(at(part, parts), at(part + 1, parts), before); });
    for (std::int64_t part = 1; part < parts; ++part) {
        std::inplace_merge(order.begin(), at(part, parts), at(part + 1, parts), before);
    }
    std::vector<std::uint32_t> rank(n);
    for (std::uint32_t position = 0; position < n; ++position) rank[order[position].id] = position;
    return rank;
}

Columns order_ngrams(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> rank, const Kept& kept,
                     int n_threads) {
    const std::size_t n_ngrams = keys.size();
    std::uint64_t n_symbols = rank.empty() ? kept.unigrams.size() : rank.size();
    std::vector<std::uint8_t> needed(kept.ngrams.begin(), kept.ngrams.end());
    for (std::size_t id = n_ngrams; id-- > 0;) {  // what continues an n-gram has a higher id
        if (needed[id] != 0 && !is_bigram(keys[id])) needed[prefix_of(keys[id])] = 1;
    }
    if (rank.empty()) {
        for (std::size_t id = 0; id < n_ngrams; ++id) {
            n_symbols = std::max<std::uint64_t>(n_symbols, std::uint64_t{last_symbol(keys[id])} + 1);
            if (is_bigram(keys[id]))
                n_symbols = std::max<std::uint64_t>(n_symbols, std::uint64_t{first_symbol(keys[id])} + 1);
        }
    }
    const auto rank_of = [&](Symbol symbol) { return rank.empty() ? symbol : rank[symbol]; };
    const int symbol_bits = bits_for(n_symbols);

    // levels[k]: the needed n-grams of k + 2 symbols, sorted; their parents are in levels[k - 1], or symbols
    // by rank.
    std::vector<std::vector<Ranked>> levels;
    std::vector<std::uint32_t> depth(n_ngrams), position(n_ngrams);
    std::vector<std::vector<std::uint32_t>> members;
    for (std::size_t id = 0; id < n_ngrams; ++id) {
        depth[id] = is_bigram(keys[id]) ? 0 : depth[prefix_of(keys[id])] + 1;
        if (needed[id] == 0) continue;
        if (depth[id] >= members.size()) members.resize(depth[id] + 1);
        members[depth[id]].push_back(static_cast<std::uint32_t>(id));
    }
    std::uint64_t n_parents = n_symbols;
    for (auto& ids : members) {
        std::vector<Ranked> level(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::uint64_t key = keys[ids[i]];
            const std::uint64_t parent = is_bigram(key) ? rank_of(first_symbol(key)) : position[prefix_of(key)];
            level[i] = {parent << symbol_bits | rank_of(last_symbol(key)), ids[i]};
        }
        std::vector<std::uint32_t>().swap(ids);
        levels.push_back(sort_level(std::move(level), n_parents, symbol_bits, n_threads));
        if (&ids != &members.back()) {
            for (std::size_t i = 0; i < levels.back().size(); ++i)
                position[levels.back()[i].id] = static_cast<std::uint32_t>(i);
        }
        n_parents = levels.back().size();
    }

    Columns columns;
    columns.of_unigram.assign(kept.unigrams.size(), kNoColumn);
    columns.of_ngram.assign(n_ngrams, kNoColumn);
    const auto next_column = [&] {
        if (columns.n_columns >= 0x7FFFFFFF) throw std::length_error("more than 2,147,483,647 features");
        return static_cast<std::int32_t>(columns.n_columns++);
    };
    // Pre-order: each level is read once from front to back, a parent's children standing together in it.
    // path[k] is the parent whose children are being read in level k.
    std::vector<std::size_t> cursor(levels.size());
    std::vector<std::uint64_t> path(levels.size() + 1);
    const auto visit_children = [&](std::uint64_t rank_of_symbol) {
        path[0] = rank_of_symbol;
        std::size_t k = 0;
        while (true) {
            if (k < levels.size() && cursor[k] < levels[k].size() &&
                levels[k][cursor[k]].key >> symbol_bits == path[k]) {
                const std::uint32_t id = levels[k][cursor[k]].id;
                if (kept.ngrams[id] != 0) columns.of_ngram[id] = next_column();
                path[k + 1] = cursor[k]++;
                ++k;
            } else if (k == 0) {
                return;
            } else {
                --k;
            }
        }
    };
    std::vector<Symbol> by_rank;
    if (!rank.empty()) {
        by_rank.resize(rank.size());
        for (std::size_t symbol = 0; symbol < rank.size(); ++symbol)
            by_rank[rank[symbol]] = static_cast<Symbol>(symbol);
    }
    for (std::uint64_t r = 0; r < n_symbols; ++r) {
        const Symbol symbol = rank.empty() ? static_cast<Symbol>(r) : by_rank[r];
        if (symbol < kept.unigrams.size() && kept.unigrams[symbol] != 0) columns.of_unigram[symbol] = next_column();
        visit_children(r);
    }
    return columns;
}

}  // namespace assay
