"""Every clause of a counter is derived, no other one is; derivations as text, read by VeriPB."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest

from pbcnf import ENCODERS, Cardinality, Formula, encode
from pbcnf.constraints.normal_form import settle
from pbcnf.derivation import (
    DERIVABLE,
    MEANINGS,
    VERSIONS,
    BoundIds,
    Derivation,
    DerivationState,
    derive_constraint,
    write_proof,
)
from pbcnf.encoders.table import expresses
from pbcnf.proof.cutting_planes import ProofError, check_proof
from pbcnf.proof.cutting_planes.statements import older_syntax
from tests.pbcnf.derivation.derived import derived, emitted, intended_models, opb, written

THREE = ["direct", "totalizer", "sequential_counter"]


def bounds(n: int) -> list[tuple[int, int]]:
    return list(product(range(-1, n + 2), repeat=2))


def require_derived(constraint: Cardinality, encoder: str, inputs: int) -> None:
    derivation, numbers = derived(constraint, encoder, inputs)
    clauses = emitted(constraint, encoder, inputs)
    for version in VERSIONS:
        checked = check_proof(opb(constraint, inputs), written(derivation, version))
        found = [checked.constraints[number].clause for number in numbers]
        assert found == [frozenset(clause) for clause in clauses]
        assert checked.first_underived(clauses) is None


@pytest.mark.parametrize("encoder", DERIVABLE)
def test_every_clause_is_derived_at_every_bound_trivial_ones_too(encoder) -> None:
    for n in (0, 1, 2, 4):
        for lower, upper in bounds(n):
            if expresses(encoder, n, lower, upper):
                constraint = Cardinality(range(1, n + 1), lower, upper)
                require_derived(constraint, encoder, n)


@pytest.mark.parametrize("encoder", THREE)
def test_literals_may_be_negated_in_any_order_and_opposite_pairs_cancel(encoder) -> None:
    random = Random(3)
    for _ in range(20):
        lits = [var * random.choice((1, -1)) for var in random.sample(range(1, 10), 6)]
        if random.random() < 0.5:
            lits += [lits[0] * -1]
        lower, upper = sorted(random.choices(range(8), k=2))
        require_derived(Cardinality(lits, lower, upper), encoder, 9)


def test_every_auxiliary_of_an_encoder_has_a_meaning_and_nothing_else_has() -> None:
    for encoder, n in product(MEANINGS, range(2, 15)):
        for lower, upper in [(0, 1), (1, 1), (1, n), (0, n - 1), (n // 2, n // 2 + 1)]:
            nontrivial = upper > 0 and lower < n and (lower, upper) != (0, n)
            if nontrivial and expresses(encoder, n, lower, upper):
                meanings = MEANINGS[encoder](range(1, n + 1), lower, upper, n + 1)
                size = ENCODERS[encoder].size(n, lower, upper)
                assert list(meanings) == list(range(n + 1, n + 1 + size.variables))


def test_the_intended_models_are_models_of_the_clauses() -> None:
    """The stated meanings are those of the clauses: two-sided, no other value is possible."""
    for encoder, (lower, upper) in product(THREE, bounds(5)):
        constraint = Cardinality(range(1, 6), lower, upper)
        clauses = emitted(constraint, encoder, 5)
        for model in intended_models(constraint, encoder, 5):
            assert all(any(lit in model for lit in clause) for clause in clauses)


def test_any_clause_over_stated_thresholds_can_be_derived() -> None:
    """No encoder is needed: 5 is "two of 1..3", 6 "one of 3, 4"; at most one of all is true."""
    state = DerivationState(Derivation(formula=1))
    at_most_one = state.declare(1, [(1, -1), (1, -2), (1, -3), (1, -4)], 3)
    state.define(5, [(1, 1), (1, 2), (1, 3)], 2)
    state.define(6, [(1, 3), (1, 4)], 1)
    assert state.derive_clause([-5], at_most_one) > 0
    assert state.derive_clause([-1, -6], at_most_one) > 0
    with pytest.raises(ValueError, match=r"clause \[6\] does not follow"):
        state.derive_clause([6], at_most_one)


@pytest.mark.parametrize(
    ("encoder", "given", "first", "why"),
    [("pairwise", BoundIds(1, 2), 6, "pairwise"),
     ("direct", BoundIds(upper=2), 6, "does not follow"),
     ("direct", BoundIds(1, 2), 5, "literal 5: variable 5 is not allocated"),
     ("directt", BoundIds(1, 2), 6, "unknown encoder 'directt'")],
)  # fmt: skip
def test_what_cannot_be_derived_is_refused(encoder, given, first, why) -> None:
    state = DerivationState(Derivation(formula=2))
    with pytest.raises(ValueError, match=why):
        derive_constraint(Cardinality(range(1, 6), 2, 3), encoder, given, state, first)


def test_many_constraints_share_one_derivation() -> None:
    lines = ["+1 x1 +1 x2 +1 x3 = 1 ;", "+1 x2 +1 x3 +1 x4 +1 x5 = 2 ;", "+1 x1 +1 x5 <= 1 ;"]
    text = ("* #variable= 5\n" + "\n".join(lines)).encode()
    parts = [
        (Cardinality([1, 2, 3], 1, 1), "direct", BoundIds(1, 2)),
        (Cardinality([2, 3, 4, 5], 2, 2), "totalizer", BoundIds(3, 4)),
        (Cardinality([1, 5], upper=1), "sequential_counter", BoundIds(upper=5)),
    ]
    state, formula = DerivationState(Derivation(formula=5)), Formula(num_vars=5)
    for constraint, encoder, given in parts:
        derive_constraint(constraint, encoder, given, state, formula.num_vars + 1)
        encode(constraint, formula, encoder)
    checked = check_proof(text, written(state.derivation))
    assert checked.first_underived(formula.clauses()) is None


CASES = [(2, 0, 1), (4, 1, 1), (5, 2, 5), (5, 0, 2), (5, 1, 3), (6, 3, 3), (6, 2, 6)]


def neighbours(clause: list[int]) -> Iterator[list[int]]:
    for place, lit in enumerate(clause):
        yield [*clause[:place], *clause[place + 1 :]]
        yield [*clause[:place], -lit, *clause[place + 1 :]]


@pytest.mark.parametrize("encoder", THREE)
@pytest.mark.parametrize(("n", "lower", "upper"), CASES)
def test_a_clause_with_a_literal_dropped_or_flipped_is_derived_only_if_implied(
    encoder, n, lower, upper
) -> None:
    constraint = Cardinality(range(1, n + 1), lower, upper)
    derivation, _ = derived(constraint, encoder, n)
    head, _, tail = written(derivation).decode().rpartition("output")
    everything = " ".join(map(str, range(1, 3 + len(derivation.steps))))
    models = intended_models(constraint, encoder, n)
    assert settle(n, lower, upper) is None
    meanings = MEANINGS[encoder](range(1, n + 1), lower, upper, n + 1)
    again = DerivationState(Derivation(formula=2))
    again.declare(1, [(1, v) for v in range(1, n + 1)], lower)
    again.declare(2, [(1, -v) for v in range(1, n + 1)], n - upper)
    for var, (least, lits) in meanings.items():
        again.define(var, [(1, lit) for lit in lits], least)
    tried = 0
    for clause in emitted(constraint, encoder, n):
        for wrong in neighbours(clause):
            if all(any(lit in model for lit in wrong) for model in models):
                continue
            tried += 1
            with pytest.raises(ValueError, match="does not follow"):
                again.derive_clause(wrong, 1, 2)
            if tried % 5 == 0:
                text = " ".join(f"1 {'~' * (lit < 0)}x{abs(lit)}" for lit in wrong)
                for hints in ("", f" : ~ {everything}"):
                    proof = f"{head}rup {text} >= 1{hints} ;\noutput{tail}".encode()
                    with pytest.raises(ProofError, match="does not refute"):
                        check_proof(opb(constraint, n), proof)
    assert tried > 0


def test_a_derivation_reads_as_its_format_says() -> None:
    derivation, numbers = derived(Cardinality([1, 2, 3], upper=1), "totalizer", 3)
    assert written(derivation).decode().splitlines() == [
        "pseudo-Boolean proof version 3.0", "f 2 ;", "red 2 x4 1 ~x2 1 ~x3 >= 2 : x4 -> 1 ;",
        "red 1 ~x4 1 x2 1 x3 >= 1 : x4 -> 0 ;", "red 1 x5 1 ~x2 1 ~x3 >= 1 : x5 -> 1 ;",
        "red 2 ~x5 1 x2 1 x3 >= 2 : x5 -> 0 ;", "rup 1 ~x2 1 x4 >= 1 : ~ 3 ;",
        "rup 1 ~x3 1 x4 >= 1 : ~ 3 ;", "pol 5 ;", "pol 6 2 + ;", "rup 1 ~x5 >= 1 : ~ 10 ;",
        "pol 4 2 + ;", "rup 1 ~x1 1 ~x4 >= 1 : ~ 12 ;", "output NONE ;", "conclusion NONE ;",
        "end pseudo-Boolean proof ;",
    ]  # fmt: skip
    assert numbers == [7, 8, 9, 11, 13]
    assert written(derivation, "2.0") == older_syntax(written(derivation), "2.0")


def test_an_unknown_version_is_refused_before_anything_is_written() -> None:
    stream = io.BytesIO()
    with pytest.raises(ValueError, match=r"no version 1\.0, only 3\.0 and 2\.0"):
        write_proof(Derivation(formula=1), stream, "1.0")
    assert stream.getvalue() == b""


@pytest.mark.parametrize("encoder", THREE)
@pytest.mark.parametrize(("n", "lower", "upper"), [(5, 0, 2), (6, 4, 6), (7, 2, 4), (13, 3, 3)])
def test_veripb_accepts_what_is_derived(tmp_path: Path, encoder, n, lower, upper) -> None:
    program = shutil.which("veripb") or pytest.skip("veripb is not on PATH")

    def run() -> subprocess.CompletedProcess[str]:
        command = [program, str(formula), str(proof)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    constraint = Cardinality(range(1, n + 1), lower, upper)
    derivation, _ = derived(constraint, encoder, n)
    row = " ".join(f"1 x{var}" for var in range(1, n + 1))
    negative = row.replace("1 x", "-1 x")
    formula, proof = tmp_path / "formula.opb", tmp_path / "proof.pbp"
    head = f"* #variable= {n} #constraint= 2"
    formula.write_text(f"{head}\n{row} >= {lower} ;\n{negative} >= {-upper} ;\n")
    proof.write_bytes(written(derivation))
    done = run()
    if done.returncode and "Unsupported version" in done.stdout + done.stderr:
        # Before its version 2 the format had no footer; the steps are those of 2.0.
        text = written(derivation, "2.0").decode().partition("output")[0]
        proof.write_text(text.replace("version 2.0", "version 1.2"))
        done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    before, last = proof.read_text().rsplit("rup", 1)
    proof.write_text(f"{before}rup{last.replace('>= 1', '>= 2', 1)}")
    assert run().returncode != 0
