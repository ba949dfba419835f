// shared_rate_descent.hpp: stochastic gradient descent on one example at a time, where all features have the same rate
// and the penalty, if any, is L2.
//
// Then every step shrinks all weights by one factor, which is kept apart, w = s·v (Bottou 2012, section 5.1):
//
//     v −= η g x / s,    s /= 1 + η λ
//
// and the weights of the features that only one example has are its x times one number, c (folded_rows.hpp). The work
// of a step is that of the example's other features, twice. Classes that are each against the rest have nothing to do
// with one another, and are shared out among the threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/folded_rows.hpp"
#include "assay/base/parallel.hpp"
#include "assay/linear/joint_classes.hpp"
#include "assay/linear/lane_weights.hpp"
#include "assay/linear/stochastic/logistic_sgd.hpp"
#include "assay/linear/stochastic/logistic_slope.hpp"

namespace assay::linear {

template <class Real>
class SharedRateDescent {
 public:
    /// Folded unless it starts from weights that somebody gives, which need not be multiples of x.
    static constexpr OwnFeatures own_features(bool warm) { return warm ? OwnFeatures::keep : OwnFeatures::fold; }

    static bool takes(const DescentSettings& settings) {
        const bool shared = settings.rate == LearningRate::constant || settings.rate == LearningRate::inverse_scaling;
        return shared && settings.batch_size == 1 && (settings.penalty == 0 || settings.l1_ratio == 0);
    }

    SharedRateDescent(const FoldedRows<Real>& rows, const Targets& labels, std::span<const double> weight,
                      const DescentSettings& settings, std::size_t n_classes)
        : rows_(rows), labels_(labels), weight_(weight), settings_(settings), n_classes_(n_classes) {
        const auto threads = static_cast<std::size_t>(std::max(settings.n_threads, 1));
        const std::size_t fewest = (n_classes + widest_group - 1) / widest_group;
        const std::size_t n_groups =
            settings.multinomial ? 1 : std::max(fewest, std::min(threads, n_classes / class_chunk));
        groups_ = std::vector<Group>(std::max<std::size_t>(n_groups, 1));
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            Group& group = groups_[g];
            group.first = n_classes * g / groups_.size();
            group.n_classes = n_classes * (g + 1) / groups_.size() - group.first;
            group.stride = n_classes == 1 ? 1 : class_stride(group.n_classes);
            group.weights = ZeroedArray<Real>(static_cast<std::size_t>(rows.n_columns) * group.stride);
            group.own = ZeroedArray<Real>(static_cast<std::size_t>(rows.n_rows()) * group.stride);
            group.intercept.resize(group.stride);
        }
    }

    template <class Value>
    void start_from(std::span<const Value> coefficients, std::span<const double> intercept) {
        for (Group& group : groups_) {
            for (std::size_t j = 0; j < rows_.home.size(); ++j) {
                if (rows_.home[j] < 0) continue;
                for (std::size_t k = 0; k < group.n_classes; ++k) {
                    group.weights[static_cast<std::size_t>(rows_.home[j]) * group.stride + k] =
                        static_cast<Real>(coefficients[j * n_classes_ + group.first + k]);
                }
            }
            for (std::size_t k = 0; settings_.has_intercept && k < group.n_classes; ++k) {
                group.intercept[k] = static_cast<Real>(intercept[group.first + k]);
            }
        }
    }

    /// One epoch.
    void descend(std::span<const std::int32_t> order) {
        for_groups([&]<int Width>(Group& group) {
            Pass<Width> pass{*this, group, order, true, {}, 0};
            with_widest_vectors(pass);
        });
    }

    double mean_loss(std::span<const std::int32_t> order) {
        std::vector<double> losses(groups_.size());
        for_groups([&]<int Width>(Group& group) {
            Pass<Width> pass{*this, group, order, false, {}, 0};
            with_widest_vectors(pass);
            losses[number_of(group)] = pass.loss;
        });
        double total = 0;
        for (const double loss : losses) total += loss;
        return total / static_cast<double>(std::max<std::size_t>(order.size(), 1));
    }

