"""The output of ``sat`` and ``solve``: one answer in lines of the competitions, however it ends.

At a limit, a signal or Ctrl-C the answer is the best outcome so far.
"""

import argparse
import signal
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from pbcnf.wording import exact
from satsweeper.cli.exit_codes import DONE, LIMIT_REACHED, InputError
from satsweeper.cli.files import output
from satsweeper.cli.lifetime import due_to_time, ended_by, interrupted, silence
from satsweeper.processes.standard_output import flush_stdout, print_answer
from satsweeper.show.progress import make_room

if TYPE_CHECKING:
    from pbcnf.constraints.problem import Objective
    from satsweeper.optimisation.search import SolveOutcome

_ENDED_BY: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU)
"""Signals, besides SIGINT, at which the best answer so far is printed."""
CODES: Final = {"OPTIMUM FOUND": 30, "SATISFIABLE": 10, "UNSATISFIABLE": 20, "UNKNOWN": DONE}
"""Claim of an answer -> exit code."""

_PAUSE: Final = 9
"""Pause after a write of the best solution, in multiples of the time that the write took."""

Lines = Callable[[], Iterable[str]]
"""Function that returns the lines of the best solution, called only when they are written."""

_NOTHING: Final = {
    "schema": "satsweeper/solve/1", "status": "UNKNOWN", "value": None, "bound": None,
    "reason": None, "questions": 0, "conflicts": 0, "values": None,
}  # fmt: skip
"""The JSON of an answer before any outcome."""


def answered(work: Callable[[], int], broken_off: Callable[[str], int]) -> int:
    """Return the exit code of ``work``, or of ``broken_off`` if a limit or a signal ends the work.

    ``broken_off`` is called with the reason: "time", the name of a signal, or "interrupted".

    Raises:
        KeyboardInterrupt: Ctrl-C came, and ``broken_off`` has been called.
    """
    with ended_by(*_ENDED_BY) as received:
        try:
            return work()
        except BaseException as error:
            # Interrupted code, imports above all, may turn the exception of a signal into another
            # error: the signals that were received decide, not the class of the exception.
            by_hand = isinstance(error, KeyboardInterrupt) or interrupted()
            if not by_hand and not due_to_time(error):
                raise
            silence()
            if by_hand:
                broken_off("interrupted")
                raise KeyboardInterrupt from None
            return broken_off(signal.Signals(received[0]).name if received else "time")


class Answer:
    """An answer that is printed once, and completely, even if a signal comes during the print."""

    def __init__(self) -> None:
        self.code: int | None = None
        """Exit code of the printed answer; None before an answer is printed."""

    def give(self, lines: Iterable[str], code: int) -> int:
        """Print ``lines`` unless an answer was printed; return the exit code of the printed one."""
        with _whole():
            if self.code is None:
                self.code = code
                self.say(lines)
            return self.code

    def say(self, lines: Iterable[str]) -> None:
        """Print ``lines``: comments and values before the answer, or the answer itself."""
        with _whole():
            make_room()
            for line in lines:
                print_answer(line)
            flush_stdout()


