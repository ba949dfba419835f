// joint_descent.hpp: passes over the examples for solvers that step on all classes of an example at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/linear/dual/one_vs_rest.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// Calls pass(order, number of the pass, from one) until the gap that the model meets on its way is small enough, first
/// `first_target` of the objective; then measure() sets loss, norm and gap exactly, with weights at rest, and what
/// stopped too early goes on with a smaller target.
template <class Model, class Pass, class Measure>
SolverReport descend_jointly(const Model& model, const SolverSettings& settings, double first_target, Pass&& pass,
                             Measure&& measure) {
    SolverReport report(1);
    const auto n_values = static_cast<double>(model.rows.n_values() + model.rows.n_rows());  // a row counts, too
    std::vector<std::int32_t> order(static_cast<std::size_t>(model.rows.n_rows()));
    double target = first_target;
    std::int32_t iteration = 0;
    while (true) {
        bool near = false;
        while (iteration < settings.max_iterations && !near) {
            draw_order(settings.seed, iteration++, order);
            pass(std::span<const std::int32_t>(order), iteration);
            near = model.gap <= target * (0.5 * model.norm + model.loss);
        }
        measure();
        report.objective[0] = 0.5 * model.norm + model.loss;
        report.gap[0] = model.gap;
        report.iterations[0] = iteration;
        report.work[0] = static_cast<double>(iteration) * n_values;
        const double relative = report.objective[0] > 0 ? model.gap / report.objective[0] : 0.0;
        report.converged[0] = relative <= settings.tolerance;
        if (report.converged[0] || iteration >= settings.max_iterations) return report;
        target *= std::clamp(0.7 * settings.tolerance / relative, 0.01, 0.7);
    }
}

}  // namespace assay::linear