    /// ‖∇f‖.
    double gradient_norm(std::span<const std::int32_t> order) {
        std::vector<double> squares(groups_.size());
        for_groups([&]<int Width>(Group& group) {
            ZeroedArray<Real> gradient(group.weights.size());
            ZeroedArray<Real> slopes(group.own.size() + group.stride);  // the sum for the intercept last
            Pass<Width> pass{*this, group, order, false, {gradient.span(), slopes.span()}, 0};
            with_widest_vectors(pass);
            squares[number_of(group)] = square_of_gradient(group, gradient, slopes, static_cast<double>(order.size()));
        });
        double total = 0;
        for (const double square : squares) total += square;
        return std::sqrt(total);
    }

    /// ½‖w‖².
    double penalty() const {
        double total = 0;
        for (const Group& group : groups_) {
            double square = 0;
            for (const Real v : group.weights.span()) square += static_cast<double>(v) * static_cast<double>(v);
            for (std::size_t at = 0; at < group.own.size(); ++at) {
                const auto c = static_cast<double>(group.own[at]);
                square += rows_.own_square[at / group.stride] * c * c;
            }
            total += 0.5 * group.scale * group.scale * square;
        }
        return total;
    }

    template <class Value, class Index>
    void write(const CsrView<Value, Index>& X, std::span<Value> coefficients, std::span<double> intercept) {
        for (Group& group : groups_) {
            rescale(group);
            const auto own = [&](std::int64_t i, std::size_t lane) {
                return static_cast<double>(group.own[static_cast<std::size_t>(i) * group.stride + lane]);
            };
            unfold_weights<Real>(X, rows_, group.weights.span(), group.stride,
                                 neighbouring_classes(group.first, group.n_classes), n_classes_, settings_.n_threads,
                                 own, coefficients);
            for (std::size_t k = 0; k < group.n_classes; ++k) {
                intercept[group.first + k] = static_cast<double>(group.intercept[k]);
            }
        }
    }

 private:
    static constexpr std::size_t widest_group = 16;  // classes that are each against the rest: one cache line of floats
    static constexpr double least_scale = 1e-4;      // below it the factor goes into the weights

    struct Group {
        std::size_t first = 0, n_classes = 0, stride = 0;
        ZeroedArray<Real> weights;    // v: [column][class]
        ZeroedArray<Real> own;        // c: [row][class]
        std::vector<Real> intercept;  // [class]
        double scale = 1;             // s
        std::int64_t step = 0;
    };

    struct Slopes {
        std::span<Real> of_weights;  // [column][class]; empty: not wanted
        std::span<Real> of_rows;     // [row][class], the sum over all rows last
    };

    /// Over the examples in the given order, with a step on each, or with weights at rest for loss and gradient.
    template <int Width>
    struct Pass {
        SharedRateDescent& descent;
        Group& group;
        std::span<const std::int32_t> order;
        bool moves;
        Slopes slopes;
        double loss;

        template <int Bytes>
        ASSAY_INLINE void run() {
            using L = Lanes<Real, Width, Bytes>;
            const DescentSettings& settings = descent.settings_;
            const LogisticSlope<Real, Width, Bytes> slope{group.n_classes, group.stride};
            const std::size_t stride = group.stride;
            std::vector<Real> z(stride);
            for (const std::int32_t i : order) {
                const auto index = static_cast<std::size_t>(i);
                const auto row = descent.rows_.row(i);
                const auto own_square = static_cast<Real>(descent.rows_.own_square[index]);
                const auto scale = static_cast<Real>(group.scale);
                Real* const own = group.own.data() + index * stride;
                for (std::size_t k = 0; k < stride; k += Width) {
                    const L sum = product<Real, Width, Bytes>(row, group.weights.data() + k,
                                                              static_cast<std::ptrdiff_t>(stride)) +
                                  own_square * L::load(own + k);
                    (scale * sum + L::load(group.intercept.data() + k)).store(z.data() + k);
                }
                const auto s = static_cast<Real>(descent.weight_[index]);
                loss +=
                    settings.multinomial
                        ? slope.softmax(z.data(), static_cast<std::size_t>(descent.labels_.members[index]), s, !moves)
                        : slope.one_vs_rest(z.data(), descent.labels_, index, group.first, descent.n_classes_, s,
                                            !moves);
                if (moves) {
                    step(row, own, z.data(), L::all(0));
                } else if (!slopes.of_weights.empty()) {
                    add_slopes(row, index, z.data(), L::all(0));
                }
            }
        }

