"""The table of families, its small members, and layouts of chessboards and parity lattices."""

from collections import Counter
from functools import cache, partial
from importlib.util import find_spec
from itertools import combinations, compress, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from pysat.solvers import Solver

from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.formula import Formula
from satsweeper import Position, Status, classify, odds
from satsweeper.answers.options import Options
from satsweeper.engines.compare import EngineProcess
from satsweeper.families.chessboard import (
    checkerboard,
    chessboard_with_private_cells,
    mutilated_chessboard,
    parity_lattice,
)
from satsweeper.families.lattice import (
    drawn_zeros,
    hall,
    hall_with_slack,
    ones,
    planted,
    planted_on_torus,
    safehole,
    tiles,
    torus_of_ones,
)
from satsweeper.families.models import langford
from satsweeper.families.pigeonhole import pigeonhole
from satsweeper.families.regular import regular
from satsweeper.families.table import FAMILIES, MOD_2, MOD_3, Family
from tests.families.equations import block, refuted
from tests.problem_files import models_of


def satisfiable(made: Position | Problem) -> bool:
    if isinstance(made, Position):
        answer = classify(made)
        assert answer.status is not Status.UNDECIDED
        return answer.status is Status.CONSISTENT
    formula = Formula(made.num_vars)
    list(encode_problem(made.constraints, formula, Choices()))
    with Solver("cadical195", bootstrap_with=formula.clauses()) as solver:
        found: bool = solver.solve()
        assert not found or made.holds(set(solver.get_model()))
        return found


small_members = pytest.mark.parametrize(
    ("family", "size"),
    [(family, size) for family in FAMILIES.values() for size in family.small],
    ids=lambda value: value.name if isinstance(value, Family) else str(value),
)
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)


@small_members
def test_answer_and_certain_cells_are_those_that_the_argument_gives(family, size):
    for seed in range(2 if family.seeded else 1):
        made = family.instance(size, seed)
        assert satisfiable(made) is family.satisfiable
        assert family.of == ("board" if isinstance(made, Position) else "problem")
        if certain := family.certain(size, seed):
            answer = classify(made)
            assert {cell for cell, mine in certain.items() if mine} <= set(answer.mines)
            assert {cell for cell, mine in certain.items() if not mine} <= set(answer.safe)


@small_members
def test_a_modulus_that_is_named_refutes_every_instance_or_proves_the_cells(family, size):
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
def test_a_seed_changes_what_is_drawn_and_nothing_else(family):
    size = family.small[-1]
    again = family.make(size, 1)
    assert family.make(size, 1) == again
    assert (family.make(size, 2) != again) is family.seeded


@every_family
def test_rows_are_filled_and_sizes_in_range(family):
    assert family.why
    assert family.grows
    assert family.small == tuple(sorted(family.small))
    assert set(family.small) <= set(family.sizes)
    assert family.small[0] == family.sizes[0]


@every_family
def test_a_size_that_there_is_not_is_refused_and_those_there_are_named(family):
    for size in (family.sizes[0] - 1, family.sizes[-1] + 1, 10**18, -3):
        with pytest.raises(ValueError, match=rf"^{family.name}: size {size}: .*: \d+") as refused:
            family.instance(size)
        assert str(refused.value).endswith(f" {family.sizes[-1]}")
    if family.sizes.step > 1:
        with pytest.raises(ValueError, match=r"\d, \d+, \d+ \.\.\. "):
            family.instance(family.sizes[0] + 1)


