#include "assay/copies/sketch.hpp"

#include <algorithm>
#include <array>

#include "assay/base/hashing.hpp"
#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"
#include "assay/copies/near_copies.hpp"
#include "assay/copies/shingle_sets.hpp"

namespace assay::copies {
namespace {

constexpr std::int64_t kTextsPerBlock = 256;
constexpr std::size_t kPairs = kPlaces / 2;
constexpr std::size_t kKeys = 1 << 16;
constexpr std::uint32_t kMostInBucket = 4096;
constexpr std::size_t kMostShingles = 65535;  // that are counted
constexpr double kMargin = 0.95;              // of the shingles that are needed

/// Multiply-shift hashing (Dietzfelbinger et al. 1997), another in each place.
class Places {
 public:
    Places() {
        Random random(0x5EED, 17);
        for (std::size_t i = 0; i < kPlaces; ++i) {
            factors_[i] = random.next() | 1;
            shifts_[i] = random.next();
        }
    }

    void sign(std::span<const std::uint32_t> shingles, std::uint8_t* out) const {
        std::array<std::uint32_t, kPlaces> least;
        least.fill(0xFFFFFFFF);
        for (const std::uint32_t shingle : shingles) {
            for (std::size_t i = 0; i < kPlaces; ++i) {
                const auto hash = static_cast<std::uint32_t>((shingle * factors_[i] + shifts_[i]) >> 32);
                least[i] = std::min(least[i], hash);
            }
        }
        for (std::size_t i = 0; i < kPlaces; ++i) out[i] = static_cast<std::uint8_t>(mix(least[i] + 1, kGolden));
    }

 private:
    std::array<std::uint64_t, kPlaces> factors_, shifts_;
};

std::size_t key_of(const std::uint8_t* signature, std::size_t pair) {
    return std::size_t{signature[2 * pair]} << 8 | signature[2 * pair + 1];
}

/// Signatures by what stands in one pair of places.
class Buckets {
 public:
    Buckets(std::span<const std::uint8_t> kept, std::size_t pair) : begin_(kKeys + 1), rows_(kept.size() / kPlaces) {
        for (std::size_t row = 0; row < rows_.size(); ++row) ++begin_[key_of(kept.data() + row * kPlaces, pair) + 1];
        for (std::size_t key = 0; key < kKeys; ++key) begin_[key + 1] += begin_[key];
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            rows_[next[key_of(kept.data() + row * kPlaces, pair)]++] = static_cast<std::uint32_t>(row);
        }
    }

    std::span<const std::uint32_t> operator[](std::size_t key) const {
        const std::uint32_t size = std::min(begin_[key + 1] - begin_[key], kMostInBucket);
        return {rows_.data() + begin_[key], size};
    }

 private:
    std::vector<std::uint32_t> begin_, rows_;
};

bool alike(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t a_size, std::uint32_t b_size) {
    const auto [small, large] = std::minmax(a_size, b_size);
    if (small < least_size(large)) return false;
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < kPlaces; ++i) n += a[i] == b[i];
    // J / (1 + J) of n / kPlaces; whole numbers, so that every processor says the same.
    return static_cast<double>(n * (small + large)) >= kMargin * static_cast<double>(needed(small) * (kPlaces + n));
}

}  // namespace

Sketches sketch_texts(std::span<const text::TextSpan> texts, const std::vector<std::uint32_t>* common, int n_threads) {
    const Places places;
    ShingleSets sets = read_shingles(texts, n_threads);
    Sketches made;
    made.common = common != nullptr ? *common : common_shingles(sets, first_of_form(sets.forms), n_threads);
    leave_out(sets, made.common, n_threads);
    made.signatures.resize(texts.size() * kPlaces);
    made.sizes.resize(texts.size());
    for_each_block(static_cast<std::int64_t>(texts.size()), kTextsPerBlock, n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                           made.sizes[i] = static_cast<std::uint16_t>(std::min(sets[i].size(), kMostShingles));
                           if (made.sizes[i] != 0) places.sign(sets[i], made.signatures.data() + i * kPlaces);
                       }
                   });
    made.forms = std::move(sets.forms);
    made.bags = std::move(sets.bags);
    return made;
}

std::vector<std::uint8_t> find_alike(Signatures kept, Signatures asked, int n_threads) {
    std::vector<std::uint8_t> found(asked.sizes.size());
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
        const Buckets buckets(kept.bytes, pair);
        for_each_block(static_cast<std::int64_t>(found.size()), kTextsPerBlock, n_threads,
                       [&](std::int64_t begin, std::int64_t end, int) {
                           for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                               const std::uint8_t* const signature = asked.bytes.data() + i * kPlaces;
                               if (found[i] != 0) continue;
                               for (const std::uint32_t row : buckets[key_of(signature, pair)]) {
                                   const std::uint8_t* const other = kept.bytes.data() + std::size_t{row} * kPlaces;
                                   if (!alike(other, signature, kept.sizes[row], asked.sizes[i])) continue;
                                   found[i] = 1;
                                   break;
                               }
                           }
                       });
    }
    return found;
}

}  // namespace assay::copies