class BestSoFarFile:
    """The file of ``--best``, which holds the newest lines given to `put`, complete at any moment.

    A thread writes the file, so the search does not wait for the disk. After each write the thread
    pauses, so writing takes at most a tenth of the time, and of solutions that follow each other
    quickly some are skipped. The last solution is always written. The object is a context manager:
    after the block the file holds the last lines, or ``error`` is the reason why writing failed.
    """

    def __init__(self, name: str | None) -> None:
        """Write to the file ``name``; None: write nothing."""
        self._name = name
        self.error: InputError | None = None
        self._lines: Lines | None = None
        self._lock = Lock()
        self._wake, self._ended = Event(), Event()
        self._thread: Thread | None = None

    def put(self, lines: Lines) -> None:
        """Write ``lines`` soon, in place of lines that were put before and not yet written."""
        if self._name is None:
            return
        with self._lock:
            self._lines = lines
        self._wake.set()
        if self._thread is None:
            self._thread = Thread(target=self._write_all, daemon=True)
            self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Write the lines that were put last, unless they are written already."""
        self._ended.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _write_all(self) -> None:
        # `_wake` is set by every `put` and by `close`, and cleared before the lines are taken: a
        # `put` after the clearing sets `_wake` again, so no lines are left unwritten.
        while self._wake.wait():
            self._wake.clear()
            with self._lock:
                lines, self._lines = self._lines, None
            if lines is None:
                if self._ended.is_set():
                    return
                continue
            began = monotonic()
            assert self._name is not None
            try:
                with output(self._name) as stream:
                    texts = (f"{line}\n" for line in lines())
                    stream.writelines(text.encode("utf-8", "surrogateescape") for text in texts)
                self.error = None
            except InputError as error:
                self.error = error
            self._ended.wait(_PAUSE * (monotonic() - began))
            if self._ended.is_set():
                self._wake.set()


class Printer(Answer):
    """Prints comments, better values and the answer of ``solve``; keeps the best in a file."""

    def __init__(self, arguments: argparse.Namespace, kept: BestSoFarFile) -> None:
        super().__init__()
        self.format = ""
        self.names: list[str] = []
        """Names of the variables in constraints."""
        self.called: list[str] = []
        """Names of the variables in JSON: from comments of the file if it has comments, or else
        as in ``names``."""
        self.scale = 1
        """Factor between the integer objective and the objective of the file."""
        self.integers: Mapping[str, Objective] = {}
        self.best: SolveOutcome | None = None
        self.proved: dict[str, object] | None = None
        """Files and size of the proof, once it is written."""
        self._asked = arguments.proof is not None
        self._json: bool = arguments.json
        self._kept = kept

    def comment(self, text: str) -> None:
        """Print ``text`` as a comment line; nothing with ``--json``."""
        if not self._json:
            self.say([_comment(text)])

    def better(self, outcome: "SolveOutcome") -> None:
        """Store ``outcome`` as the best one; print its value, if the value is new."""
        with _whole():
            new = self.best is None or self.best.value != outcome.value
            self.best = outcome
            if outcome.model is not None and new:
                self._kept.put(partial(self._lines, outcome, "still searching"))
            if new and outcome.value is not None and not self._json:
                self.say([f"o {self.shown(outcome.value)}"])

    def so_far(self) -> str:
        """Return the text of the progress line: the best value and the bound so far."""
        if self.best is None or self.best.model is None:
            return "solving"
        value, bound = self.best.value, self.best.bound
        values = [("best", value), ("bound", bound)]
        known = [f"{name} {self.shown(number)}" for name, number in values if number is not None]
        return ", ".join(["solving", *known])

    def shown(self, value: int) -> str:
        """Return a value of the objective in the scale of the file."""
        return str(value) if self.scale == 1 else exact(value, self.scale)

    def answer(self, reason: str = "") -> int:
        """Print the best outcome, unless an answer is printed already; return the exit code."""
        with _whole():
            outcome = self.best
            if outcome is None:
                code = self.give(self._nothing(reason), DONE)
            else:
                outcome = replace(outcome, reason=reason or outcome.reason)
                if self.code is None and outcome.status != "UNKNOWN":
                    self._kept.put(partial(self._lines, outcome))
                code = CODES[outcome.status] if self._missing(outcome) is None else LIMIT_REACHED
                code = self.give(self._lines(outcome), code)
            self._kept.close()
        return code

    def _missing(self, outcome: "SolveOutcome") -> str | None:
        """Return why the answer has no proof, None if it has one or needs none."""
        needed = self._asked and outcome.status in ("OPTIMUM FOUND", "UNSATISFIABLE")
        return outcome.reason or "time" if needed and self.proved is None else None

    def _nothing(self, reason: str) -> Iterable[str]:
        """Yield the answer before any outcome.

        The output modules are not imported: the ``reason`` may have interrupted their import.
        """
        import json

        if self._json:
            yield json.dumps(_NOTHING | {"reason": reason or None})
            return
        if reason:
            yield _comment(f"not done: {reason}")
        yield "s UNKNOWN"

    def _lines(self, outcome: "SolveOutcome", reason: str = "") -> Iterable[str]:
        """Yield the lines of ``outcome``; ``reason`` tells why the search is not finished."""
        import json

        from satsweeper.optimisation.search import SolveStatus
        from satsweeper.show.solution import solution_json, solution_lines

        reason = reason or outcome.reason
        missing = self._missing(outcome)
        if self._json:
            outcome = replace(outcome, reason=reason)
            found = solution_json(outcome, self.called, self.integers, self.scale)
            asked = {"proof": self.proved, "no_proof": missing} if self._asked else {}
            yield json.dumps(found | asked)
            return
        if missing is not None:
            yield _comment(f"{outcome.status}, its proof not done: {missing}")
        elif self._asked and self.proved is None:
            yield _comment("no proof: there is nothing to prove, or the time was over")
        if outcome.status in (SolveStatus.SATISFIABLE, SolveStatus.UNKNOWN) and reason:
            yield _comment(f"not done: {reason}")
        yield from solution_lines(outcome, self.format, self.names, self.integers)


def _whole() -> AbstractContextManager[None]:
    """Return a context in which signals that raise exceptions wait until its end."""
    # Imported late: printing help needs none of the modules that start processes.
    from satsweeper.processes.signals import RAISING, held

    return held(*RAISING)


def _comment(text: str) -> str:
    """Return ``text`` as a comment line in ASCII, other characters escaped."""
    return f"c {text.encode('ascii', 'backslashreplace').decode('ascii')}"
