"""Where the real data sets are, if they are anywhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of the public data sets; tests that need it are skipped without it."""
    folder = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the public data sets are not at {folder} (set ASSAY_DATA)")
    return folder
