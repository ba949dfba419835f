#include "tests.hpp"

int main() {
    test_parallel();
    test_random();
    test_tables();
    std::puts("kernel tests passed");
}
