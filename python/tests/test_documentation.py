"""Every example of the docstrings and of the pages runs."""

import doctest
import re
from pathlib import Path

import moduli
import moduli._moduli
import moduli.gmpy2
import pytest

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def run(test):
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
    return runner.tries


def test_docstrings():
    names, tries = [name for name in dir(moduli._moduli) if not name.startswith("__")], 0
    for name in names:
        thing = getattr(moduli._moduli, name)
        assert thing.__doc__, f"{name} is not documented"
        for test in doctest.DocTestFinder().find(thing, name, module=False, globs={"moduli": moduli}):
            tries += run(test)
        for method in vars(thing) if isinstance(thing, type) else ():
            assert method.startswith("__") or method == "_repr_html_" or getattr(thing, method).__doc__, f"{name}.{method}"
    assert tries > 20
    for module in (moduli, moduli.gmpy2):
        assert run(doctest.DocTestParser().get_doctest(module.__doc__, {}, module.__name__, None, None)) > 1


@pytest.mark.parametrize("page", ["docs/python.md", "docs/distributed.md", "docs/tutorial.md", "README.md"])
def test_pages(page):
    snippets = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)
    assert snippets
    # All snippets of a page run in one session, as a reader would run them.
    assert run(doctest.DocTestParser().get_doctest("\n".join(snippets), {}, page, page, 0)) > 3


def test_all_that_is_exported_is_there():
    for module in (moduli, moduli.dsa, moduli.gmpy2, moduli.rsa, moduli.rns):
        assert all(hasattr(module, name) for name in module.__all__)
    native = {name for name in dir(moduli._moduli) if not name.startswith(("_", "Dsa", "Rsa", "gmpy2_", "rns_"))}
    assert native <= set(moduli.__all__)
