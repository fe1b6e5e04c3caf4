"""Claims about every format: malformed files, models after writing and reading, comments."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, Choices, Parity, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.names import legal_names
from pbcnf.formats.problem_file import FileLines
from pbcnf.formats.problems import read_problem, read_whole, write_problem
from pbcnf.formats.read.counting import read_counting
from pbcnf.formats.read.icnf import read_icnf
from pbcnf.formats.read.knf import read_constraints, read_header
from pbcnf.formats.read.lp import read_lp
from pbcnf.formats.read.mps import read_mps
from pbcnf.formats.read.opb import open_opb
from pbcnf.formats.read.wcnf import read_wcnf
from pbcnf.formats.smtlib.script import read_smtlib
from pbcnf.formats.table import FORMATS
from tests.problem_files import models_of, objective_of, read, read_by_highs, written
from tests.problem_files import random_instance as make_instance

DATA = Path(__file__).parents[2] / "data"
MALFORMED = DATA / "malformed_problems"


def read_knf(stream: Any, source: str) -> Any:
    return list(read_constraints(stream, source, read_header(stream, source)))


def read_opb(stream: Any, source: str, strict: bool = True) -> Problem:
    data = stream.read()
    return read_whole(open_opb(FileLines(lambda: io.BytesIO(data), source, strict)))


READERS: dict[str, Callable[[Any, str], Any]] = {
    "cnf+": read_problem, "counting": read_counting, "icnf": read_icnf, "knf": read_knf,
    "lp": read_lp, "mps": read_mps, "opb": read_opb, "smt2": read_smtlib, "wcnf": read_wcnf,
    "xcnf": read_problem,
}  # fmt: skip


def malformed() -> list[Any]:
    """A line of a file is a case: what is wrong | the text as JSON | how the message begins."""
    found = []
    for path in MALFORMED.iterdir():
        for line in path.read_text("utf-8").splitlines():
            label, rest = line.split(" | ", 1)
            text, message = rest.rsplit(" | ", 1)
            # <9 * 5000> stands for 5000 nines.
            text = re.sub(r"<(.) \* (\d+)>", lambda times: times[1] * int(times[2]), text)
            found.append((path.stem, json.loads(text), message, f"{path.stem}: {label}"))
    assert {name for name, *_ in found} == READERS.keys()
    assert len(found) > 280
    return [pytest.param(*case, id=label) for *case, label in sorted(found)]


@pytest.mark.parametrize(("name", "text", "message"), malformed())
def test_malformed_text_is_refused_in_one_line_at_its_place(name, text, message) -> None:
    if name == "smt2":
        pytest.importorskip("pysmt")
    with pytest.raises(FormatError) as caught:
        read(text, f"f.{name}", READERS[name])
    assert str(caught.value).startswith(f"f.{name}:{message}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 250


def layouts() -> list[Any]:
    """A line is a case: the format | the label | a text as JSON | the same plainly, as JSON."""
    lines = (DATA / "problem_layouts.txt").read_text("utf-8").splitlines()
    cases = [line.split(" | ") for line in lines]
    return [
        pytest.param(name, json.loads(text), json.loads(plain), id=f"{name}: {label}")
        for name, label, text, plain in cases
    ]


@pytest.mark.parametrize(("name", "text", "plain"), layouts())
def test_other_layouts_of_the_same_are_read(name: str, text: str, plain: str) -> None:
    reader = read_opb if name == "opb" else read_problem
    found, expected = (read(each, f"p.{name}", reader) for each in (text, plain))
    assert (found.objective, found.names) == (expected.objective, expected.names)
    if name in ("lp", "mps"):
        assert found.objective == Objective((1,), (1,))
        assert models_of(found) == models_of(expected)
    else:
        assert found.constraints == expected.constraints


WRITTEN = {
    "sums.lp": Problem(4, (
        Cardinality([1, 2], lower=1, upper=1), PseudoBoolean([1, -3], [2, 1], lower=1, upper=2),
        Cardinality([2, -2], lower=3),
    ), {1: "m_0_0", 2: "m_0_1"}, Objective((3, -1), (1, 4), maximise=True)),
    "sums.mps": Problem(3, (
        Cardinality([1, 2], lower=1, upper=1), PseudoBoolean([1, -2], [2, 1], lower=1, upper=2),
        Cardinality([1, 2], lower=2, upper=1),
    ), {1: "m_0_0"}, Objective((2,), (5,), 3)),
    "sums.knf": Problem(4, (
        Cardinality([1, -2], lower=1), Cardinality([1, 2, 3, 4], lower=2, upper=3),
        Cardinality([1, 2, -3], upper=1), PseudoBoolean([1, 2], [3, 3], lower=2),
        Cardinality([1, 1, 2], lower=1), Cardinality([3, 4], lower=2),
        Cardinality([1, 2], lower=3), Cardinality([1, 2], lower=0),
    ), {2: "m_0_1"}, Objective((1,), (1,))),
    "sums.opb": Problem(3, (
        Cardinality([1, 2, 3], lower=1, upper=2), PseudoBoolean([1, -3], [2, 5], upper=4),
        PseudoBoolean([1, 2], [7, -7], lower=0, upper=0), Cardinality([2, -2], lower=3),
    ), {1: "m_0_0", 3: "m_0_2"}, Objective((1, -2), (3, 4), maximise=True)),
    "parities.opb": Problem(4, (
        Cardinality([1, 2], 1), Parity([1, 2, 3, -4], True), Parity([1, 3], True)
    ), {2: "b"}, Objective((1,), (1,))),
    "parities.xcnf": Problem(5, (
        Parity([1, -2, 3], True), Cardinality([1, 2, 3], 0, 1), Parity([4, 5, 4, 4], True),
        Parity([5, -5], True), Parity([3, 3, -2], True),
    ), {2: "b"}, Objective((1,), (2,))),
}  # fmt: skip
"""A file of ``tests/data/written`` and what it holds, by its format."""


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_is_the_format(name: str) -> None:
    expected = (DATA / "written" / name).read_text("ascii")
    comments = ("made by hand",) * expected.count("made by hand")
    assert written(WRITTEN[name], name.partition(".")[2], comments=comments) == expected


@pytest.mark.parametrize("name", ["lp", "mps"])
@pytest.mark.parametrize("value", [10**15 + 1, -(10**15) - 1, 10**5000], ids=["+", "-", "huge"])
def test_an_integer_that_floating_point_may_not_hold_is_refused(name: str, value: int) -> None:
    stream = io.BytesIO()
    for row in PseudoBoolean([1], [value], lower=1), Cardinality([1], value):
        with pytest.raises(ValueError, match=rf"^constraint 2: .* too large for {name.upper()}"):
            write_problem(Problem(1, (Cardinality([1], 1), row)), stream, name)
    with pytest.raises(ValueError, match=rf"^the objective: .* too large for {name.upper()}"):
        write_problem(Problem(1, (), {}, Objective((1,), (value,))), stream, name)
    assert stream.getvalue() == b""


READ = [name for name in FORMATS if FORMATS[name].reader or name == "xcnf"]
KEPT_OBJECTIVES = {"opb", "lp", "mps", "wcnf"}
LEGAL_NAMES = {"lp", "mps", "smt2"}


@pytest.mark.parametrize("name", READ)
@settings(max_examples=100, deadline=None)
@given(rng=st.randoms(use_true_random=False), parities=st.booleans())
def test_what_is_written_is_read_with_the_same_models(name, rng, parities) -> None:
    if name == "smt2":
        pytest.importorskip("pysmt")
    clauses = FORMATS[name].holds == "clauses"
    problem = make_instance(rng, weighted=not clauses)
    n = problem.num_vars
    if parities and n:
        lits = [rng.choice([1, -1]) * rng.randint(1, n) for _ in range(rng.randint(0, 5))]
        rows = (*problem.constraints[:2], Parity(lits, rng.random() < 0.5))
        problem = replace(problem, constraints=rows)
    choices = Choices("pairwise", "direct") if clauses else None
    try:
        text = written(problem, name, choices=choices)
    except ValueError as error:
        # Tests of the format say which sums it cannot hold.
        refused = re.match(r"constraint \d+: .*(cannot hold|cannot express)", str(error))
        if refused is None:
            raise
        return
    if all(line.startswith("c") for line in text.splitlines()):
        assert name == "wcnf"  # which has no header
        return
    again = read(text, f"p.{name}")
    again = replace(again, num_vars=max(n, again.num_vars))
    found = models_of(again)
    assert {bits[:n] for bits in found} == models_of(problem)
    if name in LEGAL_NAMES:
        assert list(dict(again.variables()).values())[:n] == legal_names(problem)
    elif name != "wcnf":
        assert {var for var in again.names if var <= n} == problem.names.keys()
    if name in KEPT_OBJECTIVES and problem.objective is not None:
        differences = {objective_of(again, b) - objective_of(problem, b[:n]) for b in found}
        # Of OPB and WCNF the constant is a comment.
        assert len(differences) <= 1
        assert name in ("opb", "wcnf") or differences <= {0}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("comment", ["\u00e4", "one\n\u00e4"])
def test_a_comment_that_is_not_ascii_is_refused_before_anything_is_written(name, comment) -> None:
    if name == "smt2":
        pytest.importorskip("pysmt")
    stream = io.BytesIO()
    with pytest.raises(ValueError, match="a comment must be ASCII"):
        write_problem(Problem(1, ()), stream, name, comments=("fine", comment))
    assert stream.getvalue() == b""


@pytest.mark.parametrize("name", ["lp", "mps"])
def test_highs_reads_the_same_models_and_finds_the_best(tmp_path, name: str) -> None:
    rng = Random(20240601)
    instances = [made for _ in range(60) if (made := make_instance(rng)).num_vars]
    paths = [tmp_path / f"{number}.{name}" for number in range(len(instances))]
    for path, problem in zip(paths, instances, strict=True):
        path.write_text(written(problem, name, comments=["a comment"]))
    for problem, (models, names, status, best) in zip(
        instances, read_by_highs(*paths), strict=True
    ):
        order = [names.index(each) for each in legal_names(problem)]
        expected = models_of(problem)
        assert name == "lp" or order == sorted(order)
        assert {tuple(model[at] for at in order) for model in models} == expected
        # HiGHS 1.10 ends in an error on some programs that have no solution.
        assert status in (["Optimal"] if expected else ["Infeasible", "Solve error"])
        if expected and problem.objective is not None:
            sign = -1 if problem.objective.maximise else 1
            assert sign * best == min(objective_of(problem, bits) for bits in expected)
