"""A clause that does not follow is neither derived nor accepted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbcnf import Cardinality
from pbcnf.constraints.normal_form import settle
from pbcnf.derivation import MEANINGS, Derivation, DerivationState
from pbcnf.proof.cutting_planes import ProofError, check_proof

CASES = [(2, 0, 1), (4, 1, 1), (5, 2, 5), (5, 0, 2), (5, 1, 3), (6, 3, 3), (6, 2, 6)]


def neighbours(clause: list[int]) -> Iterator[list[int]]:
    for place, lit in enumerate(clause):
        yield [*clause[:place], *clause[place + 1 :]]
        yield [*clause[:place], -lit, *clause[place + 1 :]]


@pytest.mark.parametrize("encoder", ["direct", "totalizer", "sequential_counter"])
@pytest.mark.parametrize(("n", "lower", "upper"), CASES)
def test_a_clause_with_a_literal_dropped_or_flipped_is_derived_only_if_implied(
    derivations, encoder, n, lower, upper
) -> None:
    constraint = Cardinality(range(1, n + 1), lower, upper)
    derivation, _ = derivations.derived(constraint, encoder, n)
    head, _, tail = derivations.written(derivation).decode().rpartition("output")
    everything = " ".join(map(str, range(1, 3 + len(derivation.steps))))
    models = derivations.intended_models(constraint, encoder, n)
    assert settle(n, lower, upper) is None
    meanings = MEANINGS[encoder](range(1, n + 1), lower, upper, n + 1)
    again = DerivationState(Derivation(formula=2))
    again.declare(1, [(1, v) for v in range(1, n + 1)], lower)
    again.declare(2, [(1, -v) for v in range(1, n + 1)], n - upper)
    for var, (least, lits) in meanings.items():
        again.define(var, [(1, lit) for lit in lits], least)
    tried = 0
    for clause in derivations.emitted(constraint, encoder, n):
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
                        check_proof(derivations.opb(constraint, n), proof)
    assert tried > 0
