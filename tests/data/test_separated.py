"""CSV and TSV: what is read, which row is named, what is refused."""

from __future__ import annotations

import csv
import io

import pytest

import assay
from assay.data.formats import separated
from assay.errors import DataError, ParameterError


def rows_of(corpus):
    return [tuple(example) for example in corpus]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"text,label\na,x\nb,y\n", [("a", "x"), ("b", "y")]),
        (b"text,label\na,x\nb,y", [("a", "x"), ("b", "y")]),
        (b"text,label\r\na,x\r\nb,y\r\n", [("a", "x"), ("b", "y")]),
        (b"text,label\ra,x\rb,y\r", [("a", "x"), ("b", "y")]),
        (b"text,label\ra,x\rb,y", [("a", "x"), ("b", "y")]),
        (b"\xef\xbb\xbftext,label\na,x\nb,y\n", [("a", "x"), ("b", "y")]),
        (b'\xef\xbb\xbf"text","label"\n"a","x"\nb,y\n', [("a", "x"), ("b", "y")]),
        (b'text,label\n"a\nb",x\n"c\r\nd",y\n', [("a\nb", "x"), ("c\r\nd", "y")]),
        (b'text,label\n"a\rb",x\nc,y\n', [("a\rb", "x"), ("c", "y")]),
        (b'text,label\n"say ""hi""",x\n"""",y\n', [('say "hi"', "x"), ('"', "y")]),
        (b'text,label\n"a,b",x\n",",y\n', [("a,b", "x"), (",", "y")]),
        (b'text,label\nfive" tall,x\na "b" c,y\n', [('five" tall', "x"), ('a "b" c', "y")]),
        (b"text,label\n  a  , x \nb,y\n", [("  a  ", " x "), ("b", "y")]),
        (b"text,label,\na,x,\nb,y,\n", [("a", "x"), ("b", "y")]),
        (b'"text","label"\n"a","x"\n', [("a", "x")]),
        (b'text,label\n"\n\n\n",x\nb,y\n', [("\n\n\n", "x"), ("b", "y")]),
        (b'text,label\n"a\n,b\n""c""\n",x\n', [('a\n,b\n"c"\n', "x")]),
        ("text,label\nżółć,ja\n日本語,nein\n".encode(), [("żółć", "ja"), ("日本語", "nein")]),
        ('text,label\n"emoji 🤷🏽‍♀️",x\n'.encode(), [("emoji 🤷🏽‍♀️", "x")]),
        ("text,label\na\u2028b\u0085c,x\n".encode(), [("a\u2028b\u0085c", "x")]),
        (b'te"xt,label\na,x\n', None),
    ],
)
def test_values_come_out_as_rfc_4180_has_them(write, content, expected):
    name = write("reviews.csv", content)
    if expected is None:
        assert rows_of(assay.read(name, text='te"xt')) == [("a", "x")]
    else:
        assert rows_of(assay.read(name)) == expected


