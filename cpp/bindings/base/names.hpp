// names.hpp: settings that Python gives by name.
#pragma once

#include <map>
#include <string>

#include "assay/ngrams/term_frequency.hpp"
#include "bindings/base/arrays.hpp"

namespace assay::bindings {

template <class Enum>
Enum named(const std::map<std::string, Enum>& names, const std::string& name, const char* what) {
    const auto found = names.find(name);
    if (found != names.end()) return found->second;
    throw nb::value_error(("unknown " + std::string(what) + " '" + name + "'").c_str());
}

inline const std::map<std::string, ngrams::Norm>& norm_names() {
    static const std::map<std::string, ngrams::Norm> names{
        {"none", ngrams::Norm::none}, {"l1", ngrams::Norm::l1}, {"l2", ngrams::Norm::l2}};
    return names;
}

}  // namespace assay::bindings
