"""Tables of decisions that come back: taken as a whole, or refused with the place and the way out."""

from __future__ import annotations

import csv
import json
import os

import pytest

from assay.errors import DataError
from assay.workspace import Workspace
from assay.workspace.taking import take_file


def table(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def text(space: Workspace, row: int) -> str:
    return space.texts[row].text


def test_a_table_is_taken_by_text_or_by_id(tmp_path, space):
    rows = [{"text": text(space, row), "label": "pos"} for row in range(3)] + [{"text": text(space, 3), "label": ""}]
    taken = take_file(space, table(tmp_path / "a.csv", rows), who="ana")
    assert (taken.recorded, taken.changed, taken.known, taken.empty) == (3, 0, 0, 1)
    assert taken.sentences == ["1 row has no label yet"]
    rows = [
        {"id": space.known.id(4)[:23], "label": "neg", "why": "random", "note": "so so", "who": "ben"},
        {"id": space.known.id(0), "label": "neg", "why": "", "note": "", "who": ""},
    ]
    taken = take_file(space, table(tmp_path / "b.csv", rows), who="ana")
    assert (taken.recorded, taken.changed) == (2, 1)
    decision = Workspace(space.folder).decisions[space.known.id(4)]
    assert (decision.label, decision.why, decision.note, decision.stamp.who) == ("neg", "random", "so so", "ben")
    assert space.decisions[space.known.id(0)].before == "pos"


def test_the_same_table_twice_adds_nothing(tmp_path, space):
    path = table(tmp_path / "a.csv", [{"text": text(space, row), "label": "pos"} for row in range(3)])
    take_file(space, path, who="ana")
    before = (space.folder / "labels.jsonl").read_bytes()
    taken = take_file(space, path, who="ana")
    assert (taken.recorded, taken.known, taken.sentences) == (0, 3, ["3 rows say what was decided before"])
    assert (space.folder / "labels.jsonl").read_bytes() == before
    assert take_file(space, path, who="ben").recorded == 3


def test_labels_are_read_as_people_and_spreadsheets_write_them(tmp_path, data):
    space = Workspace.create(tmp_path / "s", [data], labels=["007", "Spam", "+1"])
    written = ["7", " spam", "'+1"]
    rows = [{"text": text(space, row), "label": label} for row, label in enumerate(written)]
    taken = take_file(space, table(tmp_path / "a.csv", rows), who="ana")
    assert [space.label_of(row) for row in range(3)] == ["007", "Spam", "+1"]
    assert taken.read_as == {"7": "007", " spam": "Spam", "'+1": "+1"}


def test_a_spreadsheet_comes_back(tmp_path, space):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["Text ID", "Text", "Label"])
    for row in range(5):
        book.active.append([space.known.id(row), text(space, row), "neg"])
    book.save(tmp_path / "a.xlsx")
    assert take_file(space, str(tmp_path / "a.xlsx"), who="ana").recorded == 5


def test_texts_that_a_spreadsheet_wrote_anew_are_found(tmp_path):
    texts = ["two\nlines", "=1+1", "long " * 8000]
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    space = Workspace.create(tmp_path / "s", [path], labels=["a"])
    rows = [{"text": "two\r\nlines ", "label": "a"}, {"text": "'=1+1", "label": "a"}]
    assert take_file(space, table(tmp_path / "a.csv", rows), who="ana").recorded == 2
    cut = [{"id": space.known.id(2), "text": texts[2][:32767], "label": "a"}]
    assert take_file(space, table(tmp_path / "b.csv", cut), who="ana").recorded == 1


def test_several_labels_a_text_come_back(tmp_path, reviews):
    data = reviews.write(tmp_path / "d.csv", [{"text": name, "topics": "a|b" * (name == "x")} for name in "xyz"])
    space = Workspace.create(tmp_path / "s", [data], label="topics", labels_separator="|")
    rows = [{"text": "x", "label": "b|a"}, {"text": "y", "label": "b"}, {"text": "z", "label": "-"}]
    taken = take_file(space, table(tmp_path / "a.csv", rows), who="ana")
    assert ([space.label_of(row) for row in range(3)], taken.changed) == ([("a", "b"), ("b",), ()], 0)


def test_a_list_of_label_errors_is_taken_by_what_was_corrected(tmp_path, space):
    rows = [
        {"file": "reviews.csv", "row": "2", "text": text(space, 0), "label": "pos", "correct_label": "neg"},
        {"file": "reviews.csv", "row": "3", "text": text(space, 1), "label": "pos", "correct_label": ""},
    ]
    take_file(space, table(tmp_path / "a.csv", rows), who="ana")
    assert [space.label_of(row) for row in range(2)] == ["neg", None]


