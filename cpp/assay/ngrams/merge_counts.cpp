#include "assay/ngrams/merge_counts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "assay/base/memory.hpp"
#include "assay/base/parallel.hpp"
#include "assay/base/radix_sort.hpp"

namespace assay::ngrams {
namespace {

struct Ranked {
    std::uint64_t key;
    std::uint32_t id;
};

int bits_for(std::uint64_t n_values) {
    return n_values < 2 ? 1 : 64 - std::countl_zero(n_values - 1);
}

std::uint64_t prefix_value(std::string_view token) {
    std::uint64_t word = 0;
    std::memcpy(&word, token.data(), std::min<std::size_t>(token.size(), 8));
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word;
}

/// Tokens in the order of their bytes.
std::vector<Symbol> sort_tokens(const text::TokenTable& tokens, int n_threads) {
    const std::uint32_t n = tokens.size();
    std::vector<Ranked> order(n);
    for (std::uint32_t id = 0; id < n; ++id) order[id] = {prefix_value(tokens[id]), id};
    const auto before = [&](const Ranked& a, const Ranked& b) {
        return a.key != b.key ? a.key < b.key : tokens[a.id] < tokens[b.id];
    };
    const std::int64_t parts = n < 4096 ? 1 : std::max(n_threads, 1);
    const auto at = [&](std::int64_t part) { return order.begin() + static_cast<std::ptrdiff_t>(n * part / parts); };
    run_threads(static_cast<int>(parts), [&](int part) { std::sort(at(part), at(part + 1), before); });
    for (std::int64_t part = 1; part < parts; ++part) std::inplace_merge(order.begin(), at(part), at(part + 1), before);
    std::vector<Symbol> sorted(n);
    for (std::uint32_t i = 0; i < n; ++i) sorted[i] = order[i].id;
    return sorted;
}

/// One thread's n-grams while levels are merged.
class ThreadNgrams {
 public:
    ThreadNgrams(const NgramCounter::Result& counts, const std::vector<Symbol>& symbol_names)
        : counts_(counts), symbol_names_(symbol_names), global_(counts.ngram_keys.size()), depth_(global_.size()) {
        for (std::size_t id = 0; id < depth_.size(); ++id) {
            const std::uint64_t key = counts.ngram_keys[id];
            depth_[id] = is_bigram(key) ? 0 : depth_[prefix_of(key)] + 1;
            if (depth_[id] >= levels_.size()) levels_.resize(depth_[id] + 1);
            ++levels_[depth_[id]];
        }
    }

    std::size_t n_levels() const { return levels_.size(); }

    /// The n-grams of a level by (parent << symbol_bits | rank of the last symbol). A parent is a symbol's rank, or an
    /// n-gram's position among all of its level.
    ZeroedArray<Ranked> sorted_level(std::size_t level, std::span<const std::uint32_t> rank, NgramId first_of_parents,
                                     std::uint64_t n_parents, int symbol_bits) const {
        ZeroedArray<Ranked> items(level < levels_.size() ? levels_[level] : 0);
        std::size_t n = 0;
        const auto rank_of = [&](Symbol symbol) {
            const Symbol name = symbol_names_.empty() ? symbol : symbol_names_[symbol];
            return rank.empty() ? name : rank[name];
        };
        for (std::size_t id = 0; n < items.size(); ++id) {
            if (depth_[id] != level) continue;
            const std::uint64_t key = counts_.ngram_keys[id];
            const std::uint64_t parent =
                level == 0 ? rank_of(first_symbol(key)) : global_[prefix_of(key)] - first_of_parents;
            items[n++] = {parent << symbol_bits | rank_of(last_symbol(key)), static_cast<std::uint32_t>(id)};
        }
        ZeroedArray<Ranked> space;
        radix_sort(items, space, symbol_bits + bits_for(n_parents), [](const Ranked& item) { return item.key; });
        return items;
    }

    std::uint32_t frequency(std::uint32_t id) const { return counts_.ngram_frequencies[id]; }
    void prefetch(std::uint32_t id) const {
        __builtin_prefetch(counts_.ngram_frequencies.data() + id);
        __builtin_prefetch(global_.data() + id, 1);
    }
    void name(std::uint32_t id, NgramId global) { global_[id] = global; }
    std::vector<NgramId> take_names() { return std::move(global_); }

 private:
    const NgramCounter::Result& counts_;
    const std::vector<Symbol>& symbol_names_;
    std::vector<NgramId> global_;
    std::vector<std::uint32_t> depth_;
    std::vector<std::uint64_t> levels_;  // how many n-grams each level has
};

/// A range of keys in the sorted lists of all threads.
struct LevelPart {
    std::vector<std::size_t> begins, ends;  // one for each list

