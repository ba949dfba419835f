// instruction_set.hpp: kernels compiled for more than one instruction set, and which of them runs.
//
// The arithmetic is the same in each, in the same order and without fused multiply-add: only the speed differs.
#pragma once

#include <string_view>
#include <vector>

// Under the sanitizers every operation is instrumented: inlined everywhere, and compiled for two instruction sets, the
// solvers would take minutes to build.
#if defined(__SANITIZE_ADDRESS__)
#define ASSAY_INLINE inline
#define ASSAY_INLINE_LAMBDA
#define ASSAY_ONE_INSTRUCTION_SET
#else
#define ASSAY_INLINE __attribute__((always_inline)) inline
#define ASSAY_INLINE_LAMBDA __attribute__((always_inline))
#if !defined(__x86_64__)
#define ASSAY_ONE_INSTRUCTION_SET
#endif
#endif

namespace assay::inline base {

/// In rising order. The baseline is what every processor of the architecture can do (x86-64: SSE2).
enum class InstructionSet { baseline, avx2 };

std::string_view name_of(InstructionSet set);

/// Those that were compiled and that this processor can execute; the last is the quickest.
std::vector<InstructionSet> available_instruction_sets();

/// What kernels run with: the quickest, unless another was chosen.
InstructionSet instruction_set();

/// For tests; to be called before any kernel runs. Requires one of those that are available.
void choose_instruction_set(InstructionSet set);

/// Calls body.template run<Bytes>() compiled for vectors of that many bytes. What it calls must be inlined to be
/// compiled along.
#if defined(ASSAY_ONE_INSTRUCTION_SET)
template <class Body>
void with_widest_vectors(Body& body) {
    body.template run<16>();
}
#else
template <class Body>
__attribute__((target("avx2"), noinline)) void run_with_avx2(Body& body) {
    body.template run<32>();
}
template <class Body>
__attribute__((noinline)) void run_with_baseline(Body& body) {
    body.template run<16>();
}
template <class Body>
void with_widest_vectors(Body& body) {
    if (instruction_set() == InstructionSet::avx2) return run_with_avx2(body);
    run_with_baseline(body);
}
#endif

}  // namespace assay::inline base
