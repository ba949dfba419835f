// lanes.hpp: arithmetic on the classes of one example side by side.
//
// `Lanes<Real, Width, Bytes>` is Width numbers kept in vector registers of Bytes bytes. Every lane does
// exactly the operations that a scalar would, in the same order and without fused multiply-add, so that a
// result depends neither on the width nor on the instruction set: a class gets the same bits wherever it
// sits.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <type_traits>

#include "assay/base/folded_rows.hpp"
#include "assay/base/instruction_set.hpp"

namespace assay::inline base {

/// The register type: a plain number for a single lane, else a vector of the compiler.
template <class Real, int Count>
struct Register {
    typedef Real type __attribute__((vector_size(sizeof(Real) * Count)));
    typedef Real unaligned __attribute__((vector_size(sizeof(Real) * Count), aligned(sizeof(Real)), may_alias));
    typedef std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t> Whole;
    typedef Whole whole __attribute__((vector_size(sizeof(Real) * Count)));
    // By reference: to return a register by value is an ABI question before AVX, inlined or not.
    static ASSAY_INLINE void bits(const type& x, whole& out) { out = (whole)x; }
    static ASSAY_INLINE void real(const whole& x, type& out) { out = (type)x; }
    static ASSAY_INLINE void convert(const whole& x, type& out) { out = __builtin_convertvector(x, type); }
};

template <class Real>
struct Register<Real, 1> {
    using type = Real;
    using unaligned = Real;
    using whole = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
    static ASSAY_INLINE void bits(const type& x, whole& out) { out = std::bit_cast<whole>(x); }
    static ASSAY_INLINE void real(const whole& x, type& out) { out = std::bit_cast<type>(x); }
    static ASSAY_INLINE void convert(const whole& x, type& out) { out = static_cast<type>(x); }
};

template <class Real, int Width, int Bytes>
struct Lanes {
    static constexpr int per_register =
        Width == 1 ? 1
                   : (Bytes / static_cast<int>(sizeof(Real)) < Width ? Bytes / static_cast<int>(sizeof(Real)) : Width);
    static constexpr int n_registers = Width / per_register, bytes = Bytes;
    using R = Register<Real, per_register>;
    using type = typename R::type;
    using unaligned = typename R::unaligned;
    type part[n_registers];

    static ASSAY_INLINE Lanes all(Real value) {
        Lanes lanes;
        for (int r = 0; r < n_registers; ++r) lanes.part[r] = type{} + value;
        return lanes;
    }
    static ASSAY_INLINE Lanes load(const Real* from) {
        Lanes lanes;
        for (int r = 0; r < n_registers; ++r) {
            lanes.part[r] = *reinterpret_cast<const unaligned*>(from + r * per_register);
        }
        return lanes;
    }
    ASSAY_INLINE void store(Real* to) const {
        for (int r = 0; r < n_registers; ++r) {
            *reinterpret_cast<unaligned*>(to + r * per_register) = part[r];
        }
    }

#define ASSAY_LANE_OPERATOR(op)                                                       \
    friend ASSAY_INLINE Lanes operator op(const Lanes& a, const Lanes& b) {           \
        Lanes lanes;                                                                  \
        for (int r = 0; r < n_registers; ++r) lanes.part[r] = a.part[r] op b.part[r]; \
        return lanes;                                                                 \
    }                                                                                 \
    friend ASSAY_INLINE Lanes operator op(const Lanes& a, Real b) {                   \
        Lanes lanes;                                                                  \
        for (int r = 0; r < n_registers; ++r) lanes.part[r] = a.part[r] op b;         \
        return lanes;                                                                 \
    }                                                                                 \
    friend ASSAY_INLINE Lanes operator op(Real a, const Lanes& b) {                   \
        Lanes lanes;                                                                  \
        for (int r = 0; r < n_registers; ++r) lanes.part[r] = a op b.part[r];         \
        return lanes;                                                                 \
    }                                                                                 \
    ASSAY_INLINE Lanes& operator op## = (const Lanes& b) {                            \
        return *this = *this op b;                                                    \
    }
    ASSAY_LANE_OPERATOR(+)
    ASSAY_LANE_OPERATOR(-)
    ASSAY_LANE_OPERATOR(*)
    ASSAY_LANE_OPERATOR(/)
#undef ASSAY_LANE_OPERATOR

