# Made by cpp/make_stub.py (`make stubs`) from the bindings in cpp/bindings: not to be edited.
"""The native core of assay: kernels over plain arrays."""

from collections.abc import Sequence
from typing import TypedDict, TypeVar, overload

import numpy
from numpy.typing import NDArray

Value = TypeVar("Value", numpy.float32, numpy.float64)
Weight = TypeVar("Weight", numpy.float32, numpy.float64)
Index = TypeVar("Index", numpy.int32, numpy.int64)

class SolverReport(TypedDict):
    """What a solver reached, one value for each problem."""

    objective: NDArray[numpy.float64]
    gap: NDArray[numpy.float64]
    iterations: NDArray[numpy.int32]
    converged: NDArray[numpy.uint8]
    work: NDArray[numpy.float64]

class DescentReport(TypedDict):
    """Where stochastic descent ended, and its way there."""

    epochs: int
    converged: bool
    objective: float
    course: NDArray[numpy.float64]

class KMeansReport(TypedDict):
    """What k-means reached."""

    labels: NDArray[numpy.int32]
    inertia: float
    iterations: int
    relocated: int
    converged: bool
    evaluated: int

class FeatureMeasures(TypedDict):
    """How much each feature tells, one value for each."""

    document_frequency: NDArray[numpy.int64]
    information_gain: NDArray[numpy.float64]
    chi_squared: NDArray[numpy.float64]
    mutual_information: NDArray[numpy.float64]
    gini: NDArray[numpy.float64]
    telling_class: NDArray[numpy.int32]
    telling_count: NDArray[numpy.int64]

class LocatedFeatures(TypedDict):
    """Symbols and features of documents, one document after the other."""

    symbol_begin: NDArray[numpy.int64]
    starts: NDArray[numpy.int32]
    ends: NDArray[numpy.int32]
    symbol_bytes: bytes
    symbol_offsets: NDArray[numpy.int64]
    feature_begin: NDArray[numpy.int64]
    columns: NDArray[numpy.int32]
    signs: NDArray[numpy.int8]
    first: NDArray[numpy.int64]
    lengths: NDArray[numpy.int32]

instruction_sets: tuple[str, ...]

instruction_set: str = ...

unicode_version: str = ...

separator: str = ...

class Analyzer:
    @staticmethod
    def make(
        *,
        unit: str,
        min_n: int,
        max_n: int,
        min_token_length: int,
        lowercase: bool,
        accents: str,
        marking: str,
        stop_words: Sequence[bytes],
    ) -> Analyzer: ...

class Documents:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    @property
    def length(self) -> int: ...
    def strings(self) -> list[str]:
        """The documents as Python strings."""

    def add_strings(self, strings: Sequence[str]) -> None: ...
    def add_arrow(self, offsets: NDArray[Index], bytes: NDArray[numpy.uint8]) -> None: ...

class WordReader:
    def __init__(self, analyzer: Analyzer, by_sentence: bool, keep_punctuation: bool) -> None: ...
    def read(self, documents: Documents, n_threads: int) -> NDArray[numpy.int32]:
        """Ids of the words in order, -1 behind each sequence."""

    @property
    def n_words(self) -> int: ...
    def counts(self) -> NDArray[numpy.int64]: ...
    def words(self, ids: NDArray[numpy.int32]) -> tuple[NDArray[numpy.uint8], NDArray[numpy.int64]]:
        """The words as bytes and offsets."""

