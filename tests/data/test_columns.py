"""Which column is the text, which the label."""

from __future__ import annotations

import pyarrow as pa
import pytest

from assay.data.columns.choosing import choose_columns
from assay.data.reading.read import read
from assay.errors import AssayError, DataError, UnclearColumnError

PROSE = ["a film that takes its time", "dull from beginning to end", "great fun for the whole family"]


def choose(columns, text=None, label=None):
    return choose_columns(pa.table(columns), "r.csv", text, label)


@pytest.mark.parametrize(
    ("columns", "text", "label"),
    [
        ({"text": ["a"], "label": ["x"]}, "text", "label"),
        ({"Text": ["a"], "LABEL": ["x"]}, "Text", "LABEL"),
        ({"label": ["x"], "text": ["a"]}, "text", "label"),
        ({"id": ["1"], "review_text": ["a"], "sentiment": ["x"]}, "review_text", "sentiment"),
        ({"title": ["a"], "body": ["b"], "category": ["x"]}, "body", "category"),
        ({"text": ["a"], "title": ["b"], "class": ["x"], "label": ["y"]}, "text", "label"),
        ({"Class Index": ["1", "2", "1"], "aa": PROSE}, "aa", "Class Index"),
        ({"u": PROSE, "v": ["x", "y", "x"]}, "u", "v"),
        ({"v": ["x", "y", "x"], "u": PROSE}, "u", "v"),
        ({"u": PROSE, "v": [1, 0, 1]}, "u", "v"),
        ({"u": PROSE, "v": [True, False, True]}, "u", "v"),
        ({"u": PROSE, "id": ["1", "2", "3"], "v": ["x", "y", "x"]}, "u", "v"),
        ({"text": PROSE, "stars": [5.0, 1.0, 5.0]}, "text", "stars"),
        ({"text": PROSE, "score": [0.25, 0.5, 0.125]}, "text", "score"),
        ({"text": PROSE, "weight": [0.5, 0.5, 0.5]}, "text", None),
        ({"text": PROSE}, "text", None),
        ({"whatever": PROSE}, "whatever", None),
        ({"text": PROSE, "id": ["1", "2", "3"]}, "text", None),
        ({"text": PROSE, "url": [f"https://example.org/{i}" for i in range(3)]}, "text", None),
    ],
)
def test_columns_are_found_by_name_and_contents(columns, text, label):
    choice = choose(columns)
    assert (choice.text, choice.label) == (text, label)
    assert f"texts are in column {text!r}" in choice.note
    assert (f"labels are in column {label!r}" if label else "there are no labels") in choice.note


def test_what_is_given_is_not_guessed():
    columns = {"text": PROSE, "body": ["b"] * 3, "label": ["x"] * 3, "kind": ["k"] * 3}
    choice = choose(columns, text="body", label="kind")
    assert (choice.text, choice.label, choice.note) == ("body", "kind", None)
    assert choose(columns, label=False).label is None


def test_the_note_says_only_what_was_guessed():
    assert choose({"u": PROSE, "v": ["x", "y", "x"]}, text="u").note == (
        "r.csv: labels are in column 'v' (guessed; text= and label= say otherwise)"
    )


@pytest.mark.parametrize(
    ("columns", "options", "message"),
    [
        (
            {"a": ["x"], "b": ["y"]},
            {},
            "r.csv: it is not clear which column holds the texts. Say text=. The columns are: "
            "'a' (for example 'x'), 'b' (for example 'y').",
        ),
        (
            {"review": PROSE, "comment": PROSE},
            {},
            "r.csv: it is not clear which column holds the texts.",
        ),
        (
            {"text": PROSE, "u": ["x", "y", "x"], "v": ["1", "1", "2"]},
            {},
            "r.csv: it is not clear which column holds the labels; 'u', 'v' could. Say label=, or "
            "label=False. The columns are: 'text' (for example 'a film that takes its time'), ",
        ),
        (
            {"text": PROSE, "label": ["x"] * 3},
            {"text": "txt"},
            "r.csv: there is no column 'txt' for text=. The columns are: 'text' (for example 'a film",
        ),
        (
            {"text": PROSE, "id": [1, 2, 3], "label": ["x"] * 3},
            {"label": "lable"},
            "r.csv: there is no column 'lable' for label=. The columns are: 'label' (for example 'x'), 'text' ",
        ),
        (
            {"text": PROSE, "label": ["x"] * 3},
            {"text": "text", "label": "text"},
            "r.csv: text= and label= both name the column 'text'.",
        ),
        ({"id": [1], "n": [2.5]}, {}, "r.csv: no column holds text. The columns are: 'id' (int64, for example '1')"),
        ({}, {}, "r.csv: no column holds text; there are no columns."),
        ({"id": [1], "text": ["a"]}, {"text": "id"}, "r.csv: column 'id' holds int64, not text."),
    ],
)
def test_what_is_not_clear_is_said_with_the_columns(columns, options, message):
    with pytest.raises(AssayError) as caught:
        choose(columns, **options)
    assert str(caught.value).startswith(message)


def test_many_columns_are_not_all_listed():
    with pytest.raises(UnclearColumnError, match=r" and 88 more\.$"):
        choose({f"c{i}": ["x"] for i in range(100)})


