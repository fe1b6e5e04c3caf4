"""SMT-LIB through pysmt; z3 as an independent reader."""

import io
import re
import subprocess
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import Choices
from pbcnf.formats.error import FormatError
from pbcnf.formats.names import legal_names
from pbcnf.formats.smtlib.script import LOGICS, read_smtlib, write_smtlib
from pbcnf.wording import install_hint

pytest.importorskip("pysmt")


def random_instance(rng: Random) -> Problem:
    """Up to 4 variables, literals repeated and opposite, bounds that always or never hold."""
    n = rng.randint(0, 4)
    constraints: list[Cardinality | PseudoBoolean] = []
    for _ in range(rng.randint(0, 3)):
        count = rng.randint(0, 5) if n else 0
        lits = [rng.choice([1, -1]) * rng.randint(1, n) for _ in range(count)]
        weights = [rng.choice([1, 1, 1, -1, 2, -3]) for _ in lits]
        bound = rng.randint(-3, 5)
        bounds = rng.choice([(bound, None), (None, bound), (bound, bound), (bound, bound + 1)])
        constraints.append(PseudoBoolean(lits, weights, *bounds))
        constraints.append(Cardinality(lits, *bounds))
    return Problem(n, tuple(constraints[: rng.randint(0, 6)]), {1: "m_0_0"} if n else {})


def models_of(problem: Problem, inputs: int) -> set[tuple[int, ...]]:
    """All models, projected on the first variables."""
    return {
        bits[:inputs]
        for bits in product((0, 1), repeat=problem.num_vars)
        if problem.holds({var if bit else -var for var, bit in enumerate(bits, start=1)})
    }


def written(problem: Problem, logic: Any = "QF_LIA", **options: Any) -> str:
    stream = io.BytesIO()
    write_smtlib(problem, stream, logic=logic, **options)
    assert not stream.closed
    return stream.getvalue().decode("ascii")


def read(text: str | bytes) -> Problem:
    data = text if isinstance(text, bytes) else text.encode()
    return read_smtlib(io.BytesIO(data), "p.smt2")


EXAMPLE = Problem(
    3,
    (
        PseudoBoolean([1, -2], [2, 1], lower=1, upper=2),
        Cardinality([1, 2], lower=1, upper=1),
        Cardinality([2, -2], lower=3),
    ),
    {1: "m_0_0", 2: "let"},
    Objective((1,), (1,)),
)


def test_what_is_written_in_integers_is_the_format() -> None:
    assert written(EXAMPLE, comments=("made by hand",)).splitlines() == [
        "; made by hand",
        "; the objective is left out",
        "(set-logic QF_LIA)",
        "(declare-fun m_0_0 () Int)",
        "(declare-fun v_let () Int)",
        "(declare-fun x3 () Int)",
        "(assert (and (<= 0 m_0_0) (<= m_0_0 1)))",
        "(assert (and (<= 0 v_let) (<= v_let 1)))",
        "(assert (and (<= 0 x3) (<= x3 1)))",
        "(assert (and (<= 0 (+ (* 2 m_0_0) (* (- 1) v_let)))"
        " (<= (+ (* 2 m_0_0) (* (- 1) v_let)) 1)))",
        "(assert (= (+ m_0_0 v_let) 1))",
        "(assert (<= 2 0))",
        "(check-sat)",
    ]


def test_what_is_written_as_clauses_is_the_format() -> None:
    problem = Problem(3, (Cardinality([1, -2, 3], upper=1),), {1: "m_0_0"})
    text = written(problem, "QF_UF", choices=Choices(at_most_one="sequential_counter"))
    lines = text.splitlines()
    assert lines[:4] == [
        "(set-logic QF_UF)",
        "(declare-fun m_0_0 () Bool)",
        "(declare-fun x2 () Bool)",
        "(declare-fun x3 () Bool)",
    ]
    assert re.fullmatch(r"\(declare-fun aux_4 \(\) Bool\)", lines[4])
    assert all(re.fullmatch(r"\(assert \(or .*\)\)", line) for line in lines[6:-1])
    assert lines[-1] == "(check-sat)"


@pytest.mark.parametrize("logic", LOGICS)
@settings(max_examples=60, deadline=None)
@given(rng=st.randoms(use_true_random=False))
def test_what_is_written_is_read_with_the_same_models(logic: str, rng: Random) -> None:
    problem = random_instance(rng)
    again = read(written(problem, logic))
    n = problem.num_vars
    assert models_of(again, n) == models_of(problem, n)
    assert [name for _, name in again.variables()][:n] == legal_names(problem)


