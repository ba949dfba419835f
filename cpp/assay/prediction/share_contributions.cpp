#include "assay/prediction/share_contributions.hpp"

#include <algorithm>
#include <vector>

#include "assay/base/code_counter.hpp"

namespace assay::prediction {
namespace {

/// Working space of a thread.
class Sharing {
 public:
    void share(const LocatedSpan& located, std::int32_t first_column, std::span<const std::int32_t> columns,
               std::span<const double> contributions, std::span<double> characters) {
        const std::size_t n_symbols = located.starts.size();
        if (located.columns.empty() || n_symbols == 0) return;
        const auto column_at = [&](std::uint32_t i) { return static_cast<std::uint32_t>(columns[i]); };
        const auto place = [&](std::int32_t column) -> std::uint32_t& {
            return places_.find(static_cast<std::uint32_t>(column), column_at);
        };
        places_.clear(columns.size());
        for (std::uint32_t i = 0; i < columns.size(); ++i) place(columns[i]) = i + 1;
        which_.resize(located.columns.size());
        counts_.assign(columns.size(), 0.0);
        sums_.assign(columns.size(), 0.0);
        for (std::size_t o = 0; o < which_.size(); ++o) {
            which_[o] = place(located.columns[o] + first_column);
            if (which_[o] == 0) continue;
            counts_[which_[o] - 1] += 1;
            sums_[which_[o] - 1] += located.signs[o];
        }
        before_.resize(n_symbols + 1);
        before_[0] = 0;
        for (std::size_t s = 0; s < n_symbols; ++s) before_[s + 1] = before_[s] + located.ends[s] - located.starts[s];
        per_character_.assign(n_symbols, 0.0);
        for (std::size_t o = 0; o < which_.size(); ++o) {
            if (which_[o] != 0) share_occurrence(located, o, contributions[which_[o] - 1]);
        }
        for (std::size_t s = 0; s < n_symbols; ++s) {
            const std::size_t end = std::min(static_cast<std::size_t>(located.ends[s]), characters.size());
            for (auto at = static_cast<std::size_t>(located.starts[s]); at < end; ++at) {
                characters[at] += per_character_[s];
            }
        }
    }

 private:
    void share_occurrence(const LocatedSpan& located, std::size_t o, double contribution) {
        auto first = static_cast<std::size_t>(located.first[o]);
        const auto length = static_cast<std::size_t>(located.lengths[o]);
        std::int64_t width = before_[first + length] - before_[first];
        if (width == 0) {  // the space that pads a word
            const std::size_t next = std::min(first + 1, per_character_.size() - 1);
            first = before_[next + 1] > before_[next] ? first + 1 : first - 1;
            if (first + length > per_character_.size()) return;
            width = before_[first + length] - before_[first];
            if (width == 0) return;
        }
        const double sum = sums_[which_[o] - 1];
        const double part = sum == 0 ? 1 / counts_[which_[o] - 1] : located.signs[o] / sum;
        const double amount = contribution * part / static_cast<double>(width);
        for (std::size_t s = first; s < first + length; ++s) per_character_[s] += amount;
    }

    CodePlaces places_;                 // of the row's columns
    std::vector<std::uint32_t> which_;  // place of each occurrence's column in the row, plus one; 0: it has none
    std::vector<double> counts_, sums_;
    std::vector<std::int64_t> before_;  // characters of the symbols before
    std::vector<double> per_character_;
};

LocatedVisitor sharing(const ContributionRows& rows, std::int32_t first_column,
                       std::span<const std::int64_t> character_begin, std::span<double> characters) {
    return [=](std::int64_t document, const LocatedFeatures& located) {
        thread_local Sharing space;
        const auto d = static_cast<std::size_t>(document);
        const auto begin = static_cast<std::size_t>(rows.row_begin[d]);
        const std::size_t n = static_cast<std::size_t>(rows.row_begin[d + 1]) - begin;
        const auto first = static_cast<std::size_t>(character_begin[d]);
        const std::size_t n_characters = static_cast<std::size_t>(character_begin[d + 1]) - first;
        space.share({located.starts, located.ends, located.columns, located.signs, located.first, located.lengths},
                    first_column, rows.columns.subspan(begin, n), rows.contributions.subspan(begin, n),
                    characters.subspan(first, n_characters));
    };
}

}  // namespace

void share_contributions(const LocatedSpan& located, std::span<const std::int32_t> columns,
                         std::span<const double> contributions, std::span<double> characters) {
    Sharing().share(located, 0, columns, contributions, characters);
}

void share_among_texts(std::span<const text::TextSpan> documents, const ngrams::LookupPlace& place,
                       const ContributionRows& rows, std::int32_t first_column,
                       std::span<const std::int64_t> character_begin, int n_threads, std::span<double> characters) {
    visit_features(documents, place, n_threads, sharing(rows, first_column, character_begin, characters));
}

void share_among_texts(std::span<const text::TextSpan> documents, const text::Analyzer& analyzer,
                       const ngrams::Hashing& hashing, const ContributionRows& rows, std::int32_t first_column,
                       std::span<const std::int64_t> character_begin, int n_threads, std::span<double> characters) {
    visit_hashed_features(documents, analyzer, hashing, n_threads,
                          sharing(rows, first_column, character_begin, characters));
}

}  // namespace assay::prediction
