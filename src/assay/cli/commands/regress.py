"""``assay regress``: whether words have to do with the labels, beyond what else is known of the texts."""

from __future__ import annotations

from typing import Annotated

from assay.cli.options.option import option
from assay.cli.options.reading import READING, LabelledReading
from assay.cli.options.screen import SCREEN, Screen
from assay.cli.options.shared import Data, Level, Seed

__all__ = ["regress_cli"]

Features = Annotated[
    list[str] | None,
    option(
        "--feature",
        metavar="WORD",
        help="What to test: never, 'not good', count:never, log:never, column:stars, length. Repeat it for more.",
    ),
]
Controls = Annotated[
    list[str] | None,
    option(
        "--control", metavar="COLUMN", help="What it must add to: a column of the data, or length. Repeat it for more."
    ),
]
Categorical = Annotated[
    list[str] | None,
    option("--categorical", metavar="COLUMN", help="A control whose numbers are names, such as a year."),
]
Top = Annotated[
    int,
    option(
        "--top",
        metavar="N",
        help="Test also the N words that tell the labels apart best; chosen on one half of the texts, tested on the "
        "other.",
        show_default=False,
    ),
]
Outcome = Annotated[str | None, option("--outcome", metavar="LABEL", help="Ask for this label against the rest.")]
Reference = Annotated[
    str | None, option("--reference", metavar="LABEL", help="Compare the other labels with this one.")
]
Method = Annotated[
    str,
    option(
        "--method",
        metavar="NAME",
        help="likelihood, held-out or permutation; unless given, one that is valid for these data.",
        show_default=False,
    ),
]
Selected = Annotated[
    bool, option("--selected", help="The features were chosen by looking at the labels of these texts.")
]
Ridge = Annotated[
    float, option("--ridge", metavar="PENALTY", help="Shrink the coefficients by a penalty.", show_default=False)
]


def regress_cli(
    data: Data,
    feature: Features = None,
    control: Controls = None,
    categorical: Categorical = None,
    top: Top = 0,
    outcome: Outcome = None,
    reference: Reference = None,
    method: Method = "auto",
    selected: Selected = False,
    ridge: Ridge = 0.0,
    level: Level = 0.95,
    reading: LabelledReading = READING,
    seed: Seed = None,
    screen: Screen = SCREEN,
) -> None:
    """Test whether words have to do with the labels, beyond length or other columns.

    "Is never associated with negative reviews beyond length and genre?" is asked by

      assay regress reviews.csv --feature never --control length --control genre --outcome negative

    and answered in a sentence, with the coefficients of a logistic regression, odds ratios with intervals, and the
    likelihood-ratio test against the model without the word. Where these tests do not hold (words chosen by their
    labels, a penalty, more features than texts), it says so and uses one that does.
    """
    from assay.cli.reading.data import read_data
    from assay.cli.screens.console import print_json
    from assay.cli.screens.progress import status
    from assay.cli.screens.regression import show_regression
    from assay.inference import regress

    corpus = read_data(data, reading, screen)
    with status(screen, f"testing on {len(corpus):,} texts"):
        result = regress(
            corpus,
            feature or (),
            control or (),
            categorical=categorical or (),
            outcome=outcome,
            reference=reference,
            method=method,
            top=top,
            selected=selected,
            ridge=ridge,
            level=level,
            seed=seed or 0,
        )
    if screen.as_json:
        print_json(result.to_dict())
    else:
        show_regression(result)
