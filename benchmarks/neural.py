"""How accurate and how fast the networks are, beside what plain `assay train` chooses and beside a bare PyTorch loop.

Each network is trained with its usual settings from three seeds; `mr` and `subj`, which have no split, are tested on
the first of ten folds. Every training is a part of its own whose answers are kept in ``results/neural/``: what is there
is not done again, so the whole can be done in pieces::

    python benchmarks/neural.py accuracy --minutes 5        # as many parts as begin within five minutes
    python benchmarks/neural.py accuracy mr/cnn sst2/cnn    # only some rows
    python benchmarks/neural.py speed
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import assay
from _datasets import data_folder
from _measuring import RESULTS, describe_machine, print_table, race, say, write_results
from assay.atomic_file import write_atomically
from assay.data.corpus.corpus import Corpus

SEEDS = (0, 1, 2)
#: Data and network → the accuracy to reach (%): Kim's CNN-rand, and what was asked for beyond it.
ROWS: dict[str, float | None] = {
    "mr/cnn": 76.1,
    "subj/cnn": 89.6,
    "trec6/cnn": 91.2,
    "sst2/cnn": 80.5,
    "imdb/averaging": 88.5,
    "mr/cnn+vectors": None,
    "sst2/cnn+vectors": None,
    "mr/averaging": None,
    "mr/feedforward": None,
    "mr/recurrent": None,
}
GAIN = 1.5  # points that vectors from unlabelled reviews are to bring
PARTS = RESULTS / "neural"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("question", choices=("accuracy", "speed"), nargs="?")
    parser.add_argument("rows", nargs="*", metavar="DATA/NETWORK")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_intermixed_args()
    if data_folder() is None:
        sys.exit("There is no data: set ASSAY_DATA to the folder that holds it.")
    PARTS.mkdir(parents=True, exist_ok=True)
    if chosen.question != "speed":
        measure_accuracy(chosen.rows or list(ROWS), 60 * chosen.minutes, chosen.threads)
    if chosen.question != "accuracy":
        measure_speed(chosen.threads)


# -- accuracy ----------------------------------------------------------------------------------------------------------


def measure_accuracy(rows: list[str], seconds: float, threads: int) -> None:
    end = time.monotonic() + seconds
    first, *others = SEEDS
    for seed in (first, "linear", *others):
        for name, network in (row.split("/") for row in rows):
            part = seed if isinstance(seed, str) else f"{network}-{seed}"
            path = PARTS / f"{name}-{part}.json"
            if not path.exists() and time.monotonic() < end:
                write_atomically(path, json.dumps(train_and_predict(name, part, threads)).encode())
    table = [summary for row in rows if (summary := summarised(row)) is not None]
    print_table("Test accuracy (%), settings chosen on other data", table)
    write_results("neural-accuracy", {"rows": table, "machine": describe_machine()})


def train_and_predict(name: str, part: str, threads: int) -> dict[str, Any]:
    """Train what a part names, and keep its answers to the test texts."""
    train, test = parts_of(name)
    began, cpu = time.perf_counter(), time.process_time()
    network, _, seed = part.rpartition("-")
    model = trained_network(network, int(seed), train, threads) if network else assay.train(train, seed=0)
    spent = {"seconds": time.perf_counter() - began, "cpu_seconds": time.process_time() - cpu}
    predicted = model.predict(test).tolist()
    accuracy = 100 * float(np.mean(np.array(predicted) == true_labels(test)))
    epochs = len(model.history_.epochs) if network else 0
    say(f"{name} {part}: {accuracy:.2f} in {spent['seconds']:.0f} s ({spent['cpu_seconds']:.0f} s of processors)")
    return {"accuracy": accuracy, "predicted": predicted, "epochs": epochs, **spent}


def trained_network(network: str, seed: int, train: Corpus, threads: int) -> Any:
    from assay import neural

    kinds = {
        "averaging": neural.AveragingNetwork,
        "cnn": neural.ConvolutionalNetwork,
        "feedforward": neural.FeedForward,
        "recurrent": neural.RecurrentNetwork,
    }
    name, _, vectors = network.partition("+")
    settings: dict[str, Any] = {"seed": seed, "threads": threads}
    if vectors:
        settings["vectors"] = unlabelled_vectors(threads)
    return kinds[name](**settings).fit(train)


def unlabelled_vectors(threads: int) -> Path:
    """Word vectors of 50,000 reviews without labels, made once."""
    from assay.embeddings import Word2Vec

    path = PARTS / "imdb_unsup.vectors"
    folder = data_folder()
    if not path.exists() and folder is not None:
        began = time.perf_counter()
        learned = Word2Vec(dimensions=300, seed=0, n_jobs=threads).fit(folder / "imdb_unsup" / "corpus.txt.gz")
        learned.vectors().save(path)
        say(f"word vectors of imdb_unsup: {time.perf_counter() - began:.0f} s")
    return path


def parts_of(name: str) -> tuple[Corpus, Corpus]:
    """To train on, and to test on."""
    folder = data_folder()
    assert folder is not None
    if (folder / name / "test.csv.gz").exists():
        return assay.read(folder / name / "train.csv.gz"), assay.read(folder / name / "test.csv.gz")
    from sklearn.model_selection import StratifiedKFold

    corpus = assay.read(folder / name / "all.csv.gz")
    splitter = StratifiedKFold(10, shuffle=True, random_state=0)
    train, test = next(iter(splitter.split(np.zeros(len(corpus)), corpus.classes)))
    return corpus.select(train), corpus.select(test)


def true_labels(corpus: Corpus) -> Any:
    return np.array(corpus.label_names)[corpus.classes]


def kept(name: str, part: str) -> dict[str, Any] | None:
    path = PARTS / f"{name}-{part}.json"
    return json.loads(path.read_text()) if path.exists() else None


def summarised(row: str) -> dict[str, Any] | None:
    """Mean and 95% interval over the seeds, beside the linear model, with the paired test of the middle seed."""
    from scipy.stats import t

    name, network = row.split("/")
    found = [part for seed in SEEDS if (part := kept(name, f"{network}-{seed}")) is not None]
    linear = kept(name, "linear")
    if not found or linear is None:
        return None
    values = np.array([part["accuracy"] for part in found])
    spread = t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    middle = found[int(np.argsort(values, kind="stable")[len(values) // 2])]
    truth = true_labels(parts_of(name)[1])
    settings: dict[str, Any] = {"metric": "accuracy", "alternative": "two-sided"}
    test = assay.compare(middle["predicted"], linear["predicted"], truth, **settings)
    target = ROWS[row]
    plain = kept(name, f"{network.partition('+')[0]}-0")
    if "+" in network and plain is not None:
        others = [part["accuracy"] for seed in SEEDS if (part := kept(name, f"cnn-{seed}")) is not None]
        target = float(np.mean(others)) + GAIN
    return {
        "data": name,
        "network": network,
        "mean": float(values.mean()),
        "± (95%)": float(spread),
        "seeds": len(values),
        "target": target,
        "linear": linear["accuracy"],
        "difference": 100 * test.difference.value,
        "p (paired)": float(test.p_value),
        "epochs": float(np.mean([part["epochs"] for part in found])),
        "cpu seconds": float(np.mean([part["cpu_seconds"] for part in found])),
    }


# -- speed -------------------------------------------------------------------------------------------------------------


def measure_speed(threads: int) -> None:
    """An epoch of the convolutional network on mr, and its prediction."""
    from assay.neural import ConvolutionalNetwork

    train, test = parts_of("mr")
    settings: dict[str, Any] = {"epochs": 1, "threads": threads}
    model = ConvolutionalNetwork(**settings).fit(train)
    loops = bare_loops(model, train, threads)
    contestants: dict[str, Callable[[], Any]] = {"assay": lambda: ConvolutionalNetwork(**settings).fit(train), **loops}
    found = race(contestants, 3)
    rows = [
        {
            "one epoch on mr": name,
            "seconds": timing.best,
            "cpu seconds": timing.best_cpu,
            "ratio": found["assay"].best / timing.best,
        }
        for name, timing in found.items()
    ]
    print_table(f"Training, {threads} threads; assay's time includes tokenizing and building", rows)
    texts = test.texts.to_pylist() * 10
    told = race({"predict": lambda: model.predict(texts)}, 3)["predict"]
    speeds = [
        {
            "sentences": len(texts),
            "seconds": told.best,
            "cpu seconds": told.best_cpu,
            "sentences/s": len(texts) / told.best,
        }
    ]
    print_table(f"Prediction, {threads} threads", speeds)
    write_results("neural-speed", {"training": rows, "prediction": speeds, "machine": describe_machine()})


def bare_loops(model: Any, train: Corpus, threads: int) -> dict[str, Callable[[], Any]]:
    """The same network in as little code as PyTorch needs: over ready batches, and over padded ones as they come."""
    import torch
    from torch import nn

    from assay.neural.networks.convolutional import Convolution
    from assay.neural.parts.network_model import torch_threads
    from assay.neural.reading.batches import TrainingBatches

    examples = model.model.reader.read(train.texts, threads)
    classes = np.searchsorted(np.array(model.labels), true_labels(train)).astype(np.int64)
    ready = [(b.inputs, b.targets) for b in TrainingBatches(examples, classes, model.batch_size, 0).epoch(0)]

    def new_network() -> Any:
        network = Convolution.built(**model.model.network.settings)
        network.embedding.start()
        return network.train()

    def over(batches: Iterator[Any], network: Any, optimisers: list[Any]) -> None:
        criterion = nn.CrossEntropyLoss()
        for inputs, targets in batches:
            loss = criterion(network(*inputs), targets)
            loss.backward()
            for optimiser in optimisers:
                optimiser.step()
                optimiser.zero_grad()

    def ready_batches() -> None:
        network = new_network()
        table = [network.embedding.tuned.weight]
        others = [value for name, value in network.named_parameters() if not name.startswith("embedding")]
        with torch_threads(threads):
            over(iter(ready), network, [torch.optim.SparseAdam(table, 1e-3), torch.optim.Adam(others, 1e-3)])

    def usual_loop() -> None:
        network = new_network()
        network.embedding.tuned.sparse = False
        order = torch.randperm(len(examples)).numpy()
        size = model.batch_size
        rows = [order[begin : begin + size] for begin in range(0, len(order), size)]
        batches = ((examples.inputs(part), torch.from_numpy(classes[part])) for part in rows)
        with torch_threads(threads):
            over(batches, network, [torch.optim.Adam(network.parameters(), 1e-3)])

    return {"bare loop, ready batches": ready_batches, "bare loop, full gradients": usual_loop}


if __name__ == "__main__":
    main()
