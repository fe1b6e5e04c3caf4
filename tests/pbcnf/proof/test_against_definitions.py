"""The checker decides as the definitions do, which are written here without any cleverness."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from pbcnf.proof import Addition, Deletion, check_drat, check_lrat, parse_drat, to_lrat
from tests.oracles import unit_propagation
from tests.pbcnf.proof.formulas import random_clauses, random_lits

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
        if checked.verified and "goals" not in checked.reason:
            found: int | str = "refuted"
        elif checked.step is None:
            found = "unfinished"
        else:
            found = checked.step
        assert found == expected, (formula, proof)
        outcomes[type(found).__name__ + str(found)[:3]] = 1
        outcomes["rat"] = outcomes.get("rat", 0) + checked.rat
        if checked.verified:
            hints = to_lrat(formula, proof, goals=goals, deletions=deletions)
            assert check_lrat(formula, hints, goals=goals)
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
