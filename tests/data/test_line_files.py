"""fastText's lines and plain lines."""

from __future__ import annotations

import pytest

import assay


def rows_of(corpus):
    return [tuple(example) for example in corpus]


def test_fasttext_lines(write):
    corpus = assay.read(
        write("train.txt", b"__label__pos loved it, really\n__label__neg\tdull\r\n__label__a-b_c  x y \n")
    )
    assert rows_of(corpus) == [("loved it, really", "pos"), ("dull", "neg"), ("x y ", "a-b_c")]
    assert corpus.notes == ()


def test_fasttext_lines_are_recognised_whatever_the_name(write):
    assert rows_of(assay.read(write("train.data", b"__label__pos loved it\n"))) == [("loved it", "pos")]


def test_a_label_inside_a_word_is_text(write):
    corpus = assay.read(write("train.txt", b"__label__pos say x__label__y twice\n"))
    assert corpus[0].text == "say x__label__y twice"


def test_a_line_without_a_label(refused, write):
    content = b"__label__a one\n\nno label\n"
    assert refused(content, "train.txt").startswith(
        "train.txt, row 3: column 'label' is missing. Use skip_unlabelled=True"
    )
    assert rows_of(assay.read(write("train.txt", content), skip_unlabelled=True)) == [("one", "a")]


@pytest.mark.parametrize("line", [b"__label__a", b"__label__a  "])
def test_a_label_without_a_text(refused, line):
    assert refused(b"__label__b one\n" + line, "train.txt").startswith("train.txt, row 2: column 'text' is empty.")


def test_a_label_without_a_name(refused):
    assert refused(b"__label__ one\n", "train.txt").startswith("train.txt, row 1: column 'label' is empty.")


def test_plain_lines_are_texts_without_labels(write):
    corpus = assay.read(write("texts.txt", b'\xef\xbb\xbffirst, "and" more\n\nsecond\r\nthird'))
    assert rows_of(corpus) == [('first, "and" more', None), ("second", None), ("third", None)]
    assert corpus.origin.place(1) == "texts.txt, row 3"
    assert corpus.notes == ("1 blank row was left out (texts.txt, row 2)",)


def test_a_txt_file_that_is_a_table_is_read_as_one(write):
    corpus = assay.read(write("texts.txt", b"text\tlabel\na b\tx\nc d\ty\n"))
    assert rows_of(corpus) == [("a b", "x"), ("c d", "y")]


def test_format_lines_takes_any_file_as_lines(write):
    corpus = assay.read(write("texts.csv", b"text,label\na,x\n"), format="lines")
    assert corpus.texts.to_pylist() == ["text,label", "a,x"]


def test_an_empty_file_of_lines(refused):
    assert refused(b"", "texts.txt", format="lines") == (
        "texts.txt: the file is empty. It should hold one text a line."
    )


def test_a_file_of_blank_lines(refused):
    assert refused(b"\n" * 100, "texts.txt").startswith("texts.txt: no rows are left to work with. 100 blank rows were")


def test_a_nul_byte_in_a_line(refused):
    assert refused(b"a\nb\0c\n", "texts.txt").startswith("texts.txt, row 2: column 'text' holds a NUL byte")


def test_a_bad_byte_in_a_line(refused):
    assert refused(b"a\nb\xff\n", "texts.txt").startswith("texts.txt, row 2: column 'text' has byte 0xFF after 'b'")
