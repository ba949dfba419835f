"""What templates find."""

from __future__ import annotations

from math import log

import pytest

from assay.errors import DataError, ParameterError
from assay.features import TemplateFeatures, mark_places
from assay.features.designed.template_values import case_of, shape_of

LEXICONS = {"good": ["good", "well-made"], "mood": {"good": 3, "bad": -2}, "short": ["e.g", "St"]}


def found(template, text, **settings):
    """What one template, called t, finds in a text."""
    features = TemplateFeatures({"t": template}, lexicons=LEXICONS, **settings)
    row = features.fit_transform([text]).toarray()[0]
    return dict(zip(features.get_feature_names_out().tolist(), row.tolist(), strict=True))


@pytest.mark.parametrize(
    ("template", "text", "values"),
    [
        ("word", "To be", {"t=To": 1, "t=be": 1}),
        ("lower", "To to", {"t=to": 2}),
        ("count(lower)", "To to", {"t=to": 2}),
        ("presence(lower)", "To to", {"t=to": 1}),
        ("log-count(lower)", "To to", {"t=to": log(3)}),
        ("shape", "Mr Smith 1984", {"t=Xx": 1, "t=Xx+": 1, "t=d+": 1}),
        ("case", "USA is Big", {"t=upper": 1, "t=lower": 1, "t=title": 1}),
        ("prefix(2)", "undo unify x", {"t=un": 2, "t=x": 1}),
        ("suffix(3)", "running jumping", {"t=ing": 2}),
        ("length", "a be sea", {"t=1": 1, "t=2": 1, "t=3": 1}),
        ("ngram(2)", "New York", {"t=new york": 1, "t=york <end>": 1}),
        ("ngram(2)[-1]", "New York", {"t=new york": 1, "t=<start> new": 1}),
        ("lower[+1]", "a b", {"t=b": 1, "t=<end>": 1}),
        ("lower[-1]", "a b", {"t=a": 1, "t=<start>": 1}),
        ("space", "a b-c\nd", {"t=<start>": 1, "t=space": 1, "t=none": 2, "t=newline": 1}),
        ("in(good)", "good well-made bad", {"t": 2}),
        ("presence(in(good))", "good good", {"t": 1}),
        ("in(good)[+1]", "very good", {"t": 1}),
        ("not in(good)", "a good one", {"t": 2}),
        ('matches("[A-Z]+")', "USA Usa U", {"t": 2}),
        ('starts("https?://")', "see http://a.b", {"t": 1}),
        ('lower = "no"', "No, no!", {"t": 2}),
        ('lower != "no"', "No, no!", {"t": 2}),
        ('not lower = "no"', "No, no!", {"t": 2}),
        ("score(mood)", "good", {"t=3": 1}),
        ("sum(score(mood))", "good bad good", {"t": 4}),
        ("sum(length)", "a be sea", {"t": 6}),
        ("sum(length & in(good))", "a good one", {"t": 4}),
        ("sum(length & case)", "A Bee big", {"t=upper": 1, "t=title": 3, "t=lower": 3}),
        ("lower[0] & shape[+1]", "St Louis", {"t=st|Xx+": 1, "t=louis|<end>": 1}),
        ('lower & in(good)[+1] & case[+1] = "lower"', "very good Good", {"t=very": 1}),
        ("text-length", "Well, it's over!", {"t": 3}),
        ("log-text-length", "Well, it's over!", {"t": log(3)}),
        ("log-text-length", "...", {"t": 0}),
        ("count(in(good))", "nothing", {}),
    ],
)
def test_over_a_text(template, text, values):
    assert found(template, text) == pytest.approx(values)


@pytest.mark.parametrize(
    ("template", "text", "values"),
    [
        ("word", "Mr[[.]] Smith", {"t=.": 1}),
        ("lower[-1]", "Mr[[.]] Smith", {"t=mr": 1}),
        ("lower[+1] & case[+1]", "Mr[[.]] Smith", {"t=smith|title": 1}),
        ("lower[+2]", "Mr[[.]] Smith", {"t=<end>": 1}),
        ("lower[-2]", "Mr[[.]] Smith", {"t=<start>": 1}),
        ("space[+1]", "3[[.]]50", {"t=none": 1}),
        ("in(short)[-1]", "as, e.g[[.]] here", {"t": 1}),  # an entry that ends there
        ('word[-1] = "St" & case[-2] = "title"', "Burlington St[[.]] and", {"t": 1}),
        ("sum(length[-1])", "Louis[[.]]", {"t": 5}),
        ("sum(length[+1])", "Louis[[.]]", {"t": 0}),
        ("word", "cafe\u0301 [[x]] y", {"t=x": 1}),  # composing letters moves what comes after
        ("word", "end[[]]", {"t=<end>": 1}),
    ],
)
def test_at_a_place(template, text, values):
    assert {
        name: value for name, value in found(template, text, at="mark").items() if value or values[name] == 0
    } == values


