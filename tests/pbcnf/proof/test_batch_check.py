"""In batches and backwards: the answers of one by one, but for wrong lemmas that nothing needs."""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.literals import negate
from pbcnf.proof import (
    Addition,
    Checked,
    Deletion,
    DratStep,
    check_drat,
    check_lrat,
    parse_drat,
    session_lemmas,
    to_lrat,
)
from pbcnf.proof.batch_check import check_in_batches, unrefuted
from pbcnf.proof.proof_queries import History, Question
from pbcnf.proof.propagation import Replay
from tests.oracles import models, unit_propagation
from tests.pbcnf.proof.formulas import (
    RIGHT,
    change_drat,
    changed,
    extended_resolution,
    mutated,
    pigeonhole,
    random_clauses,
    random_lits,
    refuted,
    satisfiable,
    solver_proof,
)


def test_each_lane_is_refuted_as_it_would_be_alone() -> None:
    rng = random.Random(1)
    found = Counter[bool]()
    for _ in range(150):
        num_vars = rng.randint(2, 12)
        living = []
        for clause in random_clauses(rng, num_vars, rng.randint(1, 4 * num_vars), 4):
            born = rng.randrange(8)
            cut = tuple(clause[: rng.choice((0, 1, 2, 3, 3, 4, 4, 4, 4))] or clause)
            living.append((cut, born, rng.randint(born, 12)))
        questions = [
            Question(random_lits(rng, num_vars + 1, rng.randrange(4)), time)
            for time in sorted(rng.randrange(12) for _ in range(rng.randint(1, 40)))
        ]
        expected = []
        for index, (lemma, time, _) in enumerate(questions):
            alive = [clause for clause, born, dead in living if born <= time < dead]
            if unit_propagation(alive, negate(lemma)) is not None:
                expected.append(index)
        assert unrefuted(living, questions) == expected
        found[True] += len(questions) - len(expected)
        found[False] += len(expected)
    assert min(found.values()) > 400


def test_a_long_chain_is_followed_to_its_end() -> None:
    chain = [((-var, var + 1), 0, 9) for var in range(3000, 0, -1)]
    assert unrefuted(chain, [Question((-1, 3001), 0), Question((-2, 3002), 0)]) == [1]


def test_an_empty_clause_refutes_only_while_it_lives() -> None:
    assert unrefuted([((), 1, 2)], [Question((), time) for time in range(4)]) == [0, 2, 3]


def test_no_lemma_rests_on_itself_or_on_a_later_one() -> None:
    formula = [(1, 2), (3, 4)]
    for lemmas in ([(1,)], [(1, 3), (1, 3)], [(-2,), (1,), (-1, -2)]):
        proof = [*map(Addition, lemmas)]
        checked = check_in_batches(History([*map(tuple, formula)], proof, [(1, 2, 3, 4)], False))
        assert (checked.verified, checked.step) == (False, 0)


def other_step(rng: random.Random, most: int, step: DratStep) -> DratStep:
    return rng.choice((Addition, Deletion))(changed(rng, step.literals, most), step.line)


@pytest.mark.parametrize("ignored", [False, True])
def test_spoilt_proofs_of_solvers_get_the_same_answer_as_one_by_one(ignored, monkeypatch) -> None:
    monkeypatch.setattr("pbcnf.proof.batch_check.LANES", 50)  # So that there are several batches.
    rng = random.Random(2)
    verdicts = Counter[bool]()
    deletions = "ignored" if ignored else "drat-trim"
    for clauses in refuted().values():
        proof = parse_drat(solver_proof("cadical195", clauses))
        most = max(abs(lit) for clause in clauses for lit in clause)
        for _ in range(25):
            formula = [list(clause) for clause in clauses]
            if rng.random() < 0.3:
                formula[rng.randrange(len(formula))][0] *= -1
            steps = proof
            for _ in range(rng.randrange(3)):
                steps = mutated(rng, steps, partial(other_step, rng, most + 1))
            goals = rng.choice((None, None, [[1], [rng.randint(1, most)]]))
            checked = check_in_batches(History([*map(tuple, formula)], steps, goals, ignored))
            assert checked == Replay(formula, goals, deletions).run(steps)
            verdicts[checked.verified] += 1
            assert goals or not checked or not satisfiable(formula)
    assert min(verdicts.values()) > 30