def test_a_name_that_stands_twice_must_be_chosen():
    table = pa.table([["a"], ["b"], ["x"]], names=["text", "text", "label"])
    with pytest.raises(DataError) as caught:
        choose_columns(table, "r.csv", None, None)
    assert str(caught.value) == (
        "r.csv: more than one column is called 'text'. Say which with text= or label=; the columns "
        "are: 'text' (for example 'a'), 'text_2' (for example 'b'), 'label' (for example 'x')."
    )
    assert choose_columns(table, "r.csv", "text_2", None).text == "text_2"


# -- what people call them ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Message", "Category"),
        ("文本", "类别"),
        ("內容", "類別"),
        ("texto", "etiqueta"),
        ("Reseña", "Categoría"),
        ("resena", "CATEGORIA"),
        ("पाठ", "श्रेणी"),
        ("النص", "التصنيف"),
        ("Avaliação", "Rótulo"),
        ("текст", "метка"),
        ("Отзыв", "Категория"),
        ("テキスト", "ラベル"),
        ("ﾚﾋﾞｭｰ", "ﾗﾍﾞﾙ"),
        ("Nachricht", "Kategorie"),
        ("texte", "catégorie"),
        ("TEXTE", "ETIQUETTE"),
        ("testo", "etichetta"),
        ("텍스트", "라벨"),
        ("bericht", "categorie"),
        ("Yorum", "SINIF"),
        ("ulasan", "kelas"),
        ("Review Text", "class_label"),
    ],
)
def test_names_in_many_languages_are_known_whatever_their_case_and_accents(text, label):
    others = {"nr": ["1", "2", "3"], "extra": ["x", "y", "x"]}
    choice = choose({**others, label: ["a", "b", "c"], text: ["o", "p", "q"]})
    assert (choice.text, choice.label) == (text, label)


# -- strong and weak guesses -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        ({"label": ["x", "y", "x"], "category": ["a", "b", "a"]}, "label"),
        ({"category": ["x", "y", "x"], "author": ["a", "b", "a"]}, "category"),
        ({"category": ["x", "y", "x"], "annotation": ["one", "two", "three"]}, "category"),
        ({"stars": ["1", "5", "1"], "id": ["1", "2", "3"]}, "stars"),
        ({"mood": ["up", "down", "up"], "id": ["1", "2", "3"]}, "mood"),
    ],
)
def test_a_strong_guess_is_taken(columns, label):
    assert choose({"text": PROSE, **columns}).label == label


@pytest.mark.parametrize(
    ("columns", "fitting"),
    [
        ({"author": ["x", "y", "x"], "section": ["a", "b", "a"]}, ["author", "section"]),
        ({"stars": ["1", "5", "1"], "country": ["a", "b", "a"]}, ["stars", "country"]),
        ({"category": ["x", "y", "x"], "annotation": ["a", "b", "a"]}, ["category", "annotation"]),
        ({"category": ["x", "y", "x"], "topic": ["a", "b", "a"]}, ["category", "topic"]),
    ],
)
def test_a_weak_guess_of_the_labels_has_to_be_said(columns, fitting):
    with pytest.raises(UnclearColumnError, match="it is not clear which column holds the labels") as caught:
        choose({"text": PROSE, **columns})
    assert caught.value.exit_code == 2
    assert caught.value.parameter == "label"
    assert [name for name, _ in caught.value.columns] == [*fitting, "text"]


def test_a_late_name_for_texts_is_weak_beside_longer_texts():
    with pytest.raises(UnclearColumnError, match=r"holds the texts; 'title', 'remarks' could. Say text=. The columns"):
        choose({"title": ["one", "two", "three"], "remarks": PROSE})
    assert choose({"title": PROSE, "remarks": ["a", "b", "c"]}, label=False).text == "title"
    assert choose({"review": ["one", "two", "three"], "remarks": PROSE}, label=False).text == "review"


def test_a_name_that_was_asked_for_is_found_in_any_case(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("ID, Nachricht ,KATEGORIE\n1,loved it,pos\n2,so dull,neg\n", encoding="utf-8")
    corpus = read(path, text="nachricht", label="Kategorie")
    assert corpus[0] == ("loved it", "pos")
    assert corpus.notes == (f"{path}: took the column ' Nachricht ' for 'nachricht', 'KATEGORIE' for 'Kategorie'",)


def test_a_name_that_is_written_in_two_ways_is_not_guessed(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("Text,TEXT,label\na,b,c\n", encoding="utf-8")
    with pytest.raises(DataError, match="there is no column 'text' for text="):
        read(path, text="text", label="label")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("WIADOMOŚĆ", "Kategoria"),
        ("বার্তা", "শ্রেণি"),
        ("پیغام", "زمرہ"),
        ("پیام", "برچسب"),
        ("Tin nhắn", "NHÃN"),
        ("Comments", "Tags"),
        ("İçerik", "SINIF"),
    ],
)
def test_names_of_further_languages_are_known(text, label):
    choice = choose({"id": ["1", "2"], text: ["a", "b"], "x": ["x", "x"], label: ["y", "y"]})
    assert (choice.text, choice.label) == (text, label)
