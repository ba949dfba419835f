// row_store.hpp: the rows of a matrix while it is being made: (code, count) pairs, compact, never moved. Its memory is
// given back chunk by chunk while the rows are taken out again, so that the finished matrix can have it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "assay/base/memory.hpp"

namespace assay::ngrams {

struct FeatureCount {
    std::uint32_t code;
    std::uint32_t count;
};

/// Rows are appended by one thread each to its own Writer, read by anybody afterwards, and taken once.
class RowStore {
    struct Chunk {
        ZeroedArray<unsigned char> bytes;
        std::uint32_t rows_left = 0;
    };

 public:
    explicit RowStore(std::int64_t n_rows) : rows_(static_cast<std::size_t>(n_rows)) {}
    RowStore(RowStore&&) = default;
    RowStore(const RowStore&) = delete;

    std::int64_t n_rows() const { return static_cast<std::int64_t>(rows_.size()); }
    std::uint32_t length(std::int64_t row) const { return rows_[static_cast<std::size_t>(row)].length(); }

    /// The memory of a writer's rows; the store keeps it.
    class Writer {
     public:
        explicit Writer(RowStore& store) : store_(store) {}

        void append(std::int64_t row, std::span<const FeatureCount> entries) {
            const std::size_t n = entries.size();
            if (n >= 0x7FFFFFFF) throw std::length_error("a document has more than 2,147,483,646 different features");
            std::uint32_t all = 0;
            for (const FeatureCount& e : entries) all |= e.count;
            const bool wide = all > 255;
            unsigned char* at = allocate(n * (wide ? 8 : 5));
            store_.rows_[static_cast<std::size_t>(row)] =
                Row{at, n == 0 ? nullptr : chunks_.back().get(), static_cast<std::uint32_t>(n) << 1 | (wide ? 1u : 0u)};
            if (n == 0) return;
            ++chunks_.back()->rows_left;
            for (std::size_t i = 0; i < n; ++i) std::memcpy(at + 4 * i, &entries[i].code, 4);
            at += 4 * n;
            if (wide) {
                for (std::size_t i = 0; i < n; ++i) std::memcpy(at + 4 * i, &entries[i].count, 4);
            } else {
                for (std::size_t i = 0; i < n; ++i) at[i] = static_cast<unsigned char>(entries[i].count);
            }
        }

     private:
        unsigned char* allocate(std::size_t bytes) {
            bytes = (bytes + 3) / 4 * 4;
            if (bytes > left_) {
                left_ = std::max(bytes, next_chunk_);
                chunks_.push_back(std::make_unique<Chunk>(ZeroedArray<unsigned char>(left_)));
                next_ = chunks_.back()->bytes.data();
                next_chunk_ = std::min(2 * next_chunk_, kLargestChunk);
            }
            unsigned char* at = next_;
            next_ += bytes;
            left_ -= bytes;
            return at;
        }

        static constexpr std::size_t kLargestChunk = std::size_t{8} << 20;
        RowStore& store_;
        std::vector<std::unique_ptr<Chunk>> chunks_;
        std::size_t next_chunk_ = std::size_t{1} << 17;
        unsigned char* next_ = nullptr;
        std::size_t left_ = 0;
        friend class RowStore;
    };

    void keep(Writer&& writer) {
        for (auto& chunk : writer.chunks_) chunks_.push_back(std::move(chunk));
    }

    void require_untaken() const {
        if (taken_) throw std::logic_error("these rows are in a matrix already");
    }

    /// Says that the rows will now be given up, one after the other.
    void begin_taking() {
        require_untaken();
        taken_ = true;
    }

    /// Gives up a row; the last one of a chunk frees its memory. Different threads may give up different rows.
    void release(std::int64_t row) {
        Row& r = rows_[static_cast<std::size_t>(row)];
        if (r.chunk == nullptr) return;
        Chunk& chunk = *std::exchange(r.chunk, nullptr);
        const bool last = std::atomic_ref(chunk.rows_left).fetch_sub(1, std::memory_order_acq_rel) == 1;
        if (last) chunk.bytes = {};
    }

    /// The entries of a row in the order in which they were appended.
    void read(std::int64_t row, std::vector<FeatureCount>& entries) const {
        const Row& r = rows_[static_cast<std::size_t>(row)];
        const std::size_t n = r.length();
        const unsigned char* codes = r.data;
        const unsigned char* counts = r.data + 4 * n;
        const bool wide = (r.length_and_width & 1) != 0;
        entries.resize(n);
        for (std::size_t i = 0; i < n; ++i) std::memcpy(&entries[i].code, codes + 4 * i, 4);
        if (wide) {
            for (std::size_t i = 0; i < n; ++i) std::memcpy(&entries[i].count, counts + 4 * i, 4);
        } else {
            for (std::size_t i = 0; i < n; ++i) entries[i].count = counts[i];
        }
    }

 private:
    struct Row {
        const unsigned char* data = nullptr;
        Chunk* chunk = nullptr;
        std::uint32_t length_and_width = 0;  // bit 0: counts take four bytes instead of one
        std::uint32_t length() const { return length_and_width >> 1; }
    };

    std::vector<Row> rows_;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    bool taken_ = false;
};

}  // namespace assay::ngrams