@pytest.mark.parametrize("value", ["1", "007", "1.50", "true", "NA", "null", "None", "nan", "#N/A", "-", "1e5", "  "])
def test_labels_are_taken_as_they_stand(write, value):
    corpus = assay.read(write("reviews.csv", f"text,label\na,{value}\nNA,x\n".encode()))
    assert corpus.label_names == (value, "x")
    assert corpus.texts.to_pylist() == ["a", "NA"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_though_others_stand_in_the_texts(write, delimiter):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(["id", "text", "label"])
    for i in range(50):
        writer.writerow([i, f"one, two; three\tfour | five {i}, {i}; and 'so on'", "ab"[i % 2]])
    corpus = assay.read(write("reviews.csv", out.getvalue().encode()))
    assert corpus.columns == ("id",)
    assert corpus[7].text == "one, two; three\tfour | five 7, 7; and 'so on'"
    said = any("delimiter" in note for note in corpus.notes)
    assert said == (delimiter != ",")


def test_an_unusual_delimiter_can_be_given(write):
    corpus = assay.read(write("reviews.csv", b"text^label\na,b^x\n"), delimiter="^")
    assert rows_of(corpus) == [("a,b", "x")]


def test_a_tsv_file_is_split_at_tabs_only(write):
    corpus = assay.read(write("reviews.tsv", b"text\tlabel,kind\na,b,c\tx\n"), label="label,kind")
    assert rows_of(corpus) == [("a,b,c", "x")]


def test_quotes_can_be_text(write):
    content = b'text\tlabel\n"open and not closed\tx\n5" screen\ty\n'
    corpus = assay.read(write("reviews.tsv", content), quotes=False)
    assert rows_of(corpus) == [('"open and not closed', "x"), ('5" screen', "y")]


def test_rows_that_stray_quotes_ran_together_are_said(write):
    content = b'text\tlabel\nfine\tx\n"to be or\tx\nnot to be"\ty\n'
    corpus = assay.read(write("reviews.tsv", content))
    assert len(corpus) == 2
    assert corpus.notes[-1] == (
        "1 row holds tabs inside quotes (reviews.tsv, row 3); if the quotes are part of the text, rows were run "
        "together: use quotes=False"
    )
    assert len(assay.read("reviews.tsv", quotes=False)) == 3


def test_one_column_is_texts_without_labels(write):
    corpus = assay.read(write("texts.csv", b"text\nfirst\nsecond\n"))
    assert rows_of(corpus) == [("first", None), ("second", None)]
    assert corpus.labels is None
    assert corpus.label_names == ()
    assert "there are no labels" in corpus.notes[0]


def test_one_column_with_commas_and_no_quotes_is_read_whole(write):
    corpus = assay.read(write("texts.csv", b"text\nfirst, and more\nsecond\n"))
    assert corpus.texts.to_pylist() == ["first, and more", "second"]


def test_other_columns_are_kept_as_strings(write):
    corpus = assay.read(write("reviews.csv", b"id,text,label,when\n007,a,x,2020-01-01\n,b,y,\n"))
    assert corpus.columns == ("id", "when")
    assert corpus.column("id").to_pylist() == ["007", ""]


@pytest.mark.parametrize(("keep", "columns"), [(True, ("id", "when")), (False, ()), (["when"], ("when",))])
def test_keep_says_which_other_columns_stay(write, keep, columns):
    corpus = assay.read(write("reviews.csv", b"id,text,label,when\n1,a,x,now\n"), keep=keep)
    assert corpus.columns == columns


def test_an_unknown_column_to_keep_is_refused(write):
    name = write("reviews.csv", b"id,text,label,when\n1,a,x,now\n")
    with pytest.raises(DataError, match=r"^reviews\.csv: there is no column 'whan'\. The columns are 'when', "):
        assay.read(name, keep=["whan"])


def test_columns_without_a_name_and_columns_of_the_same_name_can_be_told_apart(write):
    corpus = assay.read(write("reviews.csv", b",text,label,id,id\n0,a,x,1,2\n"))
    assert corpus.columns == ("column 1", "id", "id_2")
    assert corpus.column("id_2").to_pylist() == ["2"]


def test_a_kept_column_called_text_does_not_hide_the_texts(write):
    corpus = assay.read(write("reviews.csv", b"text,body,label\nA,a,x\n"), text="body")
    assert corpus.texts.to_pylist() == ["a"]
    assert corpus.to_arrow().column_names == ["text", "label", "text_2"]


def test_ten_thousand_columns_are_read(write):
    names = [f"c{i}" for i in range(9998)]
    content = ",".join(["text", *names, "label"]) + "\n" + ",".join(["a", *["1"] * 9998, "x"]) + "\n"
    corpus = assay.read(write("wide.csv", content.encode()))
    assert len(corpus.columns) == 9998
    assert rows_of(corpus) == [("a", "x")]


def test_a_header_longer_than_the_sample_is_read(write):
    long_name = "c" * (1 << 20)
    corpus = assay.read(write("wide.csv", f"text,{long_name},label\na,1,x\n".encode()))
    assert corpus.columns == (long_name,)


def test_a_value_larger_than_a_block_is_read(write, monkeypatch):
    monkeypatch.setattr(separated, "_BLOCK_BYTES", 64)
    long = "line\n" * 1000
    content = b"text,label\n" + b"short,x\n" * 20 + f'"{long}",y\n'.encode() + b"short,x\n" * 20
    corpus = assay.read(write("reviews.csv", content))
    assert len(corpus) == 41
    assert corpus[20] == (long, "y")
    assert corpus.origin.place(40) == "reviews.csv, row 42"


def test_a_document_of_200_megabytes_is_read(write):
    document = b"abcdefg " * (25 << 20)
    corpus = assay.read(write("big.csv", b'text,label\n"' + document + b'",x\nb,y\n'))
    assert len(corpus[0].text) == 200 << 20
    assert corpus[1] == ("b", "y")


def test_a_line_larger_than_a_block_is_read_without_quoting_too(write, monkeypatch):
    monkeypatch.setattr(separated, "_BLOCK_BYTES", 64)
    content = b"text\tlabel\n" + b"a\tx\n" * 50 + b'"' + b"b" * 5000 + b"\ty\n" + b"a\tx\n" * 50
    corpus = assay.read(write("reviews.tsv", content), quotes=False)
    assert len(corpus) == 101
    assert len(corpus[50].text) == 5001


@pytest.mark.parametrize("block", [7, 16, 33, 64])
def test_blocks_may_end_anywhere(write, monkeypatch, block):
    monkeypatch.setattr(separated, "_BLOCK_BYTES", block)
    rows = [(f'é"{i}\n日本 🤷', f"l{i % 3}") for i in range(40)]
    out = io.StringIO()
    csv.writer(out).writerows([("text", "label"), *rows])
    assert rows_of(assay.read(write("reviews.csv", out.getvalue().encode()))) == rows


def test_rows_are_counted_as_a_spreadsheet_shows_them(write):
    content = b'text,label\n\n"a\nb",x\n\n\nc,y\n,\n'
    corpus = assay.read(write("reviews.csv", content))
    assert [corpus.origin.place(i) for i in range(2)] == ["reviews.csv, row 3", "reviews.csv, row 6"]
    assert corpus.notes[-1] == "4 blank rows were left out (reviews.csv, rows 2, 4, 5, 7)"
    assert corpus.incidents[0].count == 4


def test_progress_ends_at_the_size_of_the_file(write):
    name = write("reviews.csv", b"text,label\n" + b"a,x\nb,y\n" * 10_000)
    seen = []
    assay.read(name, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (80_011, 80_011)
    assert seen == sorted(seen)


# -- what is refused -----------------------------------------------------------------------------------------------


def test_a_row_with_too_few_fields(refused):
    message = refused(b'text,label\na,x\n\n"b\nb",y\nno label here\n')
    assert message == (
        "reviews.csv, row 5 (line 6): 1 field where the first row has 2: 'no label here'. Put quotes around a value "
        "that holds a comma or a line break, or say which delimiter= the file has."
    )


def test_a_ragged_row_with_quotes_says_that_they_may_be_text(refused):
    message = refused(b'text\tlabel\na\tx\n"b\ty\nc" d\tx\ty\n', "reviews.tsv")
    assert message.endswith("If its quotes are part of the text, use quotes=False.")


def test_a_row_with_too_many_fields(refused):
    message = refused(b"text;label\na;x\n1;2;3;4\n")
    assert message.startswith("reviews.csv, row 3: 4 fields where the first row has 2: '1;2;3;4'.")
    assert "a semicolon" in message


def test_a_ragged_row_deep_in_a_file_that_is_not_utf8(refused):
    content = b"text,label\n" + b'"caf\xe9\nnoir",x\n' * 5000 + b"caf\xe9\n"
    message = refused(content, encoding="latin-1")
    assert message.startswith("reviews.csv, row 5002 (line 10002): 1 field where the first row has 2: 'café'.")
    assert refused(content, errors="replace").startswith("reviews.csv, row 5002 (line 10002): 1 field")


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (b'text,label\na,x\nb,"y\nc,x\nd,y\n', 3),
        (b'text,label\na,x\n"b,y\nc,x\nd,y\n', 3),
        (b'text,label\na,x\nb,"', 3),
        (b'text,label\na,"x""\n', 2),
        (b'text,label\n"a\nb",x\n"c', 3),
    ],
)
def test_a_quote_that_is_never_closed(refused, content, row):
    message = refused(content)
    assert message.startswith(f"reviews.csv, row {row}")
    assert "a quote is opened that is never closed" in message
    assert "use quotes=False" in message


