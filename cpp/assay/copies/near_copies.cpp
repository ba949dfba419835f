#include "assay/copies/near_copies.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

#include "assay/base/parallel.hpp"
#include "assay/base/radix_sort.hpp"
#include "assay/copies/shingle_sets.hpp"

namespace assay::copies {
namespace {

constexpr std::int64_t kTextsPerBlock = ShingleSets::kTextsPerBlock;
constexpr int kMostInList = 64, kMostCompared = 128;
constexpr std::size_t kMostLinks = 32;

/// Texts that share a shingle which is among the rarest of each, by shingle and then by rank.
class SharedShingles {
 public:
    explicit SharedShingles(std::vector<std::uint64_t> entries) : entries_(std::move(entries)) {
        std::vector<std::uint64_t> space;
        radix_sort(entries_, space, 64, [](std::uint64_t entry) { return entry; });
        const int bits = std::clamp(static_cast<int>(std::bit_width(entries_.size())), 4, 24);
        shift_ = 64 - bits;
        begin_.assign((std::size_t{1} << bits) + 1, 0);
        for (const std::uint64_t entry : entries_) ++begin_[(entry >> shift_) + 1];
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    }

    static std::uint64_t entry(std::uint32_t shingle, std::uint32_t rank) {
        return std::uint64_t{shingle} << 32 | rank;
    }

    /// Calls visit(rank) for the texts of a shingle that are ranked before `rank`, the nearest first, until it returns
    /// false.
    template <class Visit>
    void for_each_before(std::uint32_t shingle, std::uint32_t rank, Visit&& visit) const {
        const std::uint64_t key = entry(shingle, rank);
        const std::uint64_t* const data = entries_.data();
        const std::uint64_t* begin = data + begin_[key >> shift_];
        const std::uint64_t* at = std::lower_bound(begin, data + begin_[(key >> shift_) + 1], key);
        while (at > begin && *--at >> 32 == shingle) {
            if (!visit(static_cast<std::uint32_t>(*at))) return;
        }
    }

 private:
    std::vector<std::uint64_t> entries_;
    std::vector<std::uint64_t> begin_;  // by the highest bits of an entry
    int shift_;
};

struct Link {
    std::uint32_t from, to;  // texts
    float similarity;
};

/// How many shingles both have, or 0 where they are fewer than `least`.
std::uint32_t shared(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b, std::uint32_t least) {
    std::size_t i = 0, j = 0, n = 0;
    while (i < a.size() && j < b.size()) {
        if (n + std::min(a.size() - i, b.size() - j) < least) return 0;
        const std::uint32_t x = a[i], y = b[j];
        n += x == y;
        i += x <= y;
        j += y <= x;
    }
    return n < least ? 0 : static_cast<std::uint32_t>(n);
}

/// The texts that have shingles, the first of each form, in the order of their numbers of shingles.
class Comparison {
 public:
    Comparison(const ShingleSets& sets, std::span<const std::int64_t> first, int n_threads)
        : sets_(sets), n_threads_(n_threads) {
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (first[i] == static_cast<std::int64_t>(i) && !sets[i].empty()) {
                ranked_.push_back(static_cast<std::uint32_t>(i));
            }
        }
        std::sort(ranked_.begin(), ranked_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(sets[a].size(), a) < std::tuple(sets[b].size(), b);
        });
    }

