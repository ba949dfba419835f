#include "assay/embeddings/replica.hpp"

#include <algorithm>
#include <utility>

#include "assay/base/lanes.hpp"
#include "assay/base/parallel.hpp"
#include "assay/embeddings/word2vec_step.hpp"

namespace assay::embeddings {
namespace {

constexpr std::int64_t kRowsPerBlock = 1024;

/// Merges the steps of one row.
template <int Bytes>
class RowMerger {
    using R = Lanes<float, kRowUnit, Bytes>;

 public:
    explicit RowMerger(std::int64_t size) : size_(size) {}

    ASSAY_INLINE void add_up(float* base, std::span<float* const> rows) {
        for (std::int64_t d = 0; d < size_; d += kRowUnit) {
            const R before = R::load(base + d);
            R merged = before;
            for (const float* row : rows) merged += R::load(row + d) - before;
            merged.store(base + d);
            for (float* row : rows) merged.store(row + d);
        }
    }

    ASSAY_INLINE void merge(float* base, std::span<float* const> rows) {
        // The steps take the places of the rows.
        for (float* row : rows) {
            for (std::int64_t d = 0; d < size_; d += kRowUnit) (R::load(row + d) - R::load(base + d)).store(row + d);
        }
        for (std::size_t gap = 1; gap < rows.size(); gap *= 2) {
            for (std::size_t at = 0; at + gap < rows.size(); at += 2 * gap) add(rows[at], rows[at + gap]);
        }
        for (std::int64_t d = 0; d < size_; d += kRowUnit) {
            const R merged = R::load(base + d) + R::load(rows[0] + d);
            merged.store(base + d);
            for (float* row : rows) merged.store(row + d);
        }
    }

 private:
    ASSAY_INLINE void add(float* a, const float* b) {
        R ab = R::all(0), aa = R::all(0), bb = R::all(0);
        for (std::int64_t d = 0; d < size_; d += kRowUnit) {
            const R x = R::load(a + d), y = R::load(b + d);
            ab += x * y, aa += x * x, bb += y * y;
        }
        const float half = ab.sum() / 2, of_a = aa.sum(), of_b = bb.sum();
        const float share_a = of_a > 0 ? 1 - half / of_a : 0, share_b = of_b > 0 ? 1 - half / of_b : 0;
        for (std::int64_t d = 0; d < size_; d += kRowUnit) {
            (R::load(a + d) * share_a + R::load(b + d) * share_b).store(a + d);
        }
    }

    std::int64_t size_;
};

struct MergeRows {
    RowMatrix& base;
    std::span<RowMatrix* const> replicas;
    std::int64_t begin, end;
    double few;

    template <int Bytes>
    ASSAY_INLINE void run() {
        RowMerger<Bytes> merger(base.stride);
        std::vector<float*> rows;
        for (std::int64_t at = begin; at < end; ++at) {
            std::uint64_t touches = 0;
            rows.clear();
            for (RowMatrix* matrix : replicas) {
                rows.push_back(matrix->row(at));
                touches += std::exchange(matrix->touches[static_cast<std::size_t>(at)], 0U);
            }
            if (touches == 0) continue;
            if (static_cast<double>(touches) <= few) {
                merger.add_up(base.row(at), rows);
            } else {
                merger.merge(base.row(at), rows);
            }
        }
    }
};

void merge_matrices(RowMatrix& base, std::span<RowMatrix* const> replicas, double few, int n_threads) {
    for_each_block(base.n_rows, kRowsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        MergeRows rows{base, replicas, begin, end, few};
        with_widest_vectors(rows);
    });
}

}  // namespace

RowMatrix::RowMatrix(std::int64_t rows, std::int64_t columns)
    : n_rows(rows),
      n_columns(columns),
      stride((columns + kRowUnit - 1) / kRowUnit * kRowUnit),
      values(static_cast<std::size_t>(rows * stride)),
      touches(static_cast<std::size_t>(rows)) {}

void RowMatrix::copy_from(std::span<const float> from) {
    for (std::int64_t at = 0; at < n_rows; ++at) std::copy_n(from.data() + at * n_columns, n_columns, row(at));
}

void RowMatrix::copy_to(std::span<float> to) const {
    for (std::int64_t at = 0; at < n_rows; ++at) std::copy_n(row(at), n_columns, to.data() + at * n_columns);
}

ReplicaSet::ReplicaSet(std::int64_t n_rows, std::int64_t n_columns, int n_replicas, std::span<const float> input,
                       std::span<const float> output)
    : base_(n_rows, n_columns) {
    if (n_replicas > 1) {
        replicas_.reserve(static_cast<std::size_t>(n_replicas));
        for (int k = 0; k < n_replicas; ++k) replicas_.emplace_back(n_rows, n_columns);
    }
    base_.input.copy_from(input);
    base_.output.copy_from(output);
    for (Replica& replica : replicas_) {
        replica.input.copy_from(input);
        replica.output.copy_from(output);
    }
}

void ReplicaSet::merge(double few, int n_threads) {
    if (replicas_.empty()) return;
    std::vector<RowMatrix*> inputs, outputs;
    for (Replica& replica : replicas_) {
        inputs.push_back(&replica.input);
        outputs.push_back(&replica.output);
    }
    merge_matrices(base_.input, inputs, few, n_threads);
    merge_matrices(base_.output, outputs, few, n_threads);
}

}  // namespace assay::embeddings