class StoredTerms:
    def __init__(self, bytes: NDArray[numpy.uint8], offsets: NDArray[numpy.int64]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def rise(self) -> bool: ...
    def wanted_part(self, analyzer: Analyzer, wanted: Vocabulary) -> Vocabulary: ...

class Vocabulary:
    def __init__(
        self, analyzer: Analyzer, terms: StoredTerms, columns: NDArray[numpy.int32], n_columns: int
    ) -> None: ...
    @property
    def n_columns(self) -> int: ...
    def name_list(self, analyzer: Analyzer) -> list[str]: ...
    def name_blob(self, analyzer: Analyzer) -> tuple[NDArray[numpy.uint8], NDArray[numpy.int64]]: ...

class CountedCorpus:
    @property
    def n_documents(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    def assign_columns(self, lowest: float, highest: float) -> int: ...
    def keep_columns(self, marked: NDArray[numpy.uint8]) -> None: ...
    def document_frequencies(self) -> NDArray[numpy.int64]: ...
    def term_frequencies(self, binary: bool) -> NDArray[numpy.int64]: ...
    @property
    def complete(self) -> bool: ...
    def take_vocabulary(self) -> Vocabulary: ...

class RowStore:
    def __len__(self) -> int: ...

class MatrixBlock:
    pass

def counted_block(
    corpus: CountedCorpus,
    *,
    binary: bool,
    sublinear: bool,
    norm: str,
    idf: NDArray[numpy.float64],
    first_column: int,
    n_columns: int,
) -> MatrixBlock: ...
def row_block(
    rows: RowStore,
    *,
    signed_counts: bool,
    binary: bool,
    sublinear: bool,
    norm: str,
    idf: NDArray[numpy.float64],
    first_column: int,
    n_columns: int,
) -> MatrixBlock: ...
def matrix_float32(
    blocks: Sequence[MatrixBlock], n_threads: int
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]]: ...
def matrix_float64(
    blocks: Sequence[MatrixBlock], n_threads: int
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
def matrix_int64(
    blocks: Sequence[MatrixBlock], n_threads: int
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int64]]: ...
def count_documents(documents: Documents, analyzers: Sequence[Analyzer], n_threads: int) -> list[CountedCorpus]: ...
def look_up(
    documents: Documents, analyzers: Sequence[Analyzer], vocabularies: Sequence[Vocabulary], n_threads: int
) -> list[RowStore]: ...
def hash_documents(
    documents: Documents, analyzer: Analyzer, n_columns: int, alternate_sign: bool, n_threads: int
) -> RowStore: ...
def token_columns(
    documents: Documents, analyzer: Analyzer, vocabulary: Vocabulary, n_threads: int
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32]]: ...
def hash_names(names: list[str], n_columns: int) -> NDArray[numpy.int32]: ...

class PairCounter:
    def __init__(self, n_words: int, window: int, capacity: int, n_threads: int) -> None: ...
    def add(self, ids: NDArray[numpy.int32], first: int) -> list[tuple[NDArray[numpy.uint64], NDArray[numpy.int64]]]:
        """Counts pairs; the runs that became full."""

    def finish(self) -> list[tuple[NDArray[numpy.uint64], NDArray[numpy.int64]]]: ...

def merge_pair_runs(
    runs: Sequence[tuple[NDArray[numpy.uint64], NDArray[numpy.int64]]], n_words: int
) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int64]]:
    """One run of many."""

def merge_pairs(
    runs: Sequence[tuple[NDArray[numpy.uint64], NDArray[numpy.int64]]], n_words: int, least: int, n_threads: int
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int64]]:
    """The symmetric matrix of counts: row offsets, columns, counts."""

class Word2VecTrainer:
    def __init__(
        self,
        input: NDArray[numpy.float32],
        output: NDArray[numpy.float32],
        draw_weights: NDArray[numpy.float64],
        keep_shares: NDArray[numpy.float64],
        window: int,
        negatives: int,
        skip_gram: bool,
        n_shards: int,
        seed: int,
    ) -> None: ...
    def learn(self, ids: NDArray[numpy.int32], round: int, rate_begin: float, rate_end: float, n_threads: int) -> None:
        """Learns from one round of text."""

    def copy_vectors(self, input: NDArray[numpy.float32], output: NDArray[numpy.float32]) -> None: ...

