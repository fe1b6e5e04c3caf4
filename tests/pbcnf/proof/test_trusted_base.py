"""Who checks proofs trusts little: small files, the standard library, two unrelated checkers."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pbcnf.proof

FILES = sorted(Path(pbcnf.proof.__file__).parent.glob("*.py"))


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    plain = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    return names | {alias.name for node in plain for alias in node.names}


def test_nothing_but_the_standard_library_is_imported() -> None:
    # The base class of errors is a name, not code.
    own = {f"pbcnf.proof.{path.stem}" for path in FILES} | {"pbcnf.errors"}
    for path in FILES:
        found = imported(path)
        others = {name for name in found if name.split(".")[0] not in sys.stdlib_module_names}
        assert others <= own, path.name


def test_the_checker_of_hints_shares_no_code_with_the_one_that_finds_them() -> None:
    shared = {"pbcnf.proof.steps"}
    lrat = next(path for path in FILES if path.name == "lrat.py")
    assert {name for name in imported(lrat) if name.startswith("pbcnf")} == shared
    for name in ("steps.py",):
        ours = imported(next(path for path in FILES if path.name == name))
        assert {name for name in ours if name.startswith("pbcnf")} <= shared
