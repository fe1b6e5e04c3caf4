"""What the packages offer: public names, documented, each from one home; and errors of one base."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from math import comb, log10
from pathlib import Path

import pytest

import pbcnf
import pbcnf.formats.smtlib
import pbcnf.language
import pbcnf.show
import satsweeper
import satsweeper.show

FACES = [pbcnf, pbcnf.formats.smtlib, pbcnf.language, pbcnf.show, satsweeper, satsweeper.show]

IN_PBCNF = """
Cardinality Choice Choices Clause ClauseSink Constraint Counter Direction ENCODERS Encoder
EncodingError EncodingSize Error FORMATS FormatError Formula Lit MAX_VAR Objective PARITY_ENCODERS
Parity ParityEncoder Problem Propagation PseudoBoolean Template UnaryCount Var WeightedCount
WeightedCounter WeightedEncoder choose dimacs encode encode_many encode_problem find_encoder
instantiate read_problem write_dimacs write_formula write_problem
"""
BELOW_PBCNF = {
    pbcnf.language: """
        Builder Comparison Domain FALSE IntegerEncoding IntegerVariable Literal Names Operand
        Proposition Sum TRUE Transformation all_different all_of any_of at_most_one element
        exactly_one iff ite lexicographic maximum minimum read_statements table total
        write_statements xor
    """,
    pbcnf.show: "Drawing as_html as_svg as_text draw",
    pbcnf.formats.smtlib: "from_pysmt to_pysmt",
}
IN_SATSWEEPER = """
BoardError Certificate Classification Conflict Error Explanation Odds Position Puzzle Session
Status Verdict as_html as_svg as_text certify check classify explain odds
"""


def test_each_package_lists_its_names() -> None:
    assert vars(pbcnf)["__all__"] == sorted(IN_PBCNF.split())
    assert vars(satsweeper)["__all__"] == sorted(IN_SATSWEEPER.split())
    for face, names in BELOW_PBCNF.items():
        assert vars(face)["__all__"] == sorted(names.split())


def test_names_of_the_language_of_drawings_and_of_smtlib_can_be_imported_from_pbcnf_too() -> None:
    for face, names in BELOW_PBCNF.items():
        for name in names.split():
            assert getattr(pbcnf, name) is getattr(face, name)
    assert satsweeper.as_text is satsweeper.show.as_text


@pytest.mark.slow
def test_type_checkers_see_every_name_and_no_other(tmp_path: Path) -> None:
    names = [*IN_PBCNF.split(), *" ".join(BELOW_PBCNF.values()).split()]
    lines = ["import pbcnf", "import satsweeper"]
    lines += [f"pbcnf.{name}" for name in names]
    lines += [f"satsweeper.{name}" for name in IN_SATSWEEPER.split()]
    lines += ["reveal_type(pbcnf.language.total)", "pbcnf.nothing_of_ours"]
    path = tmp_path / "user.py"
    path.write_text("\n".join(lines), "utf-8")
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml"]
    command += ["--follow-imports", "silent", str(path)]
    child = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=300)
    found = [line.partition(": ")[2] for line in child.stdout.splitlines()]
    assert found[0].startswith('note: Revealed type is "def (parts: ')
    assert found[1].startswith('error: Module has no attribute "nothing_of_ours"')
    assert len(found) == 3


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_every_name_listed_is_there_documented_and_public_and_no_other(face) -> None:
    offered = [getattr(face, name) for name in vars(face)["__all__"]]
    assert not any(each is None for each in offered)
    assert [each for each in offered if callable(each) and not each.__doc__] == []
    beside = ["__version__"] if face in (pbcnf, satsweeper) else []
    assert dir(face) == sorted([*face.__all__, *beside])
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_ours'"):
        face.nothing_of_ours  # noqa: B018


def test_both_have_the_version_of_the_project() -> None:
    citation = (Path(__file__).parents[1] / "CITATION.cff").read_text("utf-8")
    assert pbcnf.__version__ == satsweeper.__version__
    assert f"\nversion: {pbcnf.__version__}\n" in citation


def test_answers_show_themselves_in_one_short_line() -> None:
    three, none, two = map(satsweeper.Position.parse, ("1 3 1\n?1?", "1 3 0\n?1?", "1 2 ?\n?1"))
    assert [repr(answer) for answer in (
        three, satsweeper.classify(three), satsweeper.classify(none), satsweeper.odds(three),
        satsweeper.odds(two), satsweeper.explain(three, (0, 0)), satsweeper.explain(two, (0, 0)),
    )] == [
        "Position(3x1, 1 mine)",
        "Classification(consistent, 3x1, total 1: 0 safe, 0 mine, 2 unknown)",
        "Classification(inconsistent, 3x1, total 0: no layout)",
        "Odds(Position(3x1, 1 mine), 2 layouts, chances 0.5 to 0.5)",
        "Odds(Position(2x1, total unknown), 1 layout, chances 1 to 1)",
        "Explanation((0, 0) is unknown: two layouts that differ there)",
        "Explanation((0, 0) is mine: 1 clue)",
    ]  # fmt: skip


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


def test_values_of_a_users_own_class_show_themselves_as_their_base_class_does() -> None:
    class OwnConstraint(pbcnf.Cardinality):
        pass

    class OwnPosition(satsweeper.Position):
        pass

    assert str(OwnConstraint([1, 2], 1)) == str(pbcnf.Cardinality([1, 2], 1))
    text = "1 3 1\n?1?"
    assert str(OwnPosition.parse(text)) == str(satsweeper.Position.parse(text))


# Errors raised on purpose: one base, and for each class the built-in class that callers catch


def defined(package: str) -> dict[str, type[BaseException]]:
    """Return every public exception class that a module of the package defines."""
    root = Path(str(import_module(package).__file__)).parent
    found = {}
    for path in sorted(root.rglob("*.py")):
        module = ".".join((package, *path.relative_to(root).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and re.fullmatch(r"(?:[A-Z]\w*)?Error", node.name):
                assert node.name not in found, "class names are unique in a package"
                found[node.name] = getattr(import_module(module), node.name)
    return found


CLASSES = {package: defined(package) for package in ("pbcnf", "satsweeper")}
EVERY = [kind for classes in CLASSES.values() for kind in classes.values()]


def test_both_packages_have_one_base() -> None:
    assert satsweeper.Error is pbcnf.Error
    assert [kind for kind in EVERY if not issubclass(kind, pbcnf.Error)] == []


CAUGHT_AS = {
    ValueError: """
        BoardError CannotHoldError CellError DamagedError EncodingError EngineRefusedError
        FolderTakenError FormatError GameOverError KeysError LocatedError MapMismatchError
        NoCounterError NoLayoutError NoSuchEncodingError ProofError ProofFormatError RefusedError
        RuleError SolverError TooLargeError TooManyClausesError UnboundedError UnderivableError
        UnprovedError UnreadableError
    """,
    RuntimeError: """
        DefectError OddsLimitError UnsafeCellError UnwitnessedError WorkerDiedError WrongModelError
    """,
    AttributeError: "NoCounterError",
    ChildProcessError: "SolverFailedError",
    ImportError: "EngineMissingError PysmtMissingError",
}
"""The built-in class that a class adds to `Error`, for callers who catch that."""


@pytest.mark.parametrize("caught", CAUGHT_AS)
def test_errors_can_be_caught_as_built_in_ones(caught: type[Exception]) -> None:
    found = {kind.__name__ for kind in EVERY if issubclass(kind, caught)}
    assert found == set(CAUGHT_AS[caught].split())
