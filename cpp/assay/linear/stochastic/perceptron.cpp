#include "assay/linear/stochastic/perceptron.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "assay/base/parallel.hpp"
#include "assay/base/random.hpp"

namespace assay::linear {
namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// The class that the scores of a model decide for.
std::int32_t decide(std::span<const double> scores) {
    if (scores.size() == 1) return scores[0] > 0 ? 1 : 0;
    return static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin());
}

// scores = W·x + b, every sum in the order of the row's entries.
template <class Value, class Index>
void score(const CsrView<Value, Index>& X, std::int64_t row, const LinearModel& model, std::span<double> scores) {
    constexpr std::int64_t entries_ahead = 12;
    constexpr std::int64_t doubles_in_a_cache_line = 8;
    const std::int64_t n_outputs = model.n_outputs();
    const std::int64_t end = X.end(row);
    std::ranges::fill(scores, 0.0);
    for (std::int64_t k = X.begin(row); k < end; ++k) {
        if (k + entries_ahead < end) {
            const double* const ahead = model.weights.data() + X.column(k + entries_ahead) * n_outputs;
            for (std::int64_t o = 0; o < n_outputs; o += doubles_in_a_cache_line) __builtin_prefetch(ahead + o);
        }
        const double* const weights = model.weights.data() + X.column(k) * n_outputs;
        const auto value = static_cast<double>(X.value(k));
        for (std::int64_t o = 0; o < n_outputs; ++o) scores[at(o)] += weights[o] * value;
    }
    for (std::int64_t o = 0; o < n_outputs; ++o) scores[at(o)] += model.biases[at(o)];
}

template <class Value, class Index>
void add_row(const CsrView<Value, Index>& X, std::int64_t row, std::int64_t output, double factor, bool fit_intercept,
             LinearModel model) {
    for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
        model.weights[at(X.column(k) * model.n_outputs() + output)] += factor * static_cast<double>(X.value(k));
    }
    if (fit_intercept) model.biases[at(output)] += factor;
}

// What a mistake does to a model, times `factor`.
template <class Value, class Index>
void correct(const CsrView<Value, Index>& X, std::int64_t row, std::int32_t truth, std::int32_t predicted,
             double factor, bool fit_intercept, LinearModel model) {
    if (model.n_outputs() == 1) {
        add_row(X, row, 0, truth == 1 ? factor : -factor, fit_intercept, model);
    } else {
        add_row(X, row, truth, factor, fit_intercept, model);
        add_row(X, row, predicted, -factor, fit_intercept, model);
    }
}

std::uint64_t mix(std::uint64_t bits) {
    return Random(bits).next();
}

// The same for labels that a row may have several of: a two-class perceptron each, side by side. A row is presented
// until all labels are right, or its copies are used up.
template <class Value, class Index>
std::int64_t learn_each_label(const CsrView<Value, Index>& X, const Targets& labels, std::span<const double> copies,
                              std::span<const std::int64_t> order, PerceptronSettings settings, LinearModel model,
                              ClockedSums* sums) {
    std::vector<double> scores(model.biases.size());
    std::vector<std::int64_t> wrong;
    std::int64_t n_mistakes = 0;
    for (const std::int64_t row : order) {
        const auto own = labels.of(at(row));
        for (double left = copies[at(row)]; left > 0;) {
            score(X, row, model, scores);
            wrong.clear();
            auto next = own.begin();
            for (std::size_t k = 0; k < scores.size(); ++k) {
                if (!std::isfinite(scores[k])) throw std::overflow_error("the score of X[" + std::to_string(row) + "]");
                const bool has = next != own.end() && static_cast<std::size_t>(*next) == k;
                if (has) ++next;
                if (has != (scores[k] > 0)) wrong.push_back(static_cast<std::int64_t>(k));
            }
            if (wrong.empty()) {
                if (sums != nullptr && sums->counts == Clock::examples) sums->clock += left;
                break;
            }
            const double step = std::min(left, 1.0);
            n_mistakes += static_cast<std::int64_t>(wrong.size());
            const double now = sums == nullptr ? 0 : sums->clock + (sums->counts == Clock::updates ? step : 0);
            for (const std::int64_t k : wrong) {
                const double change = scores[at(k)] > 0 ? -settings.rate * step : settings.rate * step;
                add_row(X, row, k, change, settings.fit_intercept, model);
                if (sums != nullptr) add_row(X, row, k, now * change, settings.fit_intercept, sums->sums);
            }
            if (sums != nullptr) sums->clock += step;
            left -= step;
        }
    }
    return n_mistakes;
}

}  // namespace

