#include "assay/resampling/resampling.hpp"

#include <algorithm>
#include <vector>

#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"
#include "assay/resampling/cell_drawing.hpp"

namespace assay::resampling {
namespace {

constexpr std::int64_t kResamplesPerBlock = 64;

/// Adds up the counts of each class for one system at a time and evaluates metrics on them.
class Evaluator {
 public:
    Evaluator(const Cells& cells, std::span<const LabelMetric> metrics, double undefined)
        : cells_(cells), metrics_(metrics), undefined_(undefined), sums_(3 * classes()) {}

    void clear() {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        n_documents_ = 0.0;
    }

    void start_from(const Evaluator& other) {
        std::copy(other.sums_.begin(), other.sums_.end(), sums_.begin());
        n_documents_ = other.n_documents_;
    }

    void add(std::int32_t truth, std::int32_t prediction, std::int64_t count) {
        const auto t = static_cast<std::size_t>(truth);
        const auto p = static_cast<std::size_t>(prediction);
        const auto documents = static_cast<double>(count);
        sums_[t] += t == p ? documents : 0.0;  // no branch: small cells are hits or misses at random
        sums_[classes() + p] += documents;
        sums_[2 * classes() + t] += documents;
        n_documents_ += documents;
    }

    void add_cells(std::span<const std::int64_t> counts, std::size_t system) {
        const auto n_systems = static_cast<std::size_t>(cells_.n_systems);
        for (std::size_t c = 0; c < counts.size(); ++c) {
            add(cells_.truth[c], cells_.predictions[c * n_systems + system], counts[c]);
        }
    }

    void write(double* values) const {
        const std::span<const double> sums(sums_);
        const std::size_t k = classes();
        const Tally tally{sums.subspan(0, k), sums.subspan(k, k), sums.subspan(2 * k, k), n_documents_};
        for (std::size_t m = 0; m < metrics_.size(); ++m) values[m] = label_metric(metrics_[m], tally, undefined_);
    }

 private:
    std::size_t classes() const { return static_cast<std::size_t>(cells_.n_classes); }

    const Cells& cells_;
    std::span<const LabelMetric> metrics_;
    double undefined_;
    std::vector<double> sums_;  // hits, predicted, truth: n_classes each
    double n_documents_ = 0.0;
};

void evaluate_systems(const Cells& cells, std::span<const std::int64_t> counts, Evaluator& evaluator,
                      std::size_t n_metrics, double* values) {
    for (std::size_t system = 0; system < static_cast<std::size_t>(cells.n_systems); ++system) {
        evaluator.clear();
        evaluator.add_cells(counts, system);
        evaluator.write(values + system * n_metrics);
    }
}

}  // namespace

void observed_metrics(const Cells& cells, std::span<const LabelMetric> metrics, double undefined,
                      std::span<double> values) {
    Evaluator evaluator(cells, metrics, undefined);
    evaluate_systems(cells, cells.counts, evaluator, metrics.size(), values.data());
}

void bootstrap_metrics(const Cells& cells, const ResamplingPlan& plan, std::span<double> values) {
    const Drawing drawing = plan_drawing(cells.counts, cells.strata);
    const std::size_t row = plan.metrics.size() * static_cast<std::size_t>(cells.n_systems);
    for_each_block(plan.n_resamples, kResamplesPerBlock, plan.n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       Evaluator evaluator(cells, plan.metrics, plan.undefined);
                       std::vector<std::int64_t> counts(cells.counts.size());
                       for (std::int64_t r = begin; r < end; ++r) {
                           Random random(plan.seed, static_cast<std::uint64_t>(r));
                           draw_counts(drawing, random, counts);
                           evaluate_systems(cells, counts, evaluator, plan.metrics.size(),
                                            values.data() + static_cast<std::size_t>(r) * row);
                       }
                   });
}

void randomize_metrics(const Cells& cells, const ResamplingPlan& plan, std::span<double> values) {
    const std::size_t n_metrics = plan.metrics.size();
    // Exchanging equal predictions changes nothing: such cells are added up once.
    Evaluator agreed(cells, plan.metrics, plan.undefined);
    std::vector<std::size_t> differing;
    for (std::size_t c = 0; c < cells.counts.size(); ++c) {
        if (cells.predictions[2 * c] == cells.predictions[2 * c + 1]) {
            agreed.add(cells.truth[c], cells.predictions[2 * c], cells.counts[c]);
        } else {
            differing.push_back(c);
        }
    }
    const auto shuffle = [&](std::int64_t r, Evaluator& first, Evaluator& second) {
        Random random(plan.seed, static_cast<std::uint64_t>(r));
        first.start_from(agreed);
        second.start_from(agreed);
        for (const std::size_t c : differing) {
            const std::int32_t a = cells.predictions[2 * c];
            const std::int32_t b = cells.predictions[2 * c + 1];
            const std::int64_t exchanged = toss_coins(random, cells.counts[c]);
            const std::int64_t kept = cells.counts[c] - exchanged;
            first.add(cells.truth[c], a, kept);
            first.add(cells.truth[c], b, exchanged);
            second.add(cells.truth[c], b, kept);
            second.add(cells.truth[c], a, exchanged);
        }
        double* row = values.data() + static_cast<std::size_t>(r) * 2 * n_metrics;
        first.write(row);
        second.write(row + n_metrics);
    };
    for_each_block(plan.n_resamples, kResamplesPerBlock, plan.n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       Evaluator first(cells, plan.metrics, plan.undefined);
                       Evaluator second(cells, plan.metrics, plan.undefined);
                       for (std::int64_t r = begin; r < end; ++r) shuffle(r, first, second);
                   });
}

void jackknife_metrics(const Cells& cells, std::span<const LabelMetric> metrics, double undefined, int n_threads,
                       std::span<double> values) {
    const std::size_t row = metrics.size() * static_cast<std::size_t>(cells.n_systems);
    for_each_block(static_cast<std::int64_t>(cells.counts.size()), 16, n_threads,
                   [&](std::int64_t begin, std::int64_t end, int) {
                       Evaluator evaluator(cells, metrics, undefined);
                       std::vector<std::int64_t> counts(cells.counts.begin(), cells.counts.end());
                       for (auto c = static_cast<std::size_t>(begin); c < static_cast<std::size_t>(end); ++c) {
                           --counts[c];
                           evaluate_systems(cells, counts, evaluator, metrics.size(), values.data() + c * row);
                           ++counts[c];
                       }
                   });
}

}  // namespace assay::resampling
