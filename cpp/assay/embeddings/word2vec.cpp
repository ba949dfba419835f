#include "assay/embeddings/word2vec.hpp"

#include <algorithm>
#include <array>

#include "assay/base/parallel.hpp"

namespace assay::embeddings {
namespace {

constexpr double kLinear = 3.2;  // so many touches times the rate move a row about as far as each by itself would
constexpr std::size_t kLongestSequence = 10000;  // a longer one is learned in parts

}  // namespace

/// Learns one part of a round.
template <int Bytes>
class ShardLearner {
 public:
    ShardLearner(const Word2VecTrainer& trainer, Replica& replica, Random random)
        : trainer_(trainer), replica_(replica), random_(random) {}

    ASSAY_INLINE void learn(std::span<const std::int32_t> ids, double rate_begin, double rate_end) {
        for (std::size_t at = 0; at < ids.size();) {
            const double done = static_cast<double>(at) / static_cast<double>(ids.size());
            const auto rate = static_cast<float>(rate_begin + done * (rate_end - rate_begin));
            at = take_sequence(ids, at);
            learn_sequence(rate);
        }
    }

 private:
    /// Fills sequence_ with the words that are looked at, and returns where the next one begins.
    ASSAY_INLINE std::size_t take_sequence(std::span<const std::int32_t> ids, std::size_t at) {
        sequence_.clear();
        for (; at < ids.size() && sequence_.size() < kLongestSequence; ++at) {
            const std::int32_t id = ids[at];
            if (id < 0) return at + 1;
            const std::uint64_t below = trainer_.keep_below_[static_cast<std::size_t>(id)];
            if (below >> 32 != 0 || (random_.next() >> 32) < below) sequence_.push_back(id);
        }
        return at;
    }

    ASSAY_INLINE void learn_sequence(float rate) {
        if (sequence_.size() < 2) return;
        // All at once: the places where these numbers stand in the sampler's table are waited for together.
        drawn_.resize(sequence_.size() * static_cast<std::size_t>(trainer_.settings_.negatives));
        for (std::int32_t& word : drawn_) word = static_cast<std::int32_t>(trainer_.draw_(random_.next()));
        prepare(0, windows_[0]);
        for (std::size_t i = 0; i < sequence_.size(); ++i) {
            // The next window's rows are on their way while this one is learned.
            if (i + 1 < sequence_.size()) prepare(i + 1, windows_[(i + 1) % 2]);
            Window& window = windows_[i % 2];
            if (trainer_.settings_.skip_gram) {
                move_skip_gram<Bytes>(window, replica_.input.stride, rate, space_);
            } else {
                move_cbow<Bytes>(window, replica_.input.stride, rate, space_);
            }
        }
    }

    ASSAY_INLINE void prepare(std::size_t i, Window& window) {
        window.clear();
        const auto reach =
            static_cast<std::size_t>(1 + random_.below(static_cast<std::uint32_t>(trainer_.settings_.window)));
        const std::size_t begin = i - std::min(i, reach), end = std::min(sequence_.size(), i + reach + 1);
        for (std::size_t j = begin; j < end; ++j) {
            if (j != i) window.inputs.add(replica_.input.touch(sequence_[j]));
        }
        prefetch(window.inputs.at.back());
        const std::int32_t centre = sequence_[i];
        window.outputs.add(replica_.output.touch(centre));
        prefetch(window.outputs.at.back());
        const auto n_drawn = static_cast<std::size_t>(trainer_.settings_.negatives);
        for (std::size_t k = i * n_drawn; k < (i + 1) * n_drawn; ++k) {
            if (drawn_[k] == centre) continue;
            float* row = replica_.output.touch(drawn_[k]);
            prefetch(row);
            window.outputs.add(row);
        }
    }

    ASSAY_INLINE void prefetch(const float* row) const {
        for (std::int64_t d = 0; d < replica_.input.stride; d += 16) __builtin_prefetch(row + d, 1);
    }