    /// All links, those of a text with the texts before it; sets n_bounded.
    std::vector<Link> links(std::int64_t& n_bounded) const {
        Prefixes sought = prefixes(ShingleCounts(sets_, ranked_, n_threads_));
        std::vector<std::uint64_t> entries;
        for (Prefixes::Block& block : sought.blocks) {
            entries.insert(entries.end(), block.entries.begin(), block.entries.end());
            block.entries = {};
        }
        const SharedShingles lists(std::move(entries));
        std::vector<std::vector<Link>> found(n_blocks());
        std::atomic<std::int64_t> bounded{0};
        // For each thread, by rank: the last text that a text was compared with.
        std::vector<std::vector<std::uint32_t>> seen_by(static_cast<std::size_t>(std::max(n_threads_, 1)));
        for_each_rank_block([&](std::size_t begin, std::size_t end, int thread) {
            std::vector<std::uint32_t>& by = seen_by[static_cast<std::size_t>(thread)];
            if (by.empty()) by.assign(ranked_.size(), 0xFFFFFFFF);
            std::vector<Link>& block = found[begin / kTextsPerBlock];
            for (std::size_t rank = begin; rank < end; ++rank) {
                if (!compare(static_cast<std::uint32_t>(rank), sought[rank], lists, by, block)) {
                    bounded.fetch_add(1, std::memory_order_relaxed);
                }
            }
        });
        n_bounded = bounded;
        std::vector<Link> all;
        for (std::vector<Link>& block : found) {
            all.insert(all.end(), block.begin(), block.end());
            block = {};
        }
        return all;
    }

 private:
    std::size_t n_blocks() const { return (ranked_.size() + kTextsPerBlock - 1) / kTextsPerBlock; }
    std::span<const std::uint32_t> set(std::size_t rank) const { return sets_[ranked_[rank]]; }
    std::uint32_t size(std::size_t rank) const { return static_cast<std::uint32_t>(set(rank).size()); }

    template <class Work>
    void for_each_rank_block(Work&& work) const {
        for_each_block(static_cast<std::int64_t>(ranked_.size()), kTextsPerBlock, n_threads_,
                       [&](std::int64_t begin, std::int64_t end, int thread) {
                           work(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), thread);
                       });
    }

    /// Of the first shingles of each text, the rarest first, those that another text may have too: all that are looked
    /// up, of which the first are listed.
    struct Prefixes {
        struct Block {
            std::vector<std::uint32_t> shingles;
            std::vector<std::uint64_t> ends;
            std::vector<std::uint64_t> entries;  // of SharedShingles
        };
        std::vector<Block> blocks;

        std::span<const std::uint32_t> operator[](std::size_t rank) const {
            const Block& block = blocks[rank / kTextsPerBlock];
            const std::size_t i = rank % kTextsPerBlock;
            const std::uint64_t begin = i == 0 ? 0 : block.ends[i - 1];
            return {block.shingles.data() + begin, block.ends[i] - begin};
        }
    };

    Prefixes prefixes(const ShingleCounts& counts) const {
        Prefixes found;
        found.blocks.resize(n_blocks());
        for_each_rank_block([&](std::size_t begin, std::size_t end, int) {
            std::vector<std::uint64_t> ordered;  // count and shingle
            Prefixes::Block& block = found.blocks[begin / kTextsPerBlock];
            for (std::size_t rank = begin; rank < end; ++rank) {
                add_prefix(static_cast<std::uint32_t>(rank), counts, ordered, block);
            }
        });
        return found;
    }

    void add_prefix(std::uint32_t rank, const ShingleCounts& counts, std::vector<std::uint64_t>& ordered,
                    Prefixes::Block& block) const {
        const std::span<const std::uint32_t> shingles = set(rank);
        ordered.clear();
        for (std::size_t i = 0; i < shingles.size(); ++i) {
            if (i + ShingleCounts::kAhead < shingles.size()) counts.prefetch(shingles[i + ShingleCounts::kAhead]);
            const std::uint64_t count = counts[shingles[i]];
            if (count > 1) ordered.push_back(count << 32 | shingles[i]);
        }
        const std::uint32_t n = size(rank);
        const std::size_t n_alone = n - ordered.size();  // they are the first of all
        const auto left = [&](std::size_t prefix) { return prefix > n_alone ? prefix - n_alone : 0; };
        const std::size_t n_listed = left(n - needed(n) + 1), n_sought = left(n - needed(least_size(n)) + 1);
        std::partial_sort(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(n_sought), ordered.end());
        for (std::size_t i = 0; i < n_sought; ++i) {
            const auto shingle = static_cast<std::uint32_t>(ordered[i]);
            block.shingles.push_back(shingle);
            if (i < n_listed) block.entries.push_back(SharedShingles::entry(shingle, rank));
        }
        block.ends.push_back(block.shingles.size());
    }

    /// Adds the links of a text with those ranked before it; false if it was not compared with all candidates.
    bool compare(std::uint32_t rank, std::span<const std::uint32_t> sought, const SharedShingles& lists,
                 std::vector<std::uint32_t>& seen_by, std::vector<Link>& found) const {
        const std::uint32_t n = size(rank), least = least_size(n);
        const std::size_t before = found.size();
        int n_compared = 0;
        bool complete = true;
        for (const std::uint32_t shingle : sought) {
            int left = kMostInList;
            lists.for_each_before(shingle, rank, [&](std::uint32_t other) {
                const std::uint32_t m = size(other);
                if (m < least) return false;
                if (seen_by[other] == rank) return true;
                if (left == 0 || n_compared == kMostCompared || found.size() - before == kMostLinks) {
                    complete = false;
                    return false;
                }
                --left;
                ++n_compared;
                seen_by[other] = rank;
                const std::uint32_t both = shared(set(other), set(rank), needed(m));
                if (both > 0) {
                    const auto either = std::uint64_t{n} + m - both;
                    found.push_back({ranked_[other], ranked_[rank],
                                     static_cast<float>(static_cast<double>(both) / static_cast<double>(either))});
                }
                return true;
            });
        }
        return complete;
    }

    const ShingleSets& sets_;
    int n_threads_;
    std::vector<std::uint32_t> ranked_;  // texts
};

