// test_random.cpp: the numbers that models and resamples are drawn from never change.
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/random.hpp"
#include "tests.hpp"

namespace {

void numbers_of_a_seed_are_those_of_splitmix64() {
    assay::Random random(1234567);  // the reference implementation's example
    for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u}) {
        check(random.next() == expected, "numbers of a seed are those of SplitMix64");
    }
}

void numbers_of_a_stream_never_change() {
    assay::Random random(3, 7), again(3, 7);
    for (const std::uint64_t expected : {0xd1096bcbccb0b4b0u, 0x461044aacd3bcb13u}) {
        check(random.next() == expected, "numbers of a stream never change");
    }
    for (const std::uint32_t expected : {7u, 8u, 8u, 2u, 1u, 7u}) {
        check(again.below(10) == expected, "bounded numbers of a stream never change");
    }
}

void a_shuffle_never_changes() {
    std::vector<int> items{0, 1, 2, 3, 4, 5, 6, 7};
    assay::Random random(5);
    assay::shuffle(std::span(items), random);
    check(items == std::vector<int>{7, 2, 6, 4, 0, 1, 5, 3}, "a shuffle never changes");
}

}  // namespace

void test_random() {
    numbers_of_a_seed_are_those_of_splitmix64();
    numbers_of_a_stream_never_change();
    a_shuffle_never_changes();
}
