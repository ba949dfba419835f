"""Features described in a settings file."""

from __future__ import annotations

import tomllib

import pytest

from assay.errors import AssayError
from assay.features import features_from_settings, register_feature, vectorizer_from_settings

TEXTS = ["Good film, no mess!", "so dull, not good", "GREAT fun for you", "a dull mess"]
LABELS = ["pos", "neg", "pos", "neg"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "positive.txt").write_text("; good words\ngood\ngreat\nfun\n")
    (tmp_path / "negative.txt").write_text("dull\nmess\n")
    (tmp_path / "titles.txt").write_text("# titles\nMr\nDr\n")
    (tmp_path / "own.templates").write_text('no: presence(lower = "no")\nlength: log-text-length\n')
    return tmp_path


def vectorizer(text, folder):
    return vectorizer_from_settings(tomllib.loads(text)["features"], folder)


def names(text, folder):
    return vectorizer(text, folder).fit(TEXTS, LABELS).get_feature_names_out().tolist()


def test_everything_together(folder, monkeypatch):
    monkeypatch.setattr("assay.features.designed.functions._REGISTERED", {})
    register_feature("characters")(len)
    text = """
    [features.words]
    ngrams = [1, 1]
    sublinear = false
    norm = "none"
    idf = false

    [features.characters]
    ngrams = [2, 3]

    [features.lexicons]
    positive = "positive.txt"
    negative = "negative.txt"
    pronouns = ["i", "you"]

    [features.lexicon_counts]
    negation = 3

    [features.templates]
    you = "count(in(pronouns))"
    length = "log-text-length"

    [features.functions]
    names = ["characters"]

    [features.scaling]
    lexicons = "z-score"
    functions = "max-abs"

    [features.selection.words]
    measure = "chi2"
    k = 2
    """
    made = vectorizer(text, folder)
    assert [name for name, _ in made.parts] == ["words", "characters", "lexicons", "templates", "functions"]
    columns = made.fit(TEXTS, LABELS).get_feature_names_out().tolist()
    assert columns[:2] == ["words__dull", "words__film"]
    assert columns[-5:] == [
        "lexicons__positive",
        "lexicons__negative",
        "templates__length",
        "templates__you",
        "functions__characters",
    ]
    assert made.parts_["words"].norm is None
    assert made.parts_["lexicons"].block_.negation == 3


def test_lexicons_that_templates_name_are_not_counted_too(folder):
    text = """
    [features.lexicons]
    positive = "positive.txt"
    [features.templates]
    good = "presence(in(positive))"
    """
    assert names(text, folder) == ["templates__good"]


def test_lexicons_are_files_words_or_scores(folder):
    text = """
    [features.lexicons]
    titles = {file = "titles.txt", comments = "#", case_sensitive = true}
    words = {words = ["May"], case_sensitive = true}
    mood = {scores = {good = 2, dull = -1}}
    """
    made = vectorizer(text, folder).fit(TEXTS)
    assert made.get_feature_names_out().tolist() == [
        "lexicons__titles",
        "lexicons__words",
        "lexicons__mood above zero",
        "lexicons__mood below zero",
    ]
    assert made.transform(["Dr good dull may May mr"]).toarray().tolist() == [[1, 1, 2, 1]]


def test_templates_stand_in_a_file_or_a_list(folder):
    assert names('features = {templates = "own.templates"}', folder) == ["templates__length", "templates__no"]
    assert names('features = {templates = ["presence(case)"]}', folder)[0] == "templates__presence(case)=lower"


def test_templates_at_a_place(folder):
    text = """
    [features.templates]
    before = "lower[-1]"
    [features.template_options]
    at = "mark"
    mark = ["<", ">"]
    """
    assert vectorizer(text, folder).fit(["Mr<.> X"]).get_feature_names_out().tolist() == ["templates__before=mr"]


def test_only_the_hand_made_features(folder):
    settings = tomllib.loads('[features.words]\n[features.lexicons]\npositive = "positive.txt"')["features"]
    assert [name for name, _ in features_from_settings(settings, folder)] == ["lexicons"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("features = {}", "The features table describes no features. It needs at least one of 'words'"),
        ("[features.word]", "There is no setting 'word' in features. Settings are 'words'"),
        ("[features.words]\nngram = [1, 2]", "There is no setting 'ngram' in features.words. Settings are 'ngrams'"),
        ("features = {words = 3}", "features.words must be a table of settings. Got 3"),
        (
            '[features.lexicons]\na = "positiv.txt"',
            "positiv.txt: there is no such lexicon file. In that folder are 'pos",
        ),
        ("[features.lexicons]\na = 3", "The lexicon 'a' must be a file, a list of words or a table. Got 3"),
        ("[features.lexicons]\na = {files = 'x'}", "There is no setting 'files' in features.lexicons.a"),
        ("[features.lexicons]\na = {case_sensitive = true}", "must have one of 'file', 'words' and 'scores'. Got none"),
        ("[features.lexicons]\na = {file = 'x', words = []}", "must have one of .* Got 'file', 'words'"),
        ("[features.lexicon_counts]\nnegation = 3", "says how lexicons are counted, but none is"),
        ("[features.templates]\na = 'lower['", r"template 'a' \('lower\['\), column 7"),
        ("[features.templates]\na = 3", "The template 'a' must be a text such as"),
        (
            "[features.templates]\na = 'in(x)'\n[features.lexicons]\ny = ['y']",
            "column 4: there is no lexicon 'x'. There",
        ),
        ("[features.template_options]\nmark = 3", "There is no setting|describes no features"),
        (
            "[features.functions]\nname = ['f']",
            "There is no setting 'name' in features.functions. Settings are 'names'",
        ),
        (
            "[features.words]\n[features.scaling]\nword = 'log'",
            "There is no setting 'word' in features.scaling. Settings",
        ),
        ("[features.words]\n[features.selection]\nword = {}", "There is no setting 'word' in features.selection"),
        ("[features.words]\n[features.selection]\nwords = 3", "features.selection.words must be a table"),
        ("[features.words]\n[features.selection.words]\nn = 3", "There is no setting 'n' in features.selection.words"),
    ],
)
def test_mistakes_are_named(folder, text, message):
    with pytest.raises(AssayError, match=message):
        names(text, folder)