@pytest.mark.parametrize("logic", LOGICS)
def test_z3_decides_every_assignment_alike(logic: str) -> None:
    z3 = pytest.importorskip("z3")
    rng = Random(20240603)
    for problem in [EXAMPLE, *(random_instance(rng) for _ in range(25))]:
        solver = z3.Solver()
        solver.from_string(written(problem, logic))
        make = z3.Int if logic == "QF_LIA" else z3.Bool
        symbols = [make(name) for name in legal_names(problem)]
        models = models_of(problem, problem.num_vars)
        for bits in product((0, 1), repeat=problem.num_vars):
            values = bits if logic == "QF_LIA" else map(bool, bits)
            fixed = [symbol == value for symbol, value in zip(symbols, values, strict=True)]
            assert solver.check(*fixed) == (z3.sat if bits in models else z3.unsat)


def test_large_integers_stay_exact() -> None:
    problem = Problem(3, (PseudoBoolean([1, 2, 3], [2**70, -(2**70) - 1, 1], lower=0),))
    assert models_of(read(written(problem)), 3) == models_of(problem, 3)


@pytest.mark.parametrize("options", [{"logic": "QF_BV"}, {"comments": ("\u00e4",)}])
def test_nothing_is_written_if_something_is_wrong(options: dict[str, Any]) -> None:
    stream = io.BytesIO()
    with pytest.raises(ValueError, match=r"not in QF_BV|must be ASCII"):
        write_smtlib(EXAMPLE, stream, **options)
    assert stream.getvalue() == b""


EVERY = {(0, 0), (0, 1), (1, 0), (1, 1)}
AB = "(declare-fun a () Bool)(declare-const b Bool)"
XY = "(declare-fun x () Int)(declare-const y Int)(assert (and (>= x 0) (< x 2) (<= 0 y) (>= 1 y)))"


@pytest.mark.parametrize(
    ("text", "models"),
    [
        (f"{AB}(assert (or a (not b)))", {(0, 0), (1, 0), (1, 1)}),
        (f"{AB}(assert (and (or a b) (not a) true))", {(0, 1)}),
        (f"{AB}(assert (or false (or a (not (not b))) false))(exit) junk", EVERY - {(0, 0)}),
        (f"{AB}(assert (or true a))", EVERY),
        (f"{AB}(assert false)", set()),
        (f"{AB}(assert (= 1 (+ (ite a 1 0) (ite (not b) 0 1))))", {(0, 1), (1, 0)}),
        (f"{AB}(assert (> (+ (ite a 3 1) (ite b 1 (- 2))) 1))", {(1, 1), (0, 1)}),
        (f"{XY}(assert (>= (- x y) 0))", {(0, 0), (1, 0), (1, 1)}),
        (f"{XY}(assert (= (* 2 (- 1) (+ x 1)) (- (- 1) (+ y 2))))", {(1, 1)}),
        (f"{XY}(assert (= (+ x x) 2))", {(1, 0), (1, 1)}),
        (f"{XY}(assert (= (* 2 x) 1))", set()),
        (f"{XY}(assert (< x x))", set()),
        (f'{XY}\r\n(set-info :source |by; (hand|)(echo "a )")(check-sat)', EVERY),
    ],
)
def test_other_scripts_are_read(text: str, models: set[tuple[int, int]]) -> None:
    assert models_of(read(text), 2) == models


