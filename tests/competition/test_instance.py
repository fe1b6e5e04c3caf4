"""Instances: constraints without free variables, clauses that say the same, and who is who."""

import itertools
import re

import pytest

from satsweeper.competition.instance import TRACKS, Series, TooLargeError, instance_of, series_of
from satsweeper.families.table import FAMILIES
from satsweeper.position import Position
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.sink import open_solver
from tests.boards import neighbours
from tests.oracles import assignments, true_literals

SERIES = series_of("sat")


def solutions(series: Series, size: int, seed: int) -> int:
    """The layouts or solutions, free cells aside, one by one by trying all assignments."""
    made = series.family.instance(size, seed)
    if isinstance(made, Position):
        laid = set(made.flag_cells())
        near = {clue: neighbours(clue, made.cells.shape) for clue in made.clue_cells()}
        cells = sorted({c for cells in near.values() for c in cells} & set(made.covered_cells()))
        question = series.question(size, seed)
        found = 0
        for values in itertools.product((False, True), repeat=len(cells)):
            mines = laid | {cell for cell, mine in zip(cells, values, strict=True) if mine}
            met = all(len(mines.intersection(near[c])) == made.cells[c] for c in near)
            found += met and (question is None or (question[0] in mines) is question[1])
        return found
    return sum(made.holds(true_literals(bits)) for bits in assignments(made.num_vars))


def small(name: str) -> bool:
    """Whether all assignments of its smallest instance can be tried."""
    return instance_of(SERIES[name], SERIES[name].family.small[0], 1).problem.num_vars <= 16


@pytest.mark.parametrize("name", [name for name in sorted(SERIES) if small(name)])
def test_clauses_have_as_many_models_on_the_variables_as_there_are_solutions(name: str) -> None:
    series = SERIES[name]
    size = series.family.small[0]
    instance = instance_of(series, size, 1)
    inputs = range(1, instance.problem.num_vars + 1)
    solver, models = open_solver("minisat22"), 0
    for clause in instance.formula.clauses():
        solver.add_clause(clause)
    while isinstance(answer := solver.solve(), Satisfied):
        model = answer.model[: len(inputs)]
        assert instance.problem.holds(set(model))
        models += 1
        solver.add_clause([-lit for lit in model])
    solver.close()
    assert models == solutions(series, size, 1)
    assert bool(models) is series.satisfiable


@pytest.mark.parametrize("name", sorted(SERIES))
def test_every_variable_is_in_a_clause_and_no_clause_is_there_twice(name: str) -> None:
    instance = instance_of(SERIES[name], SERIES[name].family.small[-1], 2)
    clauses = [frozenset(clause) for clause in instance.formula.clauses()]
    assert len(set(clauses)) == len(clauses) == instance.formula.num_clauses
    used = {abs(lit) for clause in clauses for lit in clause}
    assert used == set(range(1, instance.formula.num_vars + 1))


@pytest.mark.parametrize("name", sorted(SERIES))
def test_the_map_names_every_variable_once(name: str) -> None:
    series = SERIES[name]
    size = series.family.small[-1]
    instance = instance_of(series, size, 2)
    said = instance.name_map()
    own = [int(var) for var in said["variables"]]
    rest = [v for each in said["auxiliaries"] for v in range(each["first"], each["last"] + 1)]
    assert sorted(own + rest) == list(range(1, instance.formula.num_vars + 1))
    assert instance.name_map(clauses=False)["auxiliaries"] == []
    if instance.position is not None:
        for var, role in said["variables"].items():
            row, column = role["cell"]
            assert instance.problem.names[int(var)] == f"m_{row}_{column}"
        cells = [tuple(role["cell"]) for role in said["variables"].values()]
        free = [tuple(role["cell"]) for role in said["free"]]
        assert len(free) == instance.free
        assert sorted(cells + free) == sorted(instance.position.covered_cells())


def test_what_is_larger_than_an_entry_should_be_or_a_size_that_a_family_has_not_is_refused() -> (
    None
):
    for name, size in (("ones", 170), ("pigeonhole_of_three", 300)):
        with pytest.raises(TooLargeError):
            instance_of(SERIES[name], size, 0)
    with pytest.raises(ValueError, match=re.escape("torus: size 4: clues a side: 3, 5, 7 ... 299")):
        instance_of(SERIES["torus"], 4, 0)


@pytest.mark.parametrize("track", TRACKS)
def test_every_series_says_its_answer_and_why_and_what_is_counted_is_consistent(track) -> None:
    for name, series in series_of(track).items():
        assert series.name == name
        assert series.why
        assert series.satisfiable is (series.family.satisfiable and not series.asked)
        assert track != "counting" or (series.satisfiable, series.family.of) == (True, "board")


def test_every_family_is_there_and_a_question_for_each_that_has_certain_cells() -> None:
    names = set(series_of("sat"))
    decided = {name for name, family in FAMILIES.items() if family.goal == "decide"}
    assert names >= decided
    asked = {name for name, each in FAMILIES.items() if each.certain(each.small[-1], 0)}
    assert names - decided == {f"{name}_asked" for name in asked}
    assert len(asked) == 3


def test_a_question_holds_a_certain_cell_to_the_other_verdict() -> None:
    for series in series_of("sat").values():
        size = series.family.small[-1]
        question = series.question(size, 3)
        if not series.asked:
            assert question is None
            continue
        assert question is not None
        cell, mine = question
        assert series.family.certain(size, 3)[cell] is not mine
