"""What all networks promise, and what each has of its own."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

import assay
from assay.errors import DataError, NotFittedError, ParameterError
from assay.features import TfidfVectorizer
from assay.learners.neural import AveragingNetwork, ConvolutionalNetwork, FeedForward, RecurrentNetwork
from assay.neural.training_loop import DivergenceError

POSITIVE, NEGATIVE = ("great", "fun", "loved", "fine"), ("dull", "mess", "poor", "boring")
TEXTS = [f"a {words[i % 4]} film, {words[i // 4 % 4]} and long{i}" for i in range(24) for words in (POSITIVE, NEGATIVE)]
LABELS = ["pos", "neg"] * 24

NEW = ["great fun", "a dull mess", "", "zzz yyy"]


def test_it_learns_predicts_and_scores(network):
    model = network.fit(TEXTS, LABELS)
    assert model is network
    assert model.labels == ("neg", "pos")
    assert model.classes_.tolist() == ["neg", "pos"]
    assert model.predict(NEW[:2]).tolist() == ["pos", "neg"]
    probabilities = model.predict_proba(NEW)
    assert probabilities.shape == (4, 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert model.decision_function(NEW).shape == (4,)
    assert model.score(TEXTS, LABELS) == 1.0
    assert model.predict([]).shape == (0,)
    check_is_fitted(model)


def test_the_same_seed_gives_the_same_file_and_another_seed_another(network, tmp_path):
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        again = clone(network).set_params(seed=seed, epochs=2)
        again.fit(TEXTS, LABELS).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_training_leaves_the_random_numbers_and_threads_of_others_alone(network):
    torch.manual_seed(7)
    expected, threads = torch.rand(3).tolist(), torch.get_num_threads()
    torch.manual_seed(7)
    network.set_params(epochs=1).fit(TEXTS, LABELS).predict(NEW)
    assert torch.rand(3).tolist() == expected
    assert torch.get_num_threads() == threads


def test_a_saved_network_says_the_same(network, tmp_path):
    network.set_params(epochs=3).fit(TEXTS, LABELS).save(tmp_path / "network.assay")
    loaded = assay.load(tmp_path / "network.assay")
    assert type(loaded) is type(network)
    assert loaded.decision_function(NEW).tolist() == network.decision_function(NEW).tolist()
    assert loaded.history_.to_dict() == network.history_.to_dict()
    assert loaded.provenance["data"] == network.provenance["data"]
    assert "created" in loaded.provenance
    loaded.save(tmp_path / "again.assay")
    assert (tmp_path / "again.assay").read_bytes() == (tmp_path / "network.assay").read_bytes()


def test_half_precision_makes_a_smaller_file(network, tmp_path):
    network.set_params(epochs=3).fit(TEXTS, LABELS)
    network.save(tmp_path / "full")
    network.save(tmp_path / "half", float16=True)
    assert (tmp_path / "half").stat().st_size < (tmp_path / "full").stat().st_size
    difference = assay.load(tmp_path / "half").decision_function(NEW) - network.decision_function(NEW)
    assert np.abs(difference).max() < 0.02  # 11 bits of the weights


def test_company_in_a_batch_does_not_change_a_text(network):
    model = network.set_params(epochs=3).fit(TEXTS, LABELS)
    alone = [float(model.decision_function([text])[0]) for text in NEW]
    together = model.decision_function([*NEW, "a very long text indeed, " * 30])[:4]
    # Sums in another order.
    np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-5)


def test_many_classes_have_one_score_each(network):
    texts, labels = [f"word{i % 4} fun" for i in range(40)], [f"class {i % 4}" for i in range(40)]
    model = network.set_params(epochs=2).fit(texts, labels)
    assert model.decision_function(texts).shape == (40, 4)
    np.testing.assert_allclose(model.predict_proba(texts).sum(axis=1), 1)


def test_hinge_gives_scores_and_no_probabilities(network, tmp_path):
    model = network.set_params(loss="hinge").fit(TEXTS, LABELS)
    assert not hasattr(model, "predict_proba")
    assert model.predict(NEW[:2]).tolist() == ["pos", "neg"]
    model.save(tmp_path / "hinge.assay")
    assert not hasattr(assay.load(tmp_path / "hinge.assay"), "predict_proba")


def test_it_can_be_measured_compared_and_cross_validated(network):
    corpus = assay.read((TEXTS, LABELS))
    linear = assay.TextClassifier().fit(corpus)
    model = clone(network).fit(corpus)
    assert assay.evaluate(model, corpus).accuracy.value == 1.0
    assert assay.compare(model, linear, corpus).difference.value == 0.0
    found = assay.cross_validate(network.set_params(epochs=1), corpus, folds=2, threads=1, metrics=["accuracy"])
    assert 0 <= found["accuracy"].value <= 1


def test_before_training_there_is_nothing_to_ask(network):
    with pytest.raises(NotFittedError, match=r"This \w+ is not fitted yet\. Call fit\(texts, labels\), or load one"):
        network.predict(["x"])


def test_texts_without_words_are_refused(network):
    with pytest.raises(DataError, match="row 1: column 'text' is empty"):
        network.fit(["", " ", "", "\n"], ["a", "b", "a", "b"])


def test_texts_without_a_word_that_counts_are_refused():
    with pytest.raises(
        DataError, match=r"none of the 48 texts has a word that occurs in at least 90 of them \(min_count"
    ):
        AveragingNetwork(min_count=90, validation=0).fit(TEXTS, LABELS)
    with pytest.raises(DataError, match="empty vocabulary"):
        FeedForward().fit(["a", "b", "a"], ["x", "y", "x"])


def test_one_class_is_refused(network):
    with pytest.raises(DataError, match="all 2 texts have the label 'a'"):
        network.fit(["x", "y"], ["a", "a"])


def test_a_label_seen_once_is_trained_on_and_named(network):
    model = network.set_params(epochs=1).fit([*TEXTS, "only once"], [*LABELS, "rare"])
    assert "rare" in model.labels
    assert model.notes_[0] == "Classes with one text only, which was trained on and could not be held out: 'rare'"


def test_too_few_texts_to_hold_some_out_are_all_trained_on(network):
    model = network.set_params(epochs=1, validation=0.1).fit(["good", "bad"], ["a", "b"])
    assert model.history_.epochs[0].held_out_loss is None
    assert "2 texts are too few to hold some out for early stopping" in model.notes_[-1]


def test_training_stops_by_texts_that_are_given(network):
    held_out = assay.read((["great fun", "dull mess"], ["pos", "neg"]))
    by_corpus = clone(network).set_params(validation=held_out, epochs=2).fit(TEXTS, LABELS)
    by_pair = clone(network).set_params(validation=(["great fun", "dull mess"], ["pos", "neg"]), epochs=2)
    by_pair.fit(TEXTS, LABELS)
    assert by_corpus.history_.to_dict() == by_pair.history_.to_dict()
    with pytest.raises(DataError, match="the label 'odd' of the validation texts does not occur in the training texts"):
        network.set_params(validation=(["great"], ["odd"])).fit(TEXTS, LABELS)


@pytest.mark.parametrize("stop_by", ["loss", "accuracy", "macro_f1"])
def test_training_stops_by_what_is_asked_for(stop_by):
    settings = {"embedding_size": 4, "hidden": (), "patience": 1, "epochs": 40, "threads": 1}
    network = AveragingNetwork(**settings, validation=0.1, stop_by=stop_by)
    history = network.fit(TEXTS, LABELS).history_
    assert history.metric == ("accuracy" if stop_by == "loss" else stop_by)
    merits = [(epoch.held_out_metric if stop_by != "loss" else 0, -epoch.held_out_loss) for epoch in history.epochs]
    assert history.best == merits.index(max(merits)) + 1


def test_balanced_classes_weigh_more_where_they_are_few():
    texts, labels = ["good film"] * 30 + ["bad film"] * 3, ["pos"] * 30 + ["neg"] * 3
    plain, balanced = (
        FeedForward(hidden=(), epochs=30, learning_rate=0.02, validation=0, class_weight=weight, threads=1).fit(
            texts, labels
        )
        for weight in (None, "balanced")
    )
    assert balanced.predict_proba(["film"])[0, 0] > plain.predict_proba(["film"])[0, 0] + 0.1


def test_label_smoothing_makes_it_less_sure():
    sure, careful = (
        FeedForward(hidden=(), epochs=60, learning_rate=0.05, validation=0, label_smoothing=share, threads=1)
        for share in (0.0, 0.3)
    )
    texts = ["great fun"]
    assert careful.fit(TEXTS, LABELS).predict_proba(texts).max() < sure.fit(TEXTS, LABELS).predict_proba(texts).max()


def test_a_rate_far_too_high_is_named_and_the_best_epoch_stays_usable():
    network = FeedForward(hidden=(4,), optimiser="sgd", learning_rate=1e30, epochs=9, validation=0, threads=1)
    with pytest.raises(DivergenceError, match="The likely cause is a learning rate that is too high, 1e\\+30"):
        network.fit(TEXTS, LABELS)


def test_a_network_that_diverges_later_keeps_the_model_of_its_best_epoch():
    class Poison:
        def step(self, epoch, epochs, step, steps, loss):
            if epoch == 3:
                raise_in.append(1)

        def epoch(self, number, epochs, found, best):
            if number == 2:
                with torch.no_grad():
                    network_of[0].output.weight.fill_(torch.inf)

    raise_in, network_of = [], []
    network = AveragingNetwork(embedding_size=4, epochs=9, threads=1)
    build = network._new_network
    network._new_network = lambda *arguments: network_of.append(build(*arguments)) or network_of[0]
    with pytest.raises(DivergenceError, match=r"The weights of epoch \d are kept"):
        network.fit(TEXTS, LABELS, watcher=Poison())
    assert np.isfinite(network.predict_proba(["great fun"])).all()


def test_an_interrupted_fit_goes_on(tmp_path, monkeypatch):
    import os
    import signal

    class Interrupt:
        def step(self, epoch, epochs, step, steps, loss):
            if epoch == 2:
                os.kill(os.getpid(), signal.SIGINT)

        def epoch(self, *_):
            pass

    settings = {"embedding_size": 8, "filters": 4, "epochs": 3, "threads": 1}
    whole = ConvolutionalNetwork(**settings).fit(TEXTS, LABELS)
    broken = ConvolutionalNetwork(**settings, checkpoint=tmp_path / "kept")
    with pytest.raises(KeyboardInterrupt):
        broken.fit(TEXTS, LABELS, watcher=Interrupt())
    with pytest.raises(ParameterError, match="an interrupted training with other data or settings"):
        clone(broken).set_params(filters=5).fit(TEXTS, LABELS)
    with pytest.raises(ParameterError, match="an interrupted training with other data or settings"):
        clone(broken).fit(TEXTS[1:], LABELS[1:])
    broken.fit(TEXTS, LABELS)
    assert broken.decision_function(NEW).tolist() == whole.decision_function(NEW).tolist()


# -- what each has of its own ------------------------------------------------------------------------------------------


class Vectors:
    words = ("great", "dull", "unseen")
    matrix = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])


def table(model, kind):
    names = ["", "", *model.model.reader.words.names()]
    weights = getattr(model.model.network.embedding, kind).weight
    return {name: weights[i].tolist() for i, name in enumerate(names)}


def test_given_vectors_can_be_fixed_tuned_or_both():
    fixed = AveragingNetwork(vectors=Vectors, vectors_use="fixed", epochs=2, threads=1).fit(TEXTS, LABELS)
    assert table(fixed, "fixed")["great"] == [1.0, 0.0, 0.0]
    assert table(fixed, "fixed")["unseen"] == [0.0, 0.0, 1.0]
    assert fixed.model.network.embedding.tuned is None
    tuned = AveragingNetwork(vectors=Vectors, epochs=2, threads=1).fit(TEXTS, LABELS)
    assert table(tuned, "tuned")["great"] != [1.0, 0.0, 0.0]
    assert table(tuned, "tuned")["unseen"] == [0.0, 0.0, 1.0]
    assert tuned.model.network.embedding.fixed is None
    both = ConvolutionalNetwork(vectors=Vectors, vectors_use="both", filters=2, epochs=2, threads=1)
    both.fit(TEXTS, LABELS)
    assert table(both, "fixed")["dull"] == [0.0, 1.0, 0.0]
    assert table(both, "tuned")["dull"] != [0.0, 1.0, 0.0]
    assert both.model.network.first[0].in_features == 3 * 6


def test_padding_and_the_unknown_word_start_at_zero_and_padding_stays_there():
    model = RecurrentNetwork(embedding_size=4, state_size=3, epochs=2, word_dropout=0.3, threads=1).fit(TEXTS, LABELS)
    weights = model.model.network.embedding.tuned.weight
    assert weights[0].tolist() == [0.0] * 4
    assert weights[1].any()  # word_dropout trains it


def test_vectors_from_a_file(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("2 3\ngreat 1 0 0\ndull 0 1 0\n", encoding="utf-8")
    settings = {"vectors_use": "fixed", "epochs": 1, "threads": 1}
    model = AveragingNetwork(vectors=str(path), **settings).fit(TEXTS, LABELS)
    assert table(model, "fixed")["dull"] == [0.0, 1.0, 0.0]


def test_further_words_are_as_many_as_are_asked_for():
    model = AveragingNetwork(vectors=Vectors, further_words=2, epochs=1, threads=1).fit(TEXTS, LABELS)
    assert "unseen" not in table(model, "tuned")


class Broken:
    words = ("a", "b")
    matrix = np.array([[1.0, np.nan], [0, 0]])


class Uneven:
    words = ("a", "b", "c")
    matrix = np.zeros((2, 4))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (
            {"vectors": Vectors, "embedding_size": 5},
            ParameterError,
            "vectors have 3 numbers each, but embedding_size=5",
        ),
        ({"vectors": Broken}, DataError, r"The vector of 'a' \(row 0\) holds NaN or infinity"),
        ({"vectors": Uneven}, DataError, r"The vectors are \(2, 4\) numbers for 3 words"),
        ({"vectors": 3}, ParameterError, r"vectors must be assay\.embeddings\.WordVectors or the path .* Got int"),
        ({"vectors_use": "fixed"}, ParameterError, r"vectors_use='fixed'\) needs vectors"),
    ],
)
def test_vectors_that_cannot_be_used_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        AveragingNetwork(**settings, threads=1).fit(TEXTS, LABELS)


def test_long_texts_are_cut_or_read_in_pieces_and_that_is_said():
    long = [f"{text} " * 5 for text in TEXTS]
    settings = {"embedding_size": 4, "filters": 2, "epochs": 1, "validation": 0, "max_length": 6, "threads": 1}
    cut = ConvolutionalNetwork(**settings).fit(long, LABELS)
    assert cut.notes_ == ("48 of 48 training texts have more than 6 words and were cut off after 6 (max_length)",)
    read = ConvolutionalNetwork(**settings, long_texts="window").fit(long, LABELS)
    assert "were read in pieces of 6, whose scores are averaged" in read.notes_[0]
    # The pieces that decide are the texts that the same network would have been given one by one.
    words = [f"w{i}" for i in range(15)]
    whole = read.decision_function([" ".join(words)])
    parts = read.decision_function([" ".join(words[i : i + 6]) for i in range(0, 15, 6)])
    np.testing.assert_allclose(whole, parts.mean(), rtol=1e-5)
    assert cut.decision_function([" ".join(words)]) == cut.decision_function([" ".join(words[:6])])


@pytest.mark.parametrize("pooling", ["last", "max", "mean", "attention"])
@pytest.mark.parametrize("cell", ["lstm", "gru"])
def test_recurrent_networks_of_all_kinds_learn(cell, pooling):
    network = RecurrentNetwork(cell=cell, pooling=pooling, layers=2, embedding_size=8, state_size=6, threads=1)
    network.set_params(bidirectional=pooling != "last", epochs=15, learning_rate=0.03, batch_size=8)
    assert network.fit(TEXTS, LABELS).predict(NEW[:2]).tolist() == ["pos", "neg"]


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid", "gelu"])
def test_deep_networks_of_all_activations_learn(activation):
    deep = ConvolutionalNetwork(layers=2, pooling="mean", widths=(1, 2), filters=6, embedding_size=8, threads=1)
    deep.set_params(activation=activation, epochs=25, learning_rate=0.02, schedule="cosine", warm_up=0.1, clip=1.0)
    deep.set_params(batch_size=8, dropout=0.1, validation=0)
    assert deep.fit(TEXTS, LABELS).score(TEXTS, LABELS) == 1.0
    layers = FeedForward(hidden=(8, 8), activation=activation, dropout=0.0, epochs=40, learning_rate=0.05, threads=1)
    layers.set_params(batch_size=8, validation=0)
    assert layers.fit(TEXTS, LABELS).score(TEXTS, LABELS) == 1.0


def test_feed_forward_reads_what_its_vectorizer_finds(tmp_path):
    vectorizer = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3))
    model = FeedForward(vectorizer=vectorizer, epochs=20, learning_rate=0.02, threads=1).fit(TEXTS, LABELS)
    assert model.score(TEXTS, LABELS) == 1.0
    model.save(tmp_path / "m.assay")
    assert assay.load(tmp_path / "m.assay").decision_function(NEW).tolist() == model.decision_function(NEW).tolist()


def test_feed_forward_takes_rows_of_numbers(tmp_path):
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "different")
    model = FeedForward(vectorizer="numbers", hidden=(16,), dropout=0.0, epochs=120, learning_rate=0.02, threads=1)
    assert model.fit(X, y).score(X, y) > 0.9
    model.save(tmp_path / "m.assay")
    assert assay.load(tmp_path / "m.assay").decision_function(X).tolist() == model.decision_function(X).tolist()
    with pytest.raises(DataError, match=r"have shape \(80, 2\), but the network was trained on rows of 3 numbers"):
        model.predict(X[:, :2])
    with pytest.raises(DataError, match="was trained on rows of 3 numbers, not on texts"):
        model.predict(["a text"])
    X[4, 1] = np.nan
    with pytest.raises(DataError, match="Row 4 of the examples holds NaN or infinity"):
        model.predict(X)


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        (AveragingNetwork, {"epochs": 0}, "'epochs' parameter of AveragingNetwork must be a whole number at least 1"),
        (AveragingNetwork, {"optimiser": "adm"}, "must be one of 'adam', "),
        (AveragingNetwork, {"learning_rate": 0}, "must be a number above 0"),
        (AveragingNetwork, {"schedule": "steps"}, "'schedule' parameter"),
        (AveragingNetwork, {"warm_up": 2}, "'warm_up' parameter"),
        (AveragingNetwork, {"l2": -1}, "'l2' parameter"),
        (AveragingNetwork, {"clip": 0}, "'clip' parameter"),
        (AveragingNetwork, {"loss": "mse"}, "'loss' parameter"),
        (AveragingNetwork, {"label_smoothing": 1.0}, "'label_smoothing' parameter"),
        (AveragingNetwork, {"validation": 1.5}, "'validation' parameter"),
        (AveragingNetwork, {"patience": 0}, "'patience' parameter"),
        (AveragingNetwork, {"stop_by": "f2"}, "'stop_by' parameter"),
        (AveragingNetwork, {"seed": -1}, "'seed' parameter"),
        (AveragingNetwork, {"hidden": 3}, r"'hidden' parameter .* whole numbers above 0, such as \(3, 4\)\. Got 3"),
        (AveragingNetwork, {"hidden": (3, 0)}, r"'hidden' parameter"),
        (AveragingNetwork, {"word_dropout": 1.0}, "'word_dropout' parameter"),
        (AveragingNetwork, {"batch_size": 2.5}, "'batch_size' parameter"),
        (AveragingNetwork, {"class_weight": {"odd": 2}}, "class_weight names the label 'odd', which is not in y"),
        (ConvolutionalNetwork, {"widths": ()}, "'widths' parameter"),
        (ConvolutionalNetwork, {"filters": 0}, "'filters' parameter"),
        (ConvolutionalNetwork, {"layers": 0}, "'layers' parameter"),
        (ConvolutionalNetwork, {"pooling": "min"}, "'pooling' parameter"),
        (ConvolutionalNetwork, {"activation": "step"}, "'activation' parameter"),
        (ConvolutionalNetwork, {"long_texts": "drop"}, "'long_texts' parameter"),
        (ConvolutionalNetwork, {"max_length": 0}, "'max_length' parameter"),
        (RecurrentNetwork, {"cell": "rnn"}, "'cell' parameter"),
        (RecurrentNetwork, {"bidirectional": 1}, "'bidirectional' parameter"),
        (FeedForward, {"vectorizer": "tfidf"}, "'vectorizer' parameter of FeedForward must be a vectorizer of assay"),
        (FeedForward, {"dropout": 1}, "'dropout' parameter"),
    ],
)
def test_settings_that_cannot_be_are_refused(kind, settings, message):
    with pytest.raises(ParameterError, match=message):
        kind(**settings).fit(TEXTS, LABELS)


def test_unknown_parameters_are_named_with_those_that_there_are(network):
    with pytest.raises(ParameterError, match=r"has no parameter 'epoch'\. They are 'epochs', "):
        network.set_params(epoch=3)


def test_what_is_not_as_usual_is_shown():
    assert repr(AveragingNetwork(hidden=(5,), epochs=3)) == "AveragingNetwork(epochs=3, hidden=(5,))"


def test_verbose_writes_a_line_an_epoch(capsys):
    FeedForward(epochs=2, verbose=True, threads=1).fit(TEXTS, LABELS)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("epoch 1/2: loss 0.")


def test_networks_that_are_trained_at_the_same_time_do_not_disturb_each_other():
    from concurrent.futures import ThreadPoolExecutor

    def train(seed):
        network = AveragingNetwork(embedding_size=4, epochs=3, seed=seed, threads=1)
        return network.fit(TEXTS, LABELS).decision_function(NEW).tolist()

    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(train, range(3)))
    assert together == [train(seed) for seed in range(3)]
