"""The package as a whole: its public names, its versions, its quick import, its documentation."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
import unicodedata
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest

import assay

ROOT = Path(__file__).parent.parent


PACKAGES_OF_NAMES = sorted(
    ".".join(stub.parent.relative_to(ROOT / "src").parts) for stub in (ROOT / "src").rglob("__init__.pyi")
)


@pytest.mark.parametrize("name", PACKAGES_OF_NAMES)
def test_every_public_name_of_a_package_is_there_and_no_module_hides_it(name):
    package = importlib.import_module(name)
    for module in modules():  # an imported module becomes an attribute of its package
        importlib.import_module(module)
    assert dir(package) == package.__all__ == sorted(set(package.__all__))
    assert [public for public in package.__all__ if isinstance(getattr(package, public), ModuleType)] == []


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'assay' has no attribute 'raed'"):
        assay.raed  # noqa: B018


def modules() -> list[str]:
    found = pkgutil.walk_packages(assay.__path__, "assay.")
    return [module.name for module in found if module.name != "assay._native"]


@pytest.mark.parametrize("name", modules())
def test_every_module_says_what_it_is_and_names_what_is_public(name):
    module = importlib.import_module(name)
    assert module.__doc__
    missing = [public for public in getattr(module, "__all__", []) if not hasattr(module, public)]
    assert missing == []


def test_versions_agree_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    newest = re.search(r"^## \[?([0-9.]+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert {project["version"], newest[1], version("assay")} == {assay.__version__}


@pytest.mark.parametrize("statement", ["import assay", "import assay.cli.main"])
def test_import_stays_light(statement):
    heavy = {"numpy", "scipy", "sklearn", "pyarrow", "pandas", "matplotlib", "torch", "rich.markdown"}
    code = f"import sys; {statement}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert heavy & set(loaded.split()) == set()


def test_the_package_itself_imports_nothing_but_its_table_of_names():
    """Without `site`, since the loader of an editable installation imports modules of its own."""
    source = str(Path(assay.__file__).parents[1])
    code = f"import __future__, sys; sys.path.insert(0, {source!r}); before = set(sys.modules); import assay"
    code += "; print(*set(sys.modules) - before)"
    loaded = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(loaded.split()) == {"assay", "assay.lazy_names"}


def test_native_module_has_the_unicode_database_of_this_python():
    from assay import _native

    assert _native.unicode_version == unicodedata.unidata_version


def test_the_native_module_is_imported_where_signals_are_held_back():
    """``from assay import _native`` goes through the package; another spelling would go past it."""
    sources = [path for path in (ROOT / "src").rglob("*.py") if path != Path(assay.__file__)]
    spelt = re.compile(r"(from|import) assay\._native")
    only_types = re.compile(r"^if TYPE_CHECKING:\n(?:(?: .*)?\n)*", re.MULTILINE)
    assert [path.name for path in sources if spelt.search(only_types.sub("", path.read_text("utf-8")))] == []


def test_what_is_private_of_scikit_learn_is_imported_in_one_file():
    private = re.compile(r"^ *(?:from sklearn\S* import .*\b_\w|(?:from|import) sklearn\S*\._)", re.MULTILINE)
    using = [path.name for path in (ROOT / "src").rglob("*.py") if private.search(path.read_text("utf-8"))]
    assert using == ["sklearn_internals.py"]


def test_every_page_of_the_documentation_is_in_its_menu():
    menu = (ROOT / "mkdocs.yml").read_text("utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page not in menu] == []


def test_every_decision_is_in_the_list_of_decisions():
    decisions = ROOT / "docs" / "adr"
    listed = re.findall(r"\]\((\d{4}-[^)]*\.md)\)", (decisions / "index.md").read_text("utf-8"))
    assert sorted(listed) == sorted(page.name for page in decisions.glob("0*.md"))
