"""Thousands of lemmas at once: the same answers as one by one, and as the definition gives."""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest

from pbcnf.proof import Addition, Deletion, check_drat, parse_drat
from pbcnf.proof.batch_check import check_in_batches, unrefuted
from pbcnf.proof.proof_queries import Question
from pbcnf.proof.propagation import Replay

Clauses = list[list[int]]


def refuted_by_units(clauses: Sequence[Sequence[int]], lemma: Sequence[int]) -> bool:
    """Propagate until nothing changes, every clause each time."""
    true = {-lit for lit in lemma}
    size = -1
    while size != len(true):
        size = len(true)
        if any(-lit in true for lit in true):
            return True
        for clause in clauses:
            rest = {lit for lit in clause if -lit not in true}
            if not rest:
                return True
            if len(rest) == 1:
                true |= rest
    return False


def test_each_lane_is_refuted_as_it_would_be_alone(formulas: SimpleNamespace) -> None:
    rng = random.Random(1)
    found = Counter[bool]()
    for _ in range(150):
        num_vars = rng.randint(2, 12)
        living = []
        for clause in formulas.random(rng, num_vars, rng.randint(1, 4 * num_vars), 4):
            born = rng.randrange(8)
            cut = tuple(clause[: rng.choice((0, 1, 2, 3, 3, 4, 4, 4, 4))] or clause)
            living.append((cut, born, rng.randint(born, 12)))
        questions = [
            Question(
                tuple(
                    rng.choice((1, -1)) * rng.randint(1, num_vars + 1)
                    for _ in range(rng.randrange(4))
                ),
                time,
            )
            for time in sorted(rng.randrange(12) for _ in range(rng.randint(1, 40)))
        ]
        expected = [
            index
            for index, (lemma, time) in enumerate(questions)
            if not refuted_by_units([c for c, born, dead in living if born <= time < dead], lemma)
        ]
        assert unrefuted(living, questions) == expected
        found[True] += len(questions) - len(expected)
        found[False] += len(expected)
    assert min(found.values()) > 400


def test_a_long_chain_is_followed_to_its_end() -> None:
    length = 3000
    chain = [((-var, var + 1), 0, 9) for var in range(length, 0, -1)]
    assert unrefuted(chain, [Question((-1, length + 1), 0), Question((-2, length + 2), 0)]) == [1]


def test_an_empty_clause_refutes_only_while_it_lives() -> None:
    assert unrefuted([((), 1, 2)], [Question((), time) for time in range(4)]) == [0, 2, 3]


def test_no_lemma_rests_on_itself_or_on_a_later_one() -> None:
    formula = [(1, 2), (3, 4)]
    for lemmas in ([(1,)], [(1, 3), (1, 3)], [(-2,), (1,), (-1, -2)]):
        proof = [*map(Addition, lemmas)]
        checked = check_in_batches(formula, proof, [(1, 2, 3, 4)], False)
        assert (checked.verified, checked.step) == (False, 0)


@pytest.mark.parametrize("ignored", [False, True])
def test_spoilt_proofs_of_solvers_get_the_same_answer_as_one_by_one(
    ignored: bool,
    refuted: dict[str, Clauses],
    prove: Callable[..., bytes],
    oracle: SimpleNamespace,
    mutants: SimpleNamespace,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pbcnf.proof.batch_check.LANES", 50)  # So that there are several batches.
    rng = random.Random(2)
    verdicts = Counter[bool]()
    deletions = "ignored" if ignored else "drat-trim"
    for clauses in refuted.values():
        proof = parse_drat(prove("cadical195", clauses))
        most = max(abs(lit) for clause in clauses for lit in clause)
        for _ in range(25):
            formula = [list(clause) for clause in clauses]
            if rng.random() < 0.3:
                formula[rng.randrange(len(formula))][0] *= -1
            steps = proof
            for _ in range(rng.randrange(3)):
                steps = mutants.mutated(
                    rng,
                    steps,
                    lambda step, most=most: rng.choice((Addition, Deletion))(
                        mutants.changed(rng, step.literals, most + 1), step.line
                    ),
                )
            goals = rng.choice((None, None, [[1], [rng.randint(1, most)]]))
            checked = check_in_batches(formula, steps, goals, ignored)
            assert checked == Replay(formula, goals, deletions, keep_hints=False).run(steps)
            verdicts[checked.verified] += 1
            assert goals or not checked or not oracle.satisfiable(formula)
    assert min(verdicts.values()) > 30


def test_extended_resolution_is_checked_in_batches(formulas: SimpleNamespace) -> None:
    formula, proof = formulas.pigeonhole(7), formulas.cook(7)
    checked = check_in_batches(formula, proof, None, False)
    assert checked == Replay(formula, None, "drat-trim", keep_hints=False).run(proof)
    assert checked.rat > 50
    assert not check_in_batches(formula[1:], proof, None, False)


def test_long_proofs_are_checked_in_batches_and_short_ones_are_not(
    formulas: SimpleNamespace, prove: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    clauses = formulas.pigeonhole(6)
    proof = parse_drat(prove("glucose4", clauses))
    monkeypatch.delattr("pbcnf.proof.drat.Replay")
    assert len(proof) > 1000
    assert check_drat(clauses, proof)
    assert not check_drat(clauses[1:], proof)
    with pytest.raises(NameError):
        check_drat(clauses, proof[:999])


def test_the_search_for_garbage_is_left_as_it_was() -> None:
    assert gc.isenabled()
    check_drat([[1]], [])
    with pytest.raises(ValueError, match="0 is no literal"):
        check_drat([[0]], [])
    assert gc.isenabled()
    gc.disable()
    try:
        check_drat([[1]], parse_drat(b"0\n"))
        assert not gc.isenabled()
    finally:
        gc.enable()
