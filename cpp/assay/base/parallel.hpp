// parallel.hpp: the two ways in which kernels use threads. Neither changes any result: work is cut into
// blocks that do not depend on the number of threads, and whoever combines their results does so in block
// order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::inline base {

/// Runs work(thread_index) on n_threads threads (the calling one included); the first exception is rethrown.
template <class Work>
void run_threads(int n_threads, Work&& work) {
    std::exception_ptr failure;
    std::mutex failure_mutex;
    auto guarded = [&](int thread) {
        try {
            work(thread);
        } catch (...) {
            std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(std::max(0, n_threads - 1)));
    for (int thread = 1; thread < n_threads; ++thread) threads.emplace_back(guarded, thread);
    guarded(0);
    threads.clear();
    if (failure) std::rethrow_exception(failure);
}

/// Runs work(begin, end, thread_index) over [0, size) in blocks that threads take as they come free.
template <class Work>
void for_each_block(std::int64_t size, std::int64_t block, int n_threads, Work&& work) {
    block = std::max<std::int64_t>(block, 1);
    const std::int64_t n_blocks = (size + block - 1) / block;
    const int used = static_cast<int>(std::clamp<std::int64_t>(n_blocks, 1, std::max(n_threads, 1)));
    std::atomic<std::int64_t> next{0};
    run_threads(used, [&](int thread) {
        for (std::int64_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < n_blocks;) {
            work(b * block, std::min(size, (b + 1) * block), thread);
        }
    });
}

}  // namespace assay::inline base
