// folded_precision.hpp: folded rows for a solver, in single precision where that is enough.
#pragma once

#include <algorithm>
#include <span>

#include "assay/base/folded_rows.hpp"
#include "assay/linear/solver_report.hpp"

namespace assay::linear {

/// The largest square of a scale.
inline double largest_square(std::span<const double> scales) {
    double largest = 0;
    for (const double scale : scales) largest = std::max(largest, scale * scale);
    return largest;
}

/// Calls train(rows) with X folded in single precision; in double where that is asked for, or where float does not hold
/// the squares of all rows, times that of a scale, with room for the small numbers beside them.
template <class Value, class Index, class Train>
auto with_folded_rows(const CsrView<Value, Index>& X, bool in_double, DenseColumns dense,
                      const SolverSettings& settings, Train&& train, double scale_square = 1) {
    FoldedForms for_this_solver;
    FoldedForms& forms = settings.folded != nullptr ? *settings.folded : for_this_solver;
    if (!in_double) {
        const auto& rows = forms.of<float>(X, settings.n_threads, dense);
        const auto fits = [&](double square) { return square * scale_square < 1e10; };
        if (std::ranges::all_of(rows.square, fits)) return train(rows);
    }
    return train(forms.of<double>(X, settings.n_threads, dense));
}

}  // namespace assay::linear
