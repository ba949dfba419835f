"""The model card: what is filled in, what is left to a person, and what is kept when it is made again."""

from __future__ import annotations

import re

import pytest
import yaml

import assay
from assay.card import card_markdown, write_card
from assay.card.sections import QUESTIONS
from assay.errors import DataError
from assay.modelfile.cross_validated import CrossValidated
from assay.samples import load_sample

SECTIONS = [
    "Model details",
    "Intended use",
    "Factors",
    "Metrics",
    "Evaluation data",
    "Training data",
    "Quantitative analyses",
    "Ethical considerations",
    "Caveats and recommendations",
]
AUDIT = {
    "groups": [
        {
            "column": "region",
            "rows": [
                {"group": "north", "n": 40, "metrics": {"accuracy": {"value": 0.9, "low": 0.8, "high": 0.95}}},
                {"group": "south", "n": 2, "metrics": {"accuracy": {"value": None, "low": None, "high": None}}},
            ],
        }
    ],
    "swaps": [{"name": "gender"}],
    "robustness": [
        {"name": "upper case", "n": 50, "changed": {"value": 0.1, "low": 0.05, "high": 0.2}, "accuracy": None}
    ],
    "findings": [
        {
            "severity": "concern",
            "title": "Gap by region",
            "seen": "Seen.",
            "sure": "Sure.",
            "could_mean": "Meaning.",
            "cannot_show": "It cannot show why.",
        },
        {
            "severity": "ok",
            "title": "",
            "seen": "Case does not matter.",
            "sure": "",
            "could_mean": "",
            "cannot_show": "",
        },
    ],
}


@pytest.fixture(scope="module")
def trained():
    train, test = load_sample().split(test=0.3, seed=0)
    model = assay.TextClassifier(learner="logistic").fit(train)
    return model, assay.evaluate(model, test, n_resamples=50)


def header(card):
    return yaml.safe_load(card.split("---")[1])


def test_every_section_of_the_paper_is_there_in_its_order(trained):
    model, evaluation = trained
    card = card_markdown(model, evaluation)
    assert re.findall(r"^## (.*)$", card, re.MULTILINE) == SECTIONS


def test_model_file_and_evaluation_fill_the_card_in(trained, tmp_path):
    model, evaluation = trained
    model.save(tmp_path / "shop.assay")
    card = card_markdown(assay.load(tmp_path / "shop.assay"), evaluation, name="Shop")
    assert "# Shop\n" in card
    assert "| Training algorithm | LogisticRegression |" in card
    assert "C=1.0" in card
    assert model.provenance["data"]["sha256"] in card
    assert evaluation.corpus.fingerprint in card
    assert f"| accuracy | {evaluation.accuracy} |" in card
    assert "| delivery | 124 | 32.3% |" in card


def test_the_header_is_metadata_that_hubs_read(trained):
    model, evaluation = trained
    found = header(card_markdown(model, evaluation))
    assert found["library_name"] == "assay"
    assert found["pipeline_tag"] == "text-classification"
    [index] = found["model-index"]
    [result] = index["results"]
    assert result["task"]["type"] == "text-classification"
    assert result["dataset"] == {"name": "shop_messages.csv", "type": "shop_messages.csv"}
    measured = {metric["name"]: metric["value"] for metric in result["metrics"]}
    assert measured["accuracy"] == pytest.approx(evaluation.accuracy.value, abs=1e-6)
    assert all(set(metric) == {"type", "name", "value"} for metric in result["metrics"])


def test_odd_names_break_neither_header_nor_tables():
    odd = ['a "b" | c: # <x>', "line\nbreak\u2028end"]
    model = assay.TextClassifier().fit([f"{word} text" for word in "abcd"], [odd[0], odd[1]] * 2)
    card = card_markdown(model, name='My: "model"\x85 |x|')
    assert header(card)["tags"][0] == "text-classification"
    rows = [line for line in card.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3, 4}


def test_without_evaluation_and_audit_the_card_says_so(trained):
    card = card_markdown(trained[0])
    assert "model-index" not in header(card)
    assert "No evaluation was given when this card was made." in card
    assert "The model was not audited when this card was made." in card


def test_the_audit_is_told_with_what_it_cannot_show(trained):
    card = card_markdown(*trained, AUDIT)
    assert "| north | 40 | 0.900 [0.800, 0.950] |" in card
    assert "| south | 2 | undefined |" in card
    assert "- **Gap by region**: Seen. Sure. Meaning. It cannot show why." in card
    assert "- Case does not matter." in card
    assert card.index("## Caveats") < card.rindex("It cannot show why.")


def test_what_a_person_must_write_is_marked(trained, tmp_path):
    notes = write_card(trained[0], tmp_path / "card.md")
    card = (tmp_path / "card.md").read_text("utf-8")
    assert card.count("To be written by a person.") == len(QUESTIONS)
    assert notes == (f"10 parts are still to be written by a person: {', '.join(QUESTIONS)}",)


