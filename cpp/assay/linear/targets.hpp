// targets.hpp: the label of each row, or the set of its labels, as solvers ask for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::linear {

/// One label a row: members[i]. Sets: row i has the labels members[offsets[i], offsets[i + 1]), rising and each once;
/// it may have none.
struct Targets {
    std::span<const std::int32_t> members;
    std::span<const std::int64_t> offsets{};  // empty: one label a row

    bool are_sets() const { return !offsets.empty(); }
    std::size_t n_rows() const { return are_sets() ? offsets.size() - 1 : members.size(); }

    std::span<const std::int32_t> of(std::size_t row) const {
        if (!are_sets()) return members.subspan(row, 1);
        const auto begin = static_cast<std::size_t>(offsets[row]);
        return members.subspan(begin, static_cast<std::size_t>(offsets[row + 1]) - begin);
    }

    bool has(std::size_t row, std::int32_t label) const {
        if (!are_sets()) return members[row] == label;
        for (const std::int32_t member : of(row)) {
            if (member >= label) return member == label;
        }
        return false;
    }

    /// The problem in which a label is positive, of n_problems: of two single labels that share one, the second is.
    std::size_t problem_of(std::int32_t label, std::size_t n_problems) const {
        const bool shared = n_problems == 1 && !are_sets();
        return static_cast<std::size_t>(shared ? 1 - label : label);
    }
};

}  // namespace assay::linear
