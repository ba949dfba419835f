"""``assay regress`` through the installed command."""

from __future__ import annotations

import json
import random

import pytest


@pytest.fixture
def reviews(tmp_path):
    rng = random.Random(0)
    lines = ["review,stars,genre"]
    for _ in range(300):
        genre = rng.choice(["horror", "drama"])
        never = rng.random() < 0.3
        bad = rng.random() < (0.75 if never else 0.35)
        lines.append(f"{'film ' * rng.randint(1, 9)}{'never' if never else 'always'},{'neg' if bad else 'pos'},{genre}")
    (tmp_path / "reviews.csv").write_text("\n".join(lines))
    return "reviews.csv"


def test_the_question_of_the_help_is_answered_in_a_sentence(run, reviews):
    shown = run(
        "regress",
        reviews,
        "--label=stars",
        "--feature",
        "never",
        "--control",
        "length",
        "--control",
        "genre",
        "--outcome=neg",
    )
    assert shown.returncode == 0
    words = " ".join(shown.stdout.split())
    assert "✓ Yes: 'never' is associated with 'neg' beyond length and genre (likelihood ratio test, χ²(1)" in words
    assert "genre=" in words
    assert "Note: An association is not a cause" in words


def test_json_holds_the_same(run, reviews):
    shown = run("regress", reviews, "--label", "stars", "--top", "1", "--method", "permutation", "--json")
    assert (shown.returncode, shown.stderr) == (0, "")
    found = json.loads(shown.stdout)
    assert found["kind"] == "feature_tests"
    assert found["tests"][-1]["name"] in ("never", "always")
    assert found["tests"][-1]["method"] == "permutation"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--feature", "nevr"], 3, "the feature 'nevr' is the same everywhere: no text has it"),
        (["--feature", "never", "--control", "genr"], 3, "There is 'genre', 'length'"),
        (["--feature", "never", "--outcome", "bad"], 2, "Labels are"),
        ([], 2, "There is no feature to test. Name some with --feature"),
    ],
)
def test_what_is_wrong_is_said_without_a_traceback(run, reviews, arguments, code, message):
    shown = run("regress", reviews, "--label", "stars", *arguments)
    assert shown.returncode == code
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