def test_an_unclosed_quote_in_a_file_larger_than_a_block(refused, monkeypatch):
    monkeypatch.setattr(separated, "_BLOCK_BYTES", 256)
    message = refused(b"text,label\n" + b"a,x\n" * 500 + b'"b,y\n' + b"c,x\n" * 2000)
    assert message.startswith("reviews.csv, row 502: a quote is opened")


def test_an_empty_file(refused):
    assert refused(b"") == "reviews.csv: the file is empty. There is nothing to read."
    assert refused(b"", format="csv").startswith("reviews.csv: the file is empty.")


@pytest.mark.parametrize("content", [b"\n\n", b"\xef\xbb\xbf", b" \r\n", b",,,\n", b'""\n'])
def test_a_file_with_nothing_in_it(refused, content):
    assert refused(content).startswith("reviews.csv: the file holds no text. A CSV file has a header row")


@pytest.mark.parametrize("content", [b"text,label\n", b"text,label", b"text,label\n\n\n", b"text,label\n,\n"])
def test_a_header_without_rows(refused, content):
    assert refused(content).startswith("reviews.csv: there is a header row and nothing below it: 'text,label'.")


def test_a_file_without_a_header(refused, write):
    content = b"ham\tOk lar... Joking wif u oni\nspam\tFree entry in 2 a wkly comp\nham\tU dun say so early\n"
    message = refused(content, "sms.tsv")
    assert message == (
        "sms.tsv, row 1: the first row does not look like column names: 'ham' stands again below in its column. "
        "Add a header row, or name the 2 columns with names=['text', 'label']."
    )
    corpus = assay.read(write("sms.tsv", content), names=["label", "text"])
    assert len(corpus) == 3
    assert corpus.label_names == ("ham", "spam")
    assert corpus.origin.place(0) == "sms.tsv, row 1"


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (b"This film is a good deal longer than a column name could ever be,1", "is long for a column name"),
        (b"5,good", "'5' is a number"),
    ],
)
def test_a_first_row_that_is_data_is_not_taken_for_a_header(refused, first, why):
    assert why in refused(first + b"\nIt was dull from the beginning to the end,0\n")