def test_extended_resolution_is_checked_in_batches() -> None:
    formula, proof = pigeonhole(7), extended_resolution(7)
    checked = check_in_batches(History([*map(tuple, formula)], proof, None, False))
    assert checked == Replay(formula, None, "drat-trim").run(proof)
    assert checked.rat > 50
    assert not check_in_batches(History([*map(tuple, formula[1:])], proof, None, False))


def test_long_proofs_are_checked_in_batches_and_short_ones_are_not(monkeypatch) -> None:
    clauses = pigeonhole(6)
    proof = parse_drat(solver_proof("glucose4", clauses))
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


def core_of(clauses: Sequence[Sequence[int]], checked: Checked) -> list[Sequence[int]]:
    return [clauses[i - 1] for i in checked.core]


def agreeing(clauses, proof, goals=None, deletions="drat-trim") -> Checked:
    """Both ways agree as they should, and what is needed is a proof from the core."""
    forward = check_drat(clauses, proof, goals=goals, deletions=deletions)
    checked = check_drat(clauses, proof, goals=goals, deletions=deletions, backward=True)
    if forward:
        assert checked.verified
        assert checked.reason == forward.reason
    if checked:
        assert forward or forward.step not in checked.needed
        core, trimmed = core_of(clauses, checked), [proof[i] for i in checked.needed]
        assert check_drat(core, trimmed, goals=goals, deletions=deletions)
        assert checked.rat or check_drat(clauses, trimmed, goals=goals, deletions=deletions)
        again = check_drat(core, trimmed, goals=goals, deletions=deletions, backward=True)
        assert (again.verified, again.missing) == (True, 0)
    else:
        assert (checked.core, checked.needed) == ((), ())
    return checked


literals = st.integers(1, 5).flatmap(lambda var: st.sampled_from((var, -var)))
small_clauses = st.lists(literals, min_size=1, max_size=3).map(tuple)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[DratStep]]:
    """A formula, and lemmas, many of them resolvents, and deletions of what is there."""
    formula = draw(st.lists(small_clauses, min_size=4, max_size=16))
    seen, proof = list(formula), list[DratStep]()
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(("resolve", "resolve", "resolve", "delete", "define", "any")))
        one, two = draw(st.sampled_from(seen)), draw(st.sampled_from(seen))
        if kind == "delete":
            proof.append(Deletion(one[::-1]))
            continue
        lemma = tuple(lit for lit in dict.fromkeys((*one, *two)) if -lit not in (*one, *two))
        if kind == "define":
            lemma = (draw(st.sampled_from((6, -6, 7))), *one[:2])
        elif kind == "any":
            lemma = draw(small_clauses)
        proof.append(Addition(lemma))
        seen.append(lemma)
    return formula, proof


@settings(max_examples=300)
@given(cases(), st.booleans(), st.none() | st.lists(small_clauses, max_size=2))
def test_nothing_false_passes_backwards_and_all_that_passes_forwards_does(case, ignored, goals):
    formula, proof = case
    checked = agreeing(formula, proof, goals, "ignored" if ignored else "drat-trim")
    if checked:
        for clauses in (formula, core_of(formula, checked)):
            found = models(clauses, 5)
            assert all(models([*clauses, goal], 5) == found for goal in goals or ())
            assert goals is not None or not found


@pytest.mark.parametrize("name", RIGHT)
def test_proofs_of_solvers_pass_and_so_do_their_cores(name: str) -> None:
    for clauses in refuted().values():
        proof = parse_drat(solver_proof(name, clauses))
        for deletions in ("drat-trim", "ignored"):
            checked = agreeing(clauses, proof, deletions=deletions)
            assert checked
            assert not satisfiable(core_of(clauses, checked))
        assert check_lrat(clauses, to_lrat(clauses, [proof[i] for i in checked.needed]))
        backbone = [[-50, *clause] for clause in clauses]
        lemmas = [Addition((*step.literals, -50)) for step in session_lemmas(proof)]
        assert agreeing(backbone, lemmas, goals=[[-50]])
        assert not agreeing(backbone, lemmas, goals=[[-50], [50]])