    /// For every key in order: take(list, place) where it is found, then finish(key).
    template <class Finish, class Take>
    void merge(const std::vector<ZeroedArray<Ranked>>& lists, Finish&& finish, Take&& take) const {
        constexpr std::uint64_t none = ~std::uint64_t{0};
        std::vector<std::size_t> heads = begins;
        const auto key_at = [&](std::size_t t) { return heads[t] < ends[t] ? lists[t][heads[t]].key : none; };
        while (true) {
            std::uint64_t lowest = none;
            for (std::size_t t = 0; t < lists.size(); ++t) lowest = std::min(lowest, key_at(t));
            if (lowest == none) return;
            for (std::size_t t = 0; t < lists.size(); ++t) {
                if (key_at(t) == lowest) take(t, heads[t]++);
            }
            finish(lowest);
        }
    }
};

/// Cuts sorted lists into ranges of keys, about as long as one another.
std::vector<LevelPart> cut_level(const std::vector<ZeroedArray<Ranked>>& lists, int n_parts) {
    const auto& longest = *std::ranges::max_element(lists, {}, [](const auto& list) { return list.size(); });
    const auto n = static_cast<std::size_t>(longest.size() < 4096 ? 1 : std::max(n_parts, 1));
    std::vector<LevelPart> parts(n);
    std::vector<std::size_t> at(lists.size(), 0);
    for (std::size_t p = 0; p < n; ++p) {
        parts[p].begins = at;
        for (std::size_t t = 0; t < lists.size(); ++t) {
            const auto list = lists[t].span();
            at[t] = list.size();
            if (p + 1 == n) continue;
            const std::uint64_t bound = longest[longest.size() * (p + 1) / n].key;
            at[t] = static_cast<std::size_t>(std::ranges::lower_bound(list, bound, {}, &Ranked::key) - list.begin());
        }
        parts[p].ends = at;
    }
    return parts;
}

/// Merges the tokens and unigrams of all threads into those of the first.
void merge_symbols(std::vector<NgramCounter::Result>& counts, bool of_tokens, MergedCounts& merged) {
    merged.names.resize(counts.size());
    merged.n_stop_words = counts[0].n_stop_words;
    merged.unigram_frequencies = std::move(counts[0].unigram_frequencies);
    merged.tokens = std::move(counts[0].tokens);
    for (std::size_t t = 1; t < counts.size(); ++t) {
        std::vector<Symbol>& names = merged.names[t].symbols;
        if (of_tokens) {
            const text::TokenTable& tokens = counts[t].tokens;
            names.resize(tokens.size());
            for (Symbol token = 0; token < tokens.size(); ++token) {
                const std::string_view text = tokens[token];
                names[token] = merged.tokens.intern(text::TokenTable::key_of(text.data(), text.size()));
            }
        }
        const std::vector<std::uint32_t>& frequencies = counts[t].unigram_frequencies;
        for (std::size_t symbol = 0; symbol < frequencies.size(); ++symbol) {
            if (frequencies[symbol] == 0) continue;
            const std::size_t name = names.empty() ? symbol : names[symbol];
            if (name >= merged.unigram_frequencies.size()) merged.unigram_frequencies.resize(name + 1 + name / 4);
            merged.unigram_frequencies[name] += frequencies[symbol];
        }
    }
}

/// For code points: one past the greatest.
std::uint64_t count_symbols(const std::vector<NgramCounter::Result>& counts, const MergedCounts& merged) {
    std::uint64_t n = merged.unigram_frequencies.size();
    for (const NgramCounter::Result& thread : counts) {
        for (const std::uint64_t key : thread.ngram_keys) {
            n = std::max<std::uint64_t>(n, std::uint64_t{last_symbol(key)} + 1);
            if (is_bigram(key)) n = std::max<std::uint64_t>(n, std::uint64_t{first_symbol(key)} + 1);
        }
    }
    return n;
}

}  // namespace

MergedCounts merge_counts(std::vector<NgramCounter::Result>&& counts, bool of_tokens, int n_threads) {
    MergedCounts merged;
    merge_symbols(counts, of_tokens, merged);
    std::vector<std::uint32_t> rank;
    if (of_tokens) {
        merged.by_rank = sort_tokens(merged.tokens, n_threads);
        rank.resize(merged.by_rank.size());
        for (std::size_t i = 0; i < rank.size(); ++i) rank[merged.by_rank[i]] = static_cast<std::uint32_t>(i);
    } else {
        merged.by_rank.resize(count_symbols(counts, merged));
        std::iota(merged.by_rank.begin(), merged.by_rank.end(), Symbol{0});
    }
    const int symbol_bits = bits_for(merged.by_rank.size());
    const std::uint64_t symbol_mask = (std::uint64_t{1} << symbol_bits) - 1;

    std::vector<ThreadNgrams> threads;
    std::size_t n_levels = 0;
    for (std::size_t t = 0; t < counts.size(); ++t) {
        threads.emplace_back(counts[t], merged.names[t].symbols);
        n_levels = std::max(n_levels, threads[t].n_levels());
    }
    std::uint64_t first_of_parents = 0, n_parents = merged.by_rank.size();
    for (std::size_t level = 0; level < n_levels; ++level) {
        std::vector<ZeroedArray<Ranked>> lists(threads.size());
        run_threads(static_cast<int>(threads.size()), [&](int t) {
            const auto i = static_cast<std::size_t>(t);
            lists[i] =
                threads[i].sorted_level(level, rank, static_cast<NgramId>(first_of_parents), n_parents, symbol_bits);
        });
        const std::uint64_t first = merged.ngram_keys.size();
        const std::vector<LevelPart> parts = cut_level(lists, n_threads);
        std::vector<std::uint64_t> starts(parts.size() + 1, first);
        run_threads(static_cast<int>(parts.size()), [&](int p) {
            const auto i = static_cast<std::size_t>(p);
            std::uint64_t n = 0;
            parts[i].merge(lists, [&](std::uint64_t) { ++n; }, [](std::size_t, std::size_t) {});
            starts[i + 1] = n;
        });
        for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
        if (starts.back() > 0) new_ngram_id(starts.back() - 1);
        merged.ngram_keys.resize(starts.back());
        merged.ngram_frequencies.resize(starts.back());
        run_threads(static_cast<int>(parts.size()), [&](int p) {
            const auto i = static_cast<std::size_t>(p);
            std::uint64_t at = starts[i];
            const auto finish = [&](std::uint64_t key) {
                const Symbol last = merged.by_rank[key & symbol_mask];
                const std::uint64_t parent = key >> symbol_bits;
                merged.ngram_keys[at++] = level == 0
                                              ? bigram_key(merged.by_rank[parent], last)
                                              : longer_key(static_cast<NgramId>(first_of_parents + parent), last);
            };
            parts[i].merge(lists, finish, [&](std::size_t t, std::size_t head) {
                constexpr std::size_t ahead = 16;
                if (head + ahead < lists[t].size()) threads[t].prefetch(lists[t][head + ahead].id);
                const std::uint32_t id = lists[t][head].id;
                threads[t].name(id, static_cast<NgramId>(at));
                merged.ngram_frequencies[at] += threads[t].frequency(id);
            });
        });
        first_of_parents = first;
        n_parents = merged.ngram_keys.size() - first;
        merged.level_ends.push_back(merged.ngram_keys.size());
    }
    for (std::size_t t = 0; t < threads.size(); ++t) merged.names[t].ngrams = threads[t].take_names();
    return merged;
}

Columns number_columns(const MergedCounts& counts, const Kept& kept) {
    Columns columns;
    columns.of_unigram.assign(kept.unigrams.size(), kNoColumn);
    columns.of_ngram.assign(kept.ngrams.size(), kNoColumn);
    const auto next_column = [&] {
        if (columns.n_columns >= 0x7FFFFFFF) throw std::length_error("more than 2,147,483,647 features");
        return static_cast<std::int32_t>(columns.n_columns++);
    };
    // Each level is read once from front to back, a parent's children standing together in it. parent[k] is the one
    // whose children are being read in level k.
    const std::size_t n_levels = counts.level_ends.size();
    std::vector<std::uint64_t> cursor{0};
    cursor.insert(cursor.end(), counts.level_ends.begin(), counts.level_ends.end());
    std::vector<std::uint32_t> parent(n_levels + 1);
    const auto is_child = [&](std::size_t level) {
        if (level >= n_levels || cursor[level] >= counts.level_ends[level]) return false;
        const std::uint64_t key = counts.ngram_keys[cursor[level]];
        return (level == 0 ? first_symbol(key) : prefix_of(key)) == parent[level];
    };
    for (const Symbol symbol : counts.by_rank) {
        if (symbol < kept.unigrams.size() && kept.unigrams[symbol] != 0) columns.of_unigram[symbol] = next_column();
        parent[0] = symbol;
        for (std::size_t level = 0;;) {
            if (is_child(level)) {
                const std::uint64_t id = cursor[level]++;
                if (kept.ngrams[id] != 0) columns.of_ngram[id] = next_column();
                parent[++level] = static_cast<std::uint32_t>(id);
            } else if (level == 0) {
                break;
            } else {
                --level;
            }
        }
    }
    return columns;
}

}  // namespace assay::ngrams