def test_names_must_name_every_column(write):
    name = write("sms.tsv", b"ham\tOk lar\tx\n")
    with pytest.raises(ParameterError, match=r"sms\.tsv has 3; got 2 instead: 'label', 'text'"):
        assay.read(name, names=["label", "text"])


def test_a_nul_byte(refused, write):
    content = b"text,label\na,x\nb\0c,y\n"
    message = refused(content)
    assert message == (
        "reviews.csv, row 3: column 'text' holds a NUL byte (0x00), which is not text. If the file is UTF-16, use "
        "encoding='utf-16'; otherwise errors='replace' puts '\ufffd' in its "
        "place."
    )
    corpus = assay.read(write("reviews.csv", content), errors="replace")
    assert corpus[1].text == "b\ufffdc"
    assert corpus.notes[-1] == "1 value with NUL bytes was repaired (reviews.csv, row 3)"


@pytest.mark.parametrize(
    ("column", "content", "option"),
    [
        ("label", b"text,label\na,x\nb,\nc,y\n", "skip_unlabelled"),
        ("text", b"text,label\na,x\n,y\nc,y\n", "skip_empty"),
        ("text", b'text,label\na,x\n"",y\nc,y\n', "skip_empty"),
    ],
)
def test_an_empty_value(refused, write, column, content, option):
    assert refused(content) == (
        f"reviews.csv, row 3: column {column!r} is empty. Use {option}=True to leave such rows out."
    )
    corpus = assay.read(write("reviews.csv", content), **{option: True})
    assert corpus.texts.to_pylist() == ["a", "c"]
    assert corpus.origin.place(1) == "reviews.csv, row 4"
    assert "1 row with" in corpus.notes[-1]
    assert "(reviews.csv, row 3)" in corpus.notes[-1]


def test_nothing_left_after_skipping(refused):
    message = refused(b"text,label\na,\nb,\n", skip_unlabelled=True)
    assert message == (
        "reviews.csv: no rows are left to work with. 2 rows without a label were left out (reviews.csv, rows 2, 3)."
    )


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("format", "cvs", r"The 'format' parameter of read must be one of 'csv', .* Got 'cvs' instead\."),
        ("errors", "ignore", r"must be 'strict' or 'replace'\. Got 'ignore' instead\."),
        ("delimiter", ",,", r"must be one ASCII character .* Got ',,' instead\."),
        ("delimiter", '"', r"must be one ASCII character"),
        (
            "encoding",
            "utf-9",
            r"must be the name of a text encoding, such as 'utf-7', 'utf-8', .*Got 'utf-9' instead\.",
        ),
        ("encoding", "rot13", r"must be the name of a text encoding"),
        ("label", True, r"or False for data without labels\. Got True instead\."),
        ("names", "text", r"must be a list of column names\. Got 'text' instead; write \['text'\]\."),
        ("keep", "id", r"must be a list of column names\. Got 'id' instead; write \['id'\]\."),
    ],
)
def test_settings_with_a_value_they_cannot_have(write, option, value, message):
    name = write("reviews.csv", b"text,label\na,x\n")
    with pytest.raises(ParameterError, match=message):
        assay.read(name, **{option: value})


