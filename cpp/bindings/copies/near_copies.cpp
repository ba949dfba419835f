#include "assay/copies/near_copies.hpp"

#include "bindings/base/arrays.hpp"
#include "bindings/families.hpp"
#include "bindings/text/documents.hpp"

namespace assay::bindings {

using namespace nb::literals;

void bind_near_copies(nb::module_& m) {
    m.def(
        "find_near_copies",
        [](const Documents& documents, int n_threads) {
            copies::NearCopies found =
                unlocked_run([&] { return copies::find_near_copies(documents.spans(), n_threads); });
            return std::tuple_cat(to_arrays(std::move(found.first), std::move(found.from), std::move(found.to),
                                            std::move(found.similarity)),
                                  std::tuple(found.n_bounded));
        },
        "documents"_a, "n_threads"_a,
        "First text of each one's form; links from, to and their similarity; how many texts were not compared with "
        "all.");
}

}  // namespace assay::bindings