template <class Value, class Index>
std::vector<std::uint64_t> fingerprint_rows(const CsrView<Value, Index>& X, const Targets& classes, int n_threads) {
    std::vector<std::uint64_t> fingerprints(at(X.n_rows()));
    for_each_block(X.n_rows(), 256, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t row = begin; row < end; ++row) {
            std::uint64_t sum = 0;  // of the entries, so that their order does not matter
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                const auto value = static_cast<double>(X.value(k));
                if (value == 0) continue;
                sum += mix(mix(static_cast<std::uint64_t>(X.column(k))) ^ std::bit_cast<std::uint64_t>(value));
            }
            for (const std::int32_t c : classes.of(at(row))) sum = mix(sum ^ mix(static_cast<std::uint64_t>(c)));
            fingerprints[at(row)] = sum;
        }
    });
    return fingerprints;
}

std::vector<std::int64_t> shuffle_groups(std::span<const std::int64_t> rows, std::span<const std::int64_t> group_begin,
                                         std::uint64_t seed, std::uint64_t epoch) {
    std::vector<std::int64_t> groups(group_begin.size() - 1);
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g] = static_cast<std::int64_t>(g);
    Random random(mix(seed) + epoch);
    shuffle(std::span(groups), random);
    std::vector<std::int64_t> order;
    order.reserve(rows.size());
    for (const std::int64_t group : groups) {
        const auto members =
            rows.subspan(at(group_begin[at(group)]), at(group_begin[at(group + 1)] - group_begin[at(group)]));
        order.insert(order.end(), members.begin(), members.end());
    }
    return order;
}

// The perceptron (Rosenblatt 1958; in the form of Collins 2002 for several classes)
//
//   For each example (x, y):  ŷ = argmax_c w_c·x + b_c;  if ŷ ≠ y:  w_y += η·x, b_y += η,  w_ŷ −= η·x, b_ŷ −=
//   η. Two classes:  ŷ = [w·x + b > 0];                     if ŷ ≠ y:  w ± η·x, b ± η, with + when y is 1.
//
// given    rows x and their classes y, the order to present them in, how many copies of each
// changes  model (w, b) in place
//
// When the data can be separated with a margin γ and no row is longer than R, at most (R/γ)² mistakes are
// ever made, the bias counted as one more feature of value 1 (Novikoff 1962).
//
// A mean over the models passed through needs no pass over all weights at each example: with a clock t that
// counts examples (before the one at hand), or updates (up to and with the one at hand), and δ the change of
// an update,
//   Σ_t model_t = clock·model − Σ_updates t·δ,
// so an update touches only the entries of its row, in `model` and in `sums`.
template <class Value, class Index>
std::int64_t learn_from_mistakes(const CsrView<Value, Index>& X, const Targets& classes, std::span<const double> copies,
                                 std::span<const std::int64_t> order, PerceptronSettings settings, LinearModel model,
                                 ClockedSums* sums, MistakeLog* log) {
    std::vector<double> scores(model.biases.size());
    std::int64_t n_mistakes = 0;
    if (classes.are_sets()) return learn_each_label(X, classes, copies, order, settings, model, sums);
    if (log != nullptr) log->survivals.push_back(0);
    for (const std::int64_t row : order) {
        const std::int32_t truth = classes.members[at(row)];
        for (double left = copies[at(row)]; left > 0;) {
            score(X, row, model, scores);
            const std::int32_t predicted = decide(scores);
            const auto decisive = scores[scores.size() == 1 ? 0 : at(predicted)];
            if (!std::isfinite(decisive)) throw std::overflow_error("the score of X[" + std::to_string(row) + "]");
            if (predicted == truth) {
                if (sums != nullptr && sums->counts == Clock::examples) sums->clock += left;
                if (log != nullptr) log->survivals.back() += left;
                break;
            }
            const double step = std::min(left, 1.0);
            ++n_mistakes;
            correct(X, row, truth, predicted, settings.rate * step, settings.fit_intercept, model);
            if (sums != nullptr) {
                const double now = sums->counts == Clock::examples ? sums->clock : sums->clock + step;
                correct(X, row, truth, predicted, now * settings.rate * step, settings.fit_intercept, sums->sums);
                sums->clock += step;
            }
            if (log != nullptr) {
                log->mistakes.push_back({row, truth, predicted, settings.rate * step});
                log->survivals.push_back(step);
            }
            left -= step;
        }
    }
    return n_mistakes;
}

