// term_frequency.hpp: what a count weighs.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace assay::ngrams {

enum class Norm : std::uint8_t { none, l1, l2 };

struct Weighting {
    bool binary = false;
    bool sublinear = false;
    Norm norm = Norm::none;
    std::span<const double> idf;  // by column; empty: no such factor
};

/// What a value adds to the sum that divisor_of() takes the norm of its row from.
inline double part_of_norm(Norm norm, double value) {
    return norm == Norm::l1 ? std::abs(value) : value * value;
}

/// What a row is divided by: 1 where it is to be left as it is, or has nothing.
inline double divisor_of(Norm norm, double sum) {
    return norm == Norm::none || sum == 0.0 ? 1.0 : norm == Norm::l1 ? sum : std::sqrt(sum);
}

/// What a stored count weighs, before idf and norm. Nearly all counts are small and found in a table.
class TermFrequency {
 public:
    TermFrequency(const Weighting& weighting, bool signed_counts)
        : binary_(weighting.binary), sublinear_(weighting.sublinear), signed_(signed_counts) {
        for (std::uint32_t count = 0; count < small_.size(); ++count) small_[count] = weigh(count);
    }
    double operator()(std::uint32_t count) const { return count < small_.size() ? small_[count] : weigh(count); }

 private:
    double weigh(std::uint32_t stored) const {
        double count = static_cast<double>(stored);
        if (signed_)
            count =
                static_cast<double>(static_cast<std::int32_t>(stored >> 1) ^ -static_cast<std::int32_t>(stored & 1));
        if (binary_) count = 1.0;
        return sublinear_ && count != 0.0 ? 1.0 + std::log(count) : count;
    }

    bool binary_, sublinear_, signed_;
    std::array<double, 256> small_{};
};

}  // namespace assay::ngrams
