#include "assay/base/instruction_set.hpp"

namespace assay::inline base {
namespace {

InstructionSet& in_use() {
    static InstructionSet set = available_instruction_sets().back();
    return set;
}

}  // namespace

std::string_view name_of(InstructionSet set) {
    return set == InstructionSet::avx2 ? "avx2" : "baseline";
}

std::vector<InstructionSet> available_instruction_sets() {
    std::vector<InstructionSet> sets{InstructionSet::baseline};
#if !defined(ASSAY_ONE_INSTRUCTION_SET)
    if (__builtin_cpu_supports("avx2")) sets.push_back(InstructionSet::avx2);
#endif
    return sets;
}

InstructionSet instruction_set() {
    return in_use();
}

void choose_instruction_set(InstructionSet set) {
    in_use() = set;
}

}  // namespace assay::inline base