MALFORMED = {
    "an unknown command": (f"{AB}(define-sort S () Int)", "1:47: a command 'define-sort' is not"),
    "more popped than pushed": ("(push 2)(pop 3)", "1:9: 3 popped, 2 pushed"),
    "no number of levels": ("(push x)", "1:7: 'x' is no number of levels"),
    "two numbers of levels": ("(push 1 1)", "1:9: '1': push has one number"),
    "many levels": ("(push 1000001)", "1:1: more than 1,000,000 levels are pushed"),
    "a name behind its pop": (
        "(push)(declare-const a Bool)(pop)(assert a)",
        "1:42: 'a' is neither declared",
    ),
    "objectives in a box": (
        f"{XY}(set-option :opt.priority box)(minimize x)(maximize y)",
        "1:119: 'box': of several objectives the first counts most",
    ),
    "an objective of Bool": (f"{AB}\n(minimize a)", "2:11: minimize needs one integer term"),
    "a soft number": (f"{XY}\n(assert-soft x)", "2:14: assert-soft needs one Boolean term"),
    "a negative weight": (f"{AB}\n(assert-soft a :weight -1)", "2:24: '-1': a weight is a"),
    "an assumed number": (f"{XY}\n(check-sat-assuming (x))", "2:22: an assumption needs one Boole"),
    "the cost of a group maximised": (
        f"{AB}(assert-soft a :id g)\n(maximize g)",
        "2:11: 'g': its cost is only minimised",
    ),
    "a division by nothing": (
        f"{XY}\n(assert (= 1 (div x 0)))",
        "2:14: '(div x 0)' is not read: no",
    ),
    "a division by what may be 0": (
        f"{XY}\n(assert (= 1 (mod 3 x)))",
        "2:1: (3 / x) is not read: its",
    ),
    "a function without arguments": (
        "(declare-fun f (Int) Bool)\n(assert f)",
        "2:9: 'f': a function without its arguments",
    ),
    "a function of another sort": (
        "(declare-fun f (Int) Bool)\n(assert (f true))",
        "2:9: '(f true)' is not read: it takes Int",
    ),
    "a constant as a function": (f"{AB}\n(assert (a b))", "2:10: 'a': it is no function"),
    "a function of reals": ("(declare-fun f (Real) Bool)", "1:17: 'Real': only Int and Bool are"),
    "a name for a term over parameters": (
        "(define-fun f ((p Bool)) Bool (! p :named q))",
        "1:36: ':named': a term over parameters has no name",
    ),
    "another index": (f"{AB}\n(assert ((_ extract 1 0) a))", "2:10: '(_ extract 1 0)': only"),
    "too few weights": (
        f"{AB}\n(assert ((_ pble 3 1 2) a))",
        "2:9: '((_ pble 3 1 2) a)' is not read: it takes as many",
    ),
    "an unknown attribute": (f"{AB}\n(assert-soft a :penalty 1)", "2:16: ':penalty': only :weight"),
    "a definition without term": ("(define-fun a () Bool)", "1:22: ')': a term is needed"),
    "a definition of a real": ("(define-fun a () Real 1)", "1:18: 'Real': only Int and Bool"),
    "a definition of another sort": (
        "(define-fun a () Bool 1)",
        "1:23: '1': the term is of Int, not of Bool",
    ),
    "a parameter without sort": ("(define-fun a ((b)) Bool b)", "1:18: ')': only Int and Bool are"),
    "a definition taken": (f"{AB}(define-fun a () Bool b)", "1:58: 'a' is declared twice"),
    "a let of nothing": (f"{AB}(assert (let (a b) a))", "1:60: 'a': ( NAME TERM ) is needed"),
    "a let of an operator": (f"{AB}(assert (let ((and a)) a))", "1:61: 'and' is no name"),
    "a name outside of its let": (
        f"{AB}(assert (or (let ((c a)) c) c))",
        "1:74: 'c' is neither declared",
    ),
    "a number asserted": (f"{AB}\n(assert 1)", "2:9: assert needs one Boolean term"),
    "a lone xor": (f"{AB}\n(assert (xor a))", "2:9: '(xor a)' is not read: it takes two Bool"),
    "a lone equation": (f"{AB}\n(assert (= a))", "2:9: '(= a)' is not read: it compares two"),
    "mixed sorts in an equation": (f"{XY}{AB}\n(assert (= x a))", "2:9: '(= x a)' is not read"),
    "no lower bound": (
        "(declare-const x Int)(assert (<= x 3))(assert (distinct x 2))",
        "1:1: x is an integer without two",
    ),
    "too many values": (
        f"(declare-const x Int)(assert (<= 0 x {2**63}))",
        "1:1: x is an integer with more than 2^63 values",
    ),
    "a name without end": ("(declare-const |a", "1:16: '|': a quoted name that never ends"),
    "never closed": ("(declare-fun a", "1:1: this parenthesis is never closed"),
    "closed too often": ("(check-sat))", "1:12: ')' outside of a command"),
    "no command": ("(check-sat)\n x", "2:2: 'x' outside of a command"),
    "an empty command": ("()", "1:2: ')' where the name of a command is needed"),
    "no logic": ("(set-logic)", "1:11: ')': the name of a logic is needed"),
    "a real": ("(declare-const r Real)", "1:18: 'Real': only Int and Bool are read"),
    "no sort": ("(declare-const r)", "1:17: ')': only Int and Bool are read"),
    "a long declaration": ("(declare-const r Int Int)", "1:22: 'Int': ( declare-const NAME SORT )"),
    "declared twice": (f"{AB}(declare-fun a () Int)", "1:59: 'a' is declared twice"),
    "a quotation without end": (
        "(set-info :source |a)",
        "1:19: '|': a quoted name that never ends",
    ),
    "a relation of one": (f"{XY}\n(assert (<= x))", "2:9: '(<= x)' is not read: it compares two"),
    "a chain of both sorts": (f"{XY}{AB}\n(assert (= x 1 a))", "2:9: '(= x 1 a)' is not read"),
    "a name that is an operator": ("(declare-const and Bool)", "1:16: 'and' is no name"),
    "not declared": (f"{AB}(assert (or a c))", "1:60: 'c' is neither declared"),
    "a lone operator": (f"{AB}(assert or)", "1:54: 'or' is neither declared"),
    "a term of terms": (f"{AB}(assert ((or a) b))", "1:55: '(or a)': only (_ divisible k)"),
    "a string": (f'{AB}(assert "a")', "1:54: '\"a\"': strings are not read"),
    "a fraction": (f"{XY}(assert (> x 0.5))", "1:106: '0.5' is neither declared nor a number"),
    "a leading zero": (f"{XY}(assert (> x 01))", "1:106: '01' is neither declared nor a number"),
    "mixed sorts": (
        f"{XY}{AB}\n(assert (or b (or a x)))",
        "2:15: '(or a x)' is not read: it takes",
    ),
    "no term": (f"{AB}\n(assert)", "2:8: ')': a term is needed"),
    "two terms": (f"{AB}\n(assert a b)", "2:11: 'b': 'assert' needs one term"),
    "an empty sum": (f"{XY}\n(assert (> (+) 1))", "2:12: '(+)' is not read: it takes integers"),
    "an unbounded integer": (
        "\n(declare-const x Int)(assert (< x 3))(assert (> (* x x) 3))",
        "2:1: x is an integer without two asserted",
    ),
    "not ASCII": ("(declare-const \u00e4 Int)", "1:16: '\\xc3\\xa4' is no name"),
}