    friend ASSAY_INLINE Lanes max(const Lanes& a, const Lanes& b) {
        Lanes lanes;
        for (int r = 0; r < n_registers; ++r) lanes.part[r] = a.part[r] > b.part[r] ? a.part[r] : b.part[r];
        return lanes;
    }
    friend ASSAY_INLINE Lanes min(const Lanes& a, const Lanes& b) {
        Lanes lanes;
        for (int r = 0; r < n_registers; ++r) lanes.part[r] = a.part[r] < b.part[r] ? a.part[r] : b.part[r];
        return lanes;
    }
    /// a where x < 0, else b.
    friend ASSAY_INLINE Lanes where_negative(const Lanes& x, const Lanes& a, const Lanes& b) {
        Lanes lanes;
        for (int r = 0; r < n_registers; ++r) lanes.part[r] = x.part[r] < 0 ? a.part[r] : b.part[r];
        return lanes;
    }
    friend ASSAY_INLINE Lanes abs(const Lanes& a) { return max(a, all(0) - a); }

    ASSAY_INLINE bool any_nonzero() const {
        Real values[Width];
        store(values);
        bool any = false;
        for (int k = 0; k < Width; ++k) any |= values[k] != 0;
        return any;
    }
    ASSAY_INLINE Real sum() const {
        Real values[Width];
        store(values);
        Real total = 0;
        for (int k = 0; k < Width; ++k) total += values[k];
        return total;
    }
    ASSAY_INLINE Real highest() const {
        Real values[Width];
        store(values);
        Real top = values[0];
        for (int k = 1; k < Width; ++k) top = values[k] > top ? values[k] : top;
        return top;
    }
};

/// eˣ to the last bit or two, for x clamped to where the result is a normal number.
template <class Real, int Width, int Bytes>
ASSAY_INLINE Lanes<Real, Width, Bytes> exp(const Lanes<Real, Width, Bytes>& exponent) {
    using L = Lanes<Real, Width, Bytes>;
    constexpr bool single = sizeof(Real) == 4;
    constexpr Real limit = single ? Real(87) : Real(708);
    constexpr Real magic = single ? Real(12582912.0) : Real(6755399441055744.0);  // 1.5·2²³, 1.5·2⁵²
    constexpr int mantissa = single ? 23 : 52, bias = single ? 127 : 1023, degree = single ? 7 : 13;
    // ln 2 in two parts, so that n·ln 2 is subtracted without loss
    constexpr Real ln2_high = single ? Real(0.693359375) : Real(6.93147180369123816490e-01);
    constexpr Real ln2_low = single ? Real(-2.12194440e-4) : Real(1.90821492927058770002e-10);
    const L x = max(min(exponent, L::all(limit)), L::all(-limit));
    const L shifted = x * static_cast<Real>(std::numbers::log2e) + magic;
    const L n = shifted - magic;
    const L r = (x - n * ln2_high) - n * ln2_low;
    Real coefficient[degree + 1];
    coefficient[0] = 1;
    for (int d = 1; d <= degree; ++d) coefficient[d] = coefficient[d - 1] / static_cast<Real>(d);
    L series = L::all(coefficient[degree]);
    for (int d = degree - 1; d >= 0; --d) series = series * r + coefficient[d];
    L power;  // 2ⁿ, built in the exponent bits
    for (int k = 0; k < L::n_registers; ++k) {
        typename L::R::whole whole;
        L::R::bits(shifted.part[k], whole);
        whole = (whole - std::bit_cast<typename Register<Real, 1>::whole>(magic) + bias) << mantissa;
        L::R::real(whole, power.part[k]);
    }
    return series * power;
}

/// 1/√x for x ≥ 0, to a few last bits; a large number for 0.
template <class Real, int Width, int Bytes>
ASSAY_INLINE Lanes<Real, Width, Bytes> inverse_root(const Lanes<Real, Width, Bytes>& x) {
    using L = Lanes<Real, Width, Bytes>;
    using Whole = typename Register<Real, 1>::whole;
    constexpr Whole magic = sizeof(Real) == 4 ? Whole(0x5F375A86) : static_cast<Whole>(0x5FE6EB50C7B537A9);
    constexpr int steps = sizeof(Real) == 4 ? 3 : 4;  // each doubles the digits of the first guess
    const L safe = max(x, L::all(sizeof(Real) == 4 ? Real(1e-30) : Real(1e-200)));
    L root;
    for (int k = 0; k < L::n_registers; ++k) {
        typename L::R::whole bits;
        L::R::bits(safe.part[k], bits);
        bits = magic - (bits >> 1);
        L::R::real(bits, root.part[k]);
    }
    const L half = safe * Real(0.5);
    for (int step = 0; step < steps; ++step) root = root * (Real(1.5) - half * root * root);
    return root;
}

