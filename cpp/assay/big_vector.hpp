// big_vector.hpp: std::vector on huge pages where the system has them. Solvers jump about in tens of
// megabytes of weights; with 4 KB pages most of those jumps also miss the TLB. Elements are left
// uninitialised unless a value is given, so that threads may touch them first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace assay {

template <class T>
struct BigAllocator {
    using value_type = T;
    static constexpr std::size_t huge_page = std::size_t{2} << 20;

    BigAllocator() = default;
    template <class Other>
    BigAllocator(const BigAllocator<Other>&) {}  // NOLINT: allocators convert implicitly

    T* allocate(std::size_t count) {
        if (count > (static_cast<std::size_t>(-1) >> 2) / sizeof(T)) throw std::bad_alloc();
        const std::size_t wanted = count * sizeof(T);
        const std::size_t alignment = wanted >= huge_page ? huge_page : 64;
        const std::size_t bytes = (wanted + alignment - 1) / alignment * alignment;
        void* memory = std::aligned_alloc(alignment, bytes == 0 ? alignment : bytes);
        if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }

    template <class Element, class... Arguments>
    void construct(Element* place, Arguments&&... arguments) {
        if constexpr (sizeof...(Arguments) == 0) {
            ::new (static_cast<void*>(place)) Element;
        } else {
            ::new (static_cast<void*>(place)) Element(std::forward<Arguments>(arguments)...);
        }
    }
    template <class Other>
    bool operator==(const BigAllocator<Other>&) const {
        return true;
    }
};

template <class T>
using BigVector = std::vector<T, BigAllocator<T>>;

}  // namespace assay
