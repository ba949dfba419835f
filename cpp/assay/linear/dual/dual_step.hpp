// dual_step.hpp: what a loss is asked about one example, and what it answers, for one class a lane.
#pragma once

namespace assay::linear {

template <class L>
struct DualExample {
    L sign;       // y
    L cost;       // C
    L alpha;      // dual variable
    L margin;     // y · score
    L curvature;  // ‖x‖² + s²
};

template <class L>
struct RowSquares {
    L own;  // over the features that only this row has
    L all;  // ‖x‖²
};

template <class L>
struct DualStep {
    L next;  // new dual variable
    L loss;
    L gap;  // the example's share of primal − dual, ≥ 0
};

}  // namespace assay::linear