def test_a_place_is_also_given_by_its_position():
    features = TemplateFeatures(["lower[-1]"], at="mark")
    assert (features.fit_transform([("Mr. Smith", 2, 3)]) != features.transform(["Mr[[.]] Smith"])).nnz == 0


def test_what_is_far_from_a_place_is_not_read():
    features = TemplateFeatures(["text-length"], at="mark").fit(["a[[.]]"])
    assert features.transform(["word " * 1000 + "[[.]]" + " word" * 1000]).toarray()[0, 0] <= 80


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Mr. Smith", "row 2 has no marked place, and needs one: put"),
        ("Mr[[.]] Smith[[.]]", "row 2 has 2 marked places, and needs one"),
    ],
)
def test_a_text_without_one_place_is_refused(text, message):
    with pytest.raises(DataError, match=message):
        TemplateFeatures(["word"], at="mark").fit(["a[[.]]", text])


def test_rare_columns_are_left_out():
    features = TemplateFeatures(["lower"], min_df=2).fit(["a a b", "a c"])
    assert features.get_feature_names_out().tolist() == ["lower=a"]
    assert features.transform(["a b c"]).toarray().tolist() == [[1.0]]


def test_names_are_hashed_when_asked():
    features = TemplateFeatures(["lower"], n_features=8)
    X = features.fit_transform(["a b c a", "z"])
    assert X.shape == (2, 8)
    assert X.toarray().sum(axis=1).tolist() == [4, 1]
    assert len(features.get_feature_names_out()) == 8


def test_the_sum_of_hashed_columns_is_that_of_the_named_ones():
    texts = ["the cat sat on the mat", "dogs and cats"]
    named, hashed = TemplateFeatures(["lower", "shape"]), TemplateFeatures(["lower", "shape"], n_features=3)
    assert named.fit_transform(texts).sum() == hashed.fit_transform(texts).sum()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"templates": []}, "must hold at least one. Got none"),
        ({"templates": 3}, "The 'templates' parameter of TemplateFeatures must be an instance of"),
        ({"templates": [3]}, r"A template must be a text such as 'lower\[0\]'. Got 3"),
        ({"templates": ["word", "word"]}, "Two templates are called 'word'"),
        ({"templates": ["in(god)"]}, r"template 'in\(god\)', column 4: there is no lexicon 'god'. There are 'good'"),
        ({"templates": ["in(god)"], "lexicons": None}, "there is no lexicon 'god'. There are none: give lexicons=."),
        ({"templates": ["lower["]}, "column 7"),
        ({"at": "place"}, "The 'at' parameter of TemplateFeatures must be a str among"),
        ({"at": "mark", "mark": ("[[", "")}, "The 'mark' parameter of TemplateFeatures must be two texts"),
        ({"min_df": 0}, "The 'min_df' parameter of TemplateFeatures must be an int in the range"),
        ({"n_features": 0}, "The 'n_features' parameter of TemplateFeatures must be an int in the range"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        TemplateFeatures(**({"templates": ["word"], "lexicons": LEXICONS} | settings)).fit(["text"])


def test_places_are_marked_each_in_a_text_of_its_own():
    assert mark_places("a. b.", r"\.") == ["a[[.]] b.", "a. b[[.]]"]
    assert mark_places("none", r"\.") == []
    assert mark_places("x y. z w", r"\.", context=2, mark=("<", ">")) == ["y<.> z"]
    assert mark_places("xyz.zyx", r"\.", context=2) == ["yz[[.]]zy"]
    assert mark_places("a" * 300 + ".", r"\.", context=None)[0] == "a" * 300 + "[[.]]"
    with pytest.raises(ParameterError, match=r"The text holds the mark '\[\[' already"):
        mark_places("a[[.", r"\.")


def test_shapes_and_cases():
    assert [shape_of(word) for word in ["", "ÉCOLE", "iPhone", "3.50", "日本"]] == ["", "X+", "xXx+", "d.d+", "x+"]
    assert [case_of(word) for word in ["É", "École", "ÉCOLE", "日本", "x1", "X1"]] == [
        "upper",
        "title",
        "upper",
        "none",
        "lower",
        "upper",
    ]
