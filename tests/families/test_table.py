"""What the table says of a family is so for its small members: by solvers, and by elimination."""

from collections.abc import Callable
from itertools import product

import pytest

from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.formula import Formula
from satsweeper import Position, Status, classify
from satsweeper.families.family import MOD_2, MOD_3, Family
from satsweeper.families.table import FAMILIES
from satsweeper.solvers.protocol import Satisfied, Unsatisfied
from satsweeper.solvers.sink import open_solver


def satisfiable(made: Position | Problem) -> bool:
    if isinstance(made, Position):
        answer = classify(made)
        assert answer.status is not Status.UNDECIDED
        return answer.status is Status.CONSISTENT
    formula = Formula(made.num_vars)
    list(encode_problem(made.constraints, formula, Choices()))
    solver = open_solver("cadical195")
    try:
        for clause in formula.clauses():
            solver.add_clause(clause)
        found = solver.solve()
    finally:
        solver.close()
    assert isinstance(found, Satisfied | Unsatisfied)
    if isinstance(found, Satisfied):
        assert made.holds(set(found.model))
    return isinstance(found, Satisfied)


small_members = pytest.mark.parametrize(
    ("family", "size"),
    [(family, size) for family in FAMILIES.values() for size in family.small],
    ids=lambda value: value.name if isinstance(value, Family) else str(value),
)
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)


@small_members
def test_the_answer_is_the_one_that_the_argument_gives(family: Family, size: int) -> None:
    for seed in range(2 if family.seeded else 1):
        made = family.instance(size, seed)
        assert satisfiable(made) is family.satisfiable
        assert family.of == ("board" if isinstance(made, Position) else "problem")


@small_members
def test_certain_cells_are_those_that_the_session_finds(family: Family, size: int) -> None:
    for seed in range(2 if family.seeded else 1):
        certain = family.certain(size, seed)
        if certain:
            made = family.make(size, seed)
            assert isinstance(made, Position)
            answer = classify(made)
            assert {cell for cell, mine in certain.items() if mine} <= set(answer.mines)
            assert {cell for cell, mine in certain.items() if not mine} <= set(answer.safe)


@small_members
def test_a_modulus_that_is_named_refutes_every_instance_or_proves_the_cells(
    family: Family, size: int, refuted: Callable[..., bool]
) -> None:
    moduli = [modulus for name, modulus in ((MOD_2, 2), (MOD_3, 3)) if name in family.decided_by]
    for modulus in moduli:
        made = family.make(size, 1)
        certain = family.certain(size, 1)
        assert refuted(made, modulus) is not family.satisfiable
        assert bool(certain) is family.satisfiable
        # What is claimed of the certain cells together leaves no other values.
        for values in product((False, True), repeat=len(certain)):
            fixed = dict(zip(certain, values, strict=True))
            assert refuted(made, modulus, fixed) is not (family.satisfiable and fixed == certain)


@every_family
def test_a_seed_changes_what_is_drawn_and_nothing_else(family: Family) -> None:
    size = family.small[-1]
    again = family.make(size, 1)
    assert family.make(size, 1) == again
    assert (family.make(size, 2) != again) is family.seeded


@every_family
def test_rows_are_filled_and_sizes_in_range(family: Family) -> None:
    assert family.why
    assert family.grows
    assert family.small == tuple(sorted(family.small))
    assert set(family.small) <= set(family.sizes)
    assert family.small[0] == family.sizes[0]


@every_family
def test_a_size_that_there_is_not_is_refused_and_those_there_are_named(family: Family) -> None:
    for size in (family.sizes[0] - 1, family.sizes[-1] + 1, 10**18, -3):
        with pytest.raises(ValueError, match=rf"^{family.name}: size {size}: .*: \d+") as refused:
            family.instance(size)
        assert str(refused.value).endswith(f" {family.sizes[-1]}")
    if family.sizes.step > 1:
        with pytest.raises(ValueError, match=r"\d, \d+, \d+ \.\.\. "):
            family.instance(family.sizes[0] + 1)
