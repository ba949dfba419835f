// multinomial_block.hpp: steps on a few examples in a row, with products over their dense columns taken at once.
//
// A step needs the weights that all steps before it have left. Inside a block they are not needed themselves: with the
// scores z of all its examples at its beginning, example b has
//
//     zᵦ + Σ_{a < b} (xₐ·xᵦ) stepₐ
//
// after the steps a before it, and the weights get all steps of the block together at its end. That is the same
// descent, in other words than products of one row, which would fetch the weights of all columns anew for every
// example.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "assay/linear/dual/multinomial_model.hpp"

namespace assay::linear {

template <class Real>
class MultinomialBlock {
 public:
    static constexpr std::size_t n_rows = 24;

    explicit MultinomialBlock(const Multinomial<Real>& model)
        : model_(model),
          heads_(n_rows),
          scores_(n_rows * model.stride),
          steps_(n_rows * model.stride),
          common_(n_rows * n_rows) {}

    /// What the block's examples [first, last) need: their scores, and their products with the examples before them.
    void prepare(std::span<const std::int32_t> order, std::size_t first, std::size_t last) {
        if (first >= last) return;
        Preparation work{*this, order, first, last};
        with_widest_vectors(work);
    }

    /// Adds the steps of the first n examples to the weights of dense columns [first, last).
    void add_steps(std::size_t n, std::size_t first, std::size_t last, std::span<Real> weights) const {
        DenseUpdate<Real> work{std::span(heads_).first(n), steps_.data(), model_.stride, first, last, weights.data()};
        with_widest_vectors(work);
    }

    Real* step(std::size_t at) { return steps_.data() + at * model_.stride; }

    /// Adds the scores that the dense columns of an example have after the steps before it.
    template <int Bytes>
    ASSAY_INLINE void add_scores(std::size_t at, Real* z) const {
        using L = Lanes<Real, static_cast<int>(tile_classes<Real>), Bytes>;
        const Real* const common = common_.data() + at * n_rows;
        const auto value = [&](std::size_t, std::size_t before) ASSAY_INLINE_LAMBDA { return common[before]; };
        for (std::size_t k = 0; k < model_.stride; k += tile_classes<Real>) {
            (L::load(z + k) + L::load(scores_.data() + at * model_.stride + k)).store(z + k);
            add_tile<1, Real, Bytes>(at, value, steps_.data() + k, z + k, model_.stride);
        }
    }

 private:
    struct Preparation {
        MultinomialBlock& block;
        std::span<const std::int32_t> order;
        std::size_t first, last;

        template <int Bytes>
        ASSAY_INLINE void run() {
            const Multinomial<Real>& model = block.model_;
            Real* const scores = block.scores_.data() + first * model.stride;
            std::fill_n(scores, (last - first) * model.stride, Real(0));
            for (std::size_t b = first; b < last; ++b) {
                const auto head = model.rows.head(order[b]);
                block.heads_[b] = head.data();
                for (std::size_t a = 0; a < b; ++a) {
                    const Real* const before = model.rows.head(order[a]).data();
                    block.common_[b * n_rows + a] = product<Real, 1, Bytes>(head, before).part[0];
                }
            }
            const auto heads = std::span<const Real* const>(block.heads_).subspan(first, last - first);
            DenseScores<Real>{heads, model.n_dense(), model.weights.data(), model.stride, scores}.template run<Bytes>();
        }
    };

    const Multinomial<Real>& model_;
    std::vector<const Real*> heads_;
    std::vector<Real> scores_, steps_;  // [example][class]
    std::vector<Real> common_;          // [example][example before it]: x·x over the dense columns
};

}  // namespace assay::linear
