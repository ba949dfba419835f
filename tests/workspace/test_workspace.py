"""A workspace in Python: what is decided, taken back, renamed, trained on and measured by."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from assay.errors import DataError, ParameterError
from assay.workspace import Given, Workspace


def labels(space: Workspace) -> dict[str, object]:
    """Text → label, of all that have one."""
    found = ((space.texts[row].text, space.label_of(row)) for row in range(len(space.texts)))
    return {text: label for text, label in found if label is not None}


def test_a_decision_is_on_the_disk_and_seen_by_others(space):
    other = Workspace(space.folder)
    space.record("loved it and loved it, number 0", "pos", who="Ana Ünlü", why="uncertain", note="clear\n“case”")
    other.refresh()
    (decision,) = other.decisions.values()
    assert (decision.label, decision.before, decision.why, decision.note) == ("pos", None, "uncertain", "clear\n“case”")
    (line,) = (json.loads(line) for line in (space.folder / "labels.jsonl").read_text("utf-8").splitlines())
    assert line | {"id": "", "time": ""} == {
        "id": "",
        "time": "",
        "who": "Ana Ünlü",
        "do": "label",
        "text": space.known.id(0),
        "label": "pos",
        "before": None,
        "why": "uncertain",
        "note": "clear\n“case”",
    }
    assert line["time"].endswith("Z")


def test_copies_share_a_decision(tmp_path, reviews):
    data = [reviews.write(tmp_path / f"{name}.csv", [{"text": "again"}, {"text": f"only {name}"}]) for name in "ab"]
    space = Workspace.create(tmp_path / "space", data, labels=["x", "y"])
    assert (len(space.texts), space.known.rows) == (3, 4)
    space.record("again", "x", who="ana")
    assert labels(space) == {"again": "x"}
    assert space.texts.origin.place(2).endswith("b.csv, row 3")


def test_undo_goes_back_to_the_first(space):
    for row, label in [(0, "pos"), (0, "neg"), (1, "pos")]:
        space.record(row, label, who="ana")
    space.record(2, "pos", who="ben")
    space.pass_over(3, who="ana")
    undone = [space.undo("ana") for _ in range(5)]
    assert [getattr(line, "label", line and line.do) for line in undone] == ["pass", "pos", "neg", "pos", None]
    assert [decision.stamp.who for decision in space.decisions.values()] == ["ben"]
    assert len(Workspace(space.folder).decisions) == 1
    assert len((space.folder / "labels.jsonl").read_text().splitlines()) == 9  # nothing was taken out


def test_what_was_before_stands_in_the_line(tmp_path, reviews):
    data = reviews.write(tmp_path / "d.csv", [{"text": "one", "label": "a"}, {"text": "two", "label": "b"}])
    space = Workspace.create(tmp_path / "space", [data])
    assert [space.record("one", label, who="ana").before for label in ("b", "a")] == ["a", "b"]


def test_decisions_win_over_the_labels_of_the_data(tmp_path, reviews):
    rows = [{"text": text, "label": reviews.truth(text) if n < 20 else ""} for n, text in enumerate(reviews.texts(30))]
    space = Workspace.create(tmp_path / "space", [reviews.write(tmp_path / "d.csv", rows)])
    assert (len(space.labelled()), len(space.unlabelled())) == (20, 10)
    space.record(0, "neg", who="ana")
    space.record(1, "neg", who="ana")
    space.record(25, "neg", who="ana")
    corpus = space.labelled()
    assert len(corpus) == 21
    assert dict(corpus)[space.texts[0].text] == "neg"
    assert corpus.changes["decisions"] == {
        "workspace": "space",
        "decided": 3,
        "replaced": 1,
        "from_data": 20,
        "kept_aside": 0,
        "near_copies": 0,
        "elsewhere": 0,
    }
    assert corpus.notes[-1] == (
        "space: 3 labels were decided here, 1 of them in the place of another one; 20 came with the data"
    )


def test_texts_that_are_measured_by_never_train(space, decide):
    aside = decide(space, 12)
    decide(space, 30, why="uncertain")
    measured = space.measuring()
    assert sorted(measured.texts.to_pylist()) == sorted(space.texts[row].text for row in aside)
    assert not set(measured.texts.to_pylist()) & set(space.labelled().texts.to_pylist())
    assert set(aside) <= set(space.reserved().tolist())


def test_a_text_that_was_shown_for_another_reason_first_is_not_measured_by(space):
    space.record(0, "pos", who="ana", why="uncertain")
    space.record(0, "neg", who="ben", why="random")
    space.record(1, "neg", who="ben", why="random")
    assert space.measuring().texts.to_pylist() == [space.texts[1].text]
    assert space.labelled().texts.to_pylist() == [space.texts[0].text]


def test_near_copies_of_what_is_measured_by_do_not_train(tmp_path, reviews):
    long = "the parcel came a week late and nobody answered my letters about it"
    rows = [{"text": long}, {"text": long.upper()}, {"text": "thanks for everything, it was a pleasure"}]
    space = Workspace.create(tmp_path / "space", [reviews.write(tmp_path / "d.csv", rows)], labels=["a", "b"])
    space.record(0, "a", who="ana", why="random")
    space.record(1, "a", who="ana")
    space.record(2, "b", who="ana")
    assert space.labelled().texts.to_pylist() == [rows[2]["text"]]
    assert space.labelled().notes[-1] == ("1 text is kept aside to measure by, and so 1 near-copy is left out")


def test_which_texts_are_kept_aside_does_not_depend_on_what_is_added(tmp_path, space, reviews):
    before = {space.known.id(row) for row in space.reserved()}
    assert 4 <= len(before) <= 24  # of 60 texts, a fifth
    space.add([reviews.write(tmp_path / "more.csv", [{"text": text} for text in reviews.texts(200)[60:]])])
    after = [space.known.id(row) for row in space.reserved()]
    assert before == set(after) & {space.known.id(row) for row in range(60)}


def test_people_who_differ_are_shown_and_the_latest_counts(space):
    space.record(0, "pos", who="ana")
    space.record(1, "pos", who="ana")
    space.record(0, "neg", who="ben")
    space.record(1, "pos", who="ben")
    assert space.conflicts() == {space.known.id(0): {"ana": "pos", "ben": "neg"}}
    assert space.label_of(0) == "neg"
    assert space.coders == ("ana", "ben")


def test_a_label_is_renamed_everywhere_and_merged_when_asked(tmp_path, reviews):
    rows = [{"text": "one", "label": "spam"}, {"text": "two", "label": "ham"}, {"text": "three", "label": ""}]
    space = Workspace.create(tmp_path / "space", [reviews.write(tmp_path / "d.csv", rows)])
    space.record("three", "spam", who="ana")
    space.rename_label("spam", "junk", who="ana")
    assert labels(space) == {"one": "junk", "two": "ham", "three": "junk"}
    with pytest.raises(ParameterError) as error:
        space.rename_label("junk", "ham", who="ana")
    assert str(error.value) == (
        "There is a label 'ham' already. Use merge=True to make the two one, or give another name."
    )
    space.rename_label("junk", "ham", who="ana", merge=True)
    again = Workspace(space.folder)
    assert (again.label_names, set(labels(again).values())) == (("ham",), {"ham"})
    again.add_label("spam", who="ana")  # a new label of an old name
    again.record("three", "spam", who="ana")
    assert labels(again) == {"one": "ham", "two": "ham", "three": "spam"}


def test_several_labels_a_text(tmp_path, reviews):
    rows = [{"text": "one", "topics": "city|sport"}, {"text": "two", "topics": ""}, {"text": "three", "topics": ""}]
    data = reviews.write(tmp_path / "d.csv", rows)
    space = Workspace.create(tmp_path / "space", [data], label="topics", labels_separator="|")
    assert (space.task, space.label_names) == ("label-sets", ("city", "sport"))
    assert len(space.unlabelled()) == 2
    space.record("two", ["sport", "city"], who="ana")
    space.record("three", [], who="ben")
    space.record("three", "sport", who="cem")
    again = Workspace(space.folder)
    assert labels(again) == {"one": ("city", "sport"), "two": ("city", "sport"), "three": ("sport",)}
    assert again.conflicts() == {again.known.id(2): {"ben": (), "cem": ("sport",)}}
    corpus = again.labelled()
    assert (corpus.task, corpus.label_sets.sizes.tolist()) == ("label-sets", [2, 2, 1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda s: s.record(0, "poss", who="a"),
            "There is no label 'poss' in this workspace: labels are 'pos', 'neg'.",
        ),
        (lambda s: s.record(0, ["pos"], who="a"), "label must be one label: a text has one in this workspace."),
        (lambda s: s.record("nowhere", "pos", who="a"), "there is no text 'nowhere' in this workspace."),
        (lambda s: s.record(60, "pos", who="a"), "text must be a row from 0 to 59. Got 60 instead."),
        (lambda s: s.record(0, "pos", who=" "), "who must be a name of a person, on one line. Got ' ' instead."),
        (lambda s: s.record(0, "pos", who="a\nb"), "who must be a name of a person, on one line."),
        (lambda s: s.record(0, "pos", who="a", why="Just so"), "why must be one of 'random', 'uncertain', "),
        (lambda s: s.record(0, "pos", who="a", note="n" * 10_001), "'note' is 10,001 characters long, and 10,000"),
        (lambda s: s.add_label("", who="a"), "a label must be a text that is not empty. Got '' instead."),
        (lambda s: s.add_label("\ud800", who="a"), "which cannot be written as UTF-8"),
        (lambda s: s.rename_label("x", "y", who="a"), "There is no label 'x' in this workspace"),
        (lambda s: s.rename_label("pos", "pos", who="a"), "'pos' is what the label is called already."),
        (lambda s: s.labelled(), "there is nothing to train on yet: no text has a label. 'assay label"),
        (lambda s: s.add([], text_column="x"), "There is no setting 'text_column' of reading that a workspace keeps."),
        (lambda s: s.add(["-"]), "standard input can be read only once"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(space, call, message):
    with pytest.raises((DataError, ParameterError)) as error:
        call(space)
    assert message in str(error.value)
    assert not Workspace(space.folder)._lines


@pytest.mark.parametrize("label", ["日本語", "عربى", "a b", "007", "+1", "q", "\u202eevil", "emoji 👩‍🚀", "tab\there"])
def test_labels_of_any_script_come_back_as_they_are(tmp_path, data, label):
    space = Workspace.create(tmp_path / "space", [data], labels=[label, "other"])
    space.record(0, label, who="عربى")
    again = Workspace(space.folder)
    assert (again.label_of(0), again.coders) == (label, ("عربى",))


def test_hostile_texts_are_kept_as_they_are(tmp_path):
    hostile = ["\x1b[31mred\x07", "\u202edesrever", "x" * 5_000_000, "a\nb\r\nc", "=1+1", "\U0001f469\u200d\U0001f680"]
    path = tmp_path / "d.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in [*hostile, "nul \x00 here"]), "utf-8")
    space = Workspace.create(tmp_path / "space", [path], labels=["a", "b"])
    for row in range(len(space.texts)):
        space.record(row, "a", who="ana")
    again = Workspace(space.folder)
    assert len(again.labelled()) == 7
    assert again.labelled().texts.to_pylist()[:6] == hostile
    assert (space.folder / "labels.jsonl").stat().st_size < 3000


def test_a_file_of_decisions_is_taken_whole_or_not_at_all(space):
    good = [Given(space.texts[row].text, "pos") for row in range(5)]
    with pytest.raises(ParameterError, match="There is no label 'new'"):
        space.record_file([*good, Given(space.texts[5].text, "new")], who="ana", file="x.csv", sha256="00")
    assert not space.decisions
    space.record_file(
        [*good, Given(space.texts[5].text, "new")], who="ana", file="x.csv", sha256="00", new_labels=["new"]
    )
    assert (len(space.decisions), space.label_names) == (6, ("pos", "neg", "new"))
    path = space.folder / "labels.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    cut = Workspace(space.folder)
    assert (len(cut.decisions), cut.label_names) == (0, ("pos", "neg"))
    path.write_bytes(whole)
    assert Workspace(space.folder).undo("ana").file == "x.csv"
    assert not Workspace(space.folder).decisions


def test_a_file_that_is_gone_is_said_and_found_again_at_another_place(tmp_path, data, space):
    space.record(0, "pos", who="ana")
    moved = tmp_path / "elsewhere.csv"
    data.rename(moved)
    with pytest.raises(DataError) as error:
        _ = Workspace(space.folder).texts
    assert str(error.value) == (
        f"{data}: this file of the workspace is not there any more. Put it back, or say where it is: 'assay workspace "
        f"add {space.folder} FILE'. Labels belong to texts, not to files: none is lost."
    )
    space.add([moved])
    assert [source.path for source in space.settings.data] == ["../elsewhere.csv"]
    assert labels(Workspace(space.folder)) == {space.texts[0].text: "pos"}


def test_a_file_that_has_changed_is_said_and_taken_as_it_is_now(data, space, reviews):
    space.record(0, "pos", who="ana")
    space.record(1, "neg", who="ana")
    rows = [{"text": "new"}, {"text": space.texts[1].text}]
    reviews.write(data, rows)
    with pytest.raises(DataError, match=r"the file has changed since it was added to the workspace\. Put it back"):
        _ = Workspace(space.folder).texts
    space.add([data])
    assert labels(space) == {rows[1]["text"]: "neg"}
    assert space.labelled().changes["decisions"]["elsewhere"] == 1
    assert space.labelled().notes[-1] == "1 decision is about texts that the data does not have now"


def test_data_within_the_folder_moves_with_it(tmp_path, data):
    space = Workspace.create(tmp_path / "space", [data], labels=["pos", "neg"], copy=True)
    space.record(0, "pos", who="ana")
    assert [source.path for source in space.settings.data] == ["data/reviews.csv"]
    shutil.move(space.folder, tmp_path / "deep")
    data.unlink()
    assert labels(Workspace(tmp_path / "deep")) == {space.texts[0].text: "pos"}


def test_another_file_of_the_same_name_is_not_copied_over(tmp_path, data, reviews):
    space = Workspace.create(tmp_path / "space", [data], labels=["pos", "neg"], copy=True)
    reviews.write(data, [{"text": "other"}])
    with pytest.raises(DataError, match="there is another file of this name in the workspace"):
        space.add([data], copy=True)
    assert len(space.texts) == 60


def test_a_newer_format_is_refused_in_words(space):
    path = space.folder / "workspace.json"
    path.write_text(path.read_text().replace('"version": 1', '"version": 2'))
    with pytest.raises(DataError) as error:
        Workspace(space.folder)
    assert str(error.value) == (
        f"{space.folder}: this workspace is of format 2, and this assay knows format 1. It was made by a newer assay: "
        "install that."
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "this is no JSON"),
        ("[]", "its 'format' is not 'assay-workspace'"),
        ('{"format": "assay-workspace"}', "'version' is missing. Put it right in an editor, or fetch a copy; labels"),
        ('{"format": "assay-workspace", "version": 1, "measure": 0.2, "data": [{}]}', "data 1: 'path' is missing"),
        ("[" * 100_000, "this is no JSON"),
    ],
)
def test_settings_that_are_none_are_refused(space, content, message):
    (space.folder / "workspace.json").write_text(content)
    with pytest.raises(DataError) as error:
        Workspace(space.folder)
    assert message in str(error.value)


def test_what_is_no_workspace_says_how_to_make_one(tmp_path):
    with pytest.raises(DataError) as error:
        Workspace(tmp_path)
    assert str(error.value) == (
        f"{tmp_path}: this is no workspace: there is no workspace.json in it. 'assay workspace init {tmp_path} DATA' "
        "makes one."
    )


def test_a_workspace_is_not_made_twice(space, data):
    with pytest.raises(ParameterError, match=r"this is a workspace already\. 'assay workspace add"):
        Workspace.create(space.folder, [data])


def test_nothing_is_made_where_the_data_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        Workspace.create(tmp_path / "space", [tmp_path / "nothing.csv"])
    assert not (tmp_path / "space").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"do": "label"}, "line 1: 'text' is missing, where a text is needed. A newer assay may know it"),
        ({"do": "dance"}, "line 1: 'do' is 'dance', which is none of 'label', 'pass', 'undo'"),
        ({"do": "label", "text": "sha256:00"}, "'text' is 'sha256:00', which is no digest of a text"),
        ({"do": "undo", "undoes": 3}, "'undoes' is 3, where a text is needed"),
        ({"do": "undo", "undoes": "x", "who": None}, "'who' is None, where a text is needed"),
        ({"do": "file", "file": "x", "sha256": "x", "lines": -1}, "'lines' is -1, which is no number of lines"),
    ],
)
def test_a_line_that_says_nothing_known_is_refused_with_its_place(space, line, message):
    stamp = {"id": "1", "time": "2026-01-01T00:00:00Z", "who": "ana"}
    (space.folder / "labels.jsonl").write_text(json.dumps(stamp | line) + "\n")
    with pytest.raises(DataError) as error:
        Workspace(space.folder)
    assert message in str(error.value)


def test_lines_that_were_joined_from_two_places_count_once(tmp_path, space):
    """As git merges two branches of a workspace, to which both added lines."""
    path = space.folder / "labels.jsonl"
    space.record(0, "pos", who="ana")
    common = path.read_bytes()
    space.record(1, "neg", who="ana")
    ours = path.read_bytes()
    path.write_bytes(common)
    other = Workspace(space.folder)
    other.record(2, "pos", who="ben")
    other.undo("ben")
    other.record(3, "pos", who="ben")
    path.write_bytes(ours + path.read_bytes()[len(common) :] + common)
    joined = Workspace(space.folder)
    assert {row for row in range(60) if joined.label_of(row)} == {0, 1, 3}


def test_training_leaves_a_model_and_what_it_is_worth(space, decide):
    decide(space, 10)
    decide(space, 40, who="ben", why="uncertain")
    path = space.train(quick=True)
    assert path == space.folder / "models" / "0001.assay" == space.newest_model
    record = json.loads((space.folder / "runs" / "0001.json").read_text())
    assert (record["model"], record["texts"], record["measured"]["texts"]) == ("models/0001.assay", 40, 10)
    assert space.since(path) == 0
    decide(space, 2, who="ben", why="diverse")
    assert space.since(path) == 2
    assert space.train(quick=True).name == "0002.assay"


def test_status_says_how_far_it_is(space, decide):
    assert space.status().next_step == (
        f"'assay label {space.folder}' asks for labels; a model needs texts of two of them at least."
    )
    aside = decide(space, 10)
    rest = decide(space, 30, who="ben", why="uncertain")
    space.record(rest[0], {"pos": "neg", "neg": "pos"}[space.label_of(rest[0])], who="cem")
    space.train(quick=True)
    status = space.status()
    assert (status.texts, status.decided, status.unlabelled, status.conflicts, status.kept_aside) == (60, 40, 20, 1, 10)
    assert [(coder.who, coder.texts) for coder in status.coders] == [("ana", 10), ("ben", 30), ("cem", 1)]
    assert sum(count.decided for count in status.labels) == 40
    assert status.measured.texts == len(aside)
    assert 0 <= status.measured.low <= status.measured.value <= status.measured.high <= 1
    assert json.loads(json.dumps(status.to_dict()))["measured"]["metric"] == "accuracy"
    assert np.isclose(status.to_dict()["measured"]["value"], status.measured.value, atol=1e-6)  # written to 6 places


def test_next_leaves_out_what_is_decided_and_measures_by_chance_alone(space, decide):
    decide(space, 5)
    rest = decide(space, 20, who="ben", why="uncertain")
    space.pass_over(55, who="ana")
    picks = space.next(20, who="ana")
    rows = {pick.row for pick in picks if pick.why != "suspect"}
    assert rows
    assert not rows & {*rest, 55}
    assert {pick.row for pick in picks if pick.why == "random"} == rows & set(space.reserved().tolist())
    assert not {pick.row for pick in picks} & {space.known.row(id) for id in space.decisions_by("ana")}


def test_a_suspect_that_somebody_looked_at_is_left_at_peace(tmp_path, reviews):
    rows = [{"text": text, "label": reviews.truth(text)} for text in reviews.texts(60)]
    rows[7]["label"] = "pos"
    space = Workspace.create(tmp_path / "space", [reviews.write(tmp_path / "d.csv", rows)], measure=0)
    suspects = [pick for pick in space.next(20) if pick.why == "suspect"]
    assert 7 in [pick.row for pick in suspects]
    space.record(7, "pos", who="ana", why="suspect")
    assert 7 not in [pick.row for pick in space.next(20)]