/// ln x for normal x > 0, to a few last bits.
template <class Real, int Width, int Bytes>
ASSAY_INLINE Lanes<Real, Width, Bytes> log(const Lanes<Real, Width, Bytes>& x) {
    using L = Lanes<Real, Width, Bytes>;
    using Whole = typename Register<Real, 1>::whole;
    constexpr bool single = sizeof(Real) == 4;
    constexpr int mantissa = single ? 23 : 52, terms = single ? 5 : 11;
    constexpr Whole half_root = std::bit_cast<Whole>(static_cast<Real>(std::numbers::sqrt2 / 2));
    constexpr Whole fraction_mask = (Whole{1} << mantissa) - 1;
    L power, fraction;  // x = fraction · 2^power with fraction in [√½, √2)
    for (int k = 0; k < L::n_registers; ++k) {
        typename L::R::whole offset;
        L::R::bits(x.part[k], offset);
        offset = offset - half_root;
        L::R::convert(offset >> mantissa, power.part[k]);
        L::R::real((offset & fraction_mask) + half_root, fraction.part[k]);
    }
    const L s = (fraction - Real(1)) / (fraction + Real(1));  // ln = 2 artanh(s)
    const L square = s * s;
    L series = L::all(Real(1) / static_cast<Real>(2 * terms + 1));
    for (int t = terms - 1; t >= 0; --t) series = series * square + Real(1) / static_cast<Real>(2 * t + 1);
    return power * static_cast<Real>(std::numbers::ln2) + Real(2) * s * series;
}

/// Asks for the weights of the row that is next while this one is gone through: they lie all over a table that is
/// larger than the caches, and would be waited for. The table holds `stride` numbers for each column.
template <class Real>
struct LookAhead {
    std::span<const Entry<Real>> next;
    const Real* weights;
    std::size_t stride;

    ASSAY_INLINE void operator()(std::size_t at) const {
        if (at < next.size()) ask_for(next[at].column);
    }
    ASSAY_INLINE void rest(std::size_t from) const {
        for (std::size_t at = from; at < next.size(); ++at) ask_for(next[at].column);
    }
    ASSAY_INLINE void ask_for(std::int32_t column) const {
        constexpr std::size_t a_line = 64 / sizeof(Real);
        const Real* const first = weights + static_cast<std::size_t>(column) * stride;
        for (std::size_t k = 0; k < stride; k += a_line) __builtin_prefetch(first + k, 1, 2);  // to be written; near
    }
};
/// That of a pass over the rows in some order, at one of them.
template <class Real>
ASSAY_INLINE LookAhead<Real> look_ahead(const FoldedRows<Real>& rows, std::span<const std::int32_t> order,
                                        std::size_t at, const Real* weights, std::size_t stride) {
    if (at + 1 == order.size()) return {{}, weights, stride};
    return {rows.row(order[at + 1]), weights, stride};
}
struct NothingAhead {
    ASSAY_INLINE void operator()(std::size_t) const {}
    ASSAY_INLINE void rest(std::size_t) const {}
};

/// Σ value · weights[column], lane by lane. `weights` holds `stride` numbers for each column, of which Width
/// are taken. Calls ahead(at) on the way, for every entry.
template <class Real, int Width, int Bytes, class Ahead = NothingAhead>
ASSAY_INLINE Lanes<Real, Width, Bytes> product(std::span<const Entry<Real>> row, const Real* weights,
                                               std::ptrdiff_t stride = Width, const Ahead& ahead = {}) {
    using L = Lanes<Real, Width, Bytes>;
    const auto term = [&](std::size_t at) ASSAY_INLINE_LAMBDA {
        return row[at].value * L::load(weights + static_cast<std::ptrdiff_t>(row[at].column) * stride);
    };
    // Independent sums hide the latency of addition.
    L first = L::all(0), second = L::all(0);
    std::size_t at = 0;
    if constexpr (Width == 1) {
        L third = L::all(0), fourth = L::all(0);
        for (; at + 4 <= row.size(); at += 4) {
            ahead(at), ahead(at + 1), ahead(at + 2), ahead(at + 3);
            first += term(at), second += term(at + 1), third += term(at + 2), fourth += term(at + 3);
        }
        first += third, second += fourth;
    } else {
        for (; at + 2 <= row.size(); at += 2) {
            ahead(at), ahead(at + 1);
            first += term(at), second += term(at + 1);
        }
    }
    ahead.rest(at);
    for (; at < row.size(); ++at) first += term(at);
    return first + second;
}

