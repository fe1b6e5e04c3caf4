"""What `import pbcnf` and `import satsweeper` offer: all there, documented, each from one home."""

import ast
from importlib import import_module
from math import comb, log10
from pathlib import Path

import pytest

import pbcnf
import satsweeper

FACES = [pbcnf, satsweeper]


def imported_for_type_checkers(path: Path) -> dict[str, str]:
    """Name -> module, of the imports that only type checkers see."""
    tree = ast.parse(path.read_text("utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.name: str(node.module)
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_every_name_is_there_and_comes_from_the_home_that_type_checkers_see(face) -> None:
    seen = imported_for_type_checkers(Path(face.__file__))
    assert sorted(face.__all__) == sorted(seen)
    assert seen == face._HOME
    for name in face.__all__:
        assert getattr(face, name) is getattr(import_module(seen[name]), name)


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_classes_and_functions_are_documented(face) -> None:
    offered = [getattr(face, name) for name in face.__all__]
    assert [each for each in offered if callable(each) and not each.__doc__] == []


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_what_is_not_offered_is_said_to_be_missing(face) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_ours'"):
        face.nothing_of_ours  # noqa: B018


def test_both_have_the_version_of_the_project() -> None:
    citation = (Path(__file__).parents[1] / "CITATION.cff").read_text("utf-8")
    assert pbcnf.__version__ == satsweeper.__version__
    assert f"\nversion: {pbcnf.__version__}\n" in citation


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_what_is_listed_is_what_is_public(face) -> None:
    assert dir(face) == sorted([*face.__all__, "__version__"])


def test_answers_show_themselves_in_one_short_line() -> None:
    position = satsweeper.Position.parse("1 3 1\n?1?")
    assert repr(position) == "Position(3x1, 1 mine)"
    answer = satsweeper.classify(position)
    assert repr(answer) == "Classification(consistent, 3x1, total 1: 0 safe, 0 mine, 2 unknown)"
    clash = satsweeper.classify(satsweeper.Position.parse("1 3 0\n?1?"))
    assert repr(clash) == "Classification(inconsistent, 3x1, total 0: no layout)"
    chances = satsweeper.odds(position)
    assert repr(chances) == "Odds(Position(3x1, 1 mine), 2 layouts, chances 0.5 to 0.5)"
    alone = satsweeper.odds(satsweeper.Position.parse("1 2 ?\n?1"))
    assert repr(alone) == "Odds(Position(2x1, total unknown), 1 layout, chances 1 to 1)"
    unknown = satsweeper.explain(position, (0, 0))
    assert repr(unknown) == "Explanation((0, 0) is unknown: two layouts that differ there)"
    certain = satsweeper.explain(satsweeper.Position.parse("1 2 ?\n?1"), (0, 0))
    assert repr(certain) == "Explanation((0, 0) is mine: 1 clue)"


def test_answers_of_huge_boards_are_short_all_the_same() -> None:
    # More layouts than Python writes digits of.
    position = satsweeper.Position([[-1] * 200] * 100, 8_000)
    for answer in (position, satsweeper.odds(position), satsweeper.classify(position)):
        assert len(repr(answer)) < 120
    digits = int(log10(2) * comb(20_000, 8_000).bit_length())
    assert f"e{digits} layouts, chances 0.4 to 0.4" in repr(satsweeper.odds(position))


def test_a_formula_is_a_sized_collection_of_clauses_and_never_empty_handed() -> None:
    formula = pbcnf.Formula(3)
    assert formula
    assert (len(formula), list(formula)) == (0, [])
    pbcnf.encode(pbcnf.Cardinality([1, 2, 3], upper=1), formula)
    assert list(formula) == list(formula.clauses()) == [[-1, -2], [-1, -3], [-2, -3]]
    assert repr(formula) == "Formula(3 variables, 3 clauses, 6 literals)"
