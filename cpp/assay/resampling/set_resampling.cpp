#include "assay/resampling/set_resampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"
#include "assay/resampling/cell_drawing.hpp"

namespace assay::resampling {
namespace {

constexpr std::int64_t kResamplesPerBlock = 16;

/// What one system's answers to some texts add up to, and the metrics of that.
class SetSums {
 public:
    SetSums(const SetCells& cells, const ResamplingPlan& plan)
        : cells_(cells),
          plan_(plan),
          slots_(3 * labels()),
          sums_(static_cast<std::size_t>(cells.n_means)),
          texts_(static_cast<std::size_t>(cells.n_means)),
          predicted_(labels()),
          truth_(labels()) {}

    void clear() {
        std::fill(slots_.begin(), slots_.end(), 0.0);
        std::fill(sums_.begin(), sums_.end(), 0.0);
        std::fill(texts_.begin(), texts_.end(), 0.0);
    }

    void start_from(const SetSums& other) {
        slots_ = other.slots_;
        sums_ = other.sums_;
        texts_ = other.texts_;
    }

    /// So many texts of a cell, as a system answered them.
    void add(std::size_t cell, std::size_t system, std::int64_t count) {
        if (count == 0) return;
        const auto texts = static_cast<double>(count);
        const std::size_t row = cell * static_cast<std::size_t>(cells_.n_systems) + system;
        const auto end = static_cast<std::size_t>(cells_.begin[row + 1]);
        for (auto i = static_cast<std::size_t>(cells_.begin[row]); i < end; ++i) {
            slots_[static_cast<std::size_t>(cells_.slots[i])] += texts;
        }
        for (std::size_t m = 0; m < sums_.size(); ++m) {
            const double value = cells_.means_of[row * sums_.size() + m];
            if (std::isnan(value)) continue;
            sums_[m] += texts * value;
            texts_[m] += texts;
        }
    }

    void write(double* values) {
        const std::size_t k = labels();
        const std::span<const double> hits(slots_.data(), k);
        for (std::size_t label = 0; label < k; ++label) {
            predicted_[label] = hits[label] + slots_[k + label];
            truth_[label] = hits[label] + slots_[2 * k + label];
        }
        const Tally tally{hits, predicted_, truth_, 0.0, plan_.every_class};
        for (const LabelMetric& metric : plan_.metrics) *values++ = label_metric(metric, tally, plan_.undefined);
        for (std::size_t m = 0; m < sums_.size(); ++m) {
            *values++ = texts_[m] > 0.0 ? sums_[m] / texts_[m] : std::numeric_limits<double>::quiet_NaN();
        }
    }

 private:
    std::size_t labels() const { return static_cast<std::size_t>(cells_.n_labels); }

    const SetCells& cells_;
    const ResamplingPlan& plan_;
    std::vector<double> slots_;
    std::vector<double> sums_;   // of each mean: the texts' values
    std::vector<double> texts_;  // and how many texts have one
    std::vector<double> predicted_;
    std::vector<double> truth_;
};

/// Whether both systems answered the texts of a cell alike.
bool alike(const SetCells& cells, std::size_t cell) {
    const auto at = [&](std::size_t row) { return cells.slots.begin() + cells.begin[row]; };
    if (!std::equal(at(2 * cell), at(2 * cell + 1), at(2 * cell + 1), at(2 * cell + 2))) return false;
    const auto n = static_cast<std::size_t>(cells.n_means);
    const double* values = cells.means_of.data() + 2 * cell * n;
    return n == 0 || std::memcmp(values, values + n, n * sizeof(double)) == 0;
}

std::size_t row_size(const SetCells& cells, const ResamplingPlan& plan) {
    return plan.metrics.size() + static_cast<std::size_t>(cells.n_means);
}

}  // namespace

void bootstrap_sets(const SetCells& cells, const ResamplingPlan& plan, std::span<double> values) {
    const std::vector<std::int32_t> one_stratum(cells.counts.size(), 0);
    const Drawing drawing = plan_drawing(cells.counts, one_stratum);
    const std::size_t row = row_size(cells, plan);
    const auto n_systems = static_cast<std::size_t>(cells.n_systems);
    for_each_block(plan.n_resamples, kResamplesPerBlock, plan.n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       SetSums sums(cells, plan);
                       std::vector<std::int64_t> counts(cells.counts.size());
                       for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
                           Random random(plan.seed, r);
                           draw_counts(drawing, random, counts);
                           for (std::size_t system = 0; system < n_systems; ++system) {
                               sums.clear();
                               for (std::size_t c = 0; c < counts.size(); ++c) sums.add(c, system, counts[c]);
                               sums.write(values.data() + (r * n_systems + system) * row);
                           }
                       }
                   });
}

void randomize_sets(const SetCells& cells, const ResamplingPlan& plan, std::span<double> values) {
    // Exchanging equal answers changes nothing: such cells are added up once.
    SetSums agreed(cells, plan);
    std::vector<std::size_t> differing;
    for (std::size_t c = 0; c < cells.counts.size(); ++c) {
        if (alike(cells, c)) {
            agreed.add(c, 0, cells.counts[c]);
        } else {
            differing.push_back(c);
        }
    }
    const std::size_t row = row_size(cells, plan);
    for_each_block(plan.n_resamples, kResamplesPerBlock, plan.n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       SetSums first(cells, plan);
                       SetSums second(cells, plan);
                       for (auto r = static_cast<std::size_t>(begin); r < static_cast<std::size_t>(end); ++r) {
                           Random random(plan.seed, r);
                           first.start_from(agreed);
                           second.start_from(agreed);
                           for (const std::size_t c : differing) {
                               const std::int64_t exchanged = toss_coins(random, cells.counts[c]);
                               const std::int64_t kept = cells.counts[c] - exchanged;
                               first.add(c, 0, kept);
                               first.add(c, 1, exchanged);
                               second.add(c, 1, kept);
                               second.add(c, 0, exchanged);
                           }
                           first.write(values.data() + 2 * r * row);
                           second.write(values.data() + (2 * r + 1) * row);
                       }
                   });
}

}  // namespace assay::resampling
