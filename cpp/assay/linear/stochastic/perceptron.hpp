// perceptron.hpp: learning from mistakes, one example at a time (Rosenblatt 1958; Freund & Schapire 1999).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/sparse.hpp"
#include "assay/linear/targets.hpp"

namespace assay::linear {

/// A linear model that is learned in place: weights [feature][output], biases [output]. Two classes share one
/// output, which decides for class 1 when it is above 0; more classes have one each, and the highest (first
/// of equals) decides. Labels of sets have one each, too, and each decides for itself: the row has it when its score is
/// above 0.
struct LinearModel {
    std::span<double> weights;
    std::span<double> biases;

    std::int64_t n_outputs() const { return static_cast<std::int64_t>(biases.size()); }
};

/// What is counted by the clock that lazily kept sums are weighed with.
enum class Clock { examples, updates };

/// Σ over updates of (clock at the update)·(change of the model), from which the mean of all models follows:
/// mean = model − sums / clock.
struct ClockedSums {
    LinearModel sums;
    double clock = 0;
    Clock counts = Clock::examples;
};

/// One update: example `row` of class `truth` was taken for `predicted`, and `step`·x was added and taken
/// away.
struct Mistake {
    std::int64_t row;
    std::int32_t truth;
    std::int32_t predicted;
    double step;
};

/// The updates of a pass, and for how much example weight each model stood: survivals[0] is that of the model
/// before the first update, survivals[k] that of the model after update k, the example that made it included.
struct MistakeLog {
    std::vector<Mistake> mistakes;
    std::vector<double> survivals;
};

struct PerceptronSettings {
    double rate = 1;
    bool fit_intercept = true;
};

/// A number for each row that depends on nothing but its class and its stored entries, in whatever order.
template <class Value, class Index>
std::vector<std::uint64_t> fingerprint_rows(const CsrView<Value, Index>& X, const Targets& classes, int n_threads);

/// Shuffles whole groups of `rows`, where group g is rows[group_begin[g], group_begin[g + 1]).
std::vector<std::int64_t> shuffle_groups(std::span<const std::int64_t> rows, std::span<const std::int64_t> group_begin,
                                         std::uint64_t seed, std::uint64_t epoch);

/// One pass over the rows named in `order`; returns the number of mistakes, of sets that of all labels. `copies[i]` is
/// how many times row i is presented in a row (a fractional rest counts as a smaller step). `sums` and `log` may be
/// null; of sets there is no log, and the clock of updates counts presentations that changed any label. Throws
/// std::overflow_error when the scores leave the range of doubles.
template <class Value, class Index>
std::int64_t learn_from_mistakes(const CsrView<Value, Index>& X, const Targets& classes, std::span<const double> copies,
                                 std::span<const std::int64_t> order, PerceptronSettings settings, LinearModel model,
                                 ClockedSums* sums, MistakeLog* log);

/// Every model that a run of mistakes passed through, as what is needed to make them all vote.
struct Electorate {
    std::span<const std::int64_t> rows;       // row of `support` that each mistake was made on
    std::span<const std::int32_t> truths;     // its class
    std::span<const std::int32_t> predicted;  // what it was taken for
    std::span<const double> steps;            // how much of it was added and taken away
    std::span<const double> votes;            // of the model before the first mistake, and after each
    bool fit_intercept = true;
    std::int64_t n_classes = 2;
};

/// Votes of all models on each row of X: ballots[row][class] = Σ of the votes of the models that decide for
/// the class. Row j of `support` lists the mistaken rows (its columns) that have feature j, and their values.
template <class Index>
void count_votes(const CsrView<double, Index>& X, const CsrView<double, Index>& support, const Electorate& electorate,
                 int n_threads, std::span<double> ballots);

}  // namespace assay::linear
