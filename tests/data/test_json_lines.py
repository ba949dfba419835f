"""JSON Lines: values as they were written, errors with their line."""

from __future__ import annotations

import json

import pytest

import assay


def read_line(write, line: bytes, **options):
    return assay.read(write("reviews.jsonl", line + b"\n"), **options)


def test_objects_are_read_and_other_keys_kept(write):
    content = b'{"id": 1, "text": "a", "label": "x"}\n{"text": "b", "label": "y", "id": null}\n'
    corpus = assay.read(write("reviews.jsonl", content))
    assert [tuple(example) for example in corpus] == [("a", "x"), ("b", "y")]
    assert corpus.column("id").to_pylist() == [1, None]


@pytest.mark.parametrize(
    ("written", "label"),
    [
        (b"1", "1"),
        (b"-0", "-0"),
        (b"1.0", "1.0"),
        (b"4.50", "4.50"),
        (b"1e3", "1e3"),
        (b"1E-2", "1E-2"),
        (b"123456789012345678901234567890", "123456789012345678901234567890"),
        (b"1" * 5000, "1" * 5000),
        (b"true", "true"),
        (b"false", "false"),
        (b'"007"', "007"),
        (b'" spam "', " spam "),
        (b'"null"', "null"),
    ],
)
def test_labels_come_out_as_they_were_written(write, written, label):
    assert read_line(write, b'{"text": "a", "label": ' + written + b"}").label_names == (label,)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (rb'"\u00e9\n\t\"\\\/"', 'é\n\t"\\/'),
        (rb'"\ud83e\udd37"', "🤷"),
        (rb'"\u0000"', "\0"),
        ('"é 日本 🤷"'.encode(), "é 日本 🤷"),
        ('"\u2028\u2029\u0085"'.encode(), "\u2028\u2029\u0085"),
        (b'"\x7f"', "\x7f"),
        (b"5", "5"),
    ],
)
def test_texts_are_unescaped(write, written, text):
    assert read_line(write, b'{"label": "x", "text": ' + written + b"}")[0].text == text


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_blank_lines_are_left_out_and_counted(write, end):
    content = end.join([b'{"text": "a", "label": 1}', b"", b"  ", b'{"text": "b", "label": 2}'])
    corpus = assay.read(write("reviews.jsonl", content))
    assert corpus.texts.to_pylist() == ["a", "b"]
    assert corpus.origin.place(1) == "reviews.jsonl, row 4"
    assert corpus.notes[-1] == "2 blank rows were left out (reviews.jsonl, rows 2, 3)"


def test_a_byte_order_mark_is_not_text(write):
    assert read_line(write, b'\xef\xbb\xbf{"text": "a", "label": 1}')[0] == ("a", "1")


def test_a_field_inside_an_object_is_named_with_dots(write):
    line = b'{"review": {"body": "a", "by": {"name": "n"}}, "meta": {"stars": 5}}'
    corpus = read_line(write, line, text="review.body", label="meta.stars")
    assert corpus[0] == ("a", "5")
    assert corpus.column("review").to_pylist() == ['{"body": "a", "by": {"name": "n"}}']


def test_nested_columns_are_kept_as_json(write):
    line = '{"text": "a", "label": 1, "tags": ["é", 2.50, null, true, {"k": []}]}'.encode()
    assert read_line(write, line).column("tags").to_pylist() == ['["é", 2.50, null, true, {"k": []}]']


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("1 2 null", [1, 2, None]),
        ("1 2.5 null", [1.0, 2.5, None]),
        ("true null false", [True, None, False]),
        ('"a" "b" null', ["a", "b", None]),
        ('1 "b" null', ["1", "b", None]),
        ("1 true null", ["1", "true", None]),
        ("1 9223372036854775807 null", [1, 9223372036854775807, None]),
        ("1 9223372036854775808 null", ["1", "9223372036854775808", None]),
        (f"1.5 {'9' * 5000} null", ["1.5", "9" * 5000, None]),
        ("1.5 1e309 null", ["1.5", "1e309", None]),
        ("null null null", [None, None, None]),
    ],
)
def test_other_columns_have_the_type_of_their_values(write, values, expected):
    lines = [f'{{"text": "a", "label": "x", "other": {value}}}' for value in values.split()]
    column = assay.read(write("reviews.jsonl", "\n".join(lines).encode())).column("other")
    assert column.to_pylist() == expected
    assert [type(value) for value in column.to_pylist()] == [type(value) for value in expected]