// The vote of all perceptrons (Freund & Schapire 1999, figure 1)
//
//   decision = argmax_c Σ_k votes_k·[model k decides for c]
//
// Model k is the sum of the first k mistakes, so its scores on x are the sums of the first k products
// x·x_mistake (and 1 for the bias): the dual form. All products of one x come from one walk over the features
// of x and the mistaken rows that have them; the scores of all models then follow by adding up, and no model
// is ever written down.
//
// costs  per row: Σ_{features of x} (mistaken rows that have the feature) + (number of mistakes)
template <class Index>
void count_votes(const CsrView<double, Index>& X, const CsrView<double, Index>& support, const Electorate& electorate,
                 int n_threads, std::span<double> ballots) {
    const bool binary = electorate.n_classes == 2;
    const double bias = electorate.fit_intercept ? 1 : 0;
    for_each_block(X.n_rows(), 16, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<double> products(at(support.n_columns));
        std::vector<double> scores(binary ? 1 : at(electorate.n_classes));
        for (std::int64_t row = begin; row < end; ++row) {
            std::ranges::fill(products, 0.0);
            for (std::int64_t k = X.begin(row); k < X.end(row); ++k) {
                const double value = X.value(k);
                for (std::int64_t s = support.begin(X.column(k)); s < support.end(X.column(k)); ++s) {
                    products[at(support.column(s))] += value * support.value(s);
                }
            }
            double* const ballot = ballots.data() + row * electorate.n_classes;
            std::ranges::fill(scores, 0.0);
            ballot[decide(scores)] += electorate.votes[0];
            for (std::size_t m = 0; m < electorate.rows.size(); ++m) {
                const double change = electorate.steps[m] * (products[at(electorate.rows[m])] + bias);
                if (binary) {
                    scores[0] += electorate.truths[m] == 1 ? change : -change;
                } else {
                    scores[at(electorate.truths[m])] += change;
                    scores[at(electorate.predicted[m])] -= change;
                }
                if (electorate.votes[m + 1] > 0) ballot[decide(scores)] += electorate.votes[m + 1];
            }
        }
    });
}

#define ASSAY_INSTANTIATE(Value, Index)                                                                              \
    template std::vector<std::uint64_t> fingerprint_rows(const CsrView<Value, Index>&, const Targets&, int);         \
    template std::int64_t learn_from_mistakes(const CsrView<Value, Index>&, const Targets&, std::span<const double>, \
                                              std::span<const std::int64_t>, PerceptronSettings, LinearModel,        \
                                              ClockedSums*, MistakeLog*);
ASSAY_FOR_EACH_MATRIX(ASSAY_INSTANTIATE)
#undef ASSAY_INSTANTIATE
template void count_votes(const CsrView<double, std::int32_t>&, const CsrView<double, std::int32_t>&, const Electorate&,
                          int, std::span<double>);
template void count_votes(const CsrView<double, std::int64_t>&, const CsrView<double, std::int64_t>&, const Electorate&,
                          int, std::span<double>);

}  // namespace assay::linear
