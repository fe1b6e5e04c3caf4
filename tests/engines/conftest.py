"""Engines, each in a process of its own, and boards whose verdicts brute force knows."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.engines.compare import EngineProcess
from satsweeper.engines.table import ENGINES
from tests.boards import Cell, CertainCells, certain_cells


@pytest.fixture(scope="session")
def children() -> Iterator[dict[str, EngineProcess]]:
    """A process for each engine of the table, started when it is first asked and kept."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(EngineProcess(name)) for name in ENGINES}


@pytest.fixture(scope="session")
def ask(children: dict[str, EngineProcess]) -> Callable[..., CertainCells]:
    """Ask one engine about a position; skips where its package is not installed."""

    def ask(name: str, position: Position, **options: Any) -> CertainCells:
        # Whatever the limit, the engine has to come to its end by itself, on a slow machine too.
        with patch("satsweeper.processes.worker.GRACE", 60.0):
            reply = children[name].ask(position, Options(**options))
        if reply.kind == "missing":
            pytest.skip(reply.why)
        assert reply.answer is not None, reply.why
        assert children[name]._worker.running
        return certain_cells(reply.answer)

    return ask


class Known(NamedTuple):
    """A position, and by brute force whether it has a layout and what they all agree on."""

    position: Position
    layouts: int
    safe: frozenset[Cell]
    mines: frozenset[Cell]

    def agrees(self, answer: CertainCells) -> bool:
        if not self.layouts:
            return answer.status == "inconsistent"
        return answer == CertainCells("consistent", self.safe, self.mines)


@pytest.fixture(scope="session")
def known(make_board: Callable[..., Any]) -> list[Known]:
    """Positions of games with up to 10 hidden cells; one in four is spoilt, half have a total."""
    rng = Random(5)
    found = []
    for _ in range(120):
        shape = rng.choice([(1, 9), (2, 5), (3, 3), (3, 4), (4, 4), (5, 5)])
        cells = list(np.ndindex(shape))
        hidden = rng.sample(cells, rng.randint(0, min(len(cells), 10)))
        mines = {cell for cell in hidden if rng.random() < 0.4}
        text = ""
        for row, column in cells:
            near = sum(abs(r - row) < 2 and abs(c - column) < 2 for r, c in mines)
            if (row, column) in hidden:
                text += "F" if (row, column) in mines and rng.random() < 0.1 else "?"
            else:
                text += str(rng.randint(0, 8) if rng.random() < 0.02 else near)
            text += "\n" if column == shape[1] - 1 else ""
        total = rng.choice([None, len(mines)])
        if total is not None and rng.random() < 0.2:
            total = min(total + 1, len(cells))
        board = make_board(text, total)
        of = board.verdicts() or {}
        safe, mined = (frozenset(c for c in of if of[c] == kind) for kind in ("safe", "mine"))
        found.append(Known(Position(board.cells, total), len(list(board.layouts())), safe, mined))
    assert 10 < sum(not one.layouts for one in found) < 60
    return found


class Asked(NamedTuple):
    """What every engine that is installed, and takes the board, says of a position."""

    complete: dict[str, CertainCells]
    incomplete: dict[str, CertainCells]

    @property
    def truth(self) -> CertainCells:
        return self.complete["sat"]


@pytest.fixture(scope="session")
def ask_all(children):
    """Ask all engines: complete ones say the same, and the others nothing that they deny."""

    def ask(position: Position) -> Asked:
        asked = Asked({}, {})
        for name, child in children.items():
            reply = child.ask(position, Options())
            if reply.answer is not None:
                kind = asked.complete if ENGINES[name].complete else asked.incomplete
                kind[name] = certain_cells(reply.answer)
            else:
                assert reply.kind in ("refused", "missing"), reply.why
        truth = replace(asked.truth, notes=())
        assert truth.decided
        assert {replace(a, notes=()) for a in asked.complete.values()} == {truth}
        for a in asked.incomplete.values():
            assert a.status in ("undecided", truth.status)
            if truth.status == "consistent":
                assert a.safe <= truth.safe
                assert a.mines <= truth.mines
        return asked

    return ask