def test_a_column_whose_type_changes_after_the_sample_becomes_strings(write):
    lines = ['{"text": "a", "label": "x", "n": 1}'] * 200_000 + ['{"text": "a", "label": "x", "n": "one"}']
    column = assay.read(write("reviews.jsonl", "\n".join(lines).encode())).column("n")
    assert column[0].as_py() == "1"
    assert column[-1].as_py() == "one"


@pytest.mark.parametrize("number", ["9" * 5000, "1e309"])
def test_a_number_beyond_all_floats_that_comes_late_stays_as_it_was_written(write, number):
    lines = ['{"text": "a", "label": "x", "n": 1.5}'] * 1001 + [f'{{"text": "a", "label": "x", "n": {number}}}']
    assert assay.read(write("reviews.jsonl", "\n".join(lines).encode())).column("n")[-1].as_py() == number


@pytest.mark.parametrize(("begin", "end"), [(b"[", b"]"), (b'{"a": [', b"]}"), (b'{"a": ', b"}")])
@pytest.mark.parametrize("depth", [2, 100, 198, 200, 330, 500, 950, 20_000])
def test_every_depth_is_either_read_or_refused(write, refused, begin, end, depth):
    times = depth // len(end)
    nested = begin * times + (b"1" if b":" in begin else b"") + end * times
    line = b'{"text": "a", "label": 1, "deep": ' + nested + b"}"
    if depth < 200:
        assert read_line(write, line)[0] == ("a", "1")
    else:
        assert refused(line, "r.jsonl").startswith("r.jsonl, row 1: more than 200 objects or arrays stand inside each")


def test_many_brackets_beside_each_other_are_not_deep(write):
    assert read_line(write, b'{"text": "a", "label": 1, "wide": [' + b"[]," * 1000 + b"{}]}")[0] == ("a", "1")


@pytest.mark.parametrize(
    ("key", "name"),
    [
        (b"", "column 3"),
        (b"  ", "column 3"),
        (b"k" * 100_000, "k" * 100_000),
        (rb"\u0000", "\0"),
        (b"__proto__", "__proto__"),
        (b"a.b", "a.b"),
        (rb"a\nb", "a\nb"),
        (rb"\ud83d\ude00", "\U0001f600"),
    ],
)
def test_odd_keys_are_columns_like_others(write, key, name):
    line = b'{"text": "a", "label": "x", "' + key + b'": 7}\n'
    corpus = assay.read(write("reviews.jsonl", line * 2))
    assert corpus.column(name).to_pylist() == [7, 7]
    assert assay.read("reviews.jsonl", text="text", label=name).label_names == ("7",)


@pytest.mark.parametrize(
    ("key", "what"),
    [
        (rb"\ud800", "a key has half of a surrogate pair, U+D800, at the beginning, which is not a character"),
        (b"caf\xe9", "a key has byte 0xE9 after 'caf', which is not UTF-8"),
    ],
)
def test_a_key_that_is_no_text(refused, write, key, what):
    line = b'{"text": "a", "label": "x"}\n{"text": "a", "label": "x", "' + key + b'": 7}\n'
    assert refused(line, "reviews.jsonl").startswith(f"reviews.jsonl, row 2: {what}")
    late = b'{"text": "a", "label": "x"}\n' * 2000 + line
    assert refused(late, "reviews.jsonl").startswith(f"reviews.jsonl, row 2002: {what}")
    corpus = assay.read(write("reviews.jsonl", line), errors="replace", keep=True)
    assert corpus.column(corpus.columns[-1]).to_pylist() == [None, 7]
    assert corpus.columns[-1].endswith("\ufffd")


def test_the_key_that_stands_twice_among_very_many_is_named(refused):
    keys = ", ".join(f'"k{i}": 1' for i in [*range(20_000), 19_999])
    assert refused(f'{{"text": "a", {keys}}}'.encode(), "r.jsonl") == (
        "r.jsonl, row 1: the key 'k19999' stands twice in one object. Keep one of them."
    )


def test_keys_that_come_up_late_are_said(write, monkeypatch):
    lines = [b'{"text": "a", "label": 1}'] * 1500 + [b'{"text": "b", "label": 2, "late": 3}']
    corpus = assay.read(write("reviews.jsonl", b"\n".join(lines)))
    assert corpus.columns == ()
    assert corpus.notes[-1] == "reviews.jsonl: keys that come up only later are left out: 'late' (row 1501)"


