// tests.hpp: what each file of tests adds to the program kernel_tests.
#pragma once

#include <cstdio>
#include <cstdlib>

inline void check(bool holds, const char* claim) {
    if (holds) return;
    std::fprintf(stderr, "not so: %s\n", claim);
    std::exit(EXIT_FAILURE);
}

void test_parallel();
void test_random();
void test_tables();
