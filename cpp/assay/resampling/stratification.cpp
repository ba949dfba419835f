#include "assay/resampling/stratification.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "assay/base/random.hpp"

namespace assay::resampling {
namespace {

/// Units in the order in which they are dealt: the largest first, equals by lot.
std::vector<std::int32_t> dealing_order(std::span<const std::int64_t> sizes, Random& random) {
    std::vector<std::uint64_t> lots(sizes.size());
    for (std::uint64_t& lot : lots) lot = random.next();
    std::vector<std::int32_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) {
        const auto u = static_cast<std::size_t>(a);
        const auto v = static_cast<std::size_t>(b);
        if (sizes[u] != sizes[v]) return sizes[u] > sizes[v];
        return lots[u] != lots[v] ? lots[u] < lots[v] : a < b;
    });
    return order;
}

/// The units of each label, in the order in which they are dealt.
struct UnitsOfLabels {
    std::vector<std::size_t> begin;  // n_labels + 1
    std::vector<std::int32_t> units;

    UnitsOfLabels(const LabelledUnits& of, std::span<const std::int32_t> order)
        : begin(static_cast<std::size_t>(of.n_labels) + 1), units(of.labels.size()) {
        for (const std::int32_t label : of.labels) ++begin[static_cast<std::size_t>(label) + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
        for (const std::int32_t unit : order) {
            const auto u = static_cast<std::size_t>(unit);
            for (auto i = of.offsets[u]; i < of.offsets[u + 1]; ++i) {
                units[next[static_cast<std::size_t>(of.labels[static_cast<std::size_t>(i)])]++] = unit;
            }
        }
    }
};

class Dealer {
 public:
    Dealer(const LabelledUnits& units, std::span<const std::int64_t> weights, Random random,
           std::span<std::int32_t> part_of_unit)
        : units_(units),
          n_parts_(weights.size()),
          total_weight_(std::accumulate(weights.begin(), weights.end(), std::int64_t{0})),
          random_(random),
          part_of_unit_(part_of_unit),
          left_(static_cast<std::size_t>(units.n_labels)),
          wanted_(n_parts_),
          wanted_of_label_(n_parts_ * left_.size()) {
        const std::int64_t n_texts = std::accumulate(units.sizes.begin(), units.sizes.end(), std::int64_t{0});
        for (std::size_t i = 0; i < units.labels.size(); ++i) {
            left_[static_cast<std::size_t>(units.labels[i])] += units.counts[i];
        }
        for (std::size_t p = 0; p < n_parts_; ++p) wanted_[p] = n_texts * weights[p];
        for (std::size_t k = 0; k < left_.size(); ++k) {
            for (std::size_t p = 0; p < n_parts_; ++p) wanted_of_label_[k * n_parts_ + p] = left_[k] * weights[p];
        }
        std::ranges::fill(part_of_unit, kNone);
    }

    /// Deals every unit that has a label, the rarest label first.
    void deal_labelled(const UnitsOfLabels& of_labels) {
        for (std::size_t k = 0; k < left_.size(); ++k) remember(k);
        while (!rarest_.empty()) {
            const auto [texts, label] = rarest_.top();
            rarest_.pop();
            if (texts != left_[label]) continue;  // some of its texts went with another label; it stands there anew
            touched_.clear();
            for (std::size_t i = of_labels.begin[label]; i < of_labels.begin[label + 1]; ++i) {
                const auto unit = static_cast<std::size_t>(of_labels.units[i]);
                if (part_of_unit_[unit] == kNone) give(unit, {wanted_of_label_.data() + label * n_parts_, n_parts_});
            }
            std::ranges::sort(touched_);
            const auto twice = std::ranges::unique(touched_);
            touched_.erase(twice.begin(), twice.end());
            for (const std::size_t k : touched_) remember(k);
        }
    }

    /// Deals what is left, by the number of texts alone.
    void deal_others(std::span<const std::int32_t> order) {
        for (const std::int32_t unit : order) {
            const auto u = static_cast<std::size_t>(unit);
            if (part_of_unit_[u] == kNone) give(u, wanted_);
        }
    }

 private:
    static constexpr std::int32_t kNone = -1;

    void remember(std::size_t label) {
        if (left_[label] > 0) rarest_.emplace(left_[label], label);
    }

    void give(std::size_t unit, std::span<const std::int64_t> wanted_first) {
        const std::size_t part = part_that_wants_most(wanted_first);
        part_of_unit_[unit] = static_cast<std::int32_t>(part);
        wanted_[part] -= units_.sizes[unit] * total_weight_;
        for (auto at = units_.offsets[unit]; at < units_.offsets[unit + 1]; ++at) {
            const auto i = static_cast<std::size_t>(at);
            const auto label = static_cast<std::size_t>(units_.labels[i]);
            wanted_of_label_[label * n_parts_ + part] -= units_.counts[i] * total_weight_;
            left_[label] -= units_.counts[i];
            touched_.push_back(label);
        }
    }

    std::size_t part_that_wants_most(std::span<const std::int64_t> wanted_first) {
        equals_.clear();
        for (std::size_t p = 0; p < n_parts_; ++p) {
            if (!equals_.empty()) {
                const std::pair best(wanted_first[equals_.front()], wanted_[equals_.front()]);
                const std::pair here(wanted_first[p], wanted_[p]);
                if (here < best) continue;
                if (here > best) equals_.clear();
            }
            equals_.push_back(p);
        }
        return equals_.size() == 1 ? equals_.front() : equals_[random_.next() % equals_.size()];
    }

    using Rarity = std::pair<std::int64_t, std::size_t>;  // texts that are left, label

    const LabelledUnits& units_;
    std::size_t n_parts_;
    std::int64_t total_weight_;
    Random random_;
    std::span<std::int32_t> part_of_unit_;
    std::vector<std::int64_t> left_;             // texts of each label that are not dealt yet
    std::vector<std::int64_t> wanted_;           // texts that each part still wants, times total_weight_
    std::vector<std::int64_t> wanted_of_label_;  // (label, part): the same of the label's texts
    std::priority_queue<Rarity, std::vector<Rarity>, std::greater<>> rarest_;
    std::vector<std::size_t> touched_;  // labels of the units that were dealt last
    std::vector<std::size_t> equals_;   // parts that want the same
};

}  // namespace

void stratify_units(const LabelledUnits& units, std::span<const std::int64_t> weights, std::uint64_t seed,
                    std::span<std::int32_t> part_of_unit) {
    Random random(seed);
    const std::vector<std::int32_t> order = dealing_order(units.sizes, random);
    Dealer dealer(units, weights, random, part_of_unit);
    dealer.deal_labelled(UnitsOfLabels(units, order));
    dealer.deal_others(order);
}

}  // namespace assay::resampling
