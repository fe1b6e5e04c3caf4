"""The page of the language names every operator, function and method that there is."""

from pathlib import Path

import pytest

from pbcnf import language
from pbcnf.language import Builder, IntegerVariable, Operand, Proposition

PAGE = (Path(__file__).parents[2] / "docs" / "language.md").read_text("utf-8")
WRITTEN = {
    "add": "`a + b`", "sub": "`a - b`", "neg": "`-a`", "mul": "`a * b`", "abs": "`abs(a)`",
    "le": "`<=`", "lt": "`<`", "ge": "`>=`", "gt": "`>`", "eq": "`==`", "ne": "`!=`",
    "and": "`a & b`", "or": "`a \\| b`", "xor": "`a ^ b`", "rshift": "`a >> b`", "invert": "`~a`",
}  # fmt: skip
PYTHONS = {"init", "repr", "hash", "bool", "module", "doc", "slots", "weakref", "array_ufunc"}
PYTHONS |= {"annotations", "firstlineno", "static_attributes"}


def own(*kinds: type) -> set[str]:
    return {name for kind in kinds for name in vars(kind)}


def test_the_page_shows_every_operator() -> None:
    dunders = {name.strip("_") for name in own(Operand, Proposition) if name.startswith("__")}
    operators = dunders - PYTHONS
    assert {name for name in operators if not {name, name[1:]} & set(WRITTEN)} == set()
    assert [sign for sign in WRITTEN.values() if sign not in PAGE] == []


@pytest.mark.parametrize(
    "module", ["connectives", "relations", "names", "builder", "transformation", "integers"]
)
def test_the_page_shows_what_is_imported_from(module: str) -> None:
    offered = {name: getattr(language, name) for name in vars(language)["__all__"]}
    home = f"pbcnf.language.{module}"
    names = [name for name, value in offered.items() if getattr(value, "__module__", "") == home]
    without = {"Domain", "IntegerEncoding", "IntegerVariable", "Transformation"}  # Named by str.
    assert names
    assert [name for name in names if f"{name}(" not in PAGE and name not in without] == []


def test_the_page_shows_what_builders_and_integers_do() -> None:
    public = {name for name in own(Builder, IntegerVariable) if not name.startswith("_")}
    read = {"name", "domain", "encoding", "statements", "objective", "integer_variables", "value"}
    missing = [name for name in sorted(public - read) if f".{name}" not in PAGE]
    assert missing == []
