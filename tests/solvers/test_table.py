"""The table of solvers says what a probe finds, and a probe finds out solvers that are wrong."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from satsweeper.solvers import probe as module
from satsweeper.solvers.probe import ProbeError, main, pigeons, probe, probe_here
from satsweeper.solvers.protocol import SolverError
from satsweeper.solvers.table import FAST, REFUSED, SOLVERS, Features, features
from tests.oracles import models, true_literals


@pytest.mark.parametrize("name", SOLVERS)
def test_the_row_of_a_solver_is_what_the_probe_finds(name: str) -> None:
    assert probe(name) == SOLVERS[name]


@pytest.mark.parametrize("name", REFUSED)
def test_the_probe_refuses_what_the_table_refuses(name: str) -> None:
    assert isinstance(probe(name), str)


def test_kissat_ignores_assumptions_or_dies() -> None:
    reason = probe("kissat404")
    assert isinstance(reason, str)
    assert "assumption" in reason or "ended without an answer" in reason


def test_the_default_solver_is_in_the_table_and_keeps_limits() -> None:
    assert features(FAST) == SOLVERS[FAST]
    assert SOLVERS[FAST].budget


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_solver_is_refused_with_its_reason(name: str) -> None:
    with pytest.raises(SolverError, match="cannot classify: ") as caught:
        features(name)
    assert REFUSED[name] in str(caught.value)


@pytest.mark.parametrize(("name", "meant"), [("cadical", "cadical"), ("minisat", "minisat")])
def test_an_unknown_solver_is_refused_with_a_suggestion(name: str, meant: str) -> None:
    with pytest.raises(SolverError, match=f"did you mean '{meant}"):
        features(name)


def test_a_probe_is_ended_after_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nexec sleep 600\n")
    script.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(script))
    assert probe(FAST, seconds=0.001) == "no answer within 0.001 seconds"


def test_a_probe_that_dies_is_a_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nkill -SEGV $$\n")
    script.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(script))
    assert probe(FAST) == "the process of the probe ended without an answer (SIGSEGV)"
    script.write_text("#!/bin/sh\nexit 3\n")
    assert probe(FAST) == "the process of the probe ended without an answer (exit code 3)"


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


class IgnoresAssumptions(Honest):
    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        return super().solve()


class ForgetsLateClauses(Honest):
    asked = False

    def add_clause(self, clause: Sequence[int]) -> None:
        if not self.asked:
            super().add_clause(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        self.asked = True
        return super().solve(assumptions)


class ReturnsEmptyCores(Honest):
    def get_core(self) -> list[int]:
        return []


class ReturnsForeignCores(Honest):
    def get_core(self) -> list[int]:
        return [*self.core, 99]


class ReturnsWrongModels(Honest):
    def get_model(self) -> list[int]:
        return [-self.model[0], *self.model[1:]]


class CountsWrongly(Honest):
    def supports_atmost(self) -> bool:
        return True

    def add_atmost(self, literals: Sequence[int], bound: int) -> None:
        """Forget it."""


def test_a_plain_solver_passes_without_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "solver_class", lambda name: Honest)
    assert probe_here("x") == Features(budget=False, phases=False, native=False)


@pytest.mark.parametrize(
    "wrong",
    [
        IgnoresAssumptions,
        ForgetsLateClauses,
        ReturnsEmptyCores,
        ReturnsForeignCores,
        ReturnsWrongModels,
        CountsWrongly,
    ],
)
def test_a_solver_that_is_wrong_is_found_out(
    wrong: type[Honest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "solver_class", lambda name: wrong)
    with pytest.raises(ProbeError):
        probe_here("x")