UNEVEN = "as many black squares as white ones"
ALONE = [(0, 1), (1, 0)], [(1, 2), (2, 1)]
"""Squares without which a corner is left alone."""
REFUSED = [
    (checkerboard, [(0, 0.3), (3, -0.1), (3, 1.1)], "at least 1, and 0 to 1"),
    (planted, [(1, 0.3), (3, -0.1), (3, 1.5)], "at least 2, and 0 to 1"),
    (partial(planted, bump=True), [(3, 1.0)], "no clue can be larger"),
    (planted_on_torus, [(1, 0.3), (3, -0.1), (3, 1.5)], "at least 2, and 0 to 1"),
    (partial(planted_on_torus, bump=True), [(3, 1.0)], "no clue can be larger"),
    (torus_of_ones, [(1,), (2,), (4,)], "an odd number of at least 3"),
    (mutilated_chessboard, [(4, [(0, 0), (0, 1)]), (4, []), (1,)], UNEVEN),
    (mutilated_chessboard, [(2,), *((3, out) for out in ALONE)], "has no neighbour"),
    (chessboard_with_private_cells, [(0,), (1,), (3,)], "even number"),
    (parity_lattice, [(1,)], "at least 2"),
    (parity_lattice, [(3, [(3, 0)])], r"a charge at \(3, 0\): vertices are \(0, 0\) to \(2, 2\)$"),
    (ones, [(1,), (0,), (3, [(0, 3)]), (3, [(-1, 0)])], "at least 2, squares are 0 to n - 1"),
    (ones, [(3, [(0, 0)]), (4, [(0, 0), (0, 1)])], "as many black 1s as white ones"),
    (drawn_zeros, [(2, 0)], "at least 3"),
    (safehole, [(3,)], "at least 4"),
    (hall, [(3,)], "at least 4"),
    (hall_with_slack, [(2,)], "at least 3"),
    (pigeonhole, [(0, 1, 1), (1, 0, 1), (1, 1, 0)], "at least 1 each"),
    (regular, [(4, 0, 0, 1)], "n >= 1"),
    (regular, [(4, 3, 4, 2), (4, 3, -1, 2)], "0 <= k <= n"),
    (regular, [(4, 3, 1, 5)], "degree <= constraints"),
    (regular, [(4, 3, 1, 0)], "1 <= degree"),
    (regular, [(5, 3, 1, 2)], "does not divide"),
]


@pytest.mark.parametrize(("make", "refused", "why"), REFUSED)
def test_instances_that_there_are_not_are_refused(make, refused, why):
    for arguments in refused:
        with pytest.raises(ValueError, match=why):
            make(*arguments)


# -- Pigeonholes and regular problems have a solution exactly where counting allows one.


@pytest.mark.parametrize("pigeons", [1, 2, 3, 4])
@pytest.mark.parametrize("holes", [1, 2, 3])
@pytest.mark.parametrize("capacity", [1, 2])
def test_pigeons_fit_if_there_are_places(pigeons, holes, capacity):
    problem = pigeonhole(pigeons, holes, capacity)
    assert bool(models_of(problem)) is (pigeons <= holes * capacity)
    assert problem.num_vars == pigeons * holes
    assert dict(problem.variables())[holes] == f"p0h{holes - 1}"