def strengthened(rng, formula) -> tuple[list[tuple[int, ...]], list[DratStep]]:
    """What lives after random deletions and lemmas that are RUP or RAT, and these steps."""
    most = max(abs(lit) for clause in formula for lit in clause)
    live, proof = [tuple(clause) for clause in formula], list[DratStep]()
    for _ in range(rng.randint(5, 25)):
        if rng.random() < 0.3:
            deleted = live.pop(rng.randrange(len(live)))
            proof.append(Deletion(deleted))
            continue
        lemma = random_lits(rng, most + 3, rng.choice((2, 2, 3)))
        distinct = len(set(map(abs, lemma))) == len(lemma) and lemma not in live
        if distinct and check_drat(formula, [*proof, Addition(lemma)]).step is None:
            proof.append(Addition(lemma))
            live.append(lemma)
    return live, proof


def test_proofs_with_rat_lemmas_and_spoilt_ones_are_judged_as_forwards() -> None:
    rng = random.Random(4)
    found = Counter[str]()
    while found["proofs"] < 100:
        num_vars = rng.randint(6, 12)
        formula = random_clauses(rng, num_vars, rng.randint(4 * num_vars, 6 * num_vars))
        live, proof = strengthened(rng, formula)
        refutation = solver_proof("cadical195", [list(clause) for clause in live])
        if refutation is None:
            continue
        found["proofs"] += 1
        proof += parse_drat(refutation)
        checked = agreeing(formula, proof)
        assert checked
        found["rat"] += checked.rat
        for _ in range(4):
            other = mutated(rng, proof, change_drat(rng, num_vars + 3))
            again = agreeing(formula, other)
            found["accepted" if again else "refused"] += 1
            assert not again or not satisfiable(core_of(formula, again))
    assert min(found["accepted"], found["refused"], found["rat"]) > 50


def test_extended_resolution_passes_backwards() -> None:
    clauses, proof = pigeonhole(5), extended_resolution(5)
    assert agreeing(clauses, proof).rat > 10
    assert agreeing(clauses, proof, goals=[()])
    for at in range(len(clauses)):  # All of them are needed, and no part of them is contradictory.
        assert not agreeing(clauses[:at] + clauses[at + 1 :], proof)


def test_a_wrong_lemma_is_passed_over_unless_it_is_needed() -> None:
    formula = [[1, 2], [-1, 2], [1, -2], [-1, -2], [3, 4]]
    proof = parse_drat(b"-3 0\n2 0\n")
    assert check_drat(formula, proof).step == 0
    checked = check_drat(formula, proof, backward=True)
    assert (checked.verified, checked.lemmas, checked.needed) == (True, 1, (1,))
    assert checked.core == (1, 2, 3, 4)
    needed = parse_drat(b"1 2 3 0\n-4 0\n-3 0\n")
    assert check_drat(formula[4:], needed[1:]).line == 2
    last = check_drat(formula[4:], needed, backward=True)
    assert last.reason == "line 3: the clause '-3' is neither RUP nor RAT"
    assert (last.step, last.line, last.clause, last.core) == (2, 3, (-3,), ())


def test_deletions_are_undone_on_the_way_back() -> None:
    formula = [[1, 2], [-1, 2], [-5, 2], [-2, 3], [-2, -3], [8, 9]]
    proof = parse_drat(b"2 5 0\nd 2 1 0\nd -1 2 0\nd 8 9 0\n2 0\n")
    checked = agreeing(formula, proof)
    assert checked.core == (1, 2, 3, 4, 5)
    assert checked.needed == (0, 1, 2, 4)
    assert not check_drat(formula, proof[1:], backward=True)
    assert check_drat(formula, proof[1:], deletions="ignored", backward=True).lemmas == 1


def test_backwards_not_all_deletions_can_be_obeyed() -> None:
    with pytest.raises(ValueError, match="backwards deletions are 'drat-trim' or 'ignored', not"):
        check_drat([], [], deletions="strict", backward=True)
    with pytest.raises(ValueError, match="0 is no literal"):
        check_drat([[1, 0]], [], backward=True)
