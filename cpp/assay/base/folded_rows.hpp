// folded_rows.hpp: the rows of a sparse matrix, made ready for solvers with an L2 penalty.
//
// Most n-grams occur in one document only. Under an L2 penalty the weight of such a feature is its value
// times the dual variable of its document, so that all of a document's own features act together like one
// feature whose value is their norm: they are folded away, which leaves a third of the columns of a bigram
// matrix. The remaining columns are renumbered by falling frequency, so that the weights in use most often
// share the nearest cache.
//
// Columns that most rows have, as those of sentence vectors, can be kept apart: a row then begins with its values in
// them, without column numbers, for products over memory that lies side by side.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "assay/base/memory.hpp"
#include "assay/base/sparse.hpp"

namespace assay::inline base {

template <class Real>
struct Entry {
    std::int32_t column;
    Real value;
};

/// The values of a row in columns 0, 1, 2, …, and its entries in the columns after them.
template <class Real>
struct MixedRow {
    std::span<const Real> head;
    std::span<const Entry<Real>> tail;
};

template <class Real>
struct FoldedRows {
    std::int32_t n_columns = 0;           // columns that are left
    std::int32_t n_dense = 0;             // the first ones of them, which are kept apart
    ZeroedArray<Real> dense;              // [row][dense column]
    std::vector<std::int64_t> row_begin;  // the other columns of row i are in entries[row_begin[i], row_end[i])
    std::vector<std::int64_t> row_end;
    std::vector<std::int64_t>
        own_begin;  // the features that only row i has are in entries[own_begin[i], row_begin[i + 1])
    ZeroedArray<Entry<Real>> entries;
    std::vector<double> own_square;  // Σ x² over the features that only this row has
    std::vector<double> square;      // ‖x‖²
    std::vector<std::int32_t> home;  // original column → column that is left, or `own`, or `unseen`

    static constexpr std::int32_t own = -1;
    static constexpr std::int32_t unseen = -2;

    std::int64_t n_rows() const { return static_cast<std::int64_t>(row_begin.size()); }
    std::span<const Entry<Real>> row(std::int64_t i) const {
        const auto begin = static_cast<std::size_t>(row_begin[static_cast<std::size_t>(i)]);
        const auto end = static_cast<std::size_t>(row_end[static_cast<std::size_t>(i)]);
        return {entries.data() + begin, end - begin};
    }
    /// The features that only row i has, where they were folded away. The column of such an entry is its place in the
    /// row of X.
    std::span<const Entry<Real>> own_entries(std::int64_t i) const {
        const auto row = static_cast<std::size_t>(i);
        const auto begin = static_cast<std::size_t>(own_begin[row]);
        const auto end = row + 1 < row_begin.size() ? static_cast<std::size_t>(row_begin[row + 1]) : entries.size();
        return {entries.data() + begin, end - begin};
    }
    std::span<const Real> head(std::int64_t i) const {
        const auto width = static_cast<std::size_t>(n_dense);
        return {dense.data() + static_cast<std::size_t>(i) * width, width};
    }
    MixedRow<Real> mixed_row(std::int64_t i) const { return {head(i), row(i)}; }
    /// How many values a pass over all rows reads.
    std::int64_t n_values() const {
        std::int64_t total = n_rows() * n_dense;
        for (std::size_t i = 0; i < row_begin.size(); ++i) total += row_end[i] - row_begin[i];
        return total;
    }
};

enum class OwnFeatures : std::uint8_t { fold, keep };
enum class DenseColumns : std::uint8_t { among_others, apart };

/// Folds X, whose rows must not name a column twice, or only renumbers its columns when own features are to be kept.
/// Dense columns are kept apart, when they are to be, if they hold most of the stored values: n-grams have none that
/// pay. The result does not depend on n_threads.
/// Throws std::invalid_argument when X is malformed or has more than 2³¹ − 2 columns.
template <class Real, class Value, class Index>
FoldedRows<Real> fold_rows(const CsrView<Value, Index>& X, int n_threads, OwnFeatures own = OwnFeatures::fold,
                           DenseColumns dense = DenseColumns::among_others);

/// The folded forms of one matrix, each made when it is first asked for: what solvers that learn from the same rows one
/// after the other, or side by side, need not make anew.
class FoldedForms {
 public:
    /// X with its own features folded. Throws std::invalid_argument when X is another matrix than before.
    template <class Real, class Value, class Index>
    const FoldedRows<Real>& of(const CsrView<Value, Index>& X, int n_threads, DenseColumns dense) {
        const std::lock_guard lock(making_);
        const Matrix asked{X.values.data(), X.values.size(), X.n_columns};
        if (matrix_.values == nullptr) matrix_ = asked;
        if (matrix_ != asked) throw std::invalid_argument("folded forms of one matrix are asked for another");
        auto& form = std::get<Forms<Real>>(forms_)[static_cast<std::size_t>(dense)];
        if (!form) form = fold_rows<Real>(X, n_threads, OwnFeatures::fold, dense);
        return *form;
    }

 private:
    struct Matrix {
        const void* values = nullptr;
        std::size_t n_stored = 0;
        std::int64_t n_columns = 0;
        bool operator==(const Matrix&) const = default;
    };
    template <class Real>
    using Forms = std::array<std::optional<FoldedRows<Real>>, 2>;

    std::mutex making_;
    Matrix matrix_;
    std::tuple<Forms<float>, Forms<double>> forms_;
};

}  // namespace assay::inline base