    const Word2VecTrainer& trainer_;
    Replica& replica_;
    Random random_;
    StepSpace space_;
    std::vector<std::int32_t> sequence_;
    std::vector<std::int32_t> drawn_;  // [position][negative]
    std::array<Window, 2> windows_;
};

namespace {

struct ShardWork {
    const Word2VecTrainer& trainer;
    Replica& replica;
    Random random;
    std::span<const std::int32_t> ids;
    double rate_begin, rate_end;

    template <int Bytes>
    ASSAY_INLINE void run() {
        ShardLearner<Bytes>(trainer, replica, random).learn(ids, rate_begin, rate_end);
    }
};

struct OneStep {
    Window window;
    StepSpace space;
    std::int64_t size;
    float rate;
    bool skip_gram;

    template <int Bytes>
    ASSAY_INLINE void run() {
        if (skip_gram) {
            move_skip_gram<Bytes>(window, size, rate, space);
        } else {
            move_cbow<Bytes>(window, size, rate, space);
        }
    }
};

void take_one_step(std::span<float> input, std::span<float> output, std::int64_t dimensions, std::int32_t centre,
                   std::span<const std::int32_t> contexts, std::span<const std::int32_t> drawn, double rate,
                   bool skip_gram) {
    const auto n_words = static_cast<std::int64_t>(input.size()) / dimensions;
    Replica rows(n_words, dimensions);
    rows.input.copy_from(input);
    rows.output.copy_from(output);
    OneStep step{{}, {}, rows.input.stride, static_cast<float>(rate), skip_gram};
    Window& window = step.window;
    for (const std::int32_t word : contexts) window.inputs.add(rows.input.row(word));
    window.outputs.add(rows.output.row(centre));
    for (const std::int32_t word : drawn) {
        if (word != centre) window.outputs.add(rows.output.row(word));
    }
    with_widest_vectors(step);
    rows.input.copy_to(input);
    rows.output.copy_to(output);
}

}  // namespace

Word2VecTrainer::Word2VecTrainer(const Word2VecSettings& settings, std::span<const float> input,
                                 std::span<const float> output, std::span<const double> draw_weights,
                                 std::span<const double> keep_shares)
    : settings_(settings),
      draw_(draw_weights),
      replicas_(settings.n_words, settings.dimensions, settings.n_shards, input, output) {
    for (const double share : keep_shares) {
        keep_below_.push_back(static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * 0x1p32));
    }
}

void Word2VecTrainer::learn(std::span<const std::int32_t> ids, std::uint64_t round, double rate_begin, double rate_end,
                            int n_threads) {
    const auto n_shards = static_cast<std::size_t>(settings_.n_shards);
    for_each_block(settings_.n_shards, 1, n_threads, [&](std::int64_t shard, std::int64_t, int) {
        const auto at = static_cast<std::size_t>(shard);
        const std::size_t begin = ids.size() * at / n_shards, end = ids.size() * (at + 1) / n_shards;
        ShardWork work{*this,
                       replicas_[static_cast<int>(shard)],
                       Random(settings_.seed, round * n_shards + at),
                       ids.subspan(begin, end - begin),
                       rate_begin,
                       rate_end};
        with_widest_vectors(work);
    });
    const double few = rate_begin > 0 ? kLinear / rate_begin : 0;
    replicas_.merge(few, n_threads);
}

void skip_gram_step(std::span<float> input, std::span<float> output, std::int64_t dimensions, std::int32_t centre,
                    std::span<const std::int32_t> contexts, std::span<const std::int32_t> drawn, double rate) {
    take_one_step(input, output, dimensions, centre, contexts, drawn, rate, true);
}

void cbow_step(std::span<float> input, std::span<float> output, std::int64_t dimensions, std::int32_t centre,
               std::span<const std::int32_t> contexts, std::span<const std::int32_t> drawn, double rate) {
    take_one_step(input, output, dimensions, centre, contexts, drawn, rate, false);
}

}  // namespace assay::embeddings
