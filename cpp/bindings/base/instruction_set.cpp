#include "assay/base/instruction_set.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "bindings/families.hpp"

namespace assay::bindings {

namespace nb = nanobind;

namespace {

/// The environment variable ASSAY_CPU names what kernels run with; without it, the quickest that there is.
void choose_what_was_asked_for() {
    const char* asked = std::getenv("ASSAY_CPU");
    if (asked == nullptr || *asked == '\0') return;
    const auto sets = available_instruction_sets();
    const auto found = std::ranges::find(sets, asked, name_of);
    if (found != sets.end()) return choose_instruction_set(*found);
    std::string message = "ASSAY_CPU must name instructions that this processor has: ";
    for (std::size_t i = 0; i < sets.size(); ++i) {
        message += std::string(i == 0 ? "'" : " or '") + std::string(name_of(sets[i])) + "'";
    }
    message += ". Got '" + std::string(asked) + "' instead. Without it the quickest are taken.";
    const nb::object error = nb::module_::import_("assay.errors").attr("ParameterError");
    PyErr_SetString(error.ptr(), message.c_str());
    throw nb::python_error();
}

}  // namespace

void bind_instruction_set(nb::module_& m) {
    choose_what_was_asked_for();
    nb::list names;
    for (const InstructionSet set : available_instruction_sets()) names.append(std::string(name_of(set)).c_str());
    m.attr("instruction_sets") = nb::tuple(names);
    m.attr("instruction_set") = std::string(name_of(instruction_set())).c_str();
}

}  // namespace assay::bindings