@pytest.mark.parametrize(("text", "expected"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_scripts_are_refused_with_their_place(text: str, expected: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value).startswith(f"p.smt2:{expected}")


WORDS = [
    "(", ")", "assert", "declare-const", "x", "y", "a", "Int", "Bool", "and", "or", "not", "ite",
    "+", "-", "*", "<=", "=", "true", "0", "1", "99999999999999999999", ";", '"', "|", "let", "\n",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.binary()
    | st.lists(st.sampled_from(WORDS)).map(lambda words: " ".join(words).encode())
    | st.lists(st.sampled_from(WORDS), max_size=8).map(
        lambda words: f"{XY}{AB}(assert ({' '.join(words)}))".encode()
    )
)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(FormatError):
        read(data)


def test_without_pysmt_one_line_says_what_to_install() -> None:
    root = Path(__file__).parents[4]
    code = (
        "import sys; sys.modules['pysmt'] = None\n"
        "from pbcnf.formats.smtlib.script import PysmtMissingError, read_smtlib\n"
        "try:\n    read_smtlib(None, '')\n"
        "except PysmtMissingError as error:\n    print(error)\n"
    )
    environment = {"PYTHONPATH": f"{root / 'encodings'}:{root}"}
    child = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert child.stdout.splitlines() == [
        f"SMT-LIB needs pysmt, which is not installed: {install_hint('satsweeper[smt]')}"
    ]


@pytest.mark.parametrize(
    ("chain", "holds"),
    [
        ("(<= 0 x y z 1)", lambda x, y, z: x <= y <= z),
        ("(>= x (+ y z) z)", lambda x, y, z: x >= y + z >= z),
        ("(< 0 (+ x y) (* 2 z))", lambda x, y, z: 0 < x + y < 2 * z),
        ("(> 2 (+ x y) z)", lambda x, y, z: 2 > x + y > z),
        ("(= x y z)", lambda x, y, z: x == y == z),
        ("(= (= x 1) (= y 1) (= z 1))", lambda x, y, z: x == y == z),
    ],
)
def test_a_chain_of_comparisons_compares_each_with_the_next(chain: str, holds) -> None:
    head = "".join(f"(declare-const {name} Int)(assert (<= 0 {name} 1))" for name in "xyz")
    expected = {bits for bits in product((0, 1), repeat=3) if holds(*bits)}
    assert models_of(read(f"{head}(assert {chain})"), 3) == expected


def test_chains_within_chains_take_no_more_than_their_text() -> None:
    term = "(= x (ite " * 40 + "true" + " 1 0) x)" * 40
    assert models_of(read(f"{XY}(assert {term})"), 2) == EVERY