/// Links of texts with the same words in another order, as lines change places: each with the first of its words, if
/// a third of the shingles are in both. Words are too few to tell sequences of bases apart; their order does.
void add_reordered(const ShingleSets& sets, std::span<const std::int64_t> first, std::vector<Link>& links) {
    const std::vector<std::int64_t> same_words = first_of_form(sets.bags);
    for (std::size_t text = 0; text < first.size(); ++text) {
        const auto other = static_cast<std::size_t>(first[static_cast<std::size_t>(same_words[text])]);
        if (sets.bags[text] == 0 || first[text] != static_cast<std::int64_t>(text) || other == text) continue;
        const std::span<const std::uint32_t> a = sets[other], b = sets[text];
        const auto either = static_cast<std::uint32_t>(std::max(a.size(), b.size()));
        const std::uint32_t both = shared(a, b, std::max(1u, either / 3));
        if (both == 0) continue;
        const auto all = static_cast<double>(a.size() + b.size() - both);
        links.push_back({static_cast<std::uint32_t>(other), static_cast<std::uint32_t>(text),
                         static_cast<float>(static_cast<double>(both) / all)});
    }
}

/// Kruskal's algorithm: of the links, those that join what stronger ones have not joined.
void keep_forest(std::vector<Link> links, std::size_t n_texts, NearCopies& out) {
    std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
        return std::tuple(-a.similarity, a.from, a.to) < std::tuple(-b.similarity, b.from, b.to);
    });
    std::vector<std::uint32_t> above(n_texts);
    std::iota(above.begin(), above.end(), 0u);
    const auto root = [&](std::uint32_t text) {
        while (above[text] != text) text = above[text] = above[above[text]];
        return text;
    };
    for (const Link& link : links) {
        const std::uint32_t a = root(link.from), b = root(link.to);
        if (a == b) continue;
        above[std::max(a, b)] = std::min(a, b);
        out.from.push_back(link.from);
        out.to.push_back(link.to);
        out.similarity.push_back(link.similarity);
    }
}

}  // namespace

NearCopies find_near_copies(std::span<const text::TextSpan> texts, int n_threads) {
    if (texts.size() >= 0xFFFFFFFF) {
        throw std::invalid_argument("near-copies are looked for among up to 4,294,967,294 texts, not " +
                                    std::to_string(texts.size()));
    }
    ShingleSets sets = read_shingles(texts, n_threads);
    NearCopies result;
    result.first = first_of_form(sets.forms);
    leave_out(sets, common_shingles(sets, result.first, n_threads), n_threads);
    std::vector<Link> links = Comparison(sets, result.first, n_threads).links(result.n_bounded);
    add_reordered(sets, result.first, links);
    keep_forest(std::move(links), texts.size(), result);
    return result;
}

}  // namespace assay::copies
