// solver_report.hpp: what a solver was asked for and what it reached.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "assay/base/folded_rows.hpp"

namespace assay::linear {

struct SolverSettings {
    double tolerance = 1e-4;  // stop when gap ≤ tolerance · objective
    std::int32_t max_iterations = 1000;
    std::uint64_t seed = 0;
    int n_threads = 1;
    FoldedForms* folded = nullptr;  // of the matrix that is learned from, where several solvers share them
    double patience = std::numeric_limits<double>::infinity();  // work, in passes over all values, for one problem
    std::span<const std::uint8_t> solved{};                     // problems that are left as they are; empty: none
    bool in_double = true;                                      // of the Newton method for one class
};

/// One value for each problem that was solved: one a class for one-vs-rest, else a single one.
struct SolverReport {
    std::vector<double> objective;
    std::vector<double> gap;  // bound on how far the objective is above the optimum
    std::vector<std::int32_t> iterations;
    std::vector<std::uint8_t> converged;
    std::vector<double> work;  // stored values that were read, and rows; by Newton steps and passes alike

    explicit SolverReport(std::size_t n_problems)
        : objective(n_problems), gap(n_problems), iterations(n_problems), converged(n_problems), work(n_problems) {}
};

}  // namespace assay::linear