        template <class L>
        ASSAY_INLINE void step(std::span<const Entry<Real>> row, Real* own, const Real* z, const L&) {
            constexpr int Bytes = L::bytes;
            const DescentSettings& settings = descent.settings_;
            double rate = settings.first_rate;
            ++group.step;
            if (settings.rate == LearningRate::inverse_scaling) {
                rate /= std::pow(static_cast<double>(group.step), settings.power);
            }
            for (std::size_t k = 0; k < group.stride; k += Width) {
                const L slope = L::load(z + k);
                const L move = slope * static_cast<Real>(-rate / group.scale);
                add_row<Real, Width, Bytes>(row, move, group.weights.data() + k,
                                            static_cast<std::ptrdiff_t>(group.stride));
                (L::load(own + k) + move).store(own + k);
                if (!settings.has_intercept) continue;
                Real* const intercept = group.intercept.data() + k;
                (L::load(intercept) - slope * static_cast<Real>(rate)).store(intercept);
            }
            group.scale /= 1 + rate * settings.penalty;
            if (group.scale < least_scale) rescale(group);
        }

        template <class L>
        ASSAY_INLINE void add_slopes(std::span<const Entry<Real>> row, std::size_t index, const Real* z, const L&) {
            constexpr int Bytes = L::bytes;
            Real *const of_row = slopes.of_rows.data() + index * group.stride, *const of_all = slopes.of_rows.data() +
                                                                                               (slopes.of_rows.size() -
                                                                                                group.stride);
            for (std::size_t k = 0; k < group.stride; k += Width) {
                const L slope = L::load(z + k);
                add_row<Real, Width, Bytes>(row, slope, slopes.of_weights.data() + k,
                                            static_cast<std::ptrdiff_t>(group.stride));
                (L::load(of_row + k) + slope).store(of_row + k);
                (L::load(of_all + k) + slope).store(of_all + k);
            }
        }
    };

    static void rescale(Group& group) {
        const auto scale = static_cast<Real>(group.scale);
        for (Real& v : group.weights.span()) v *= scale;
        for (Real& c : group.own.span()) c *= scale;
        group.scale = 1;
    }

    double square_of_gradient(const Group& group, const ZeroedArray<Real>& gradient, const ZeroedArray<Real>& slopes,
                              double n) const {
        const double ridge = settings_.penalty * group.scale;
        double total = 0;
        const auto squared = [&](Real sum, Real weight) {
            const double slope = static_cast<double>(sum) / n + ridge * static_cast<double>(weight);
            return slope * slope;
        };
        for (std::size_t at = 0; at < gradient.size(); ++at) total += squared(gradient[at], group.weights[at]);
        for (std::size_t at = 0; at < group.own.size(); ++at) {
            total += rows_.own_square[at / group.stride] * squared(slopes[at], group.own[at]);
        }
        for (std::size_t k = 0; settings_.has_intercept && k < group.n_classes; ++k) {
            total += squared(slopes[group.own.size() + k], Real(0));
        }
        return total;
    }

    std::size_t number_of(const Group& group) const { return static_cast<std::size_t>(&group - groups_.data()); }

    /// Calls work.template operator()<Width>(group) for all groups, each in one thread.
    template <class Work>
    void for_groups(Work&& work) {
        for_each_block(
            static_cast<std::int64_t>(groups_.size()), 1, settings_.n_threads, [&](std::int64_t g, std::int64_t, int) {
                Group& group = groups_[static_cast<std::size_t>(g)];
                if (group.stride == 1) return work.template operator()<1>(group);
                with_class_width<Real>(group.stride, [&]<int Width>() { work.template operator()<Width>(group); });
            });
    }

    const FoldedRows<Real>& rows_;
    Targets labels_;
    std::span<const double> weight_;
    const DescentSettings& settings_;
    std::size_t n_classes_;
    std::vector<Group> groups_;
};

}  // namespace assay::linear
