// feature_descent.hpp: stochastic gradient descent with forward–backward splitting (Duchi & Singer 2009), every feature
// with a rate of its own, by batches of any size. The step itself is in feature_moves.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "assay/linear/stochastic/feature_moves.hpp"

namespace assay::linear {

/// One epoch, in batches.
template <class Real, int Width>
struct Epoch {
    Descent<Real>& descent;
    std::span<const std::int32_t> order;
    std::vector<Real>& gradients;  // [slot][class], of the features that the batch has

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, Width, Bytes>;
        const Moves<Real, Width, Bytes> moves{descent};
        auto& table = descent.table;
        const std::size_t stride = table.stride;
        const std::size_t batch = descent.settings.batch_size == 0
                                      ? order.size()
                                      : std::min(order.size(), static_cast<std::size_t>(descent.settings.batch_size));
        std::vector<Real> z(stride), g(stride);
        std::vector<std::int32_t> touched;
        const auto constant = descent.constant();
        for (std::size_t from = 0; from < order.size(); from += batch) {
            const std::size_t count = std::min(batch, order.size() - from);
            descent.begin_step();
            if (count == 1) {  // nothing to add up: straight from the example into the weights
                const std::int32_t i = order[from];
                for (const auto& entry : descent.rows.row(i)) moves.catch_up(static_cast<std::size_t>(entry.column));
                moves.score(i, z.data());
                moves.differentiate(i, z.data(), false);
                for (const auto& entry : descent.rows.row(i)) {
                    for (std::size_t k = 0; k < stride; k += Width) {
                        (entry.value * L::load(z.data() + k)).store(g.data() + k);
                    }
                    moves.apply(static_cast<std::size_t>(entry.column), g.data());
                }
                if (descent.settings.has_intercept) moves.apply(constant, z.data());
            } else {
                touched.clear();
                const auto share = static_cast<Real>(1.0 / static_cast<double>(count));
                const auto touch = [&](std::size_t j) {
                    if (table.slot(j) > 0) return;
                    moves.catch_up(j);
                    touched.push_back(static_cast<std::int32_t>(j));
                    table.set_slot(j, static_cast<std::int32_t>(touched.size()));
                    if (gradients.size() < touched.size() * stride) gradients.resize(2 * touched.size() * stride);
                    std::fill_n(gradients.begin() + static_cast<std::ptrdiff_t>((touched.size() - 1) * stride), stride,
                                Real(0));
                };
                const auto add = [&](std::size_t j, Real value) {
                    Real* const to = gradients.data() + static_cast<std::size_t>(table.slot(j) - 1) * stride;
                    for (std::size_t k = 0; k < stride; k += Width) {
                        (L::load(to + k) + (value * share) * L::load(z.data() + k)).store(to + k);
                    }
                };
                for (std::size_t at = from; at < from + count; ++at) {
                    const std::int32_t i = order[at];
                    for (const auto& entry : descent.rows.row(i)) touch(static_cast<std::size_t>(entry.column));
                    moves.score(i, z.data());
                    moves.differentiate(i, z.data(), false);
                    for (const auto& entry : descent.rows.row(i))
                        add(static_cast<std::size_t>(entry.column), entry.value);
                    if (!descent.settings.has_intercept) continue;
                    touch(constant);
                    add(constant, Real(1));
                }
                for (std::size_t slot = 0; slot < touched.size(); ++slot) {
                    const auto j = static_cast<std::size_t>(touched[slot]);
                    moves.apply(j, gradients.data() + slot * stride);
                    table.set_slot(j, 0);
                }
            }
            descent.end_step();
        }
    }
};

/// Brings every feature up to date, before anybody looks at the weights.
template <class Real, int Width>
struct Settlement {
    Descent<Real>& descent;

    template <int Bytes>
    ASSAY_INLINE void run() {
        const Moves<Real, Width, Bytes> moves{descent};
        ++descent.step;  // so that "up to the step before this one" means all that was done
        const std::int32_t lag = std::exchange(descent.lag, 1);
        for (std::size_t j = 0; j < descent.constant(); ++j) moves.catch_up(j);
        descent.lag = lag;
        --descent.step;
    }
};

/// Loss and, when wanted, gradient over the given rows, with weights at rest.
template <class Real, int Width>
struct Review {
    Descent<Real>& descent;
    std::span<const std::int32_t> order;
    std::span<Real> gradient;  // [feature][class], the constant one last; or empty
    double loss = 0;

    template <int Bytes>
    ASSAY_INLINE void run() {
        using L = Lanes<Real, Width, Bytes>;
        const Moves<Real, Width, Bytes> moves{descent};
        const std::size_t stride = descent.table.stride;
        std::vector<Real> z(stride);
        for (const std::int32_t i : order) {
            moves.score(i, z.data());
            loss += moves.differentiate(i, z.data(), true);
            if (gradient.empty()) continue;
            for (std::size_t k = 0; k < stride; k += Width) {
                const L slope = L::load(z.data() + k);
                add_row<Real, Width, Bytes>(descent.rows.row(i), slope, gradient.data() + k,
                                            static_cast<std::ptrdiff_t>(stride));
                Real* const at = gradient.data() + descent.constant() * stride + k;
                (L::load(at) + slope).store(at);
            }
        }
    }
};