# -- above the header --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("above", "delimiter", "said"),
    [
        ("sep=;\n", ";", "the first row stands above the header and is not read ('sep=;')"),
        ("SEP=|\r\n", "|", "the first row stands"),
        (
            "Export of 12.3.2026\n\n",
            ",",
            "the first 2 rows stand above the header and are not read ('Export of 12.3.2026')",
        ),
        ("Reviews, all of them\n", ";", "('Reviews, all of them')"),
        ("All reviews;;\n;;\n", ";", "the first 2 rows stand above the header and are not read ('All reviews')"),
        ("\n\n", ",", "the first 2 rows stand above the header and are not read"),
        ("sep=;\nMarch\n\n", ";", "the first 3 rows stand above the header and are not read ('March')"),
    ],
)
def test_what_spreadsheets_put_above_the_header_is_passed_over_and_said(tmp_path, above, delimiter, said):
    path = tmp_path / "a.csv"
    rows = [["text", "label", "id"], ["loved it", "pos", "1"], ["", "neg", "2"]]
    path.write_text(above + "".join(delimiter.join(row) + "\n" for row in rows), newline="")
    n_above = above.count("\n")
    corpus = assay.read(path, skip_empty=True)
    assert corpus.texts.to_pylist() == ["loved it"]
    assert corpus.origin.place(0) == f"{path}, row {n_above + 2}"
    assert any(said in note for note in corpus.notes)
    with pytest.raises(DataError, match=rf"row {n_above + 3}: column 'text' is empty"):
        assay.read(path)


def test_rows_below_a_title_that_do_not_fit_are_named_by_their_row_and_line_in_the_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('Export\ntext,label\n"two\nlines",pos\nso dull,neg\nand,one,more\nlast,pos\n')
    with pytest.raises(DataError, match=r"row 5 \(line 6\): 3 fields where the first row has 2"):
        assay.read(path)


@pytest.mark.parametrize(
    "content",
    ["comment\nwell, no\nso, yes\n", "text\nloved it;pos\nso dull;neg\n", "remarks\n1,5\n2,7\n"],
)
def test_a_lone_column_with_delimiters_in_its_texts_is_no_title(tmp_path, content):
    path = tmp_path / "a.csv"
    path.write_text(content)
    assert len(assay.read(path, label=False)) == 2


def test_a_semicolon_in_every_text_makes_no_title_of_the_header(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\n1,x;y\n2,a;b\n3,c;d\n")
    assert assay.read(path, label=False).texts.to_pylist() == ["x;y", "a;b", "c;d"]


@pytest.mark.parametrize(
    "above",
    [
        "Report;Feedback;;\nDate;2026-03-12;;\n;;;\n",
        "Feedback\n",
        "# made by a program\n# y\n",
        "Report, all of it, of Q3\n",
        ";What they wrote;;What we say\n",
    ],
)
def test_rows_above_the_header_are_passed_over_even_if_they_sound_like_names(tmp_path, above):
    path = tmp_path / "a.csv"
    path.write_text(f"{above}ID;Comment;Date;Category\n1;loved it;x;pos\n2;so dull;y;neg\n", encoding="utf-8")
    corpus = assay.read(path)
    assert [tuple(example) for example in corpus] == [("loved it", "pos"), ("so dull", "neg")]
    assert any("above the header and" in note for note in corpus.notes)


@pytest.mark.parametrize("between", ["", "well,no\n"])
def test_a_row_of_data_that_reads_like_a_header_is_not_lost(tmp_path, between):
    path = tmp_path / "a.csv"
    path.write_text(f"a,b\nsome words,x\n{between}text,label\nother words,y\n", encoding="utf-8")
    assert len(assay.read(path, text="a", label="b")) == 3 + bool(between)
