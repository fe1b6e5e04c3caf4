"""Rows follow from the clauses again, of which the checkers and truth tables are the judges."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from itertools import product

import pytest

from pbcnf import ENCODERS, Cardinality, PseudoBoolean, dimacs
from pbcnf.derivation import BoundIds, families
from pbcnf.derivation.families import DERIVABLE
from pbcnf.derivation.opb import derive_opb, derive_problem
from pbcnf.emission.whole_problems import Choices, suited
from pbcnf.encoders.table import expresses
from pbcnf.formats.problems import read_problem
from pbcnf.proof.cutting_planes.encodings import check_encoding
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.derivation_recheck import recheck_derivation
from satsweeper.checker.errors import WrongCertificateError
from scripts.forgeries.encodings import added_model, lost_solution
from tests.pbcnf.derivation.derived import written
from tests.problem_files import cnf, read


def shown(raw: bytes, formula: bytes, proof: bytes) -> str:
    """Return the claim of both checkers, asserting that they agree."""
    found = check_encoding(raw, formula, proof)
    sizes = found.inputs, "proof.pbp", found.variables
    again = recheck_derivation(raw.decode(), proof.decode(), *sizes)
    assert again.equivalent == found.equivalent
    return found.shown


def two_bounds(encoder: str, weights: list[int], lower: int, upper: int) -> tuple[bytes, ...]:
    """One sum with both bounds, whose rows are written by hand: problem, formula, proof."""
    lits = [v if v % 3 else -v for v in range(1, len(weights) + 1)]
    terms = " ".join(
        f"+{w} {'~' * (lit < 0)}x{abs(lit)}" for w, lit in zip(weights, lits, strict=True)
    )
    raw = f"{terms} >= {lower} ;\n{terms} <= {upper} ;\n".encode()
    equal = max(weights) == 1
    of = Cardinality(lits, lower, upper) if equal else PseudoBoolean(lits, weights, lower, upper)
    made = derive_problem([(of, BoundIds(1, 2))], len(lits), 2, Choices(**suited(encoder)))
    assert made.one_way is None
    return raw, dimacs(made.formula).encode(), written(made.derivation)


@pytest.mark.parametrize("most", [4, pytest.param(6, marks=pytest.mark.slow)])
@pytest.mark.parametrize("encoder", DERIVABLE)
def test_all_bounds_of_few_inputs_follow_from_the_clauses(encoder, most):
    for n in range(1, most + 1):
        for lower, upper in product(range(n + 1), repeat=2):
            if lower <= upper and expresses(encoder, n, lower, upper):
                assert shown(*two_bounds(encoder, [1] * n, lower, upper)) == "equivalent"


WEIGHTED = [name for name in DERIVABLE if "pseudo_boolean" in suited(name)]


@pytest.mark.parametrize("seeds", [range(15), pytest.param(range(15, 200), marks=pytest.mark.slow)])
@pytest.mark.parametrize("encoder", WEIGHTED)
def test_bounds_of_weighted_sums_follow_from_the_clauses(encoder, seeds):
    for seed in seeds:
        rng = random.Random(seed)
        weights = [rng.randint(1, rng.choice((2, 4, 12, 60))) for _ in range(rng.randint(2, 9))]
        lower, upper = sorted(rng.randint(0, sum(weights)) for _ in range(2))
        assert shown(*two_bounds(encoder, weights, lower, upper)) == "equivalent"


ROWS = [
    "+1 x1 >= 0 ;", "+1 x1 >= -2 ;", "+1 x1 -1 x1 = 0 ;", "+2 x1 +3 x2 >= 6 ;", "+2 x1 +4 x2 = 5 ;",
    "+1 x1 +1 x1 +1 ~x2 <= 1 ;", "+4 x1 +6 x2 +6 x3 +2 x4 <= 9 ;", "-3 x1 +2 ~x2 >= -1 ;",
    "+5 x1 +3 x2 +3 x3 >= 3 ;", "+3 x1 +2 x2 +2 x3 = 4 ;", "+9 x1 +1 x2 +1 x3 +1 ~x4 <= 9 ;",
    "+1 x1 +1 x2 >= 3 ;", "+10 x1 +10 x2 +10 x3 >= 15 ;", "+1 x4 = 1 ;", "+1 x1 +1 ~x1 +1 x2 = 1 ;",
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_rows_that_are_no_normal_form_come_out_as_they_were(row):
    """Trivial, contradictory, repeated, divided and saturated ones, and units."""
    raw = f"* #variable= 4 #constraint= 2\n{row}\n+1 x1 +1 x2 +1 x3 <= 2 ;\n".encode()
    constraints = read_problem(io.BytesIO(raw)).constraints
    made = derive_opb(raw, constraints, Choices(**suited("decision_diagram")))
    assert made.one_way is None
    assert shown(raw, dimacs(made.formula).encode(), written(made.derivation)) == "equivalent"


def test_every_encoder_has_a_way_back_and_without_one_a_problem_says_so(monkeypatch) -> None:
    assert set(DERIVABLE) == set(ENCODERS)
    monkeypatch.setattr(families, "_MODULES", {"totalizer": ("thresholds", None)})
    raw = b"+1 x1 +1 x2 +1 x3 <= 2 ;\n+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 <= 3 ;\n"
    constraints = read(raw, "rows.opb").constraints
    made = derive_opb(raw, constraints, Choices(**suited("totalizer")))
    assert made.one_way == "constraint 2: there is no way back from the clauses of totalizer"
    proof = written(made.derivation)
    assert shown(raw, dimacs(made.formula).encode(), proof) == "no solution lost"


ROW = b"+1 x1 +1 x2 +1 x3 <= 1 ;\n"
FORWARD = [
    "rup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;",
    "rup 1 ~x1 1 ~x3 >= 1 : ~ 1 ;",
    "rup 1 ~x2 1 ~x3 >= 1 : ~ 1 ;",
]
CLAUSES = [[-1, -2], [-1, -3], [-2, -3]]


def judged(*steps: str, clauses: list[list[int]] = CLAUSES, last: int = 3) -> set[str]:
    """Return the claim that each checker accepts of a proof, or "refused"."""
    found = set()
    head, end = ["f 1 ;"], ["output NONE ;", "conclusion NONE ;", "end pseudo-Boolean proof ;", ""]
    proof = "\n".join(["pseudo-Boolean proof version 3.0", *head, *steps, *end])
    try:
        found.add(check_encoding(ROW, cnf(last, clauses).encode(), proof.encode()).shown)
    except (ProofError, ProofFormatError):
        found.add("refused")
    try:
        again = recheck_derivation(ROW.decode(), proof, 3, "proof.pbp", last)
        same = again.clauses == [frozenset(clause) for clause in clauses]
        found.add(("equivalent" if again.equivalent else "no solution lost") if same else "refused")
    except WrongCertificateError:
        found.add("refused")
    return found


BACK = ["del id 1 ;", "pol 2 3 + 4 + 2 d ;"]


def test_a_proof_shows_the_one_or_the_other_and_never_what_it_does_not_derive() -> None:
    assert judged(*FORWARD) == {"no solution lost"}
    assert judged(*FORWARD, *BACK) == {"equivalent"}
    # Helping steps may stay, but not behind the rows.
    assert judged(*FORWARD, BACK[0], "pol 2 3 + ;", "pol 5 4 + 2 d ;") == {"equivalent"}
    assert judged(*FORWARD, *BACK, "pol 2 ;") == {"refused"}
    assert judged(*FORWARD, *BACK, "pol 2 ;", "del id 6 ;") == {"equivalent"}


@pytest.mark.parametrize(
    "back",
    [
        ["del id 1 ;"],
        ["del id 1 2 ;", "pol 3 4 + ;"],
        ["del id 1 ;", "del id 1 ;", "pol 2 3 + 4 + 2 d ;"],
        ["del id 1 ;", "pol 1 ;"],
        ["del id 1 ;", "pol 2 3 + 4 + ;"],
        # A variable of the problem or of the clauses is not introduced.
        ["del id 1 ;", "red 1 x1 >= 1 : x1 -> 1 ;", "pol 2 3 + 4 + 2 d ;"],
        ["del id 1 ;", "red 1 ~x4 >= 1 : x4 -> 0 ;", "pol 2 3 + 4 + 2 d ;"],
    ],
)
def test_a_way_back_that_is_not_one_is_refused(back):
    assert judged(*FORWARD, *back, last=4) == {"refused"}


def test_rows_do_not_follow_from_clauses_of_which_one_is_missing() -> None:
    for left_out in range(3):
        some = CLAUSES[:left_out] + CLAUSES[left_out + 1 :]
        gone = f"del id {left_out + 2} ;"
        assert judged(*FORWARD, gone, clauses=some) == {"no solution lost"}
        for last in ("pol 2 3 + 4 + 2 d ;", "rup 1 ~x1 1 ~x2 1 ~x3 >= 2 : ~ 2 3 4 ;"):
            assert judged(*FORWARD, gone, BACK[0], last, clauses=some) == {"refused"}


def altered(formula: bytes) -> Iterator[bytes]:
    """The clauses without one of them, as text."""
    lines = formula.decode().splitlines()
    for at in range(1, len(lines)):
        yield ("\n".join(lines[:at] + lines[at + 1 :]) + "\n").encode()


@pytest.mark.parametrize("encoder", DERIVABLE)
def test_what_is_said_to_be_equivalent_has_the_same_solutions_by_truth_tables(encoder):
    rng = random.Random(encoder)
    weights = [rng.randint(1, 4) if encoder in WEIGHTED else 1 for _ in range(5)]
    upper = rng.randint(1, 4) if encoder in WEIGHTED else 1
    raw, formula, proof = two_bounds(encoder, weights, 1, upper)
    assert shown(raw, formula, proof) == "equivalent"
    texts = raw.decode(), formula.decode()
    assert (added_model(*texts), lost_solution(*texts)) == (None, None)
    # The oracle is none that agrees with everything: without some clause a model is added.
    assert any(added_model(texts[0], other.decode()) for other in altered(formula))
