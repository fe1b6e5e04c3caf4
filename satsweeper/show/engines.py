"""Engines in the terminal: the table, and results of a comparison."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Final

from rich.console import Console

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Status
from satsweeper.engines.compare import EngineOutcome, disagreements, said_status
from satsweeper.engines.protocol import Engine
from satsweeper.engines.table import installed
from satsweeper.show.terminal import console_for

_FEW: Final = 20
"""The most boards for which the outcomes of every board are printed."""


def show_engines(engines: Sequence[Engine]) -> None:
    """Print a heading for every engine, with its promise below."""
    console = console_for()
    for engine in engines:
        needs = ""
        if engine.extra:
            have = "installed" if installed(engine) else "not installed"
            needs = f", extra {engine.extra} ({have})"
        kind = "complete" if engine.complete else "incomplete"
        _print(console, f"{engine.name}: {kind}{needs}")
        _print(console, fill(engine.promise, 90, initial_indent="  ", subsequent_indent="  "))


def show_comparison(compared: Sequence[Sequence[EngineOutcome]]) -> None:
    """Print outcomes board by board, then a table of engines for each kind of total.

    Of more than ``_FEW`` boards, only boards on which an engine failed or engines disagree are
    listed.
    """
    console = console_for()
    for outcomes in compared:
        failed = any(outcome.kind == "failed" for outcome in outcomes)
        if len(compared) <= _FEW or failed or disagreements(outcomes):
            mines = outcomes[0].mines
            total = "total unknown" if mines is None else f"{counted(mines, 'mine')}"
            _print(console, f"{outcomes[0].board} ({total})")
            for outcome in outcomes:
                text, answer = f"{outcome.kind}: {outcome.why}", outcome.answer
                if answer is not None:
                    text = said_status(answer)
                    if answer.status is not Status.INCONSISTENT:
                        text += f", {answer.counts['safe']} safe, {answer.counts['mine']} mine"
                    text += f", {outcome.seconds:.3f} s"
                    text += "".join(f"; {note}" for note in outcome.notes)
                _print(console, f"  {outcome.engine.name:<14}{text}")
    for known in (True, False):
        chosen = [o for o in compared if (o[0].mines is not None) is known]
        if chosen:
            _show_table(chosen, known, console)
    problems = sum(len(disagreements(outcomes)) for outcomes in compared)
    _print(console, f"disagreements: {problems}")


def _show_table(compared: Sequence[Sequence[EngineOutcome]], known: bool, console: Console) -> None:
    """Print, for every engine, its share of the certain cells that complete engines proved.

    ``known``: whether the boards have totals. An engine has settled a board if its answer is that
    the board is inconsistent, or has all certain cells.
    """
    rows = {outcome.engine.name: _EngineRow() for outcome in compared[0]}
    whole = 0
    for outcomes in compared:
        settled = [o.answer for o in outcomes if o.engine.complete and o.answer is not None]
        truth = next((a for a in settled if a.status is Status.CONSISTENT), None)
        whole += _certain(truth) if truth else 0
        for outcome in outcomes:
            row, answer = rows[outcome.engine.name], outcome.answer
            row.refused += outcome.kind in ("refused", "missing")
            row.failed += outcome.kind == "failed"
            row.seconds += outcome.seconds
            if answer is not None:
                row.settled += answer.status is not Status.UNDECIDED
                # The certain cells of an answer count only where a complete engine has settled the
                # board as consistent, because ``whole`` counts only such boards.
                row.found += _certain(answer) if truth is not None else 0
    total = "known" if known else "unknown"
    _print(
        console,
        f"\n{counted(len(compared), 'board')}, total {total}, {counted(whole, 'certain cell')}",
    )
    head = ("settled", "refused", "failed", "found", "share", "seconds")
    _print(console, f"  {'engine':<14}" + "".join(f"{title:>9}" for title in head))
    for name, row in rows.items():
        share = f"{row.found / whole:9.2%}" if whole else f"{'-':>9}"
        counts = f"{row.settled:>9}{row.refused:>9}{row.failed:>9}{row.found:>9}"
        _print(console, f"  {name:<14}{counts}{share}{row.seconds:>9.3f}")


@dataclass
class _EngineRow:
    """The results of an engine over many boards."""

    settled: int = 0
    refused: int = 0
    failed: int = 0
    found: int = 0
    seconds: float = 0.0


def _certain(answer: Classification) -> int:
    return (answer.safe_board | answer.mine_board).bit_count()


def _print(console: Console, line: str) -> None:
    console.print(line, soft_wrap=True, markup=False, highlight=False)
