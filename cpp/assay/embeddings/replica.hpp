// replica.hpp: copies of a model's rows that learn apart and are merged in a fixed order.
//
// A row that was moved seldom in all copies gets the sum of the steps that they took, as if one had taken them all. A
// row that was moved often may have gone all the way in each of them, and their sum would go too far. There, two steps
// a and b are merged to
//
//     (1 - a·b / 2|a|²) a  +  (1 - a·b / 2|b|²) b
//
// which is their mean where they agree, and their sum where they are orthogonal (Maleki et al. 2021, "Scaling
// distributed training with adaptive summation"). More than two are merged in pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/memory.hpp"

namespace assay::embeddings {

/// Rows of numbers, each filled up with zeros to `stride`, and how often each was touched.
struct RowMatrix {
    RowMatrix(std::int64_t n_rows, std::int64_t n_columns);

    float* row(std::int64_t at) { return values.data() + at * stride; }
    const float* row(std::int64_t at) const { return values.data() + at * stride; }
    float* touch(std::int64_t at) {
        ++touches[static_cast<std::size_t>(at)];
        return row(at);
    }
    void copy_from(std::span<const float> from);
    void copy_to(std::span<float> to) const;

    std::int64_t n_rows, n_columns, stride;
    ZeroedArray<float> values;
    std::vector<std::uint32_t> touches;
};

struct Replica {
    Replica(std::int64_t n_rows, std::int64_t n_columns) : input(n_rows, n_columns), output(n_rows, n_columns) {}
    RowMatrix input, output;
};

class ReplicaSet {
 public:
    ReplicaSet(std::int64_t n_rows, std::int64_t n_columns, int n_replicas, std::span<const float> input,
               std::span<const float> output);

    Replica& base() { return base_; }
    const Replica& base() const { return base_; }
    /// With a single replica, that is the base itself.
    Replica& operator[](int at) { return replicas_.empty() ? base_ : replicas_[static_cast<std::size_t>(at)]; }

    /// Brings the steps of all replicas to the base, and the base to all replicas. Rows that all replicas together
    /// touched at most `few` times get the sum.
    void merge(double few, int n_threads);

 private:
    Replica base_;
    std::vector<Replica> replicas_;
};

}  // namespace assay::embeddings
