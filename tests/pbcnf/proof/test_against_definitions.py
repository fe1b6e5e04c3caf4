"""The checkers decide as the definitions of RUP and RAT do; what passes changed proves no less."""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from pbcnf.proof import (
    Addition,
    Deletion,
    DratStep,
    LratAddition,
    LratStep,
    UnprovedError,
    check_drat,
    check_lrat,
    parse_drat,
    parse_lrat,
    to_lrat,
    write_lrat,
)
from tests.oracles import unit_propagation
from tests.pbcnf.proof.formulas import (
    Clauses,
    change_drat,
    change_lrat,
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

Clause = tuple[int, ...]


def rup(clauses: Sequence[Clause], root: set[int], lemma: Sequence[int]) -> bool:
    return unit_propagation(clauses, {-lit for lit in lemma} | root) is None


def rat(clauses: Sequence[Clause], root: set[int], lemma: Clause) -> bool:
    if not lemma:
        return False
    against = -lemma[0]
    return all(
        rup(clauses, root, [*lemma, *(lit for lit in clause if lit != against)])
        for clause in clauses
        if against in clause
    )


def first_wrong(
    formula: list[Clause], proof: list[Addition | Deletion], deletions: str, with_rat: bool
) -> int | str:
    """The step that is wrong, "refuted" or "unfinished".

    As drat-trim does it, what once held at the root holds for good.
    """
    live = list(formula)
    root: set[int] | None = unit_propagation(live, set())
    for index, (step, literals) in enumerate((step, step.literals) for step in proof):
        if root is None:
            return "refuted"
        if isinstance(step, Deletion):
            same = [clause for clause in live if set(clause) == set(literals)]
            if same and deletions != "ignored":
                live.remove(same[0])
                root = unit_propagation(live, set() if deletions == "strict" else root)
            continue
        if not rup(live, root, literals) and not (with_rat and rat(live, root, literals)):
            return index
        live.append(literals)
        root = unit_propagation(live, root)
    return "refuted" if root is None else "unfinished"


def random_case(rng: random.Random) -> tuple[list[Clause], list[Addition | Deletion]]:
    num_vars = rng.randint(2, 6)
    width = rng.choice((2, 3))
    formula = [
        tuple(clause[: rng.choice((1, 2, 3, 3, 3))])
        for clause in random_clauses(rng, num_vars, rng.randint(2, 5 * num_vars), width)
    ]
    seen = list(formula)
    proof: list[Addition | Deletion] = []
    for _ in range(rng.randint(1, 12)):
        if rng.random() < 0.4:
            clause = list(rng.choice(seen))
            rng.shuffle(clause)
            proof.append(Deletion(tuple(clause)))
        else:
            lits = random_lits(rng, num_vars + 1, rng.choice((0, 1, 1, 2, 2, 3)))
            # Prefer lemmas that have a chance: half of them are resolvents.
            if rng.random() < 0.5 and len(seen) > 1:
                one, two = rng.sample(seen, 2)
                lits = tuple(x for x in (*one, *two) if -x not in (*one, *two))
            proof.append(Addition(lits))
            seen.append(lits)
    return formula, proof


@pytest.mark.parametrize(
    ("deletions", "with_rat"),
    [("strict", True), ("ignored", True), ("strict", False), ("drat-trim", False)],
)
def test_random_proofs_are_judged_as_defined(deletions: str, with_rat: bool) -> None:
    rng = random.Random(11)
    outcomes: dict[str, int] = {}
    for _ in range(1500):
        formula, proof = random_case(rng)
        # A goal forbids RAT on all of its variables.
        goals = None if with_rat else [tuple(range(1, 8))]
        checked = check_drat(formula, proof, goals=goals, deletions=deletions)
        expected = first_wrong(formula, proof, deletions, with_rat)
        found: int | str = "unfinished" if checked.step is None else checked.step
        if checked.verified and "goals" not in checked.reason:
            found = "refuted"
        assert found == expected, (formula, proof)
        outcomes[type(found).__name__ + str(found)[:3]] = 1
        outcomes["rat"] = outcomes.get("rat", 0) + checked.rat
        if checked.verified and deletions != "strict":
            hints = to_lrat(formula, proof, goals=goals, deletions=deletions)
            assert check_lrat(formula, hints, goals=goals, strict=True)
    assert {"strref", "strunf"} <= outcomes.keys()
    assert (outcomes["rat"] > 100) == with_rat


def test_deleting_the_reason_of_a_literal_is_obeyed_only_if_strict() -> None:
    formula = [(1,), (-1, 2), (-2, 3, 4), (-2, 3, -4), (-3, 5, 6), (-3, 5, -6), (-3, -5, 6)]
    formula.append((-3, -5, -6))
    proof = parse_drat(b"d 2 -1 0\nd 1 0\nd 7 8 0\n3 0\n")
    usual = check_drat(formula, proof)
    assert (usual.verified, usual.ignored, usual.missing) == (False, 2, 1)
    assert usual.reason == "the proof ends without the empty clause"
    assert check_drat(formula, proof[:3], goals=[(3,)])
    strict = check_drat(formula, proof, deletions="strict", goals=[(3,)])
    assert (strict.verified, strict.ignored, strict.missing) == (False, 0, 1)
    assert (strict.step, strict.line, strict.clause) == (3, 4, (3,))


def test_what_follows_again_without_a_deleted_reason_is_found_again() -> None:
    # While 2 is true, the clause 2 -6 5 may go on watching -6, which is false.
    formula = [(-1, 6), (-1, 2), (2, -6, 5), (-2, 7, 8), (-2, 7, -8), (1,)]
    proof = parse_drat(b"d 2 -1 0\n")
    for deletions in ("drat-trim", "strict", "ignored"):
        assert check_drat(formula, proof, goals=[(5, 7)], deletions=deletions)
        assert check_drat(formula, proof, goals=[(7,)], deletions=deletions).verified == (
            deletions != "strict"
        )


def test_copies_of_a_clause_are_deleted_one_by_one() -> None:
    formula = [(1, 2), (2, 1, 1), (1, -2), (-1, 2), (-1, -2)]
    once, twice = parse_drat(b"d 1 2 0\n1 0\n"), parse_drat(b"d 1 2 0\nd 2 2 1 0\n1 0\n")
    assert check_drat(formula, once)
    assert not check_drat(formula, twice)
    assert check_drat(formula, twice, deletions="ignored")


def test_an_unknown_treatment_of_deletions_is_refused() -> None:
    with pytest.raises(ValueError, match="deletions are 'drat-trim', 'strict' or 'ignored'"):
        check_drat([], [], deletions="some")
    with pytest.raises(ValueError, match="for LRAT deletions are 'drat-trim' or 'ignored', not"):
        to_lrat([[]], [], deletions="strict")


def test_a_clause_that_is_given_in_between_serves_later_lemmas_alone() -> None:
    clauses = [(1, 2), (1, -2), (-1, 3, 4), (-3, 4), (5, 6)]
    steps = parse_drat(b"1 0\n4 0\n-5 0\n6 0\n2 0\n")
    # -5 follows from nothing: it is given after 1 and 4, and used for 6. 2 is neither.
    lrat = to_lrat(clauses, steps[:4], goals=(), marks={1: False, 2: True, 3: False})
    added = [step for step in lrat if isinstance(step, LratAddition)]
    assert [(step.literals, step.line) for step in added] == [
        *(((1,), 0), ((4,), 2)),
        *(((-5,), 3), ((6,), 4)),
    ]
    given, last = added[2:]
    assert (given.hints, set(last.hints)) == ((), {5, given.identifier})
    assert all(given.identifier not in step.hints for step in added[:2])
    with pytest.raises(UnprovedError):
        to_lrat(clauses, steps, goals=(), marks={2: True, 4: False})


def test_a_wrong_lemma_that_nothing_needs_is_not_in_the_converted_proof() -> None:
    formula = [[1, 2], [-1, 2], [1, -2], [-1, -2], [3, 4]]
    steps = to_lrat(formula, parse_drat(b"-3 0\n2 0\n"))
    assert [step.literals for step in steps if isinstance(step, LratAddition)] == [(2,), ()]
    with pytest.raises(UnprovedError, match="line 1: the clause '-3' is neither RUP nor RAT"):
        to_lrat([[3, 4], [3, -4]], parse_drat(b"-3 0\n"))


def test_extended_resolution_passes_with_its_new_variables_by_rat() -> None:
    for holes in (3, 4, 7):
        clauses, proof = pigeonhole(holes), extended_resolution(holes)
        checked = check_drat(clauses, proof)
        assert checked.verified
        assert checked.rat > 0
        hints = to_lrat(clauses, proof)
        assert check_lrat(clauses, hints).rat > 0
        # Definitions lose no models of old variables, so goals may be derived by them.
        assert check_drat(clauses, proof, goals=[()])
        assert check_lrat(clauses, hints, goals=[()])
        used_before = [[clauses[0][0], abs(proof[0].literals[0])], *clauses]
        assert not check_drat(used_before, proof, goals=[()])


def test_rat_is_decided_by_the_first_literal() -> None:
    formula = [[1, 2], [-2, 3], [-2, -3]]
    assert check_drat(formula, parse_drat(b"-1 2 0\n")).step == 0
    assert check_drat(formula, parse_drat(b"3 -1 2 0\n")).step is None
    assert check_drat(formula, parse_drat(b"-1 4 0\n4 1 0\n")).step == 0
    assert check_drat(formula, parse_drat(b"4 -1 0\n")).rat == 1
    assert check_drat([[-4, 5], [1, 2]], parse_drat(b"4 -1 0\n")).step == 0
    assert check_drat([[-4, 1], [1, 2]], parse_drat(b"4 -1 0\n")).rat == 1
    assert check_drat([[-4, 5], [1, 2]], parse_drat(b"d 5 -4 0 4 -1 0\n")).rat == 1


def test_rat_cannot_make_a_goal_of_what_does_not_follow() -> None:
    formula = [[1, 2], [3, 4]]
    assert check_drat(formula, parse_drat(b"1 0\n")).rat == 1
    reason = "the clause '1' is not RUP, and goals forbid RAT on the variable 1 of the formula"
    checked = check_drat(formula, parse_drat(b"1 0\n"), goals=[[1]])
    assert (checked.verified, checked.reason) == (False, f"line 1: {reason}")
    assert not check_drat(formula, parse_drat(b"9 0\n"), goals=[[9]])
    assert check_drat(formula, parse_drat(b"9 -1 0\n-9 1 0\n"), goals=[[1, 2]]).rat == 2
    lrat = parse_lrat(b"3 1 0 0\n")
    assert check_lrat(formula, lrat).rat == 1
    assert "goals forbid RAT" in check_lrat(formula, lrat, goals=[[1]]).reason
    assert "goals forbid RAT" in check_lrat(formula, parse_lrat(b"3 9 0 0\n"), goals=[[9]]).reason


HARMLESS = {
    "hint 1 is satisfied",
    "hint 4 is not unit",
    "more hints follow the conflict",
    "hint -1 names no clause to resolve with on 1",
    "the resolvent with 1 needs no hints",
}
"""What is refused if strict alone."""


def require_reasons(formula: Clauses, reasons: dict[str, str]) -> None:
    """Hold a proof of one lemma to the reason for its refusal, or to its acceptance."""
    for line, reason in reasons.items():
        proof = parse_lrat(line.encode())
        checked = check_lrat(formula, proof, strict=True)
        assert checked.reason.endswith(reason or "ends without the empty clause")
        assert checked.step == (0 if reason else None)
        if reason not in HARMLESS:
            assert check_lrat(formula, proof).reason == checked.reason


def test_rat_hints_must_name_every_resolvent_and_no_other() -> None:
    formula = [[-1, 2, 3], [-2, 5], [-1, -4], [4, 6]]
    require_reasons(formula, {
        "5 1 4 -2 -3 0 -1 -3 0": "", "5 1 4 -2 -3 0 -3 -1 0": "",
        "5 1 4 -2 -3 0 -1 0": "no hint for the resolvent with 3",
        "5 1 4 -2 -3 0 -1 -1 -3 0": "hint -1 names no clause to resolve with on 1",
        "5 1 4 -2 -3 0 -1 -2 -3 0": "hint -2 names no clause to resolve with on 1",
        "5 1 4 -2 -3 0 -1 2 -3 0": "the resolvent with 1 needs no hints",
        "5 1 4 0 -1 -3 0": "the hints of the resolvent with 1 end without a conflict",
        "5 1 4 -2 0 0": "the hints end without a conflict",
        "5 1 4 -2 0 9 0": "hint 9 names no clause that is there",
        "5 0 -1 0": "the hints end without a conflict",
        "4 7 0 0": "identifier 4, but 4 was there before",
    })  # fmt: skip


def test_rup_hints_must_be_unit_in_turn_and_end_in_the_conflict() -> None:
    formula = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    require_reasons(formula, {
        "5 2 0 1 2 0": "", "5 2 0 1 1 2 0": "hint 1 is satisfied",
        "5 2 0 1 2 3 0": "more hints follow the conflict",
        "5 2 0 1 2 -3 0": "more hints follow the conflict", "5 2 0 4 1 2 0": "hint 4 is not unit",
        "5 0 1 2 0": "hint 1 is not unit", "5 0 0": "the hints end without a conflict",
    })  # fmt: skip
    deleted = check_lrat(formula, parse_lrat(b"5 2 0 1 2 0\n5 d 1 1 9 0\n6 1 0 1 5 0\n"))
    assert (deleted.step, deleted.line, deleted.clause, deleted.missing) == (2, 3, (1,), 2)
    assert deleted.reason == "line 3: clause '1': hint 1 names no clause that is there"


def test_lemmas_with_repeated_and_opposite_literals_are_ordinary_lemmas() -> None:
    rng = random.Random(3)
    for clauses in refuted().values():
        spoilt = [[*clause, clause[0]] for clause in clauses] + [[1, -1], [2, 3, -2]]
        proof: list[DratStep] = []
        for step in parse_drat(solver_proof("cadical195", clauses)):
            lits = step.literals
            proof.append(step._replace(literals=lits + lits[:1]))
            if isinstance(step, Addition) and lits:
                proof += [step, Addition((lits[0], 2, -2)), Addition(rng.choice(spoilt)[::-1])]
        checked = check_drat(spoilt, proof)
        assert (checked.verified, checked.missing) == (True, 0)
        stream = io.StringIO()
        write_lrat(to_lrat(spoilt, proof), stream)
        assert check_lrat(spoilt, parse_lrat(stream.getvalue().encode()))


def test_an_empty_clause_in_the_formula_is_its_own_refutation() -> None:
    for proof in ([], parse_drat(b"1 2 0\n0\n0\n")):
        assert check_drat([[1, 2], [], [3]], proof).lemmas == 0
        hints = to_lrat([[1, 2], [], [3]], proof)
        assert hints[-1] == LratAddition(4, (), (2,))
        assert check_lrat([[1, 2], [], [3]], hints).core == (2,)
    assert check_lrat([[1, 2], []], []).core == (2,)
    assert not check_drat([], [])
    assert not check_lrat([], [])
    assert check_drat([], [], goals=[])
    assert check_lrat([], [], goals=[])


def test_zero_is_no_literal_of_a_formula_a_lemma_or_a_goal() -> None:
    for cnf, lemmas, goals in (([[1, 0]], [], None), ([[1]], [(2, 0)], None), ([[1]], [], [[0]])):
        with pytest.raises(ValueError, match="0 is no literal"):
            check_drat(cnf, [Addition(lemma) for lemma in lemmas], goals=goals)
        with pytest.raises(ValueError, match="0 is no literal"):
            check_lrat(cnf, [LratAddition(2, lemma, ()) for lemma in lemmas], goals=goals)


@pytest.fixture(scope="module")
def cases() -> list[tuple[Clauses, list[DratStep]]]:
    names = ("pigeonhole 3", "parity 4", "parity 8", "random 20", "random 40")
    return [
        (refuted()[name], parse_drat(solver_proof(solver, refuted()[name])))
        for name in names
        for solver in ("cadical195", "glucose4", "maplechrono", "lingeling")
    ]


def test_a_mutated_drat_proof_is_converted_or_one_of_its_lemmas_is_wrong(cases) -> None:
    rng = random.Random(5)
    passed = Counter[bool]()
    for number in range(600):
        formula, proof = cases[number % len(cases)]
        most = max(abs(lit) for clause in formula for lit in clause) + 1
        needed = [step for step in proof if isinstance(step, Addition)]
        spoilt = mutated(rng, needed, change_drat(rng, most))
        try:
            core = check_lrat(formula, to_lrat(formula, spoilt), strict=True).core
        except UnprovedError as error:
            assert not check_drat(formula, spoilt)
            passed[False] += 1
            step = error.checked.step
            if step is not None:
                before = [*map(tuple, formula), *(each.literals for each in spoilt[:step])]
                assert not rup(before, set(), spoilt[step].literals)
                assert not rat(before, set(), spoilt[step].literals)
        else:
            passed[True] += 1
            assert not satisfiable([formula[i - 1] for i in core])
    assert min(passed[False], passed[True]) > 100


def test_a_mutated_lrat_proof_is_refused_or_still_a_proof(cases) -> None:
    rng = random.Random(7)
    passed = Counter[bool]()
    defining = [(pigeonhole(holes), extended_resolution(holes)) for holes in (3, 4)]
    hinted = [(formula, to_lrat(formula, proof)) for formula, proof in [*cases, *defining]]
    for number in range(1400):
        formula, steps = hinted[number % len(hinted)]
        most = max(abs(lit) for clause in formula for lit in clause) + 1
        spoilt = mutated(rng, steps, change_lrat(rng, most, steps[-1].identifier + 1))
        checked = check_lrat(formula, spoilt)
        passed[checked.verified] += 1
        assert checked or not check_lrat(formula, spoilt, strict=True)
        if checked:
            assert not satisfiable([formula[i - 1] for i in checked.core])
            lemmas = [Addition(step.literals) for step in spoilt if isinstance(step, LratAddition)]
            assert checked.rat or check_drat(formula, lemmas)
    assert passed[False] > 600
    assert passed[True] > 10


def test_a_proof_passes_for_a_mutated_formula_only_if_that_has_no_model(cases) -> None:
    rng = random.Random(6)
    passed = Counter[tuple[bool, bool]]()
    hints = [to_lrat(formula, proof) for formula, proof in cases]
    for number in range(600):
        formula, proof = cases[number % len(cases)]
        most = max(abs(lit) for clause in formula for lit in clause)
        spoilt = formula
        for _ in range(rng.randint(1, 3)):
            spoilt = mutated(rng, spoilt, lambda c, most=most: changed(rng, tuple(c), most))
        has_model = satisfiable(spoilt)
        checked = check_drat(spoilt, proof, deletions=rng.choice(("drat-trim", "strict")))
        assert not (checked and has_model)
        passed[has_model, checked.verified] += 1
        assert not (check_lrat(spoilt, hints[number % len(cases)]) and has_model)
    assert min(passed[True, False], passed[False, True]) > 100


def test_no_proof_of_a_satisfiable_formula_ever_passes() -> None:
    rng = random.Random(8)
    for _ in range(400):
        num_vars = rng.randint(3, 8)
        model = {rng.choice((1, -1)) * var for var in range(1, num_vars + 1)}
        every = random_clauses(rng, num_vars, 5 * num_vars)
        formula = [clause for clause in every if not model.isdisjoint(clause)]
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