/// ‖∇f‖, the smallest subgradient where the penalty has a kink.
template <class Real, int Width>
double norm_of_gradient(Descent<Real>& descent, std::span<const std::int32_t> order) {
    const auto& settings = descent.settings;
    const std::size_t stride = descent.table.stride;
    ZeroedArray<Real> gradient((descent.constant() + 1) * stride);
    Review<Real, Width> review{descent, order, gradient.span()};
    with_widest_vectors(review);
    double total = 0;
    const double lasso = settings.penalty * settings.l1_ratio, ridge = settings.penalty * (1 - settings.l1_ratio);
    for (std::size_t j = 0; j <= descent.constant(); ++j) {
        const bool is_constant = j == descent.constant();
        if (is_constant && !settings.has_intercept) break;
        for (std::size_t k = 0; k < descent.table.n_classes; ++k) {
            double slope = static_cast<double>(gradient[j * stride + k]) / static_cast<double>(order.size());
            if (!is_constant) {
                const auto w = static_cast<double>(descent.table.weights(j)[k]);
                slope += ridge * w;
                slope = w > 0   ? slope + lasso
                        : w < 0 ? slope - lasso
                                : std::copysign(std::max(0.0, std::abs(slope) - lasso), slope);
            }
            total += slope * slope;
        }
    }
    return std::sqrt(total);
}

/// A feature need not shrink at every step that touches it: what it misses is made up for. Adam, whose means need the
/// step at which they were last touched, shrinks a feature at once and makes up only for steps that did not touch it.
inline std::int32_t lag_of(const DescentSettings& settings) {
    if (settings.rate == LearningRate::adam || settings.batch_size == 0) return 1;
    return static_cast<std::int32_t>(std::max<std::int64_t>(1, 32 / settings.batch_size));
}

template <class Real>
class FeatureDescent {
 public:
    static constexpr OwnFeatures own_features(bool) { return OwnFeatures::keep; }

    FeatureDescent(const FoldedRows<Real>& rows, const Targets& labels, std::span<const double> weight,
                   const DescentSettings& settings, std::size_t n_classes)
        : descent_{rows,
                   labels,
                   weight,
                   settings,
                   FeatureTable<Real>(static_cast<std::size_t>(rows.n_columns) + 1, n_classes, settings.rate),
                   0,
                   lag_of(settings),
                   {0.0},
                   {},
                   {}} {
        for (std::size_t gone = 0; gone < decay_table; ++gone) {
            descent_.first_powers.push_back(std::pow(first_decay, static_cast<double>(gone)));
            descent_.second_powers.push_back(std::pow(second_decay, static_cast<double>(gone)));
        }
    }

    template <class Value>
    void start_from(std::span<const Value> coefficients, std::span<const double> intercept) {
        auto& table = descent_.table;
        const auto& home = descent_.rows.home;
        for (std::size_t j = 0; j < home.size(); ++j) {
            if (home[j] < 0) continue;
            for (std::size_t k = 0; k < table.n_classes; ++k) {
                table.weights(static_cast<std::size_t>(home[j]))[k] =
                    static_cast<Real>(coefficients[j * table.n_classes + k]);
            }
        }
        for (std::size_t k = 0; descent_.settings.has_intercept && k < table.n_classes; ++k) {
            table.weights(descent_.constant())[k] = static_cast<Real>(intercept[k]);
        }
    }

    /// One epoch.
    void descend(std::span<const std::int32_t> order) {
        with_width([&]<int Width>() {
            Epoch<Real, Width> epoch{descent_, order, gradients_};
            with_widest_vectors(epoch);
        });
    }

    /// Loss over the given rows.
    double mean_loss(std::span<const std::int32_t> order) {
        settle();
        return with_width([&]<int Width>() {
            Review<Real, Width> review{descent_, order, {}};
            with_widest_vectors(review);
            return review.loss / static_cast<double>(std::max<std::size_t>(order.size(), 1));
        });
    }

    /// ‖∇f‖, the smallest subgradient where the penalty has a kink.
    double gradient_norm(std::span<const std::int32_t> order) {
        settle();
        return with_width([&]<int Width>() { return norm_of_gradient<Real, Width>(descent_, order); });
    }

    /// ρ‖w‖₁ + (1 − ρ)/2 ‖w‖².
    double penalty() {
        settle();
        const double l1_ratio = descent_.settings.l1_ratio;
        double total = 0;
        for (std::size_t j = 0; j < descent_.constant(); ++j) {
            for (std::size_t k = 0; k < descent_.table.n_classes; ++k) {
                const auto w = static_cast<double>(descent_.table.weights(j)[k]);
                total += l1_ratio * std::abs(w) + 0.5 * (1 - l1_ratio) * w * w;
            }
        }
        return total;
    }

    template <class Value, class Index>
    void write(const CsrView<Value, Index>&, std::span<Value> coefficients, std::span<double> intercept) {
        settle();
        const auto& table = descent_.table;
        const auto& home = descent_.rows.home;
        for (std::size_t j = 0; j < home.size(); ++j) {
            for (std::size_t k = 0; k < table.n_classes; ++k) {
                coefficients[j * table.n_classes + k] =
                    home[j] < 0 ? Value(0) : static_cast<Value>(table.weights(static_cast<std::size_t>(home[j]))[k]);
            }
        }
        for (std::size_t k = 0; k < table.n_classes; ++k) {
            intercept[k] = static_cast<double>(table.weights(descent_.constant())[k]);
        }
    }

 private:
    template <class Run>
    auto with_width(Run&& run) {
        return descent_.table.n_classes == 1 ? run.template operator()<1>()
                                             : with_class_width<Real>(descent_.table.stride, run);
    }

    void settle() {
        with_width([&]<int Width>() {
            Settlement<Real, Width> settlement{descent_};
            with_widest_vectors(settlement);
        });
    }

    Descent<Real> descent_;
    std::vector<Real> gradients_;
};

}  // namespace assay::linear
