#include "assay/linear/tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "assay/base/parallel.hpp"

namespace assay::linear {
namespace {

constexpr std::int64_t kRowsPerBlock = 64;

/// How far the search has come on one way.
struct Way {
    std::int32_t node;  // -1: the root
    double cost = 0.0;
    double least = std::numeric_limits<double>::infinity();

    Way to(std::int32_t child, double s) const {
        const double missing = std::max(0.0, 1.0 - s);
        return {child, cost + missing * missing, std::min(least, s)};
    }

    double score() const { return std::max(kUnreached, cost > 0.0 ? 1.0 - std::sqrt(cost) : least); }
};

struct Scored {
    std::int32_t number;
    double score;
};

bool better(const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.number < b.number;
}

/// One thread's search.
template <class Value, class Index, class Weight>
class Search {
 public:
    Search(const CsrView<Value, Index>& X, const FeatureWeights<Weight>& weights, const TreeView& tree,
           std::size_t beam, std::size_t most)
        : X_(X), weights_(weights), tree_(tree), beam_(beam), most_(most) {}

    void add(std::int64_t row, std::vector<std::int32_t>& labels, std::vector<double>& scores) {
        found_.clear();
        ways_.assign(1, Way{-1});
        while (!ways_.empty()) {
            score_children(row);
            descend();
        }
        if (most_ > 0 && found_.size() > most_) {
            const auto end = found_.begin() + static_cast<std::ptrdiff_t>(most_);
            std::nth_element(found_.begin(), end, found_.end(), better);
            found_.erase(end, found_.end());
        }
        std::ranges::sort(found_, {}, &Scored::number);
        for (const Scored& each : found_) {
            labels.push_back(each.number);
            scores.push_back(each.score);
        }
    }

 private:
    std::int32_t first_child(const Way& way) const { return tree_.child_begin[static_cast<std::size_t>(way.node + 1)]; }
    std::int32_t end_of_children(const Way& way) const {
        return tree_.child_begin[static_cast<std::size_t>(way.node + 2)];
    }

    /// sums_ holds the linear scores of the children of all ways, one after the other; ways rise by node.
    void score_children(std::int64_t row) {
        places_.assign(1, 0);
        sums_.clear();
        for (const Way& way : ways_) {
            for (std::int32_t child = first_child(way); child < end_of_children(way); ++child) {
                sums_.push_back(tree_.bias[static_cast<std::size_t>(child)]);
            }
            places_.push_back(sums_.size());
        }
        for (std::int64_t at = X_.begin(row); at < X_.end(row); ++at) {
            const auto feature = static_cast<std::size_t>(X_.column(at));
            const auto value = static_cast<double>(X_.value(at));
            const std::int32_t* const all = weights_.outputs.data();
            const std::int32_t* node = all + weights_.begin[feature];
            const std::int32_t* const end = all + weights_.begin[feature + 1];
            for (std::size_t w = 0; w < ways_.size() && node != end; ++w) {
                const std::int32_t first = first_child(ways_[w]), last = end_of_children(ways_[w]);
                if (*node < first) node = std::lower_bound(node, end, first);
                double* const sums = sums_.data() + places_[w];
                for (; node != end && *node < last; ++node) {
                    sums[*node - first] +=
                        value * static_cast<double>(weights_.values[static_cast<std::size_t>(node - all)]);
                }
            }
        }
    }

    /// Takes down the labels among the children, and goes on with the best of the inner nodes.
    void descend() {
        inner_.clear();
        next_.clear();
        for (std::size_t w = 0; w < ways_.size(); ++w) {
            const std::int32_t first = first_child(ways_[w]), last = end_of_children(ways_[w]);
            for (std::int32_t child = first; child < last; ++child) {
                const Way way = ways_[w].to(child, sums_[places_[w] + static_cast<std::size_t>(child - first)]);
                const std::int32_t label = tree_.labels[static_cast<std::size_t>(child)];
                if (label >= 0) {
                    found_.push_back({label, way.score()});
                } else {
                    inner_.push_back({static_cast<std::int32_t>(next_.size()), way.score()});
                    next_.push_back(way);
                }
            }
        }
        if (inner_.size() > beam_) {
            const auto end = inner_.begin() + static_cast<std::ptrdiff_t>(beam_);
            std::nth_element(inner_.begin(), end, inner_.end(), better);
            inner_.erase(end, inner_.end());
            std::ranges::sort(inner_, {}, &Scored::number);
        }
        ways_.clear();
        for (const Scored& each : inner_) ways_.push_back(next_[static_cast<std::size_t>(each.number)]);
    }

    const CsrView<Value, Index>& X_;
    const FeatureWeights<Weight>& weights_;
    const TreeView& tree_;
    const std::size_t beam_, most_;
    std::vector<Way> ways_, next_;
    std::vector<Scored> inner_, found_;
    std::vector<double> sums_;
    std::vector<std::size_t> places_;  // where the children of each way begin in sums_
};

}  // namespace

template <class Value, class Index, class Weight>
ReachedLabels search_tree(const CsrView<Value, Index>& X, const FeatureWeights<Weight>& weights, const TreeView& tree,
                          std::int32_t beam, std::int32_t most, int n_threads) {
    const std::int64_t n_rows = X.n_rows();
    std::vector<ReachedLabels> parts(static_cast<std::size_t>((n_rows + kRowsPerBlock - 1) / kRowsPerBlock));
    for_each_block(n_rows, kRowsPerBlock, n_threads, [&](std::int64_t begin, std::int64_t end, int) {
        Search<Value, Index, Weight> search(X, weights, tree, static_cast<std::size_t>(beam),
                                            static_cast<std::size_t>(most));
        ReachedLabels& part = parts[static_cast<std::size_t>(begin / kRowsPerBlock)];
        for (std::int64_t row = begin; row < end; ++row) {
            search.add(row, part.labels, part.scores);
            part.begin.push_back(static_cast<std::int64_t>(part.labels.size()));
        }
    });
    ReachedLabels all;
    all.begin.reserve(static_cast<std::size_t>(n_rows) + 1);
    all.begin.push_back(0);
    for (ReachedLabels& part : parts) {
        const auto before = static_cast<std::int64_t>(all.labels.size());
        for (const std::int64_t end : part.begin) all.begin.push_back(before + end);
        all.labels.insert(all.labels.end(), part.labels.begin(), part.labels.end());
        all.scores.insert(all.scores.end(), part.scores.begin(), part.scores.end());
        part = {};
    }
    return all;
}

#define ASSAY_INSTANTIATE(Value, Index)                                                                              \
    template ReachedLabels search_tree(const CsrView<Value, Index>&, const FeatureWeights<float>&, const TreeView&,  \
                                       std::int32_t, std::int32_t, int);                                             \
    template ReachedLabels search_tree(const CsrView<Value, Index>&, const FeatureWeights<double>&, const TreeView&, \
                                       std::int32_t, std::int32_t, int);
ASSAY_FOR_EACH_MATRIX(ASSAY_INSTANTIATE)
#undef ASSAY_INSTANTIATE

}  // namespace assay::linear