def skip_gram_step(
    input: NDArray[numpy.float32],
    output: NDArray[numpy.float32],
    centre: int,
    contexts: NDArray[numpy.int32],
    drawn: NDArray[numpy.int32],
    rate: float,
) -> None:
    """One update of skip-gram, in place."""

def cbow_step(
    input: NDArray[numpy.float32],
    output: NDArray[numpy.float32],
    centre: int,
    contexts: NDArray[numpy.int32],
    drawn: NDArray[numpy.int32],
    rate: float,
) -> None:
    """One update of CBOW, in place."""

def locate_features(
    documents: Documents, analyzer: Analyzer, vocabulary: Vocabulary, n_threads: int
) -> LocatedFeatures: ...
def locate_hashed_features(
    documents: Documents, analyzer: Analyzer, n_columns: int, alternate_sign: bool, n_threads: int
) -> LocatedFeatures: ...
def share_contributions(
    starts: NDArray[numpy.int32],
    ends: NDArray[numpy.int32],
    located_columns: NDArray[numpy.int32],
    signs: NDArray[numpy.int8],
    first: NDArray[numpy.int64],
    lengths: NDArray[numpy.int32],
    columns: NDArray[numpy.int32],
    contributions: NDArray[numpy.float64],
    characters: NDArray[numpy.float64],
) -> None: ...
def share_among_texts(
    documents: Documents,
    analyzer: Analyzer,
    vocabulary: Vocabulary | None,
    n_hashed: int,
    alternate_sign: bool,
    row_begin: NDArray[numpy.int64],
    columns: NDArray[numpy.int32],
    contributions: NDArray[numpy.float64],
    first_column: int,
    character_begin: NDArray[numpy.int64],
    characters: NDArray[numpy.float64],
    n_threads: int,
) -> None: ...

class CorpusCounts:
    def __init__(
        self, offsets: NDArray[numpy.int64], columns: NDArray[numpy.int32], counts: NDArray[numpy.int32], n_columns: int
    ) -> None: ...

def count_fold_columns(
    corpus: CorpusCounts,
    rows: NDArray[numpy.int32],
    n_threads: int,
    documents: NDArray[numpy.int32],
    occurrences: NDArray[numpy.int64],
) -> None: ...
def measure_fold_rows(
    corpus: CorpusCounts,
    rows: NDArray[numpy.int32],
    fold: NDArray[numpy.int32],
    n_threads: int,
    offsets: NDArray[numpy.int64],
) -> None: ...
def weight_fold_rows(
    corpus: CorpusCounts,
    rows: NDArray[numpy.int32],
    fold: NDArray[numpy.int32],
    idf: NDArray[numpy.float64],
    binary: bool,
    sublinear: bool,
    norm: int,
    offsets: NDArray[numpy.int64],
    n_threads: int,
    columns: NDArray[numpy.int32],
    values: NDArray[Value],
) -> None: ...
def run_kmeans(
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    centres: NDArray[Value],
    *,
    spherical: bool,
    tolerance: float,
    max_iterations: int,
    n_threads: int,
) -> KMeansReport:
    """k-means from the given centres, which are replaced."""

def draw_spread_rows(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    *,
    n_clusters: int,
    seed: int,
    n_threads: int,
) -> NDArray[numpy.int64]:
    """Rows to start from, by greedy k-means++."""

def run_kmeans_batches(
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    centres: NDArray[Value],
    counts: NDArray[numpy.float64],
    *,
    spherical: bool,
    batch_size: int,
    max_batches: int,
    patience: int,
    reassignment_ratio: float,
    seed: int,
    n_threads: int,
) -> tuple[int, int]:
    """Mini-batch k-means from the given centres and counts, which are replaced."""

UNREACHED: float = ...

