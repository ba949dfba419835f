// pass_habits.hpp: what a rule of coordinate descent knows of how its passes go.
#pragma once

#include <cstdint>

namespace assay::linear {

/// What is known of a loss before its passes begin.
struct PassHabits {
    double met = 1.5;               // gap on the way of a pass, as a multiple of that which is then measured at rest
    std::int32_t first_judged = 8;  // pass of a class without company after which its progress is looked at
    std::int32_t between = 4;       // passes from one look to the next
};

}  // namespace assay::linear
