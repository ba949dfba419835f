// memory.hpp: large zeroed arrays on huge pages, where the system has them: random access to a table of many
// megabytes is otherwise paid once more in the page tables.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace assay::inline base {

/// A fixed number of trivially constructible elements, all zero bytes at first.
template <class T>
class ZeroedArray {
 public:
    ZeroedArray() = default;
    explicit ZeroedArray(std::size_t size) : size_(size), bytes_(size * sizeof(T)) {
        if (size == 0) return;
        if (size > static_cast<std::size_t>(-1) / sizeof(T) / 2) throw std::bad_alloc();
#if defined(__linux__)
        if (bytes_ >= kHugePage) {
            bytes_ = (bytes_ + kHugePage - 1) / kHugePage * kHugePage;
            // Twice the alignment's slack is mapped and cut off, so that the block begins on a huge page.
            char* raw = static_cast<char*>(
                mmap(nullptr, bytes_ + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
            if (raw == MAP_FAILED) throw std::bad_alloc();
            const std::size_t lead = (kHugePage - reinterpret_cast<std::size_t>(raw) % kHugePage) % kHugePage;
            if (lead > 0) munmap(raw, lead);
            munmap(raw + lead + bytes_, kHugePage - lead);
            madvise(raw + lead, bytes_, MADV_HUGEPAGE);
            data_ = reinterpret_cast<T*>(raw + lead);
            mapped_ = true;
            return;
        }
#endif
        data_ = static_cast<T*>(std::calloc(size, sizeof(T)));
        if (data_ == nullptr) throw std::bad_alloc();
    }
    ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
    ZeroedArray& operator=(ZeroedArray&& other) noexcept {
        ZeroedArray taken(std::move(other));
        swap(taken);
        return *this;
    }
    ZeroedArray(const ZeroedArray&) = delete;
    ZeroedArray& operator=(const ZeroedArray&) = delete;
    ~ZeroedArray() {
        if (data_ == nullptr) return;
#if defined(__linux__)
        if (mapped_) {
            munmap(data_, bytes_);
            return;
        }
#endif
        std::free(data_);
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    std::span<T> span() { return {data_, size_}; }
    std::span<const T> span() const { return {data_, size_}; }

 private:
    static constexpr std::size_t kHugePage = std::size_t{2} << 20;

    void swap(ZeroedArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(bytes_, other.bytes_);
        std::swap(mapped_, other.mapped_);
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t bytes_ = 0;
    bool mapped_ = false;
};

}  // namespace assay::inline base
