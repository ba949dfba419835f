"""The report of a network: how it learned, and a page whose links all lead somewhere."""

from __future__ import annotations

import re

import pytest

from assay.report.build import render_report
from assay.training import TrainingSettings, run_training

from .conftest import LABELS, TEXTS


def report_of(**chosen):
    settings = {"embedding_size": 8, "hidden": [6], "learning_rate": 0.02, "batch_size": 8, **chosen}
    run = run_training(
        (TEXTS, LABELS), TrainingSettings.chosen(learner="averaging", learner_settings=settings), threads=1
    )
    return render_report(run)


@pytest.fixture(scope="module")
def page():
    """Of a network that was stopped by texts which were held out."""
    return report_of(epochs=3, validation=0.2)


def test_every_link_in_the_page_leads_to_one_place(page):
    places = re.findall(r'\sid="([^"]+)"', page)
    assert len(places) == len(set(places))
    links = re.findall(r'href="#([^"]+)"', page)
    assert "learning" in links
    assert "features" not in links  # a network has none
    assert set(links) <= set(places)


def test_curves_and_a_table_show_loss_and_metric_of_every_epoch(page):
    assert "It went over the training texts 3 times. After each time it was measured on texts that it did not" in page
    assert "<h3>What it tries to make small</h3>" in page
    assert "<h3>Accuracy on texts that it did not learn from</h3>" in page
    table = page[page.index("Every epoch") :]
    table = table[: table.index("</table>")]
    assert table.count('<th scope="row">') == 3
    assert "Held out: accuracy" in table
    assert table.count(">kept<") == 1


def test_where_nothing_was_held_out_there_is_no_empty_column():
    page = report_of(epochs=1)
    assert "It went over the training texts once; none were held out to stop by." in page
    assert "Held out" not in page
