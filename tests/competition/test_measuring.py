"""Measuring: who is asked, what is believed, and what ends all work."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from math import prod
from operator import getitem
from random import Random
from time import thread_time
from typing import Any

import pytest

from satsweeper.board.errors import DefectError
from satsweeper.competition import solving
from satsweeper.competition.instance import instance_of, series_of
from satsweeper.competition.measurement import Measurement, Probe, SolverRun, measurement_of
from satsweeper.competition.measuring import Bar, Children, Measurer, _determinant, known_count
from satsweeper.competition.solving import Answered, count_layouts, refute_by_sums, solve
from satsweeper.count.odds import odds
from satsweeper.families.table import FAMILIES
from satsweeper.position import Position
from satsweeper.processes.limits import Ended
from tests.commands import need_highs
from tests.problem_files import formula_of

Open = Callable[..., Measurer]
SERIES = series_of("sat")


@pytest.mark.parametrize("name", sorted(SERIES))
def test_every_series_is_what_its_argument_says(name: str, measurer: Open) -> None:
    series = SERIES[name]
    found = measurer(weak=10**6).run(Probe(name, series.family.small[-1], 1))
    assert found.grade == "easy"
    assert found.weak is not None
    assert found.weak.claim == ("SATISFIABLE" if series.satisfiable else "UNSATISFIABLE")
    assert bool(found.model) is series.satisfiable
    assert measurement_of(found.as_json()).job == found.job


def test_sums_say_what_the_family_says_of_them(measurer: Open) -> None:
    need_highs()
    for name, series in SERIES.items():
        found = measurer(weak=10**6).run(Probe(name, series.family.small[-1], 0))
        linear = {"linear programming": "linear program"}
        ways = [linear.get(way, way[12:]) for way in series.family.decided_by]
        assert bool(found.sums) is not series.satisfiable
        assert found.sums == "" or found.sums in ways


def test_the_strong_solver_is_asked_where_the_weak_one_is_late(measurer: Open) -> None:
    hard = measurer(weak=10, strong=10**6).run(Probe("ones", 4, 0))
    assert hard.grade == "hard"
    assert hard.weak == SolverRun("UNKNOWN", 1.0, "timeout")
    assert hard.strong.claim == "UNSATISFIABLE"
    assert measurer(weak=10, strong=10).run(Probe("ones", 4, 0)).grade == "unsolved"
    assert measurer().run(Probe("ones", 170, 0)).grade == "too large"


def test_layouts_are_counted_by_both_and_told(measurer: Open) -> None:
    found = measurer("counting", weak=10**6).run(Probe("chessboard_with_private_cells", 4, 0))
    assert (found.grade, found.weak.count, found.strong.count) == ("easy", 36, 36)
    late = measurer("counting", weak=1).run(Probe("safehole", 4, 0))
    tried = measurer("counting", weak=10**6).run(Probe("safehole", 4, 0)).weak
    assert (late.grade, late.solved.count) == ("hard", tried.count)


@dataclass
class Said(Children):
    """Says the same of every formula, and of every board."""

    answer: Any
    counted: Answered | None = None

    def run(self, task: Any, seconds: float, external: bool = False) -> Any:
        if task.func is refute_by_sums:
            return ""
        return self.counted or self.answer if task.func is count_layouts else self.answer

    def close(self) -> None:
        """Nothing is open."""


def said(answer: Any, track: str = "sat", counted: Answered | None = None) -> Measurer:
    return Measurer(Bar(track, 1, "cadical195", 1), lambda: Said(answer, counted))


YES, NO = (SolverRun(f"{claim}SATISFIABLE", 0.1) for claim in ("", "UN"))
MODEL = tuple(range(1, 1000))


@pytest.mark.parametrize(
    ("series", "answer", "message"),
    [("planted", Answered(NO), "planted/5/0: a solver says UNSATISFIABLE"),
     ("ones", Answered(YES, MODEL), "ones/5/0: a solver says SATISFIABLE; by argument"),
     ("planted", Answered(YES, MODEL), "does not meet the constraints"),
     ("ones", Ended("error", "DefectError: a wrong model"), "a wrong model")],
)  # fmt: skip
def test_a_wrong_answer_or_model_or_a_child_that_fails_ends_all_work(series, answer, message):
    with pytest.raises(DefectError, match=message):
        said(answer).run(Probe(series, 5, 0))


@pytest.mark.parametrize(("weak", "strong"), [(36, 35), (35, 35), (0, 0)])
def test_numbers_of_models_that_differ_end_all_work(weak: int, strong: int) -> None:
    runs = [Answered(SolverRun("COUNTED", 0.1, count=count)) for count in (weak, strong)]
    with pytest.raises(DefectError, match="models"):
        said(runs[0], "counting", runs[1]).run(Probe("chessboard_with_private_cells", 4, 0))


@pytest.mark.parametrize("line", [None, {}, {"series": "ones"}, {"series": "ones", "size": "x"}])
def test_a_line_that_is_no_measurement_is_refused(line: object) -> None:
    with pytest.raises(ValueError, match=r"measurement|invalid"):
        measurement_of(line)


def test_numbers_of_any_size_are_read_again() -> None:
    run = SolverRun("COUNTED", 0.5, count=10**9000)
    found = Measurement(Probe("planted", 9, 0), 1, 2, 3, SolverRun("UNKNOWN", 1.0, "timeout"), run)
    assert measurement_of(found.as_json()) == found


def test_children_end_at_their_limit() -> None:
    measurer = Measurer(Bar("sat", 0.05, "cadical195", 0.05), Children)
    with measurer:
        found = measurer.run(Probe("pigeonhole", 12, 0))
    assert found.grade == "unsolved"
    for run in (found.weak, found.strong):
        assert (run.claim, run.reason) == ("UNKNOWN", "timeout")


def test_a_solver_is_measured_in_its_own_seconds_and_an_answer_that_comes_late_is_none() -> None:
    answered = solve("cadical195", instance_of(SERIES["ones"], 5, 0).formula)
    assert answered.run.claim == "UNSATISFIABLE"
    board = FAMILIES["chessboard_with_private_cells"].instance(4)
    for task in (
        partial(solve, "minisat22", formula_of(3, [[1, 2], [-1, 3]])),
        partial(solving.enumerate_models, "minisat22", formula_of(3, [[1, 2], [-1, 3]])),
        partial(count_layouts, board, 0),
    ):
        started = thread_time()
        assert 0 < task().run.seconds <= thread_time() - started
    found = said(Answered(SolverRun("UNSATISFIABLE", 1.01))).run(Probe("ones", 5, 0))
    assert found.grade == "unsolved"
    assert found.weak == SolverRun("UNKNOWN", 1.01, "timeout")
    assert said(Answered(SolverRun("UNSATISFIABLE", 1.0))).run(Probe("ones", 5, 0)).grade == "easy"


def test_determinants_are_signed_sums_over_permutations_of_singular_matrices_too() -> None:
    rng, found = Random(0), set()
    for n in [1, 2, 3, 4] * 15:
        rows = [[rng.randint(-1, 1) for _ in range(n)] for _ in range(n)]
        expected = sum(
            (-1) ** sum(a > b for a, b in combinations(order, 2)) * prod(map(getitem, rows, order))
            for order in permutations(range(n))
        )
        assert _determinant(rows) == expected
        found.add(expected)
    assert found >= {-1, 0, 1}


@pytest.mark.parametrize("name", ["chessboard_with_private_cells", "parity_lattice_with_open_end"])
def test_the_layouts_of_boards_are_as_many_and_of_drawn_boards_none_is_known(name: str) -> None:
    for size in FAMILIES[name].small:
        board = FAMILIES[name].instance(size)
        assert isinstance(board, Position)
        assert known_count(name, size) == odds(board).solutions
    assert known_count("planted", 5) is None