def test_what_a_person_wrote_is_kept_when_the_card_is_made_again(trained, tmp_path):
    path = tmp_path / "card.md"
    write_card(trained[0], path)
    prompt = f"> **To be written by a person.** {QUESTIONS['ethics']}"
    edited = path.read_text("utf-8").replace(prompt, "Mistakes delay *parcels*.\n\n- nobody is hurt\n- `ok`")
    path.write_text(edited.replace("# license: apache-2.0", "license: mit"), "utf-8")
    notes = write_card(trained[0], path, trained[1], AUDIT)
    card = path.read_text("utf-8")
    assert "Mistakes delay *parcels*.\n\n- nobody is hurt\n- `ok`" in card
    assert header(card)["license"] == "mit"
    assert "Gap by region" in card
    assert notes[0].startswith("9 parts are still to be written")
    assert not (tmp_path / "card.md.before").exists()


def test_making_the_same_card_twice_gives_the_same_bytes(trained, tmp_path):
    path = tmp_path / "card.md"
    write_card(trained[0], path, trained[1])
    first = path.read_bytes()
    write_card(trained[0], path, trained[1])
    assert path.read_bytes() == first


def test_a_part_that_the_card_no_longer_has_is_kept_under_further_notes(trained, tmp_path):
    path = tmp_path / "card.md"
    write_card(trained[0], path)
    text = path.read_text("utf-8").replace("assay:write ethics", "assay:write old-part")
    path.write_text(text.replace(f"> **To be written by a person.** {QUESTIONS['ethics']}", "Old words."), "utf-8")
    write_card(trained[0], path)
    assert path.read_text("utf-8").split("## Further notes")[1].count("Old words.") == 1


def test_changes_elsewhere_are_put_aside_and_said(trained, tmp_path):
    path = tmp_path / "card.md"
    write_card(trained[0], path)
    changed = path.read_text("utf-8").replace("## Factors", "## Factors\n\nMy own words.")
    path.write_text(changed, "utf-8")
    notes = write_card(trained[0], path)
    assert "card.md was changed outside the parts that are kept" in notes[0]
    assert (tmp_path / "card.md.before").read_text("utf-8") == changed
    assert "My own words." not in path.read_text("utf-8")


def test_a_file_that_is_no_card_is_not_overwritten(trained, tmp_path):
    (tmp_path / "card.md").write_text("# My diary\n", "utf-8")
    with pytest.raises(DataError, match=r"card\.md: this file is not a card that assay made .* to another file"):
        write_card(trained[0], tmp_path / "card.md")
    assert (tmp_path / "card.md").read_text("utf-8") == "# My diary\n"


def test_a_part_without_its_end_is_an_error_with_its_line(trained, tmp_path):
    path = tmp_path / "card.md"
    write_card(trained[0], path)
    text = path.read_text("utf-8").replace("<!-- /assay:write -->", "", 1)
    path.write_text(text, "utf-8")
    with pytest.raises(DataError, match=r"card\.md, line \d+: the part 'developers' begins here but does not end"):
        write_card(trained[0], path)


def test_html_takes_the_words_of_the_markdown_beside_it(trained, tmp_path):
    path = tmp_path / "card.md"
    write_card(trained[0], path)
    prompt = f"> **To be written by a person.** {QUESTIONS['ethics']}"
    words = "# Harm\n\n**Late** parcels, see [here](https://example.org/a?b=1&c=2) <script>\n\n- one\n- *two*"
    path.write_text(path.read_text("utf-8").replace(prompt, words), "utf-8")
    write_card(trained[0], tmp_path / "card.html", trained[1], AUDIT)
    page = (tmp_path / "card.html").read_text("utf-8")
    assert "<h4>Harm</h4>" in page
    assert '<b>Late</b> parcels, see <a href="https://example.org/a?b=1&amp;c=2">here</a> &lt;script&gt;' in page
    assert "<ul><li>one</li><li><i>two</i></li></ul>" in page
    assert page.count("To be written by a person.") == len(QUESTIONS) - 1
    assert re.findall(r"<h2>(.*?)</h2>", page) == SECTIONS
    assert not re.search(r"(src|href)=[\"'](?!https://example|#content)", page), "it needs nothing from elsewhere"


def test_the_card_has_the_cross_validated_figure_and_how_many_examples_are_likely_to_be_needed():
    model = assay.TextClassifier(learner="nb").fit(["good", "bad", "so so"], ["+", "-", "-"])
    more = {"-": {"goal": 0.5, "low": 100.0, "high": 300.0, "reason": None}}
    crossed = CrossValidated("macro_f1", 0.7, 0.6, 0.8, texts=3, right=2, median_words=1.0, more=more)
    model.provenance["cross_validation"] = crossed.to_dict()
    text = " ".join(card_markdown(model).split())
    assert "each judged by a model that had not seen it: macro_f1 0.700 [0.600, 0.800]." in text.replace("\\", "")
    assert "half of them are likely found with 100 to 300 in all" in text