def test_a_line_longer_than_a_block_is_read(write):
    text = "word " * (2 << 20)
    content = json.dumps({"text": text, "label": "x"}) + "\n" + json.dumps({"text": "b", "label": "y"})
    corpus = assay.read(write("reviews.jsonl", content.encode()))
    assert corpus[0] == (text, "x")
    assert corpus[1] == ("b", "y")


# -- what is refused -----------------------------------------------------------------------------------------------


def test_invalid_json_names_its_line_and_character(refused):
    message = refused(b'{"text": "a", "label": 1}\n\n{"text": "b" "label": 2}\n', "reviews.jsonl")
    assert message == (
        "reviews.jsonl, row 3: invalid JSON at character 14, '\"label\": 2}': Expecting ',' delimiter. The line is "
        '\'{"text": "b" "label": 2}\'. Correct it or take it out.'
    )


@pytest.mark.parametrize(
    "line",
    [
        b"{'text': 'a'}",
        b'{"text": "a",}',
        b'{"text": "a"',
        b'{"text": "a',
        b'{"text": a}',
        b'{"text"}',
        b'{"text":: "a"}',
        b'{text: "a"}',
        b'{"text": 01}',
        b'{"text": +1}',
        b'{"text": .5}',
        b'{"text": 1.}',
        b'{"text": 0x10}',
        b'{"text": "\\x41"}',
        b'{"text": "\\u00"}',
        b'{"text": "a\tb"}',
        b'{"text": "a"} x',
        b'{"text": tru}',
        b'{"text": TRUE}',
        b'{"text": "a"} // comment',
        b'/* */ {"text": "a"}',
        b"plain text",
        b'\x0c{"text": "a"}',
        b'{"text": "a"}\xc2\xa0',
    ],
)
def test_every_kind_of_invalid_json_is_refused(refused, line):
    message = refused(b'{"text": "a", "label": 1}\n' + line + b"\n", "reviews.jsonl")
    assert message.startswith("reviews.jsonl, row 2: invalid JSON at character ")


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (b'["a", "x"]', "the line holds an array and not an object"),
        (b'"a"', "the line holds a string and not an object"),
        (b"1.5", "the line holds a number and not an object"),
        (b"true", "the line holds true or false and not an object"),
        (b"null", "the line holds null and not an object"),
        (b'{"text": "a"}{"text": "b"}', "more than one object on the line"),
        (b'{"text": "a", "text": "b"}', "the key 'text' stands twice in one object. Keep one of them."),
        (b'{"text": "a", "score": NaN}', "NaN is not JSON. Write null or a number instead."),
        (b'{"text": "a", "score": -Infinity}', "-Infinity is not JSON"),
        (b'{"text": "a\0b"}', "the line holds a NUL byte (0x00)"),
        (b'{"text": "a", "deep": ' + b"[" * 200_000, "more than 200 objects or arrays stand inside each other"),
        (b'{"text": ' + b'{"text": ' * 200_000, "more than 200 objects or arrays stand inside each other"),
    ],
)
def test_lines_that_are_no_single_plain_object(refused, line, what):
    message = refused(b'{"text": "a", "label": 1}\n' + line + b"\n", "reviews.jsonl")
    assert message.startswith(f"reviews.jsonl, row 2: {what}")


def test_a_json_array_says_how_to_convert_it(refused):
    message = refused(b'[{"text": "a", "label": 1},\n {"text": "b", "label": 2}]', "reviews.json")
    assert "reviews.json, row 1: " in message
    pretty = refused(b'[\n  {"text": "a"}\n]', "reviews.json")
    assert pretty == (
        "reviews.json, row 1: not JSON Lines: the JSON goes over several lines. Write each object on one line, for "
        "example with jq -c '.[]' reviews.json."
    )
    one_line = refused(b'[{"text": "a"}]', "reviews.json")
    assert one_line.endswith(
        "A file that is one array is turned into JSON Lines for example with jq -c '.[]' reviews.json."
    )


def test_text_that_is_an_object_says_what_is_in_it(refused):
    content = b'{"text": "a", "label": 1}\n{"text": {"body": "b"}, "label": 2}\n'
    assert refused(content, "reviews.jsonl") == (
        "reviews.jsonl, row 2: 'text' holds an object and not a text or label: '{\"body\": \"b\"}'. Name a field "
        "inside it, such as 'text.body'."
    )
    content = b'{"text": ["a", "b"], "label": 1}\n'
    assert "row 1: 'text' holds an array and not a text or label" in refused(content, "reviews.jsonl")


