"""Boards as clauses: the models are the layouts of plain readings of the rules, once each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest
from pysat.solvers import Solver

from pbcnf.audit import Property, audit_truth, truth
from satsweeper.export.puzzle import PuzzleProblem
from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.connection_levels import longest_path
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.geometry.grids import square
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.problem_writer import StatedBounds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from scripts import table_rule_clauses
from scripts.fuzzing.rule_boards import Subject, draw
from scripts.fuzzing.rule_checks import puzzle_of
from tests.puzzle import plain_boards as plain
from tests.puzzle.plain_boards import Cell, Mines


def models(found: PuzzleProblem) -> Counter[frozenset[int]]:
    """How many models of the clauses have mines in exactly these cells, by number."""
    formula = found.formula
    every: Counter[frozenset[int]] = Counter()
    with Solver("minisat22", bootstrap_with=[list(clause) for clause in formula.clauses()]) as live:
        while live.solve():
            true = {lit for lit in live.get_model() if lit > 0}
            every[frozenset(found.cells[v - 1][0] for v in true if v <= len(found.cells))] += 1
            live.add_clause([-v if v in true else v for v in range(1, formula.num_vars + 1)])
    return every


def numbered(layouts: Iterable[Mines], columns: int) -> Counter[frozenset[int]]:
    return Counter(frozenset(r * columns + c for r, c in mines) for mines in layouts)


def clued(rules: str, rows: int, columns: int, clues: dict[Cell, str], **more: object) -> Puzzle:
    letters = tuple(rules.split())
    kind = clue_kind(tuple(each for each in letters if each not in plain.LAYOUTS))
    found = {r * columns + c: Clue(kind, kind.parse(text)) for (r, c), text in clues.items()}
    return Puzzle(square(rows, columns), letters, found, **more)


@pytest.mark.parametrize("letters", plain.LAYOUTS)
def test_the_models_of_a_rule_of_layouts_are_the_layouts_once_each(letters: str) -> None:
    for rows, columns in ((3, 3), (2, 4), (5, 1), (1, 1)):
        wanted = numbered(plain.layouts(letters, rows, columns), columns)
        found = PuzzleProblem.of(Puzzle(square(rows, columns), (letters,)))
        assert models(found) == wanted
        assert found.parsimonious


@pytest.mark.slow
@pytest.mark.parametrize("letters", plain.LAYOUTS)
def test_the_models_on_4x4_cells_are_the_layouts_once_each(letters: str) -> None:
    for mines in (5, 9):
        wanted = numbered(plain.layouts(letters, 4, 4, mines=mines), 4)
        assert models(PuzzleProblem.of(Puzzle(square(4, 4), (letters,), mines=mines))) == wanted


def audited_clues(letters: str, places: Iterable[Cell]) -> Iterator[tuple[str, set[Property]]]:
    """The properties that the clauses of one clue on 3x3 cells lack, by the plain reading."""
    readings = plain.board(letters, 3, 3, {}).readings
    for place in places:
        cell = 3 * place[0] + place[1]
        layouts: dict[str, list[Any]] = {}
        for number, mines in enumerate(readings.layouts):
            for text in readings.texts(letters, cell, number) if not mines[cell] else ():
                layouts.setdefault(text, []).append(np.delete(mines, cell))
        for text, accepted in layouts.items():
            found = PuzzleProblem.of(clued(letters, 3, 3, {place: text}))
            table = np.zeros((2,) * 8, dtype=bool)
            table[tuple(np.transpose(accepted))] = True
            formula = found.formula
            clauses = [list(clause) for clause in formula.clauses()]
            audit = audit_truth(clauses, formula.num_vars, 8, truth(table))
            assert not {Property.CORRECT, Property.PARSIMONIOUS} & {*audit.failures}, (place, text)
            yield text, set(audit.failures)


CLUE_RULES = [*plain.SINGLE, *plain.PAIRS]


@pytest.mark.parametrize("letters", CLUE_RULES)
def test_the_clauses_of_a_clue_are_right_and_have_one_model_a_layout(letters: str) -> None:
    assert [*audited_clues(letters, [(1, 1), (2, 0)])]


@pytest.mark.slow
@pytest.mark.parametrize("letters", CLUE_RULES)
def test_the_clauses_of_a_clue_are_right_in_every_place(letters: str) -> None:
    assert [*audited_clues(letters, plain.cells(3, 3))]


# V is a sum by an encoder that claims as much, L and 2M have a table of all their values.
@pytest.mark.parametrize("letters", ["V", "L", "X", "K", "2X'", "2Q", "2K", "N X"])
def test_unit_propagation_finds_every_value_of_a_clue(letters: str) -> None:
    for _, lacking in audited_clues(letters, [(1, 1), (0, 1)]):
        assert not lacking


@pytest.mark.parametrize("letters", ["2M", "2P", "L M", "2M 2K"])
def test_unit_propagation_finds_every_contradiction_of_a_clue(letters: str) -> None:
    lacking = [each for _, each in audited_clues(letters, [(1, 1), (1, 0), (0, 0)])]
    assert all(Property.DETECTS not in each for each in lacking)
    assert any(Property.ARC_CONSISTENT in each for each in lacking)


def missing_direction(clues: dict[Cell, str], mines: Mines) -> int:
    """How many sets of directions there are each of which can be the one that no clue counts."""
    fitting = sum(
        all(
            plain.counted(cell, mines, [step for step in plain.AROUND if step != gone]) == int(text)
            for cell, text in clues.items()
        )
        for gone in plain.AROUND
    )
    return int(2**fitting - 1)


def letters_fit(clues: dict[Cell, str], mines: Mines) -> int:
    pairs = {(text, plain.counted(cell, mines)) for cell, text in clues.items()}
    return len(pairs) == len({text for text, _ in pairs}) == len({count for _, count in pairs})


def wrong_numbers(clues: dict[Cell, str], mines: Mines) -> int:
    """How many ways there are to choose the wrong number of each row and column of 3x3 cells."""
    ways = 0
    for columns in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        wrong = set(enumerate(columns))
        off = {cell: abs(plain.counted(cell, mines) - int(text))
               for cell, text in clues.items()}  # fmt: skip
        fits = all(off[cell] == (cell in wrong) for cell in clues)
        ways += fits and not wrong & mines
    return ways


@pytest.mark.parametrize(
    ("letters", "ways", "boards"),
    [
        ("2I", missing_direction, [{(0, 0): "1", (1, 2): "2"}, {(1, 1): "3"}, {(2, 1): "0"}]),
        ("2E", letters_fit, [{(0, 0): "A", (1, 1): "B"}, {(0, 2): "D", (2, 0): "D", (1, 1): "A"}]),
        ("2L", wrong_numbers, [{(0, 0): "1", (1, 1): "3"}, {(0, 0): "0", (2, 2): "2"},
                               {(r, c): "1" for r in range(3) for c in range(3) if (r, c) != (1, 1)}
                               ]),
    ],
)  # fmt: skip
def test_a_layout_has_a_model_for_each_hidden_choice_that_fits(
    letters: str, ways: Callable[[dict[Cell, str], Mines], int], boards: list[dict[Cell, str]]
) -> None:
    for clues in boards:
        found = PuzzleProblem.of(clued(letters, 3, 3, clues))
        wanted = Counter(
            {
                frozenset(3 * r + c for r, c in mines): ways(clues, mines)
                for mines in plain.layouts("", 3, 3, opened=clues)
                if ways(clues, mines)
            }
        )
        assert models(found) == wanted
        assert found.parsimonious is (letters == "2E")


def agrees(rng: Random) -> None:
    """Compare the models of a random board under two rules with its layouts."""
    board = draw(
        Subject("square", (rng.choice([*plain.LAYOUTS]),), rng.choice(plain.SINGLE)), rng, (3, 4)
    )
    known = board.shown | (board.flags if board.reading == "trust" else frozenset())
    got = models(PuzzleProblem.of(puzzle_of(board), board.reading))
    wanted = Counter(plain.layouts_of(board))
    assert Counter({mines | known: times for mines, times in got.items()}) == wanted


def test_rules_clues_flags_and_totals_together_are_what_brute_force_finds() -> None:
    rng = Random(5)
    for _ in range(12):
        agrees(rng)


@pytest.mark.slow
def test_many_boards_are_what_brute_force_finds() -> None:
    rng = Random(6)
    for _ in range(150):
        agrees(rng)


@pytest.mark.parametrize("geometry", ["torus", "hexagonal", "triangular", "knight", "cross"])
def test_connection_follows_the_touching_cells_of_every_geometry(geometry: str) -> None:
    board = grid(geometry, 3, 3)
    graph = nx.Graph()
    graph.add_nodes_from(range(9))
    graph.add_edges_from((a, b) for a, near in enumerate(board.touching) for b in near)
    for opened, shown in (((), ()), ((4,), ()), ((), (8,)), ((1, 2), (6,))):
        puzzle = Puzzle(board, ("C",), opened=frozenset(opened), shown=frozenset(shown))
        covered = [cell for cell in range(9) if cell not in (*opened, *shown)]
        wanted = Counter(
            frozenset(mines)
            for count in range(10)
            for mines in combinations(covered, count)
            if not (mines or shown) or nx.is_connected(graph.subgraph([*mines, *shown]))
        )
        assert models(PuzzleProblem.of(puzzle)) == wanted


def test_weights_several_mines_in_a_cell_and_regions_are_counted() -> None:
    graph = nx.path_graph(5)
    puzzle = Puzzle.from_graph(
        graph, clues={2: 5}, weights={1: 3}, capacity={3: 2, 4: 3}, regions=[("end", [3, 4], 3)],
        mines=5,
    )  # fmt: skip
    found = PuzzleProblem.of(puzzle)
    # Nodes 1 and 3 are beside the clue: 3 * a + b = 5 with a <= 1, b <= 2; b + c = 3; one more mine
    # is at node 0.
    assert models(found) == {frozenset({0, 1, 3, 4}): 1}
    assert list(found.cells) == [
        (0, 1),
        (1, 1),
        (3, 1),
        (4, 1),
        (3, 2),
        (4, 2),
        (4, 3),
    ]
    apart = Puzzle(square(1, 6), regions=(Region("row", tuple(range(6)), 3, "apart"),))
    together = Puzzle(square(1, 6), regions=(Region("row", tuple(range(6)), 3, "together"),))
    runs = {frozenset(range(start, start + 3)) for start in range(4)}
    assert {*models(PuzzleProblem.of(together))} == runs
    assert {*models(PuzzleProblem.of(apart))} == {
        frozenset(c) for c in combinations(range(6), 3)
    } - runs


@pytest.mark.parametrize(("heavy", "shown"), [(1, 5), (2, 9), (3, 10), (5000, 10001)])
def test_a_clue_with_gaps_over_many_weighted_cells_is_one_run_of_values_or_another(
    heavy: int, shown: int
) -> None:
    # A clue that is one off has two values; with eleven cells each gets a variable that implies it.
    graph = nx.star_graph(11)
    weights = dict.fromkeys((2, 5, 9), heavy)
    found = PuzzleProblem.of(
        Puzzle.from_graph(graph, clues={0: shown}, weights=weights, rules=["L"])
    )
    wanted = {
        frozenset(mines)
        for count in range(12)
        for mines in combinations(range(1, 12), count)
        if abs(sum(weights.get(leaf, 1) for leaf in mines) - shown) == 1
    }
    got = models(found)
    assert {*got} == wanted
    assert wanted
    assert not found.parsimonious or {*got.values()} == {1}
    assert found.parsimonious or heavy == 5000


@pytest.mark.parametrize("encoding", ["direct", "sequential_counter", "totalizer", "adder"])
@pytest.mark.parametrize("total", ["auto", "sequential_counter", "sorting_network"])
def test_every_encoder_gives_the_same_layouts(encoding: str, total: str) -> None:
    clues = {(1, 1): "3", (2, 2): "2"}
    for rules in ("S V", "2B V", "O 2A", "T M", "2Z E"):
        puzzle = clued(rules, 3, 4, clues, mines=5)
        found = PuzzleProblem.of(puzzle, encoding=encoding, total_encoding=total)
        wanted = {*numbered(plain.layouts(rules, 3, 4, clues, mines=5), 4)}
        got = models(found)
        assert {*got} == wanted
        assert not found.parsimonious or {*got.values()} <= {1}


def test_bounds_that_literals_imply_are_sums_with_large_weights_of_them() -> None:
    part = Part("rule", "")
    for weights, when in product([None, (2, 1, 3)], [(), (4,), (4, -5)]):
        for lower, upper in combinations(range(-1, 8), 2):
            most = 3 if weights is None else 6
            lower, upper = max(lower, 0), min(upper, most)
            statement = StatedBounds(part, (1, -2, 3), weights, lower, upper, when)
            for signs in product((1, -1), repeat=5):
                model = {sign * v for v, sign in enumerate(signs, start=1)}
                found = sum(
                    weight * (lit in model)
                    for lit, weight in zip((1, -2, 3), weights or (1, 1, 1), strict=True)
                )
                wanted = lower <= found <= upper or not model.issuperset(when)
                assert all(each.holds(model) for each in statement.constraints()) is wanted


def longest_induced(graph: "nx.Graph[int]", path: list[int]) -> int:
    """The number of nodes of the longest induced path that begins with ``path``."""
    best = len(path)
    for node in graph[path[-1]]:
        if node not in path and not any(each in graph[node] for each in path[:-1]):
            best = max(best, longest_induced(graph, [*path, node]))
    return best


def test_no_induced_path_is_longer_than_the_bound() -> None:
    rng = Random(8)
    graphs = [nx.gnp_random_graph(rng.randint(1, 9), rng.random(), seed=n) for n in range(60)]
    graphs += [nx.grid_2d_graph(4, 4), nx.grid_2d_graph(3, 6), nx.cycle_graph(4)]
    for graph in graphs:
        graph = nx.convert_node_labels_to_integers(graph, ordering="sorted")
        near = {node: [*graph[node]] for node in graph}
        longest = max(longest_induced(graph, [node]) for node in graph)
        assert longest <= longest_path(near, [*graph]) <= len(graph)
    # In a large square of touching cells half the cells, in one of edges three quarters.
    board = square(8, 8)
    assert longest_path(dict(enumerate(board.touching)), range(64)) == 32
    assert longest_path(dict(enumerate(board.beside)), range(64)) == 48


@pytest.mark.parametrize("n", range(3, 10))
def test_sizes_without_auxiliary_variables_have_closed_forms(n: int) -> None:
    for letters, (_, number) in table_rule_clauses.CLOSED.items():
        assert table_rule_clauses.layout_size(letters, n) == (0, number(n))
    # One clause for each three cells in line, counted by drawing each line.
    lines = {
        frozenset((r + k * i, c + k * j) for k in range(3))
        for r, c in plain.cells(n, n)
        for i, j in ((0, 1), (1, 0), (1, 1), (1, -1))
        if 0 <= c + 2 * j < n and r + 2 * i < n
    }
    assert table_rule_clauses.layout_size("T", n).clauses == len(lines)


@pytest.mark.parametrize("n", [4, 6, 8])
def test_the_size_of_a_connection_is_that_of_its_levels(n: int) -> None:
    # Touching cells: squares of 2x2 cells are cliques, so a path has at most n^2 / 2 of them.
    nodes, steps = n * n, n * n // 2 - 1
    edges = 2 * n * (n - 1) + 2 * (n - 1) ** 2
    # The first cell is the root if it is a member. Of the others each has a root, all but the last
    # "a member up to here", and every level but the last a variable.
    variables = (nodes - 1) + (nodes - 2) + (nodes - 1) * (steps - 1)
    # A level has two clauses for "only if", and one for each of itself and its neighbours; the
    # first cell needs none of its three.
    level = 3 * (nodes - 1) + 2 * edges - 3
    clauses = 3 * (2 * nodes - 3) + level * (steps - 1) + (nodes - 1)
    assert table_rule_clauses.layout_size("C", n) == (variables, clauses)
    # With a total the paths are shorter.
    fewer = table_rule_clauses.layout_size("C", n, mines=5)
    assert fewer.variables == (nodes - 1) + (nodes - 2) + (nodes - 1) * 3


def test_a_known_member_is_the_root_and_levels_begin_at_its_distance() -> None:
    # From the mine at one end of a row the cell k is reached in k steps, not in fewer: 1 + ... + 3
    # levels for 5 cells, as the last needs no variable and each first level is the cell itself.
    row = Puzzle(square(1, 5), ("C",), shown=frozenset({0}))
    found = PuzzleProblem.of(row)
    assert models(found) == {frozenset(range(1, k)): 1 for k in range(1, 6)}
    assert [role for role, _ in found.roles] == [
        "reach (0, 2) after 2", "reach (0, 3) after 3"
    ]  # fmt: skip
    # A mine that cannot be reached makes the rest safe.
    parted = Puzzle(square(1, 5), ("C",), shown=frozenset({0}), opened=frozenset({2}))
    assert models(PuzzleProblem.of(parted)) == {frozenset(): 1, frozenset({1}): 1}


def test_with_all_prime_implicates_unit_propagation_finds_every_value() -> None:
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 4, 6):
        for _ in range(4):
            table = rng.random((2,) * n) < 0.6
            primes = table_rule_clauses.prime_implicates(table)
            assert not audit_truth(primes, n, n, truth(table)).failures
            # Without a literal no clause holds in every solution.
            for clause in primes:
                for left in combinations(clause, len(clause) - 1):
                    cube = tuple(0 if v in left else 1 if -v in left else slice(None)
                                 for v in range(1, n + 1))  # fmt: skip
                    assert table[cube].any()


def test_the_rows_of_the_page_are_those_of_the_rules_now() -> None:
    rows = {
        cells[1].strip(" `"): [cell.strip() for cell in cells[2:-1]]
        for line in table_rule_clauses.PAGE.read_text("utf-8").splitlines()
        if len(cells := line.split("|")) > 3
    }
    for letters in ("Q", "D", "B", "2S", "C", "2C", "2G"):
        assert rows[letters][1] == str(table_rule_clauses.layout_size(letters, 8))
        assert rows[letters][-2:] == [
            *table_rule_clauses.propagated(table_rule_clauses.small_layout_boards(letters))
        ]
    for letters in ("V", "M", "W", "E", "2Q", "2E", "M X"):
        kind = clue_kind(tuple(letters.split()))
        value = kind.parse(rows[letters][0].strip("`"))
        assert rows[letters][1] == str(table_rule_clauses.clue_size(letters, 8, value))
    for letters in ("P", "2I", "L M"):
        assert rows[letters][-2:] == [
            *table_rule_clauses.propagated(table_rule_clauses.small_clue_boards(letters))
        ]
