"""Near-copies as the kernel finds them against plain Python that compares every text with every other."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _native
from assay.features.documents import documents_from_strings

WIDTHS = {"word": 3, "character": 5, "run": 8}


ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "nbsp": " ", "eacute": "e", "ouml": "o"}
ENTITY = re.compile(rf"&(?:amp;)*(?:({'|'.join(ENTITIES)})|#([0-9]{{1,7}})|#x([0-9a-f]{{1,6}}));")
TAG = re.compile(r"<(?:![^<>]*|/?(?:a|br|p|div|b|td|blockquote|h1|o:p)(?=[\s/>])[^<>]*)>")


def plain(text):
    """A text in lower case without the entities and tags that the tests use."""

    def character(match):
        name, decimal, hexadecimal = match.groups()
        return ENTITIES[name] if name else chr(int(decimal or hexadecimal, 10 if decimal else 16))

    return TAG.sub(" ", ENTITY.sub(character, text.lower()))


def tokens(text):
    """(kind, token) of a text of ASCII and ideographs, and the marks that a short text keeps."""
    found, marks = [], []
    for run in re.findall(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+|[^\w\s]", plain(text)):
        if "\u4e00" <= run <= "\u9fff":
            found.append(("character", run))
        elif not re.match(r"\w", run):
            marks.append((len(found), run))
        elif len(run) > 40:
            found += [("run", character) for character in run]
        else:
            found.append(("word", run))
    return found, marks


def form_and_shingles(text):
    found, marks = tokens(text)
    shingles = {
        tuple(found[i : i + WIDTHS[kind]]) for i, (kind, _) in enumerate(found) if i + WIDTHS[kind] <= len(found)
    }
    if not found:
        return ("marks", *(mark for _, mark in marks)), set()
    if sum(2 if kind == "word" else 1 for kind, _ in found) < 10:
        kept = tuple((place, mark) for place, mark in marks if mark not in ".,;:!?'\"`-")
        return ("short", *found, kept), set()
    return ("long", *found), shingles if len(shingles) >= 3 else set()


def linked(one, other):
    small, large = sorted((one, other), key=len)
    if not small or 2 * len(small) < len(large):
        return False
    needed = len(small) if len(small) < 10 else max(9, -(-4 * len(small) // 5))
    return len(small & large) >= needed


def reordered(one, other):
    """Of two texts with the same words, each as often."""
    return len(one & other) >= max(1, max(len(one), len(other)) // 3)


def grouped(n, pairs):
    group = list(range(n))
    for a, b in pairs:
        group = [min(group[a], group[b]) if g in (group[a], group[b]) else g for g in group]
    return group


def brute_force(texts):
    read = [form_and_shingles(text) for text in texts]
    first = {}
    forms = [first.setdefault(form, i) for i, (form, _) in enumerate(read)]
    alone = sorted(set(forms))
    links = {(a, b) for a, b in combinations(alone, 2) if linked(read[a][1], read[b][1])}
    same_words = {}
    for b in (i for i in alone if read[i][1]):
        a = same_words.setdefault(tuple(sorted(tokens(texts[b])[0])), b)
        if a != b and reordered(read[a][1], read[b][1]):
            links.add((a, b))
    return forms, links, read


def find(texts, threads=2):
    return _native.find_near_copies(documents_from_strings(texts), threads)


vocabulary = st.sampled_from(["the", "cat", "sat", "on", "a", "mat", "and", "slept", "x1", "漢", "字", "中", "b" * 45])
markup = st.sampled_from(
    [
        "<br>",
        "<B>",
        "</p>",
        "<a href='x1'>",
        "<h1",
        "<!-- a -->",
        "<mat>",
        "<b<p>",
        "a < b",
        "&amp;",
        "&amp;lt;",
        "&lt;br/&gt;",
        "&nbsp;",
        "&#39;",
        "&#x41;",
        "caf&eacute;",
        "&mat;",
        "&amp;mat;",
        "&#;",
        "&#x",
        "&",
        "a&nbsp;b",
        "<blockquote >",
        "<o:p></o:p>",
    ]
)
sentences = st.lists(vocabulary, max_size=25).map(" ".join)


@st.composite
def corpora(draw):
    """Sentences, and copies of them in which something was changed."""
    texts = draw(st.lists(sentences, min_size=1, max_size=5))
    for _ in range(draw(st.integers(0, 5))):  # ten in all: nothing is common among so few
        words = draw(st.sampled_from(texts)).split(" ")
        at = draw(st.integers(0, len(words)))
        change = draw(st.sampled_from(["add", "drop", "case", "mark", "sign", "turn", "markup"]))
        if change == "add":
            words[at:at] = draw(st.lists(vocabulary, min_size=1, max_size=4))
        elif change == "drop":
            del words[at : at + 2]
        elif change == "case":
            words = [word.upper() for word in words]
        elif change == "mark":
            words.insert(at, draw(st.sampled_from(["!", ",", "#", "...", "\n"])))
        elif change == "markup":
            words[at:at] = draw(st.lists(markup, min_size=1, max_size=3))
        elif change == "turn":
            words = words[at:] + words[:at]
        else:
            words += ["kind", "regards", "anna"]
        texts.append(" ".join(words))
    return texts


@settings(max_examples=300, deadline=None)
@given(corpora(), st.integers(1, 3))
def test_forms_and_groups_are_those_of_comparing_all_pairs(texts, threads):
    forms, links, read = brute_force(texts)
    first, one, other, similarity, bounded = find(texts, threads)
    assert first.tolist() == forms
    assert bounded == 0
    found = list(zip(one.tolist(), other.tolist(), strict=True))
    assert {tuple(sorted(pair)) for pair in found} <= links
    assert grouped(len(texts), found) == grouped(len(texts), links)
    jaccard = [len(read[a][1] & read[b][1]) / len(read[a][1] | read[b][1]) for a, b in found]
    assert similarity.tolist() == pytest.approx(jaccard, abs=1e-6)  # single precision
    assert similarity.tolist() == sorted(similarity.tolist(), reverse=True)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=12))
def test_any_text_is_read_and_threads_change_nothing(texts):
    results = [find(texts, threads) for threads in (1, 3)]
    for a, b in zip(*results, strict=True):
        assert np.array_equal(a, b)
    assert all(int(f) <= i and texts[int(f)] is not None for i, f in enumerate(results[0][0]))


def words(seed, n):
    rng = np.random.default_rng(seed)
    return [f"w{number}" for number in rng.integers(0, 5000, n)]


def test_planted_copies_are_all_found_and_nothing_else():
    originals = [" ".join(words(i, 12 + i % 30)) for i in range(400)]
    copies = [
        (lambda t: t + " "),
        str.upper,
        (lambda t: t + "\n-- \nAnna Smith, Acme"),
        (lambda t: t.replace(" ", "  ") + "!"),
        (lambda t: "Fwd: " + t),
    ]
    texts = originals + [copies[i % 5](text) for i, text in enumerate(originals)]
    first, one, other, *_ = find(texts)
    group = grouped(800, [*((i, int(f)) for i, f in enumerate(first)), *zip(one.tolist(), other.tolist(), strict=True)])
    assert group == [i % 400 for i in range(800)]


def test_short_texts_are_grouped_only_by_their_form():
    texts = ["yes", "yes please", "Yes!", "YES", "C", "C++", "C#", "", "  ", "...", "?", ":)", "no thanks a lot"]
    first, one, *_ = find(texts)
    assert first.tolist() == [0, 1, 0, 0, 4, 5, 6, 7, 7, 9, 10, 11, 12]
    assert len(one) == 0


def test_short_text_inside_of_a_long_one_is_no_copy_of_it():
    part = words(0, 30)
    first, one, *_ = find([" ".join(part), " ".join(part + words(1, 40))])
    assert first.tolist() == [0, 1]
    assert len(one) == 0


def test_texts_without_blanks_are_compared_by_characters():
    text = "机器学习模型需要大量数据才能得到可靠的结果而且每一步都要检查"
    thai = "การเรียนรู้ของเครื่องต้องใช้ข้อมูลจำนวนมากเพื่อให้ได้ผลลัพธ์ที่เชื่อถือได้"
    bases = "".join("ACGT"[i * i * 7 % 11 % 4] for i in range(120)) + "".join("TGCA"[i % 4] for i in range(40))
    texts = [text, text + "谢谢", thai, thai + "ครับ", bases, bases + "ACGTTGCA", "今天天气很好我们去公园散步吧大家一起"]
    first, one, other, *_ = find(texts)
    assert first.tolist() == list(range(7))
    assert {tuple(sorted(pair)) for pair in zip(one.tolist(), other.tolist(), strict=True)} == {(0, 1), (2, 3), (4, 5)}


@pytest.mark.parametrize(
    "make",
    [
        lambda i: "all the same words again and again and again",
        lambda i: f"please note that this message is confidential and for the addressee only so delete it {i}",
        lambda i: " ".join(f"x{k}" for k in range(i, i + 20)),
        lambda i: " ".join("abcdefgh"[k] for k in np.random.default_rng(i).integers(0, 8, 14)),
        lambda i: "",
    ],
    ids=["equal", "one word apart", "chain", "few words", "empty"],
)
def test_many_alike_take_bounded_work_and_threads_change_nothing(make):
    texts = [make(i) for i in range(3000)]
    results = [find(texts, threads) for threads in (1, 2)]
    for a, b in zip(*results, strict=True):
        assert np.array_equal(a, b)


def test_a_text_that_is_not_utf8_is_named():
    documents = _native.Documents()
    documents.add_arrow(np.array([0, 2, 4], np.int64), np.frombuffer(b"ab\xff\xfe", np.uint8))
    with pytest.raises(ValueError, match=r"document 1: byte 0 \(0xFF\) is not UTF-8"):
        _native.find_near_copies(documents, 2)