def test_new_labels_are_refused_with_the_nearest_first_unless_told(tmp_path, space):
    rows = [{"text": text(space, row), "label": label} for row, label in enumerate(["pos", "negg", "negg", "odd"])]
    path = table(tmp_path / "a.csv", rows)
    with pytest.raises(DataError) as error:
        take_file(space, path, who="ana")
    assert str(error.value) == (
        f"{path}, rows 3, 4: there is no label 'negg' in this workspace; nor 'odd'. Labels are 'neg', 'pos'. Write "
        "one of them, or let labels be new with new_labels=True. Nothing was taken."
    )
    assert not Workspace(space.folder).decisions
    taken = take_file(space, path, who="ana", new_labels=True)
    assert (taken.new_labels, space.label_names) == (("negg", "odd"), ("pos", "neg", "negg", "odd"))


def test_the_same_text_with_two_labels_is_refused(tmp_path, space):
    rows = [{"text": text(space, 0), "label": label} for label in ("pos", "pos", "neg")]
    path = table(tmp_path / "a.csv", rows)
    with pytest.raises(DataError) as error:
        take_file(space, path, who="ana")
    assert str(error.value) == (
        f"{path}, rows 2, 4: the same text, 'loved it and loved it, number 0', has two labels: 'pos' and 'neg'. Keep "
        "one of them. Nothing was taken."
    )
    assert not space.decisions


def test_two_people_may_differ_about_a_text(tmp_path, space):
    rows = [{"text": text(space, 0), "label": label, "who": who} for label, who in (("pos", "ana"), ("neg", "ben"))]
    take_file(space, table(tmp_path / "a.csv", rows), who="x")
    assert list(space.conflicts().values()) == [{"ana": "pos", "ben": "neg"}]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [{"text": "nowhere", "label": "pos"}, {"text": "no", "label": "pos"}],
            "row 2: there is no text 'nowhere' in this workspace, and 1 more rows. Take the rows out, or add the texts",
        ),
        ([{"text": "loved it and loved it, number 0", "verdict": "pos"}], "there is no column for what was decided"),
        ([{"words": "loved it", "label": "pos"}], "there is no column that says which texts these are"),
        ([{"id": "sha256:00", "label": "pos"}], "row 2: there is no text 'sha256:00' in this workspace"),
    ],
)
def test_what_does_not_fit_is_said_with_its_row(tmp_path, space, rows, message):
    with pytest.raises(DataError) as error:
        take_file(space, table(tmp_path / "a.csv", rows), who="ana")
    assert message in str(error.value)
    assert not space.decisions


def test_one_column_that_was_sorted_without_the_others_is_noticed(tmp_path, space):
    rows = [{"id": space.known.id(row), "text": text(space, 1 - row), "label": "pos"} for row in range(2)]
    with pytest.raises(DataError, match=r"row 2: the id is that of .*, and the text is .* Was one column sorted"):
        take_file(space, table(tmp_path / "a.csv", rows), who="ana")
    assert not space.decisions


def test_a_list_of_label_errors_of_sets_is_no_table_of_sets(tmp_path, data):
    space = Workspace.create(tmp_path / "s", [data], labels=["a", "b"], task="label-sets")
    rows = [{"text": text(space, 0), "label": "a", "likely_label": "not a", "correct_label": "not a"}]
    with pytest.raises(DataError, match="this list of label errors says one label a row"):
        take_file(space, table(tmp_path / "a.csv", rows), who="ana")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"label": "x" * 1001}, "row 2: a label: 'label' is 1,001 characters long"),
        ({"label": "pos", "who": "w" * 101}, "row 2: who: 'who' is 101 characters long"),
        ({"label": "pos", "note": "n" * 10_001}, "row 2: note: 'note' is 10,001 characters long"),
        ({"label": "pos", "why": "BAD WHY!"}, "row 2: why must be one of"),
    ],
)
def test_what_a_journal_cannot_hold_is_said_with_its_row(tmp_path, space, columns, said):
    row = {"text": text(space, 0), **columns}
    path = tmp_path / "back.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    with pytest.raises(DataError, match="Nothing was taken") as error:
        take_file(space, str(path), who="ana", new_labels=True)
    assert said in str(error.value)
    assert not space.decisions


def test_two_labels_are_not_taken_for_one(tmp_path, space):
    path = tmp_path / "back.jsonl"
    path.write_text(json.dumps({"text": text(space, 0), "label": ["pos", "neg"]}) + "\n")
    with pytest.raises(DataError, match="there are 2 labels, 'pos', 'neg', and a text of this workspace has one"):
        take_file(space, str(path), who="ana")
    assert not space.decisions


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_refused_at_once(tmp_path, space):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for name in (str(pipe), "-"):
        with pytest.raises(DataError, match="can be read only once"):
            take_file(space, name, who="ana")
        with pytest.raises(DataError, match="can be read only once"):
            space.add([name])
    os.mkfifo(space.folder / "labels.jsonl")
    with pytest.raises(DataError, match="labels are kept in a file"):
        Workspace(space.folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"labels": ["pos", "pos"]}, "the 2 labels are not all different"),
        ({"data": [{"path": "a.csv", "sha256": "0", "reading": {"names": [1]}}]}, "all must be texts"),
    ],
)
def test_odd_settings_are_refused(space, change, said):
    path = space.folder / "workspace.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DataError, match=said):
        Workspace(space.folder)
