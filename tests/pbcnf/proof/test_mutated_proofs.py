"""Nothing that is wrong passes: mutations of proofs and formulas, judged by a solver.

What still passes must be harmless: the formula, as mutated, has no model, and neither have the
clauses that the proof uses; goals are implied.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbcnf.proof import (
    Addition,
    DratStep,
    LratAddition,
    LratStep,
    UnprovedError,
    check_drat,
    check_lrat,
    parse_drat,
    session_lemmas,
    to_lrat,
)
from tests.pbcnf.proof.formulas import (
    Clauses,
    change_drat,
    change_lrat,
    changed,
    model_set,
    mutated,
    random_clauses,
    random_lits,
    refuted,
    satisfiable,
    solver_proof,
)


@pytest.fixture(scope="module")
def cases() -> list[tuple[Clauses, list[DratStep]]]:
    names = ("pigeonhole 3", "parity 4", "parity 8", "random 20", "random 40")
    solvers = ("cadical195", "glucose4", "maplechrono", "lingeling")
    return [
        (refuted()[name], parse_drat(solver_proof(solver, refuted()[name])))
        for name in names
        for solver in solvers
    ]


def test_a_mutated_drat_proof_is_refused_or_still_a_proof(cases) -> None:
    rng = random.Random(5)
    passed = Counter[bool]()
    for number in range(600):
        formula, proof = cases[number % len(cases)]
        most = max(abs(lit) for clause in formula for lit in clause) + 1
        needed = [step for step in proof if isinstance(step, Addition)]
        spoilt = mutated(rng, needed, change_drat(rng, most))
        checked = check_drat(formula, spoilt)
        passed[checked.verified] += 1
        if checked:
            core = check_lrat(formula, to_lrat(formula, spoilt)).core
            assert not satisfiable([formula[i - 1] for i in core])
        else:
            with pytest.raises(UnprovedError) as error:
                to_lrat(formula, spoilt)
            assert error.value.checked == checked
    assert passed[False] > 100
    assert passed[True] > 100


def test_a_proof_passes_for_a_mutated_formula_only_if_that_has_no_model(cases) -> None:
    rng = random.Random(6)
    passed = Counter[tuple[bool, bool]]()
    hints = [to_lrat(formula, proof) for formula, proof in cases]
    for number in range(600):
        formula, proof = cases[number % len(cases)]
        most = max(abs(lit) for clause in formula for lit in clause)
        spoilt = formula
        for _ in range(rng.randint(1, 3)):
            spoilt = mutated(
                rng, spoilt, lambda clause, most=most: changed(rng, tuple(clause), most)
            )
        has_model = satisfiable(spoilt)
        checked = check_drat(spoilt, proof, deletions=rng.choice(("drat-trim", "strict")))
        assert not (checked and has_model)
        passed[has_model, checked.verified] += 1
        assert not (check_lrat(spoilt, hints[number % len(cases)]) and has_model)
    assert passed[True, False] > 100
    assert passed[False, True] > 100


def test_a_mutated_lrat_proof_is_refused_or_still_a_proof(cases) -> None:
    rng = random.Random(7)
    originals = [(formula, to_lrat(formula, proof)) for formula, proof in cases]
    passed = Counter[bool]()
    for number in range(1400):
        formula, steps = originals[number % len(originals)]
        most = max(abs(lit) for clause in formula for lit in clause) + 1
        last = steps[-1].identifier + 1
        spoilt = mutated(rng, steps, change_lrat(rng, most, last))
        checked = check_lrat(formula, spoilt)
        passed[checked.verified] += 1
        if checked:
            assert not satisfiable([formula[i - 1] for i in checked.core])
            lemmas = [Addition(s.literals) for s in spoilt if isinstance(s, LratAddition)]
            assert check_drat(formula, lemmas)
        else:
            assert "\n" not in checked.reason
    assert passed[False] > 600
    assert passed[True] > 10


def test_no_proof_of_a_satisfiable_formula_ever_passes() -> None:
    rng = random.Random(8)
    for _ in range(400):
        num_vars = rng.randint(3, 8)
        model = [rng.choice((1, -1)) * var for var in range(1, num_vars + 1)]
        formula = [
            clause
            for clause in random_clauses(rng, num_vars, 5 * num_vars)
            if any(lit in model for lit in clause)
        ]
        assert model_set(formula, num_vars)
        proof: list[DratStep] = []
        hints: list[LratStep] = []
        for step in range(rng.randint(1, 15)):
            lits = random_lits(rng, num_vars + 2, rng.choice((0, 1, 1, 2, 3)))
            if check_drat(formula, [*proof, Addition(lits)]).step is None:
                proof.append(Addition(lits))
            live = len(formula) + step
            found = [rng.choice((1, 1, -1)) * rng.randint(1, live) for _ in range(rng.randrange(5))]
            hints.append(LratAddition(live + 1, lits, tuple(found)))
            if check_lrat(formula, hints).step is not None:
                hints[-1] = LratAddition(live + 1, lits, ())
                if check_lrat(formula, hints).step is not None:
                    hints.pop()
        assert not check_drat(formula, proof)
        assert not check_lrat(formula, hints)
        assert not check_drat(formula, [*proof, Addition(())])


def test_lemmas_and_goals_that_pass_without_rat_are_implied() -> None:
    rng = random.Random(9)
    passed = Counter[bool]()
    while passed.total() < 600:
        num_vars = rng.randint(4, 9)
        formula = random_clauses(rng, num_vars, 4 * num_vars)
        spare = random_clauses(rng, num_vars, 6 * num_vars)
        logged = solver_proof("cadical195", [*formula, *spare])
        if logged is None or not model_set(formula, num_vars):
            continue
        lemmas = session_lemmas(parse_drat(logged)) or [Addition((1,))]
        derived: list[Addition] = []
        units = [Addition((sign * var,)) for var in range(1, num_vars + 1) for sign in (1, -1)]
        for lemma in (*lemmas, *units):
            accepted = bool(check_drat(formula, derived, goals=[lemma.literals]))
            passed[accepted] += 1
            if accepted:
                derived.append(lemma)
                models = model_set(formula, num_vars)
                assert model_set([*formula, lemma.literals], num_vars) == models
                goals = [step.literals for step in derived]
                hints = to_lrat(formula, derived, goals=goals)
                assert check_lrat(formula, hints, goals=goals)
    assert passed[True] > 60
    assert passed[False] > 60