@given(st.data())
def test_every_variable_is_in_degree_constraints_and_every_constraint_has_n_variables(data):
    degree = data.draw(st.integers(1, 5), label="degree")
    constraints = data.draw(st.integers(degree, 9), label="constraints")
    n = degree * data.draw(st.integers(1, 5), label="n / degree")
    k = data.draw(st.integers(0, n), label="k")
    seed = data.draw(st.integers(0, 99), label="seed")
    problem = regular(constraints, n, k, degree, seed)
    times = Counter(lit for each in problem.constraints for lit in each.lits)
    assert times == dict.fromkeys(range(1, constraints * n // degree + 1), degree)
    assert problem.num_vars == constraints * n // degree
    assert len(problem.constraints) == constraints
    for each in problem.constraints:
        assert (len(each.lits), each.lower, each.upper) == (n, k, k)
        assert list(each.lits) == sorted(set(each.lits))
    assert problem == regular(constraints, n, k, degree, seed)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("constraints", "n", "k", "degree"),
    [(3, 4, 1, 2), (3, 4, 2, 2), (4, 6, 3, 2), (5, 6, 3, 2), (4, 6, 2, 3), (5, 6, 4, 3),
     (2, 5, 2, 2)],
)  # fmt: skip
def test_there_is_a_solution_where_the_degree_divides_the_sum(constraints, n, k, degree, seed):
    problem = regular(constraints, n, k, degree, seed)
    assert bool(models_of(problem)) is (constraints * k % degree == 0)


POSITIONS = Path(__file__).parents[1] / "data" / "positions"


@cache
def coverings(squares: frozenset[tuple[int, int]]) -> int:
    """How many ways there are to cover the squares by dominoes, by trying."""
    if not squares:
        return 1
    row, column = min(squares)
    others = {(row, column + 1), (row + 1, column)} & squares
    return sum(coverings(squares - {(row, column), other}) for other in others)


def whole(n: int) -> frozenset[tuple[int, int]]:
    return frozenset(product(range(n), repeat=2))


def test_the_boards_are_those_that_were_published():
    assert mutilated_chessboard(8) == Position.read(POSITIONS / "mutilated_8.txt")
    assert chessboard_with_private_cells(8) == Position.read(POSITIONS / "mutilated_corner_8.txt")
    assert parity_lattice(8) == Position.read(POSITIONS / "parity_8.txt")
    assert parity_lattice(8, open_end=True) == Position.read(POSITIONS / "parity_extra_8.txt")


@pytest.mark.parametrize(("n", "known"), [(2, 2), (4, 36), (6, 6728)])
def test_layouts_are_coverings_and_both_private_cells_are_safe(n, known):
    position = chessboard_with_private_cells(n)
    assert odds(position).solutions == coverings(whole(n)) == known
    corners = {(0, 0), (2 * n, 2 * n)}
    assert corners <= set(classify(position).safe)


@pytest.mark.parametrize(
    ("n", "missing"),
    [(3, None), (4, None), (5, None), (6, None), (5, [(0, 1)]), (6, [(0, 0), (0, 2)]),
     (4, [(1, 1)])],
)  # fmt: skip
def test_without_even_colours_there_is_no_layout(n, missing):
    left = whole(n) - set(missing or [(0, 0), (n - 1, n - 1)])
    assert coverings(left) == 0
    position = mutilated_chessboard(n, missing)
    assert classify(position).status is Status.INCONSISTENT
    assert len(position.clue_cells()) == len(left)


@pytest.mark.skipif(find_spec("highspy") is None, reason="an extra: pip install satsweeper[ilp]")
def test_linear_programming_refutes_what_is_far_too_large_for_search():
    with EngineProcess("ilp") as child:
        refuted = child.ask(mutilated_chessboard(30), Options())
    assert refuted.answer is not None
    assert refuted.answer.status == "inconsistent"


Vertex = tuple[int, int]


def links(n: int) -> list[tuple[Vertex, Vertex]]:
    """Left to right, and down from every vertex whose coordinates have an odd sum."""
    across = [((i, j), (i, j + 1)) for i in range(n) for j in range(n - 1)]
    down = [((i, j), (i + 1, j)) for i in range(n - 1) for j in range(n) if (i + j) % 2]
    return across + down


def markings(n: int, charges: set[Vertex]) -> int:
    """How many sets of links meet every vertex as often as it asks for, by trying all of them."""
    found = 0
    for marks in product((0, 1), repeat=len(links(n))):
        times = Counter(end for link in compress(links(n), marks) for end in link)
        found += {end for end, number in times.items() if number % 2} == charges
    return found


@pytest.mark.parametrize("seed", range(12))
def test_layouts_of_a_parity_lattice_are_markings_of_links(seed):
    random = Random(seed)
    n = random.choice([2, 3])
    vertices = list(product(range(n), repeat=2))
    charges = set(random.sample(vertices, random.randrange(len(vertices) + 1)))
    position = parity_lattice(n, charges)
    expected = markings(n, charges)
    assert expected == (0 if len(charges) % 2 else 2 ** (len(links(n)) - n * n + 1))
    if expected:
        assert odds(position).solutions == expected
    else:
        assert classify(position).status is Status.INCONSISTENT


def test_a_larger_lattice_has_the_number_of_layouts_that_theory_says():
    assert odds(parity_lattice(4, ())).solutions == 2 ** (len(links(4)) - 4 * 4 + 1)


@pytest.mark.parametrize("charges", [(), ((0, 0),), ((1, 1), (2, 0)), ((0, 1), (1, 0), (2, 2))])
@pytest.mark.parametrize("n", [3, 4])
def test_an_open_end_is_marked_if_the_number_of_charges_is_odd(n, charges):
    answer = classify(parity_lattice(n, charges, open_end=True))
    end = (6 * n - 2, 3)
    assert answer.status is Status.CONSISTENT
    assert end in (answer.mines if len(charges) % 2 else answer.safe)


def test_every_clue_has_cells_to_count_and_every_cell_a_clue():
    position = parity_lattice(5, [(2, 2), (0, 3)])
    covered, clues = set(position.covered_cells()), set(position.clue_cells())
    assert all(block(clue) & covered for clue in clues)
    assert all(block(cell) & clues for cell in covered)


# -- Optima, by trying every assignment or by asking for one better.


@pytest.mark.parametrize(
    ("family", "size"),
    [(each, size) for each in FAMILIES.values() if each.goal != "decide" for size in each.small],
    ids=lambda value: value.name if isinstance(value, Family) else str(value),
)
def test_the_optimum_is_reached_and_nothing_is_better(family, size):
    for seed in range(2 if family.seeded else 1):
        problem = family.instance(size, seed)
        objective, known = problem.objective, family.optimum(size, seed)
        formula = Formula(problem.num_vars)
        list(encode_problem(problem.constraints, formula, Choices()))
        soft = WCNF()
        soft.extend([list(clause) for clause in formula.clauses()])
        for lit, weight in zip(objective.lits, objective.weights, strict=True):
            soft.append([lit if objective.maximise else -lit], weight=weight)
        with RC2(soft) as solver:
            best = objective.value(set(solver.compute()[: problem.num_vars]))
        assert best == {
            "dominating_queens": {1: 1, 2: 1, 3: 1, 4: 2, 5: 3},
            "peaceable_queens": {1: 0, 2: 0, 3: 1, 4: 2},
        }.get(family.name, {}).get(size, best)
        assert known in (None, best)
        unknown = "dominating_queens peaceable_queens fewest_mines knapsacks lightest_cover"
        assert (known is None) == (family.name in unknown.split())


@pytest.mark.parametrize(("n", "pairings"), [(3, 1), (4, 1), (5, 0), (6, 0), (7, 26)])
def test_langford_pairs_have_as_many_solutions_as_are_known(n, pairings):
    problem = langford(n)
    # Clauses written down here; each pairing of the literature is counted with its mirror image.
    with Solver("cadical195") as solver:
        for each in problem.constraints:
            solver.add_clause(list(each.lits))
            for one, other in combinations(each.lits, 2):
                solver.add_clause([-one, -other])
        models = list(solver.enum_models())
    assert len(models) == 2 * pairings
    assert all(problem.holds(set(model)) for model in models)


def squares_from(cells: list[int | None], n: int) -> int:
    """The number of Latin squares with these cells given, filled in one by one."""
    if None not in cells:
        return 1
    at = cells.index(None)
    row, column = cells[at - at % n : at - at % n + n], cells[at % n :: n]
    free = set(range(n)) - set(row) - set(column)
    return sum(squares_from([*cells[:at], symbol, *cells[at + 1 :]], n) for symbol in free)


@pytest.mark.parametrize(("n", "seed"), [(4, 0), (5, 1), (5, 2), (6, 0)])
def test_solutions_of_a_latin_square_are_its_completions(n, seed):
    made = FAMILIES["latin_square"].instance(n, seed)
    cells: list[int | None] = [None] * (n * n)
    for each in made.constraints:
        if len(each.lits) == 1:
            cells[(each.lits[0] - 1) // n] = (each.lits[0] - 1) % n
    assert cells.count(None) == 21 * n * n // 50
    formula = Formula(made.num_vars)
    list(encode_problem(made.constraints, formula, Choices()))
    with Solver("cadical195", bootstrap_with=formula.clauses()) as solver:
        models = {tuple(model[: made.num_vars]) for model in solver.enum_models()}
    assert len(models) == squares_from(cells, n) >= 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [2, 3, 7])
def test_clues_of_tiles_add_up_to_the_total(n, seed):
    board = tiles(n, seed)
    clues = board.clue_cells()
    assert len(clues) == n * n
    assert board.mines == sum(int(board.cells[clue]) for clue in clues)
    # Every covered cell is beside one clue.
    seen = Counter(cell for clue in clues for cell in block(clue) if cell != clue)
    assert seen == Counter(board.covered_cells())
