"""Answers held to what is true: classifications, conflicts and explanations."""

from collections.abc import Callable
from typing import TypeVar

from satsweeper import Classification, Conflict, Explanation
from scripts.fuzzing.truth import Cell, Truth

T = TypeVar("T")


class HangError(BaseException):
    """A position took too long; no ``Exception``, so that nothing on the way takes it for one."""

    call = ""
    """The call that was under way, if known."""


class WrongAnswerError(Exception):
    """A wrong answer: the call, what is true, and what was said."""

    def __init__(self, call: str, expected: object, got: object) -> None:
        super().__init__(call, expected, got)
        self.call = call
        self.expected = str(expected)
        self.got = str(got)


def attempt(call: str, work: Callable[[], T]) -> T:
    """Return the value of the work; raise WrongAnswerError for an exception of the work."""
    try:
        return work()
    except HangError as late:
        late.call = call
        raise
    except Exception as error:
        got = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise WrongAnswerError(call, "an answer", got) from error


def refused(call: str, kind: type[Exception], work: Callable[[], object]) -> None:
    """Hold the work to an exception of this kind."""
    try:
        found = work()
    except kind:
        return
    except HangError as late:
        late.call = call
        raise
    except Exception as error:
        raise WrongAnswerError(call, kind.__name__, f"{type(error).__name__}: {error}") from error
    raise WrongAnswerError(call, kind.__name__, found)


def same(call: str, expected: object, got: object) -> None:
    """Hold an answer to what is true."""
    if expected != got:
        raise WrongAnswerError(call, expected, got)


def classification(call: str, found: Classification, truth: Truth, complete: bool = True) -> None:
    """Status, verdicts and conflict; of an incomplete engine only that it claims nothing false."""
    status = str(found.status)
    if not complete and status == "undecided":
        if truth.layouts:
            _claims(call, found, truth)
        return
    same(f"{call}.status", "consistent" if truth.layouts else "inconsistent", status)
    if not truth.layouts:
        conflict(f"{call}.conflict", found.conflict, truth)
        return
    same(f"{call}.conflict", None, found.conflict)
    same(f"{call}.grid()", truth.grid, found.grid())
    verdict = {cell: str(each) for cell, each in found.verdict.items()}
    same(f"{call}.verdict", truth.verdicts, verdict)
    for name, cells in [("safe", found.safe), ("mine", found.mines), ("unknown", found.unknown)]:
        expected = [cell for cell, each in truth.verdicts.items() if each == name]
        same(f"the {name} cells of {call}", expected, cells)
        same(f"{call}.counts[{name!r}]", len(expected), found.counts[name])


def _claims(call: str, found: Classification, truth: Truth) -> None:
    claimed = {cell: str(each) for cell, each in found.verdict.items() if each != "unknown"}
    true = {cell: truth.verdicts.get(cell) for cell in claimed}
    same(f"the certain cells of {call}", true, claimed)


def conflict(call: str, found: Conflict | None, truth: Truth) -> None:
    """Require that a conflict has no layout, and has a layout without any of its parts."""
    if found is None:
        raise WrongAnswerError(call, "a conflict", None)
    _clash(call, found, truth, truth.everything)


def _clash(call: str, found: Conflict, truth: Truth, against: int) -> None:
    fault = truth.wrong_conflict(found.clues, found.flags, found.total, against)
    if fault is not None or not found.irreducible:
        raise WrongAnswerError(call, "an irreducible set that clashes", f"{found}, which {fault}")


def explanation(call: str, found: Explanation, truth: Truth, cell: Cell) -> None:
    """The reason forces the verdict and is irreducible; layouts of an unknown cell are layouts."""
    expected = truth.verdicts[cell]
    same(f"{call}.verdict", expected, str(found.verdict))
    same(f"{call}.cell", cell, found.cell)
    if not found.sentence.strip():
        raise WrongAnswerError(f"{call}.sentence", "a sentence", found.sentence)
    mine = truth.with_mine(cell)
    layouts = (found.mine_layout, found.safe_layout)
    if expected != "unknown":
        same(f"the layouts of {call}", (None, None), layouts)
        if found.reason is None:
            raise WrongAnswerError(f"{call}.reason", "a reason", None)
        against = truth.everything & ~mine if expected == "mine" else mine
        _clash(f"{call}.reason", found.reason, truth, against)
        return
    same(f"{call}.reason", None, found.reason)
    for name, layout, table in zip(("mine", "safe"), layouts, (mine, ~mine), strict=True):
        number = None if layout is None else truth.assignment(layout)
        if number is None or not truth.layouts & table & 1 << number:
            raise WrongAnswerError(
                f"{call}.{name}_layout", f"a layout in which {cell} is {name}", layout
            )