@pytest.mark.parametrize("value", [b"null", b'""'])
def test_missing_and_empty_fields(refused, value):
    content = b'{"text": "a", "label": 1}\n{"text": ' + value + b', "label": 2}\n'
    what = "missing" if value == b"null" else "empty"
    assert refused(content, "reviews.jsonl").startswith(
        f"reviews.jsonl, row 2: column 'text' is {what}. Use skip_empty=True"
    )


def test_an_absent_label(refused, write):
    content = b'{"text": "a", "label": 1}\n{"text": "b"}\n'
    assert refused(content, "r.jsonl").startswith("r.jsonl, row 2: column 'label' is missing. Use skip_unlabelled=True")
    assert len(assay.read(write("r.jsonl", content), skip_unlabelled=True)) == 1


def test_a_label_key_that_comes_up_after_the_sample_can_be_named(write):
    lines = [b'{"text": "a"}'] * 60_000 + [b'{"text": "b", "label": 2}']
    corpus = assay.read(write("r.jsonl", b"\n".join(lines)), label="label", skip_unlabelled=True)
    assert [tuple(example) for example in corpus] == [("b", "2")]


@pytest.mark.parametrize(("escape", "code"), [(rb"\ud800", "D800"), (rb"\udc00", "DC00"), (rb"\udfff\ud800", "DFFF")])
def test_half_of_a_surrogate_pair(refused, write, escape, code):
    line = b'{"text": "caf\xc3\xa9 ' + escape + b'", "label": 1}\n'
    assert refused(line, "reviews.jsonl") == (
        f"reviews.jsonl, row 1: column 'text' has half of a surrogate pair, U+{code}, after 'café ', which is not a "
        "character. Use errors='replace' to put '\ufffd' in such places."
    )
    corpus = assay.read(write("reviews.jsonl", line), errors="replace")
    assert corpus[0].text.startswith("café \ufffd")
    assert corpus.incidents[0].kind == "invalid"


def test_half_of_a_surrogate_pair_in_any_other_column(write):
    name = write("r.jsonl", b'{"text": "a", "label": 1, "id": "x"}\n{"text": "b", "label": 2, "id": "\\ud834"}\n')
    with pytest.raises(assay.errors.DataError, match=r"row 2: column 'id' has half of a surrogate pair, U\+D834, at"):
        assay.read(name, keep=True)
    first, second = assay.read(name, keep=True, errors="replace").column("id").to_pylist()
    assert (first, second[0]) == ("x", "\ufffd")
    assert len(assay.read(name, keep=False)) == 2


def test_bytes_that_are_not_utf8_are_found_in_their_column(refused, write):
    content = b'{"text": "a", "label": 1}\n{"text": "caf\xe9 noir", "label": 2}\n'
    message = refused(content, "reviews.jsonl")
    assert message.startswith("reviews.jsonl, row 2: column 'text' has byte 0xE9 after 'caf', which is not UTF-8")
    name = write("reviews.jsonl", content)
    assert assay.read(name, encoding="latin-1")[1].text == "café noir"
    assert assay.read(name, errors="replace")[1].text == "caf\ufffd noir"


@pytest.mark.parametrize("content", [b"\n\n", b" ", b"\xef\xbb\xbf"])
def test_a_file_without_objects(refused, content):
    assert refused(content, "reviews.jsonl") == (
        "reviews.jsonl: the file is empty. It should hold one JSON object a line."
    )


@pytest.mark.parametrize("content", [b"{}\n{}\n", b'{"a": {}}\n'])
def test_objects_without_text(refused, content):
    assert refused(content, "reviews.jsonl").startswith("reviews.jsonl")


def test_long_lines_are_read_as_short_ones_are(write, monkeypatch):
    lines = [b'{"text": "a\xc3\xa9", "label": 1.50, "n": 1}\r', b"", b'{"text": "\xff", "label": "x", "n": null}', b" "]
    name = write("r.jsonl", b"\n".join(lines))
    short = assay.read(name, errors="replace")
    monkeypatch.setattr("assay.data.bytes.lines._WORTH_COUNTING", 8)
    long = assay.read(name, errors="replace")
    assert (
        [tuple(example) for example in long]
        == [tuple(example) for example in short]
        == [("aé", "1.50"), ("\ufffd", "x")]
    )
    assert long.column("n").to_pylist() == short.column("n").to_pylist() == [1, None]
    assert long.origin.place(1) == short.origin.place(1)
