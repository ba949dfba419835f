#include "assay/base/logarithms.hpp"

#include <vector>

#include "bindings/base/arrays.hpp"
#include "bindings/families.hpp"

namespace assay::bindings {

using namespace nb::literals;

void bind_logarithms(nb::module_& m) {
    m.def(
        "logarithms",
        [](InputArray<double> x) {
            std::vector<double> out(x.size());
            logarithms(span_of(x), out);
            return to_numpy(std::move(out));
        },
        "x"_a.noconvert());
}

}  // namespace assay::bindings