class TreeOfModels32:
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int32],
        columns: NDArray[numpy.int32],
        values: NDArray[numpy.float32],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int64],
        columns: NDArray[numpy.int64],
        values: NDArray[numpy.float32],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int32],
        columns: NDArray[numpy.int32],
        values: NDArray[numpy.float64],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int64],
        columns: NDArray[numpy.int64],
        values: NDArray[numpy.float64],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...

def tree_of_models(
    weight_begin: NDArray[numpy.int64],
    nodes: NDArray[numpy.int32],
    weights: NDArray[Value],
    bias: NDArray[numpy.float64],
    child_begin: NDArray[numpy.int32],
    labels: NDArray[numpy.int32],
) -> TreeOfModels64: ...

class TreeOfModels64:
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int32],
        columns: NDArray[numpy.int32],
        values: NDArray[numpy.float32],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int64],
        columns: NDArray[numpy.int64],
        values: NDArray[numpy.float32],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int32],
        columns: NDArray[numpy.int32],
        values: NDArray[numpy.float64],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
    @overload
    def search(
        self,
        row_begin: NDArray[numpy.int64],
        columns: NDArray[numpy.int64],
        values: NDArray[numpy.float64],
        *,
        beam: int,
        most: int,
        n_threads: int,
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...

def balanced_parts(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    *,
    n_parts: int,
    max_iterations: int,
    seed: int,
    n_threads: int,
) -> NDArray[numpy.int32]: ...

class FoldedForms:
    """What solvers make of a matrix first, for several of them to share."""

    def __init__(self) -> None: ...

def score_svm_folds(
    n_columns: int,
    row_begin: NDArray[numpy.int32],
    columns: NDArray[numpy.int32],
    values: NDArray[numpy.float32],
    labels: NDArray[numpy.int32],
    fold_of: NDArray[numpy.int32],
    *,
    n_folds: int,
    factors: NDArray[numpy.float32],
    unit_rows: bool,
    cost: float,
    intercept_scale: float,
    tolerance: float,
    max_iterations: int,
    patience: float,
    seed: int,
    n_threads: int,
    n_problems: int,
    scores: NDArray[numpy.float64],
) -> SolverReport:
    """Score every row by support vector machines, one against the rest, that were trained on the other folds."""

def repeats_a_column(
    n_columns: int, row_begin: NDArray[Index], columns: NDArray[Index], values: NDArray[Value]
) -> bool:
    """Whether some row of a CSR matrix names a column more than once."""

def train_linear_svm(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    cost: NDArray[numpy.float64],
    label_weight: NDArray[numpy.float64],
    *,
    first_label: int,
    squared: bool,
    intercept_scale: float,
    in_double: bool,
    tolerance: float,
    max_iterations: int,
    patience: float = ...,
    seed: int,
    n_threads: int,
    coefficients: NDArray[Value],
    intercept: NDArray[numpy.float64],
    support: NDArray[numpy.uint8],
    folded: FoldedForms | None = ...,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> SolverReport:
    """Train one-vs-rest L2-regularised support vector machines by dual coordinate descent."""

def train_crammer_singer(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    cost: NDArray[numpy.float64],
    *,
    intercept_scale: float,
    in_double: bool,
    tolerance: float,
    max_iterations: int,
    seed: int,
    n_threads: int,
    coefficients: NDArray[Value],
    intercept: NDArray[numpy.float64],
    support: NDArray[numpy.uint8],
) -> SolverReport:
    """Train the multi-class support vector machine of Crammer and Singer by a sequential dual method."""

def logarithms(x: NDArray[numpy.float64]) -> NDArray[numpy.float64]: ...
def train_logistic_dual(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    cost: NDArray[numpy.float64],
    label_weight: NDArray[numpy.float64],
    *,
    first_label: int,
    multinomial: bool,
    intercept_scale: float,
    in_double: bool,
    tolerance: float,
    max_iterations: int,
    patience: float = ...,
    seed: int,
    n_threads: int,
    coefficients: NDArray[Value],
    intercept: NDArray[numpy.float64],
    folded: FoldedForms | None = ...,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> SolverReport:
    """Train L2-regularised logistic regression by dual coordinate descent."""

def descend_stochastically(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    weight: NDArray[numpy.float64],
    learn_from: NDArray[numpy.int32],
    held_out: NDArray[numpy.int32],
    *,
    rate: str,
    first_rate: float,
    power: float,
    batch_size: int,
    shuffle: bool,
    penalty: float,
    l1_ratio: float,
    multinomial: bool,
    has_intercept: bool,
    tolerance: float,
    patience: int,
    max_epochs: int,
    seed: int,
    warm: bool,
    n_threads: int,
    in_double: bool,
    coefficients: NDArray[Value],
    intercept: NDArray[numpy.float64],
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> DescentReport:
    """Train logistic regression by stochastic gradient descent, from the given coefficients."""

def train_newton(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    cost: NDArray[numpy.float64],
    label_weight: NDArray[numpy.float64],
    *,
    first_label: int,
    loss: str,
    penalty: float,
    intercept_scale: float,
    tolerance: float,
    max_iterations: int,
    patience: float = ...,
    n_threads: int,
    coefficients: NDArray[Value],
    intercept: NDArray[numpy.float64],
    solved: NDArray[numpy.uint8] | None = ...,
    in_double: bool = ...,
    folded: FoldedForms | None = ...,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> SolverReport:
    """Minimise a smooth loss with penalty/2 ‖w‖² by a truncated Newton method, from the given start."""

def train_sparse(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    cost: NDArray[numpy.float64],
    label_weight: NDArray[numpy.float64],
    *,
    first_label: int,
    loss: str,
    penalty: float,
    intercept_scale: float,
    tolerance: float,
    max_iterations: int,
    patience: float = ...,
    n_threads: int,
    coefficients: NDArray[Value],
    intercept: NDArray[numpy.float64],
    solved: NDArray[numpy.uint8] | None = ...,
    in_double: bool = ...,
    folded: FoldedForms | None = ...,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> SolverReport:
    """Minimise a smooth loss with an elastic net of l1_ratio = penalty by coordinate descent."""

def count_features(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    classes: NDArray[numpy.int32],
    weights: NDArray[numpy.float64],
    begin: NDArray[numpy.int64],
    features: NDArray[numpy.int32],
    counts: NDArray[numpy.float64],
    n_threads: int,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]: ...
def score_with_shared_weights(
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    begin: NDArray[numpy.int64],
    classes: NDArray[numpy.int32],
    differences: NDArray[numpy.float64],
    of_feature: NDArray[numpy.float64],
    of_class: NDArray[numpy.float64],
    scale: NDArray[numpy.float64],
    biases: NDArray[numpy.float64],
    scores: NDArray[numpy.float64],
    n_threads: int,
) -> None: ...
def multinomial_weights(
    begin: NDArray[numpy.int64],
    features: NDArray[numpy.int32],
    counts: NDArray[numpy.float64],
    n_features: int,
    alpha: NDArray[numpy.float64],
    n_threads: int,
) -> tuple[
    NDArray[numpy.int64],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
]: ...
def complement_weights(
    begin: NDArray[numpy.int64],
    features: NDArray[numpy.int32],
    counts: NDArray[numpy.float64],
    n_features: int,
    alpha: NDArray[numpy.float64],
    normalise: bool,
    n_threads: int,
) -> tuple[
    NDArray[numpy.int64],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
]: ...
def bernoulli_weights(
    begin: NDArray[numpy.int64],
    features: NDArray[numpy.int32],
    counts: NDArray[numpy.float64],
    n_features: int,
    class_sizes: NDArray[numpy.float64],
    alpha: float,
    n_threads: int,
) -> tuple[
    NDArray[numpy.int64],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
]: ...
def write_out_weights(
    begin: NDArray[numpy.int64],
    classes: NDArray[numpy.int32],
    differences: NDArray[numpy.float64],
    of_feature: NDArray[numpy.float64],
    of_class: NDArray[numpy.float64],
    scale: NDArray[numpy.float64],
    table: NDArray[numpy.float64],
    n_threads: int,
) -> None: ...
def find_near_copies(
    documents: Documents, n_threads: int
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float32], int]:
    """First text of each one's form; links from, to and their similarity; how many texts were not compared with all."""

sketch_places: int = ...

def sketch_texts(
    documents: Documents, common: NDArray[numpy.uint32] | None, n_threads: int
) -> tuple[
    NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint8], NDArray[numpy.uint16]
]:
    """Common shingles; hashes of forms, of words in any order; bytes of signatures; shingles of each, 0 for none."""

def find_alike(
    kept: NDArray[numpy.uint8],
    kept_sizes: NDArray[numpy.uint16],
    asked: NDArray[numpy.uint8],
    asked_sizes: NDArray[numpy.uint16],
    n_threads: int,
) -> NDArray[numpy.uint8]:
    """Which of the asked signatures are like a kept one."""

def train_nbsvm(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    cost: NDArray[numpy.float64],
    label_weight: NDArray[numpy.float64],
    begin: NDArray[numpy.int64],
    features: NDArray[numpy.int32],
    counts: NDArray[numpy.float64],
    class_sizes: NDArray[numpy.float64],
    *,
    first_label: int,
    logistic: bool,
    alpha: float,
    beta: float,
    fit_intercept: bool,
    in_double: bool,
    tolerance: float,
    newton_tolerance: float,
    max_iterations: int,
    seed: int,
    n_threads: int,
    coefficients: NDArray[numpy.float64],
    intercept: NDArray[numpy.float64],
    folded: FoldedForms | None = ...,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> SolverReport:
    """Train one-vs-rest linear classifiers on features scaled by their log-count ratios."""

def fingerprint_rows(
    offsets: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    n_columns: int,
    classes: NDArray[numpy.int32],
    n_threads: int,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> NDArray[numpy.uint64]: ...
def perceptron_epoch(
    offsets: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    classes: NDArray[numpy.int32],
    copies: NDArray[numpy.float64],
    order: NDArray[numpy.int64],
    rate: float,
    fit_intercept: bool,
    weights: NDArray[numpy.float64],
    biases: NDArray[numpy.float64],
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> int: ...
def averaged_perceptron_epoch(
    offsets: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    classes: NDArray[numpy.int32],
    copies: NDArray[numpy.float64],
    order: NDArray[numpy.int64],
    fit_intercept: bool,
    weights: NDArray[numpy.float64],
    biases: NDArray[numpy.float64],
    weight_sums: NDArray[numpy.float64],
    bias_sums: NDArray[numpy.float64],
    clock: float,
    count_updates: bool,
    label_offsets: NDArray[numpy.int64] | None = ...,
) -> tuple[int, float]: ...
def voted_perceptron_epoch(
    offsets: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    classes: NDArray[numpy.int32],
    copies: NDArray[numpy.float64],
    order: NDArray[numpy.int64],
    fit_intercept: bool,
    weights: NDArray[numpy.float64],
    biases: NDArray[numpy.float64],
) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.float64]]: ...
def count_votes(
    offsets: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[numpy.float64],
    support_offsets: NDArray[Index],
    support_rows: NDArray[Index],
    support_values: NDArray[numpy.float64],
    rows: NDArray[numpy.int64],
    truths: NDArray[numpy.int32],
    predicted: NDArray[numpy.int32],
    steps: NDArray[numpy.float64],
    votes: NDArray[numpy.float64],
    fit_intercept: bool,
    n_support: int,
    ballots: NDArray[numpy.float64],
    n_threads: int,
) -> None: ...
def shuffle_groups(
    rows: NDArray[numpy.int64], group_begin: NDArray[numpy.int64], seed: int, epoch: int
) -> NDArray[numpy.int64]: ...
def observed_metrics(
    truth: NDArray[numpy.int32],
    predictions: NDArray[numpy.int32],
    counts: NDArray[numpy.int64],
    strata: NDArray[numpy.int32],
    n_classes: int,
    codes: NDArray[numpy.int32],
    betas: NDArray[numpy.float64],
    undefined: float,
    values: NDArray[numpy.float64],
) -> None: ...
def tally_metrics(
    tallies: NDArray[numpy.float64],
    codes: NDArray[numpy.int32],
    betas: NDArray[numpy.float64],
    undefined: float,
    n_threads: int,
    values: NDArray[numpy.float64],
    every_class: bool = ...,
) -> None: ...
def bootstrap_metrics(
    truth: NDArray[numpy.int32],
    predictions: NDArray[numpy.int32],
    counts: NDArray[numpy.int64],
    strata: NDArray[numpy.int32],
    n_classes: int,
    codes: NDArray[numpy.int32],
    betas: NDArray[numpy.float64],
    undefined: float,
    seed: int,
    n_threads: int,
    values: NDArray[numpy.float64],
) -> None: ...
def randomize_metrics(
    truth: NDArray[numpy.int32],
    predictions: NDArray[numpy.int32],
    counts: NDArray[numpy.int64],
    strata: NDArray[numpy.int32],
    n_classes: int,
    codes: NDArray[numpy.int32],
    betas: NDArray[numpy.float64],
    undefined: float,
    seed: int,
    n_threads: int,
    values: NDArray[numpy.float64],
) -> None: ...
def jackknife_metrics(
    truth: NDArray[numpy.int32],
    predictions: NDArray[numpy.int32],
    counts: NDArray[numpy.int64],
    strata: NDArray[numpy.int32],
    n_classes: int,
    codes: NDArray[numpy.int32],
    betas: NDArray[numpy.float64],
    undefined: float,
    n_threads: int,
    values: NDArray[numpy.float64],
) -> None: ...

class SetArrays:
    def __init__(
        self,
        counts: NDArray[numpy.int64],
        begin: NDArray[numpy.int64],
        slots: NDArray[numpy.int32],
        means_of: NDArray[numpy.float64],
        n_labels: int,
    ) -> None: ...

def bootstrap_sets(
    arrays: SetArrays,
    codes: NDArray[numpy.int32],
    betas: NDArray[numpy.float64],
    undefined: float,
    every_class: bool,
    seed: int,
    n_threads: int,
    values: NDArray[numpy.float64],
) -> None: ...
def randomize_sets(
    arrays: SetArrays,
    codes: NDArray[numpy.int32],
    betas: NDArray[numpy.float64],
    undefined: float,
    every_class: bool,
    seed: int,
    n_threads: int,
    values: NDArray[numpy.float64],
) -> None: ...

class DocumentArrays:
    def __init__(
        self,
        means_of: NDArray[numpy.float64],
        gaps: NDArray[numpy.float64],
        bins: NDArray[numpy.int32],
        n_bins: int,
        order: NDArray[numpy.int32],
        positive: NDArray[numpy.uint8],
        last_of_tie: NDArray[numpy.uint8],
    ) -> None: ...

def weighted_documents(
    arrays: DocumentArrays, weights: NDArray[numpy.int32], values: NDArray[numpy.float64]
) -> None: ...
def draw_documents(
    members: NDArray[numpy.int32], bounds: NDArray[numpy.int64], seed: int, resample: int, weights: NDArray[numpy.int32]
) -> None: ...
def bootstrap_documents(
    arrays: DocumentArrays,
    members: NDArray[numpy.int32],
    bounds: NDArray[numpy.int64],
    seed: int,
    n_threads: int,
    values: NDArray[numpy.float64],
) -> None: ...
def randomize_documents(arrays: DocumentArrays, seed: int, n_threads: int, values: NDArray[numpy.float64]) -> None: ...
def jackknife_documents(arrays: DocumentArrays, n_threads: int, values: NDArray[numpy.float64]) -> None: ...

class TwoClassScorer:
    def score(self, documents: Documents, scores: NDArray[numpy.float64], n_threads: int) -> None: ...

def two_class_scorer(
    features: ScoredFeatures, weights: NDArray[numpy.float32], bias: float
) -> TwoClassScorer | None: ...

class ScoredFeatures:
    pass

def scored_features(
    analyzer: Analyzer,
    vocabulary: Vocabulary | None,
    n_hashed: int,
    alternate_sign: bool,
    *,
    binary: bool,
    sublinear: bool,
    norm: str,
    idf: NDArray[numpy.float64],
) -> ScoredFeatures: ...
def score_texts(
    documents: Documents,
    blocks: Sequence[ScoredFeatures],
    weights: NDArray[Value],
    bias: NDArray[numpy.float64],
    scores: NDArray[numpy.float64],
    n_threads: int,
) -> None: ...

class ListedWeights32:
    def score(
        self,
        documents: Documents,
        blocks: Sequence[ScoredFeatures],
        bias: NDArray[numpy.float64],
        scores: NDArray[numpy.float64],
        n_threads: int,
    ) -> None: ...

def listed_weights(
    begin: NDArray[numpy.int64], outputs: NDArray[numpy.int32], values: NDArray[Value], n_outputs: int
) -> ListedWeights64: ...

class ListedWeights64:
    def score(
        self,
        documents: Documents,
        blocks: Sequence[ScoredFeatures],
        bias: NDArray[numpy.float64],
        scores: NDArray[numpy.float64],
        n_threads: int,
    ) -> None: ...

def score_with_table(
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    weights: NDArray[Weight],
    biases: NDArray[numpy.float64],
    scores: NDArray[numpy.float64],
    n_threads: int,
) -> None: ...
def score_with_lists(
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    weight_begin: NDArray[numpy.int64],
    outputs: NDArray[numpy.int32],
    weights: NDArray[Weight],
    biases: NDArray[numpy.float64],
    scores: NDArray[numpy.float64],
    n_threads: int,
) -> None: ...
def measure_features(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    labels: NDArray[numpy.int32],
    n_classes: int,
    target: int,
    n_threads: int,
) -> FeatureMeasures:
    """How much the presence of each feature tells about the class."""

def pick_spread_rows(
    n_columns: int,
    row_begin: NDArray[Index],
    columns: NDArray[Index],
    values: NDArray[Value],
    worth: NDArray[numpy.float64],
    before: NDArray[numpy.int64],
    *,
    n: int,
    most_alike: float,
) -> tuple[NDArray[numpy.int64], NDArray[numpy.float64]]:
    """Rows worth most, no two of them alike, and how like the nearest one taken before each is."""

def stratify_units(
    offsets: NDArray[numpy.int64],
    labels: NDArray[numpy.int32],
    counts: NDArray[numpy.int64],
    sizes: NDArray[numpy.int64],
    n_labels: int,
    weights: NDArray[numpy.int64],
    seed: int,
    part_of_unit: NDArray[numpy.int32],
) -> None: ...

class TextColumn:
    def __init__(
        self,
        bytes: NDArray[numpy.uint8],
        offsets: NDArray[numpy.int64],
        codes: NDArray[numpy.int32] | None = ...,
        valid: NDArray[numpy.uint8] | None = ...,
        before: bytes = ...,
        quoting: str = ...,
    ) -> None: ...
    def __len__(self) -> int: ...

def write_text_rows(columns: Sequence[TextColumn], end: bytes, delimiter: str = ...) -> NDArray[numpy.uint8]: ...
def find_row_end(
    bytes: NDArray[numpy.uint8], place: int, delimiter: str = ..., quotes: bool = ...
) -> tuple[int, int]: ...
