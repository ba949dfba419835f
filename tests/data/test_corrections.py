"""Lists of corrected labels, as they come back from a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

import assay
from assay.data.reading.corrections import COLUMNS, Corrections, text_digest
from assay.errors import DataError

TEXTS = ["win money", 'lunch,\n"at noon"', "=free offer", "dinner"]
LABELS = ["spam", "spam", "ham", "ham"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "mail.csv"
    written = io.StringIO()
    csv.writer(written).writerows([("text", "label"), *zip(TEXTS, LABELS, strict=True)])
    path.write_text(written.getvalue(), encoding="utf-8", newline="")
    return path


def listed(folder: Path, *rows: dict[str, str], delimiter: str = ",", columns: tuple[str, ...] = COLUMNS) -> Path:
    """A list with these rows, the digests filled in."""
    path = folder / "errors.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, columns, delimiter=delimiter, extrasaction="ignore")
        writer.writeheader()
        writer.writerows([{"text_sha256": text_digest(row["text"]), **row} for row in rows])
    return path


def row(number: int, correct: str, **changed: str) -> dict[str, str]:
    here = {"file": "mail.csv", "row": str(number + 1), "text": TEXTS[number - 1], "label": LABELS[number - 1]}
    return {**here, "likely_label": "", "correct_label": correct, **changed}


def test_labels_are_corrected_texts_left_out_and_empty_decisions_change_nothing(data: Path) -> None:
    path = listed(data.parent, row(2, "ham"), row(3, "-"), row(4, ""), row(1, "spam"))
    corpus = Corrections(path).apply(assay.read(data))
    assert list(corpus) == [("win money", "spam"), (TEXTS[1], "ham"), ("dinner", "ham")]
    assert corpus.notes[-1] == "1 label was corrected and 1 text was left out, as errors.csv says"
    done = corpus.changes["corrections"]
    assert (done["file"], done["corrected"], done["left_out"], len(done["sha256"])) == ("errors.csv", 1, 1, 64)


def test_a_list_that_went_through_excel_is_read(data: Path) -> None:
    mangled = row(2, "ham", text=TEXTS[1].replace("\n", "\r\n"), text_sha256=text_digest(TEXTS[1]), row="3.0")
    order = ("correct_label", "remarks", *COLUMNS[:5], "text_sha256")
    path = listed(data.parent, row(4, ""), mangled, delimiter=";", columns=order)
    assert Corrections(path).apply(assay.read(data))[1].label == "ham"


def test_without_the_digest_the_text_itself_is_compared(data: Path) -> None:
    path = listed(data.parent, row(2, "ham", text=TEXTS[1].replace("\n", "\r\n")), columns=COLUMNS[:6])
    assert Corrections(path).apply(assay.read(data))[1].label == "ham"


def test_a_file_is_found_from_another_folder_and_others_are_passed_over(data: Path) -> None:
    path = listed(data.parent, row(2, "ham", file="C:\\data\\mail.csv"), row(1, "ham", file="other.csv"))
    assert [label for _, label in Corrections(path).apply(assay.read(data))] == ["spam", "ham", "ham", "ham"]


def test_a_folder_of_texts_is_corrected_by_file(tmp_path: Path) -> None:
    for label, text in (("spam", "win"), ("ham", "lunch"), ("ham", "money")):
        (tmp_path / "mail" / label).mkdir(parents=True, exist_ok=True)
        (tmp_path / "mail" / label / f"{text}.txt").write_text(text, encoding="utf-8")
    corpus = assay.read(tmp_path / "mail")
    where = corpus.origin.files_of_rows()[corpus.texts.to_pylist().index("money")]
    path = listed(tmp_path, row(1, "spam", file=where, row="", text="money", label="ham"))
    assert dict(Corrections(path).apply(corpus))["money"] == "spam"


def test_what_was_put_right_in_the_data_itself_is_right_already(data: Path) -> None:
    path = listed(data.parent, row(2, "ham"))
    data.write_text(data.read_text("utf-8").replace('""at noon""",spam', '""at noon""",ham'), encoding="utf-8")
    corpus = Corrections(path).apply(assay.read(data))
    assert (corpus[1].label, corpus.changes["corrections"]["corrected"]) == ("ham", 0)


def test_merged_spellings_are_corrected_in_the_spelling_that_was_kept(data: Path) -> None:
    corpus = assay.read((TEXTS, ["spam", "Spam", "ham", "spam"]), merge_labels=True)
    path = listed(data.parent, row(3, "Spam", file="list", row="3", label="ham"))
    assert Corrections(path).apply(corpus)[2].label == "spam"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"text": "lunch tomorrow"},
            "errors.csv, row 2: the data has changed since the list was made: mail.csv, row 3",
        ),
        ({"row": "99"}, "errors.csv, row 2: there is no labelled text at mail.csv, row 99 in the data"),
        ({"row": "third"}, "errors.csv, row 2: the column 'row' holds 'third', which is no number of a row"),
        (
            {"correct_label": "hma"},
            "no text of the data has the label 'hma' that 'correct_label' says. Labels there are",
        ),
        ({"label": "other"}, "the label at mail.csv, row 3 is now 'spam', and was 'other'"),
    ],
)
def test_a_row_that_does_not_fit_the_data_is_refused(data: Path, changed: dict[str, str], message: str) -> None:
    path = listed(data.parent, row(2, "ham") | changed)
    with pytest.raises(DataError) as caught:
        Corrections(path).apply(assay.read(data))
    assert message in str(caught.value)


def test_a_list_about_other_files_is_refused(data: Path) -> None:
    path = listed(data.parent, row(2, "ham", file="test.csv"))
    with pytest.raises(DataError, match=r"row 2: it is about 'test\.csv', which is not among the data: "):
        Corrections(path).require_files([assay.read(data)])


def test_a_file_that_is_no_list_is_refused(data: Path) -> None:
    with pytest.raises(DataError, match="has no column 'file', 'row', 'correct_label'"):
        Corrections(data)


def test_train_takes_corrections(data: Path) -> None:
    path = listed(data.parent, row(2, "ham"))
    model = assay.train(assay.read(data), learner="nb", ngrams="1", corrections=path)
    assert model.provenance["data"]["classes"] == {"ham": 3, "spam": 1}
    assert model.provenance["data"]["corrections"]["corrected"] == 1


def test_labels_that_a_spreadsheet_wrote_anew_are_read_as_what_they_were(data: Path) -> None:
    corpus = assay.read((TEXTS, ["007", "+1", "007", "yes"]))
    rows = [
        row(1, " 1", file="list", row="1", label="7"),
        row(2, "7,0", file="list", row="2,0", label="1"),
        row(3, "YES ", file="list", row="3", label="7.0"),
    ]
    corrected = Corrections(listed(data.parent, *rows)).apply(corpus)
    assert [label for _, label in corrected] == ["+1", "007", "yes", "yes"]
    assert corrected.notes[-1] == (
        "3 labels were corrected, as errors.csv says (' 1' is read as '+1', '7,0' is read as '007', 'YES ' is read "
        "as 'yes')"
    )


def test_names_of_columns_count_in_any_case(data: Path) -> None:
    titled = {name.title(): value for name, value in row(2, "ham").items()}
    path = listed(data.parent, {"text": "", **titled}, columns=[name.title() for name in COLUMNS])
    assert Corrections(path).apply(assay.read(data))[1].label == "ham"


def test_two_decisions_about_one_text_are_refused(data: Path) -> None:
    path = listed(data.parent, row(2, "ham"), row(2, "ham "), row(2, "-"))
    with pytest.raises(
        DataError, match=r"row 4: 'correct_label' says '-' of mail.csv, row 3, and 'ham' in .*, row 2\."
    ):
        Corrections(path)


@pytest.mark.parametrize("number", ["2.7", "1e400", "inf", "-3", "9" * 5000])
def test_what_is_no_number_of_a_row_is_said(data: Path, number: str) -> None:
    with pytest.raises(DataError, match=r"row 2: the column 'row' holds .*, which is no number of a row"):
        Corrections(listed(data.parent, row(2, "ham", row=number)))


def of_sets(folder: Path, *decisions: tuple[int, str, str]) -> Corrections:
    """A list for `read_sets`: number of a text, what the row is about, and what was decided."""
    return Corrections(listed(folder, *(row(number, correct, label=label) for number, label, correct in decisions)))


@pytest.fixture
def sets(data: Path) -> assay.Corpus:
    data.write_text(data.read_text(encoding="utf-8").replace(",spam", ",spam|money", 1), encoding="utf-8")
    return assay.read(data, labels_separator="|")


def test_a_list_of_sets_decides_about_one_label_in_each_row(data: Path, sets: assay.Corpus) -> None:
    decided = (
        (1, "money", "not money"),
        (1, "not ham", "Ham "),
        (2, "spam", ""),
        (3, "ham", "-"),
        (4, "not spam", "not  spam"),
    )
    found = of_sets(data.parent, *decided).apply(sets)
    assert [set(label or ()) for _, label in found] == [{"spam", "ham"}, {"spam"}, {"ham"}]
    assert found.notes[-1] == (
        "2 labels were corrected and 1 text was left out, as errors.csv says ('Ham ' is read as 'ham', 'not  spam' is "
        "read as 'not spam')"
    )


@pytest.mark.parametrize("correct", ["ham", "not ham", "neither", "not"])
def test_a_row_of_a_list_of_sets_decides_about_its_own_label_only(data: Path, sets: assay.Corpus, correct: str) -> None:
    with pytest.raises(DataError) as error:
        of_sets(data.parent, (1, "money", correct)).apply(sets)
    assert str(error.value).endswith(
        f"row 2: 'correct_label' says '{correct}', and the row is about one label of a set: write 'money' if the text "
        "has it, 'not money' if not, or '-' to leave the text out."
    )


def test_a_row_about_a_label_that_there_is_not_is_refused(data: Path, sets: assay.Corpus) -> None:
    with pytest.raises(DataError, match="no text of the data has the label 'eggs', which this row is about"):
        of_sets(data.parent, (1, "not eggs", "eggs")).apply(sets)


def test_two_decisions_about_one_label_of_a_set_are_refused(data: Path) -> None:
    with pytest.raises(DataError, match=r"row 3: 'correct_label' says 'not money' of mail.csv, row 2, and 'money' in "):
        of_sets(data.parent, (1, "money", "money"), (1, "not money", "not money"))


def test_a_label_that_reads_like_the_absence_of_another_is_refused(data: Path, sets: assay.Corpus) -> None:
    twins = sets.with_label_sets(sets.label_sets, ("spam", "not spam", "ham"), changes={})
    with pytest.raises(
        DataError, match="'not spam' says that a text lacks 'spam', and the data has a label 'not spam'"
    ):
        of_sets(data.parent, (1, "spam", "not spam")).apply(twins)
