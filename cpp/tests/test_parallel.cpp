// test_parallel.cpp: the thread loops visit everything once, whatever the number of threads, and keep exceptions.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "assay/base/parallel.hpp"
#include "tests.hpp"

namespace {

void every_item_is_visited_once() {
    for (int threads : {-1, 0, 1, 2, 5}) {
        for (std::int64_t size : {0, 1, 7, 64, 1000}) {
            for (std::int64_t block : {-3, 0, 1, 64, 5000}) {
                std::vector<int> visits(static_cast<std::size_t>(size), 0);
                assay::for_each_block(size, block, threads, [&](std::int64_t begin, std::int64_t end, int) {
                    for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
                });
                for (int count : visits) check(count == 1, "every item is visited once");
            }
        }
    }
}

void thread_indices_are_distinct_and_start_at_zero() {
    std::vector<int> seen(4, 0);
    assay::run_threads(4, [&](int thread) { ++seen[static_cast<std::size_t>(thread)]; });
    for (int count : seen) check(count == 1, "each thread has an index of its own");
}

void an_exception_reaches_the_caller() {
    for (int thrower : {0, 1, 2}) {
        std::string message;
        try {
            assay::run_threads(3, [&](int thread) {
                if (thread == thrower) throw std::invalid_argument("thread " + std::to_string(thread));
            });
        } catch (const std::invalid_argument& failure) {
            message = failure.what();
        }
        check(message == "thread " + std::to_string(thrower), "an exception reaches the caller");
    }
}

}  // namespace

void test_parallel() {
    every_item_is_visited_once();
    thread_indices_are_distinct_and_start_at_zero();
    an_exception_reaches_the_caller();
}
