"""What all tests share: the examples they draw, where the real data is, and two models."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest
from hypothesis import HealthCheck
from hypothesis.internal.conjecture import providers

# A slow machine is no failure, and what failed before is no longer there tomorrow.
_steady = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None, "print_blob": True}
hypothesis.settings.register_profile("same-everywhere", derandomize=True, **_steady)
hypothesis.settings.register_profile("explore", **_steady)  # what `make fuzz` loads
hypothesis.settings.load_profile("same-everywhere")


def pytest_configure(config: pytest.Config) -> None:
    """Draw the same examples whatever else was imported.

    Hypothesis also tries the constants of the modules that are loaded at that moment, and these depend on which tests
    this worker has run before.
    """
    if config.getoption("--hypothesis-profile", None) != "explore":
        nothing = providers.Constants()
        providers._get_local_constants = lambda: nothing


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the public data sets; tests that need it are skipped without it."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the public data sets are not at {folder} (set ASSAY_DATA)")
    return folder


@pytest.fixture(scope="session")
def permissions_count(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip where this process can read what it may not, as an administrator can."""
    file = tmp_path_factory.mktemp("permissions") / "closed"
    file.touch(mode=0)
    try:
        file.read_bytes()
    except PermissionError:
        return
    pytest.skip("this process can read what it may not")


@pytest.fixture(scope="session")
def shop_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the embedded sample, with probabilities; its texts were in a column 'text'."""
    import assay
    from assay.samples import SHOP_MESSAGES

    path = tmp_path_factory.mktemp("models") / "shop.assay"
    assay.TextClassifier(learner="logistic").fit(assay.read(str(SHOP_MESSAGES))).save(path)
    return path


@pytest.fixture(scope="session")
def score_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without probabilities."""
    import assay
    from assay.samples import SHOP_MESSAGES

    path = tmp_path_factory.mktemp("models") / "scores.assay"
    assay.TextClassifier(learner="svm").fit(assay.read(str(SHOP_MESSAGES))).save(path)
    return path