/// weights[column] += value · step for every entry of the row.
template <class Real, int Width, int Bytes>
ASSAY_INLINE void add_row(std::span<const Entry<Real>> row, const Lanes<Real, Width, Bytes>& step, Real* weights,
                          std::ptrdiff_t stride = Width) {
    using L = Lanes<Real, Width, Bytes>;
    for (const auto& entry : row) {
        Real* at = weights + static_cast<std::ptrdiff_t>(entry.column) * stride;
        (L::load(at) + entry.value * step).store(at);
    }
}

/// The same over the columns 0, 1, 2, …, which all have a value.
template <class Real, int Width, int Bytes>
ASSAY_INLINE Lanes<Real, Width, Bytes> product(std::span<const Real> head, const Real* weights,
                                               std::ptrdiff_t stride = Width) {
    if constexpr (Width == 1) {
        // The columns themselves lie side by side in vectors, as many as hide the latency of addition.
        constexpr std::size_t width = 8, n_sums = 4;
        using L = Lanes<Real, width, Bytes>;
        L sums[n_sums];
        for (L& sum : sums) sum = L::all(0);
        std::size_t at = 0;
        for (; at + n_sums * width <= head.size(); at += n_sums * width) {
            for (std::size_t s = 0; s < n_sums; ++s) {
                sums[s] += L::load(head.data() + at + s * width) * L::load(weights + at + s * width);
            }
        }
        Real rest = 0;
        for (; at < head.size(); ++at) rest += head[at] * weights[at];
        return Lanes<Real, 1, Bytes>::all(((sums[0] + sums[1]) + (sums[2] + sums[3])).sum() + rest);
    } else {
        using L = Lanes<Real, Width, Bytes>;
        L first = L::all(0), second = L::all(0);
        std::size_t at = 0;
        const auto from = [&](std::size_t j) ASSAY_INLINE_LAMBDA {
            return L::load(weights + static_cast<std::ptrdiff_t>(j) * stride);
        };
        for (; at + 2 <= head.size(); at += 2) first += head[at] * from(at), second += head[at + 1] * from(at + 1);
        if (at < head.size()) first += head[at] * from(at);
        return first + second;
    }
}

template <class Real, int Width, int Bytes>
ASSAY_INLINE void add_row(std::span<const Real> head, const Lanes<Real, Width, Bytes>& step, Real* weights,
                          std::ptrdiff_t stride = Width) {
    if constexpr (Width == 1) {
        constexpr std::size_t width = 8;
        using L = Lanes<Real, width, Bytes>;
        std::size_t at = 0;
        for (; at + width <= head.size(); at += width) {
            (L::load(weights + at) + L::load(head.data() + at) * step.part[0]).store(weights + at);
        }
        for (; at < head.size(); ++at) weights[at] += head[at] * step.part[0];
    } else {
        using L = Lanes<Real, Width, Bytes>;
        for (std::size_t j = 0; j < head.size(); ++j) {
            Real* at = weights + static_cast<std::ptrdiff_t>(j) * stride;
            (L::load(at) + head[j] * step).store(at);
        }
    }
}

template <class Real, int Width, int Bytes, class Ahead = NothingAhead>
ASSAY_INLINE Lanes<Real, Width, Bytes> product(const MixedRow<Real>& row, const Real* weights,
                                               std::ptrdiff_t stride = Width, const Ahead& ahead = {}) {
    const auto tail = product<Real, Width, Bytes>(row.tail, weights, stride, ahead);
    return row.head.empty() ? tail : product<Real, Width, Bytes>(row.head, weights, stride) + tail;
}

template <class Real, int Width, int Bytes>
ASSAY_INLINE void add_row(const MixedRow<Real>& row, const Lanes<Real, Width, Bytes>& step, Real* weights,
                          std::ptrdiff_t stride = Width) {
    add_row<Real, Width, Bytes>(row.head, step, weights, stride);
    add_row<Real, Width, Bytes>(row.tail, step, weights, stride);
}

}  // namespace assay::inline base
