#include "assay/copies/shingle_sets.hpp"

#include <atomic>
#include <bit>

#include "assay/base/key_table.hpp"
#include "assay/base/parallel.hpp"
#include "assay/copies/shingles.hpp"

namespace assay::copies {
namespace {

constexpr std::uint64_t kFewTexts = 25, kCommonShare = 20;  // common: in more than these, and more than one in these
constexpr std::size_t kLeastLeft = 3, kLeastShare = 5;      // left of a set: at least these, and one in these

/// Whether a shingle may be among those of a list: most are turned away by one bit.
class Filter {
 public:
    explicit Filter(std::span<const std::uint32_t> list) : list_(list), bits_(1 << 16) {
        for (const std::uint32_t shingle : list) bits_[shingle >> 16] = true;
    }
    bool holds(std::uint32_t shingle) const {
        return bits_[shingle >> 16] && std::binary_search(list_.begin(), list_.end(), shingle);
    }

 private:
    std::span<const std::uint32_t> list_;
    std::vector<bool> bits_;
};

}  // namespace

ShingleSets read_shingles(std::span<const text::TextSpan> texts, int n_threads) {
    const auto n = static_cast<std::int64_t>(texts.size());
    constexpr std::int64_t kBlock = ShingleSets::kTextsPerBlock;
    ShingleSets sets;
    sets.blocks.resize(static_cast<std::size_t>((n + kBlock - 1) / kBlock));
    sets.forms.resize(texts.size());
    sets.bags.resize(texts.size());
    std::vector<ShingleReader> readers(static_cast<std::size_t>(std::max(n_threads, 1)));
    for_each_block(n, kBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int thread) {
        ShingleSets::Block& block = sets.blocks[static_cast<std::size_t>(begin / kBlock)];
        ShingleReader& reader = readers[static_cast<std::size_t>(thread)];
        for (std::int64_t i = begin; i < end; ++i) {
            text::in_document(i, [&] { reader.read(texts[static_cast<std::size_t>(i)]); });
            sets.forms[static_cast<std::size_t>(i)] = reader.form();
            sets.bags[static_cast<std::size_t>(i)] = reader.bag();
            block.shingles.insert(block.shingles.end(), reader.shingles().begin(), reader.shingles().end());
            block.ends.push_back(block.shingles.size());
        }
        block.shingles.shrink_to_fit();
    });
    return sets;
}

std::vector<std::int64_t> first_of_form(std::span<const std::uint64_t> forms) {
    struct Slot {
        std::uint64_t key;
        std::int64_t text;
    };
    KeyTable<Slot> table;
    table.reserve(forms.size());
    std::vector<std::int64_t> first(forms.size());
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const std::uint64_t key = forms[i] == 0 ? 1 : forms[i];  // 0 marks a free slot
        const auto fill = [&](Slot& slot) { slot.text = static_cast<std::int64_t>(i); };
        first[i] = table.find_or_insert(key, table.home(key), fill).text;
    }
    return first;
}

ShingleCounts::ShingleCounts(const ShingleSets& sets, std::span<const std::uint32_t> texts, int n_threads) {
    std::uint64_t n_shingles = 0;
    for (const std::uint32_t text : texts) n_shingles += sets[text].size();
    const int bits = std::clamp(static_cast<int>(std::bit_width(n_shingles)), 12, 28);
    counts_ = ZeroedArray<std::uint16_t>(std::size_t{1} << bits);
    shift_ = 32 - bits;
    for_each_block(static_cast<std::int64_t>(texts.size()), ShingleSets::kTextsPerBlock, n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       for (std::int64_t i = begin; i < end; ++i) {
                           add(sets[texts[static_cast<std::size_t>(i)]], n_threads > 1);
                       }
                   });
}

void ShingleCounts::add(std::span<const std::uint32_t> shingles, bool shared) {
    for (std::size_t i = 0; i < shingles.size(); ++i) {
        if (i + kAhead < shingles.size()) prefetch(shingles[i + kAhead]);
        std::uint16_t& counted = counts_[shingles[i] >> shift_];
        const std::atomic_ref count(counted);
        // Threads may pass kMost by one each, which no reader sees.
        if (count.load(std::memory_order_relaxed) >= kMost) continue;
        if (shared) {
            count.fetch_add(1, std::memory_order_relaxed);
        } else {
            ++counted;
        }
    }
}

std::vector<std::uint32_t> common_shingles(const ShingleSets& sets, std::span<const std::int64_t> first,
                                           int n_threads) {
    std::vector<std::uint32_t> texts;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] == static_cast<std::int64_t>(i) && !sets[i].empty())
            texts.push_back(static_cast<std::uint32_t>(i));
    }
    const std::uint64_t most = std::max<std::uint64_t>(kFewTexts, texts.size() / kCommonShare);
    if (texts.size() <= most) return {};
    const ShingleCounts counts(sets, texts, n_threads);
    const auto suspected = static_cast<std::uint16_t>(std::min<std::uint64_t>(most, ShingleCounts::kMost - 1));
    struct Slot {
        std::uint64_t key;  // a shingle, plus one
        std::uint64_t n_texts;
    };
    KeyTable<Slot> table;
    for (const std::uint32_t text : texts) {
        const std::span<const std::uint32_t> shingles = sets[text];
        for (std::size_t i = 0; i < shingles.size(); ++i) {
            if (i + ShingleCounts::kAhead < shingles.size()) counts.prefetch(shingles[i + ShingleCounts::kAhead]);
            if (counts[shingles[i]] <= suspected) continue;
            table.reserve(1);
            const std::uint64_t key = std::uint64_t{shingles[i]} + 1;
            ++table.find_or_insert(key, table.home(key), [](Slot&) {}).n_texts;
        }
    }
    std::vector<std::uint32_t> common;
    for (const Slot& slot : table.slots()) {
        if (slot.key != 0 && slot.n_texts > most) common.push_back(static_cast<std::uint32_t>(slot.key - 1));
    }
    std::sort(common.begin(), common.end());
    return common;
}

void leave_out(ShingleSets& sets, std::span<const std::uint32_t> common, int n_threads) {
    if (common.empty()) return;
    const Filter filter(common);
    for_each_block(static_cast<std::int64_t>(sets.blocks.size()), 1, n_threads,
                   [&](std::int64_t begin, std::int64_t, int) {
                       ShingleSets::Block& block = sets.blocks[static_cast<std::size_t>(begin)];
                       std::vector<std::uint32_t> left;
                       std::uint64_t from = 0;
                       for (std::uint64_t& end : block.ends) {
                           const std::size_t before = left.size();
                           for (std::uint64_t i = from; i < end; ++i) {
                               if (!filter.holds(block.shingles[i])) left.push_back(block.shingles[i]);
                           }
                           const std::size_t n = left.size() - before;
                           if (n < kLeastLeft || n * kLeastShare < end - from) {
                               left.resize(before);
                               left.insert(left.end(), block.shingles.begin() + static_cast<std::ptrdiff_t>(from),
                                           block.shingles.begin() + static_cast<std::ptrdiff_t>(end));
                           }
                           from = end;
                           end = left.size();
                       }
                       block.shingles = std::move(left);
                   });
}

}  // namespace assay::copies
