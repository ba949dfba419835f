#include "assay/copies/near_copies.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "assay/copies/sketch.hpp"
#include "bindings/base/arrays.hpp"
#include "bindings/base/checks.hpp"
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
    m.attr("sketch_places") = copies::kPlaces;
    m.def(
        "sketch_texts",
        [](const Documents& documents, std::optional<InputArray<std::uint32_t>> common, int n_threads) {
            std::vector<std::uint32_t> known;
            if (common) known.assign(span_of(*common).begin(), span_of(*common).end());
            require(std::ranges::is_sorted(known), "common shingles must rise");
            copies::Sketches made = unlocked_run(
                [&] { return copies::sketch_texts(documents.spans(), common ? &known : nullptr, n_threads); });
            return to_arrays(std::move(made.common), std::move(made.forms), std::move(made.bags),
                             std::move(made.signatures), std::move(made.sizes));
        },
        "documents"_a, "common"_a.none(), "n_threads"_a,
        "Common shingles; hashes of forms, of words in any order; bytes of signatures; shingles of each, 0 for none.");
    m.def(
        "find_alike",
        [](InputArray<std::uint8_t> kept, InputArray<std::uint16_t> kept_sizes, InputArray<std::uint8_t> asked,
           InputArray<std::uint16_t> asked_sizes, int n_threads) {
            require(kept.size() == kept_sizes.size() * copies::kPlaces &&
                        asked.size() == asked_sizes.size() * copies::kPlaces,
                    "signatures have " + std::to_string(copies::kPlaces) + " bytes each");
            return to_numpy(without_gil([&] {
                return copies::find_alike({span_of(kept), span_of(kept_sizes)}, {span_of(asked), span_of(asked_sizes)},
                                          n_threads);
            }));
        },
        "kept"_a.noconvert(), "kept_sizes"_a.noconvert(), "asked"_a.noconvert(), "asked_sizes"_a.noconvert(),
        "n_threads"_a, "Which of the asked signatures are like a kept one.");
}

}  // namespace assay::bindings
