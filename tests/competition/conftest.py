"""Measurements without a clock: what a solver would not decide in time is said by a rule."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.measuring import WEAK, Bar, Children, Measurer
from satsweeper.competition.solving import enumerate_models, solve
from satsweeper.processes.limits import Ended

LATE = Ended("timeout", None, 1.0)


@dataclass
class Direct(Children):
    """Runs tasks here; MiniSat and the strong solver are late on formulas of too many variables."""

    weak: int = 100
    strong: int = 200
    asked: list[Any] = field(default_factory=list)

    def run(self, task: Any, seconds: float, external: bool = False) -> Any:
        self.asked.append(task)
        if task.func in (solve, enumerate_models):
            solver, formula = task.args
            if formula.num_vars > (self.weak if solver == WEAK else self.strong):
                return LATE
        return task()

    def close(self) -> None:
        self.asked.clear()


def made_up(
    series: str, size: int, grade: str, seed: int = 0, seconds: float = 0.01, claim: str = ""
) -> Measurement:
    """A measurement of this grade."""
    late, said = SolverRun("UNKNOWN", 1.0, "timeout"), SolverRun(claim or "UNSATISFIABLE", seconds)
    weak, strong = {
        "easy": (said, None),
        "hard": (late, said),
        "unsolved": (late, late),
        "too large": (None, None),
    }[grade]
    return Measurement(Probe(series, size, seed), 9, 9, 9, weak, strong)


@pytest.fixture(scope="session")
def bar() -> Bar:
    return Bar("sat", 1.0, "cadical195", 1.0)


@pytest.fixture(scope="session")
def make() -> Callable[..., Measurement]:
    return made_up


@pytest.fixture(scope="session")
def measurer(bar: Bar) -> Callable[..., Measurer]:
    def open_(track: str = "sat", **limits: int) -> Measurer:
        return Measurer(Bar(track, 1.0, bar.strong, 1.0), lambda: Direct(**limits))

    return open_
