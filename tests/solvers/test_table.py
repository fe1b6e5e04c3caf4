"""The table of solvers says what a probe finds, and a probe finds out solvers that are wrong."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from satsweeper.solvers import probe as module
from satsweeper.solvers.probe import ProbeError, main, pigeons, probe, probe_here
from satsweeper.solvers.protocol import SolverError
from satsweeper.solvers.table import FAST, REFUSED, SOLVERS, Features, features
from tests.oracles import models, true_literals


@pytest.mark.parametrize("name", SOLVERS)
def test_the_row_of_a_solver_is_what_the_probe_finds(name: str) -> None:
    assert probe(name) == SOLVERS[name]


def test_kissat_ignores_assumptions_or_dies() -> None:
    reason = probe("kissat404")
    assert isinstance(reason, str)
    assert "assumption" in reason or "ended without an answer" in reason


def test_the_default_solver_is_in_the_table_and_keeps_limits() -> None:
    assert features(FAST) == SOLVERS[FAST]
    assert SOLVERS[FAST].budget


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_solver_is_refused_with_its_reason_and_by_the_probe(name: str) -> None:
    assert isinstance(probe(name), str)
    with pytest.raises(SolverError, match="cannot classify: ") as caught:
        features(name)
    assert REFUSED[name] in str(caught.value)


def test_an_unknown_solver_is_refused_with_a_suggestion() -> None:
    for name in ("cadical", "minisat"):
        with pytest.raises(SolverError, match=f"did you mean '{name}"):
            features(name)


@pytest.mark.parametrize(
    ("script", "seconds", "reason"),
    [
        ("exec sleep 600", 0.001, "no answer within 0.001 seconds"),
        ("kill -SEGV $$", 60, "the process of the probe ended without an answer (SIGSEGV)"),
        ("exit 3", 60, "the process of the probe ended without an answer (exit code 3)"),
    ],
)
def test_a_probe_that_dies_is_a_result_and_its_time_is_limited(
    script: str, seconds: float, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(path))
    assert probe(FAST, seconds=seconds) == reason


def test_an_unknown_name_is_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 1
    assert '"reason": "NoSuchSolverError' in capsys.readouterr().out


def test_pigeons_do_not_fit_unless_the_selector_is_off() -> None:
    for holes in (1, 2):
        clauses = pigeons(holes, 1)
        count = 1 + holes * (holes + 1)
        found = models(clauses, count)
        assert found
        assert not any(bits[0] for bits in found)


class Honest:
    """A solver by brute force, with the methods of PySAT's; it has no extras."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []
        self.model: list[int] = []
        self.core: list[int] = []

    def add_clause(self, clause: Sequence[int]) -> None:
        self.clauses.append(list(clause))

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        rows = [*self.clauses, *([lit] for lit in assumptions)]
        count = max(abs(lit) for row in rows for lit in row)
        for bits in models(rows, count):
            self.model = sorted(true_literals(bits), key=abs)
            return True
        self.core = list(assumptions)
        return False

    def get_model(self) -> list[int]:
        return self.model

    def get_core(self) -> list[int]:
        return self.core

    def conf_budget(self, budget: int) -> None:
        raise NotImplementedError

    def set_phases(self, literals: Sequence[int]) -> None:
        raise NotImplementedError

    def supports_atmost(self) -> bool:
        return False

    def delete(self) -> None:
        pass


def wrong(**methods: Any) -> type[Honest]:
    return type("Wrong", (Honest,), methods)


def forget_late(self: Honest, clause: Sequence[int]) -> None:
    """A solver that was asked keeps no clause."""
    if not (self.model or self.core):
        Honest.add_clause(self, clause)


WRONG = {
    "ignores assumptions": wrong(solve=lambda self, assumptions=(): Honest.solve(self)),
    "forgets late clauses": wrong(add_clause=forget_late),
    "returns empty cores": wrong(get_core=lambda self: []),
    "returns foreign cores": wrong(get_core=lambda self: [*self.core, 99]),
    "returns wrong models": wrong(get_model=lambda self: [-self.model[0], *self.model[1:]]),
    "counts wrongly": wrong(
        supports_atmost=lambda self: True, add_atmost=lambda self, literals, bound: None
    ),
}


def test_a_plain_solver_passes_without_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solver_class", lambda name: Honest)
    assert probe_here("x") == Features(budget=False, phases=False, native=False)


@pytest.mark.parametrize("defect", WRONG)
def test_a_solver_that_is_wrong_is_found_out(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solver_class", lambda name: WRONG[defect])
    with pytest.raises(ProbeError):
        probe_here("x")
