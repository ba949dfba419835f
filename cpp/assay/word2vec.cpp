#include "assay/word2vec.hpp"

#include <algorithm>
#include <array>

#include "assay/parallel.hpp"

namespace assay {
namespace {

constexpr std::size_t kLongestSequence = 10000;  // a longer one is learned in parts

void add_once(std::vector<float*>& rows, std::vector<float>& weights, float* row) {
    const auto found = std::find(rows.begin(), rows.end(), row);
    if (found != rows.end()) {
        weights[static_cast<std::size_t>(found - rows.begin())] += 1;
    } else {
        rows.push_back(row);
        weights.push_back(1);
    }
}

/// CBOW on a window: its inputs are replaced by their mean, whose step then goes to each of them.
template <int Bytes>
class MeanStep {
    using R = Lanes<float, kRowUnit, Bytes>;

 public:
    explicit MeanStep(std::int64_t size) : size_(size), mean_(static_cast<std::size_t>(size)), before_(mean_) {}

    ASSAY_INLINE void operator()(Window& window, float rate) {
        float n = 0;
        for (const float weight : window.input_weights) n += weight;
        for (std::int64_t d = 0; d < size_; d += kRowUnit) {
            R sum = R::all(0);
            for (std::size_t j = 0; j < window.inputs.size(); ++j) {
                sum += R::load(window.inputs[j] + d) * window.input_weights[j];
            }
            sum = sum * (1 / n);
            sum.store(mean_.data() + d);
            sum.store(before_.data() + d);
        }
        std::swap(window.inputs, contexts_);
        std::swap(window.input_weights, weights_);
        window.inputs.assign(1, mean_.data());
        window.input_weights.assign(1, 1);
        word2vec_step<Bytes>(window, size_, rate);
        for (std::int64_t d = 0; d < size_; d += kRowUnit) {
            const R step = R::load(mean_.data() + d) - R::load(before_.data() + d);
            for (std::size_t j = 0; j < contexts_.size(); ++j) {
                float* at = contexts_[j] + d;
                (R::load(at) + step * weights_[j]).store(at);
            }
        }
    }

 private:
    std::int64_t size_;
    std::vector<float> mean_, before_;
    std::vector<float*> contexts_;
    std::vector<float> weights_;
};

}  // namespace

/// Learns one part of a round.
template <int Bytes>
class ShardLearner {
 public:
    ShardLearner(const Word2VecTrainer& trainer, Replica& replica, CounterRandom random)
        : trainer_(trainer), replica_(replica), random_(random), mean_step_(replica.input.stride) {}

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
        prepare(0, windows_[0]);
        for (std::size_t i = 0; i < sequence_.size(); ++i) {
            // The next window's rows are on their way while this one is learned.
            if (i + 1 < sequence_.size()) prepare(i + 1, windows_[(i + 1) % 2]);
            Window& window = windows_[i % 2];
            if (trainer_.settings_.skip_gram) {
                word2vec_step<Bytes>(window, replica_.input.stride, rate);
            } else {
                mean_step_(window, rate);
            }
        }
    }

    ASSAY_INLINE void prepare(std::size_t i, Window& window) {
        window.clear();
        const auto reach =
            static_cast<std::size_t>(1 + random_.below(static_cast<std::uint32_t>(trainer_.settings_.window)));
        const std::size_t begin = i - std::min(i, reach), end = std::min(sequence_.size(), i + reach + 1);
        for (std::size_t j = begin; j < end; ++j) {
            if (j != i) add_once(window.inputs, window.input_weights, replica_.input.touch(sequence_[j]));
        }
        prefetch(window.inputs.back());
        const std::int32_t centre = sequence_[i];
        add_once(window.outputs, window.output_weights, replica_.output.touch(centre));
        prefetch(window.outputs.back());
        for (std::int64_t k = 0; k < trainer_.settings_.negatives; ++k) {
            const auto drawn = static_cast<std::int32_t>(trainer_.draw_(random_.next()));
            if (drawn == centre) continue;
            float* row = replica_.output.touch(drawn);
            prefetch(row);
            add_once(window.outputs, window.output_weights, row);
        }
    }

    ASSAY_INLINE void prefetch(const float* row) const {
        for (std::int64_t d = 0; d < replica_.input.stride; d += 16) __builtin_prefetch(row + d, 1);
    }

    const Word2VecTrainer& trainer_;
    Replica& replica_;
    CounterRandom random_;
    MeanStep<Bytes> mean_step_;
    std::vector<std::int32_t> sequence_;
    std::array<Window, 2> windows_;
};

namespace {

struct ShardWork {
    const Word2VecTrainer& trainer;
    Replica& replica;
    CounterRandom random;
    std::span<const std::int32_t> ids;
    double rate_begin, rate_end;

    template <int Bytes>
    ASSAY_INLINE void run() {
        ShardLearner<Bytes>(trainer, replica, random).learn(ids, rate_begin, rate_end);
    }
};

struct OneStep {
    Window window;
    std::int64_t size;
    float rate;
    bool skip_gram;

    template <int Bytes>
    ASSAY_INLINE void run() {
        if (skip_gram) {
            word2vec_step<Bytes>(window, size, rate);
        } else {
            MeanStep<Bytes> step(size);
            step(window, rate);
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
    OneStep step{{}, rows.input.stride, static_cast<float>(rate), skip_gram};
    Window& window = step.window;
    for (const std::int32_t word : contexts) add_once(window.inputs, window.input_weights, rows.input.row(word));
    add_once(window.outputs, window.output_weights, rows.output.row(centre));
    for (const std::int32_t word : drawn) {
        if (word != centre) add_once(window.outputs, window.output_weights, rows.output.row(word));
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
                       CounterRandom(settings_.seed, round * n_shards + at),
                       ids.subspan(begin, end - begin),
                       rate_begin,
                       rate_end};
        with_widest_vectors(work);
    });
    replicas_.merge(n_threads);
}

void skip_gram_step(std::span<float> input, std::span<float> output, std::int64_t dimensions, std::int32_t centre,
                    std::span<const std::int32_t> contexts, std::span<const std::int32_t> drawn, double rate) {
    take_one_step(input, output, dimensions, centre, contexts, drawn, rate, true);
}

void cbow_step(std::span<float> input, std::span<float> output, std::int64_t dimensions, std::int32_t centre,
               std::span<const std::int32_t> contexts, std::span<const std::int32_t> drawn, double rate) {
    take_one_step(input, output, dimensions, centre, contexts, drawn, rate, false);
}

}  // namespace assay
