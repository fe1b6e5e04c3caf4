"""Solvers that are programs on PATH: one process for each question, every model checked.

Each program runs in its own process group, which is ended as a whole at the time limit, and also
after an answer, in case the program left children behind. An answer is accepted only if the program
ended by itself, its exit code agrees with its ``s`` line (MiniSat: its result file), and its model
satisfies every clause and assumption. The claim that a formula has no model is not checked, since
the programs are run without proofs.
"""

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Any, Final, NoReturn

from pbcnf.formats.error import FormatError, excerpt
from pbcnf.formats.write.dimacs import body, head
from pbcnf.formula import Formula
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import how_ended
from satsweeper.processes.signals import held
from satsweeper.solvers.evaluation import completed, first_unsatisfied
from satsweeper.solvers.output import Claim, Output, read_output
from satsweeper.solvers.programs import Program, find_program
from satsweeper.solvers.protocol import (
    Answer,
    Satisfied,
    SolverFailedError,
    Unknown,
    Unsatisfied,
)

_GRACE: Final = 0.2
"""The time between SIGTERM and SIGKILL, in seconds."""
_LONGEST: Final = 2**26
"""The largest size of an output, in bytes, to which 32 bytes for each variable are added."""


class ExternalSolver:
    """A program on PATH as a live solver: every question runs the program on all clauses anew.

    The core of an unsatisfiable answer is all assumptions; a search is limited in seconds only.
    """

    def __init__(self, name: str) -> None:
        """``name``: ``external:`` and the program's name; SolverError if it is not on PATH."""
        self.name = name
        self.calls = 0
        self._program = find_program(name)
        self._formula = Formula()

    def add_clause(self, clause: Iterable[int]) -> None:
        """Add a clause for good."""
        literals = list(clause)
        self._allocate(literals)
        self._formula.add_clause(literals)

    def solve(
        self,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Search for a model in which all assumptions hold; ``conflicts`` is ignored.

        Raises SolverFailedError if the program gives no answer within ``seconds`` for another
        reason than time, or a wrong answer.
        """
        self.calls += 1
        self._allocate(assumptions)
        answer = solve_externally(self._program, self._formula, assumptions, seconds)
        if isinstance(answer, Unknown) and answer != OUT_OF_TIME:
            raise SolverFailedError(f"{self.name}: {answer.reason}")
        return answer

    def conflicts(self) -> int:
        """Return 0: programs report conflicts in no common format."""
        return 0

    def prefer(self, literals: Sequence[int]) -> None:
        """Do nothing: a program takes no preferred literals."""

    def close(self) -> None:
        """Do nothing: no process is left between questions."""

    def _allocate(self, literals: Sequence[int]) -> None:
        most = max(map(abs, literals), default=0)
        if most > self._formula.num_vars:
            self._formula.new_vars(most - self._formula.num_vars)


OUT_OF_TIME: Final = Unknown("time")
"""The answer if the time limit was reached first."""


def solve_externally(
    program: Program,
    formula: Formula,
    assumptions: Sequence[int] = (),
    seconds: float | None = None,
) -> Answer:
    """Run ``program`` once on ``formula``; a model is checked and has a literal for every variable.

    ``assumptions`` are written as unit clauses. An Unknown answer is ``OUT_OF_TIME``, or its reason
    is the program's claim.

    Raises:
        SolverFailedError: the program failed, or its answer is wrong.
        OSError: the file of the formula cannot be written.
    """
    deadline = Deadline.after(seconds)
    with tempfile.TemporaryDirectory(prefix="satsweeper-") as folder:
        path = os.path.join(folder, "formula.cnf")
        with open(path, "wb") as stream:
            stream.write(head(formula.num_vars, formula.num_clauses + len(assumptions)))
            stream.writelines(body(formula))
            stream.writelines(b"%d 0\n" % literal for literal in assumptions)
        output = _ask(program, folder, path, formula.num_vars, deadline)
    if output is None:
        return OUT_OF_TIME
    if output.claim is Claim.UNKNOWN:
        return Unknown(f"it gave up ({output.claim})")
    if output.claim is Claim.UNSATISFIABLE:
        return Unsatisfied(list(assumptions))
    # The model has to satisfy every assumption and every clause, whatever the program claims.
    held = set(output.literals)
    wrong = next(([literal] for literal in assumptions if literal not in held), None)
    if wrong is None:
        wrong = first_unsatisfied(formula, output.literals)
    if wrong is not None:
        missing = [lit for lit in wrong if -lit not in held]
        what = f"has no value for variable {abs(missing[0])} in" if missing else "does not satisfy"
        _fail(program, f"wrong model: it {what} the clause {' '.join(map(str, [*wrong, 0]))}")
    return Satisfied(completed(output.literals, formula.num_vars))


def _ask(
    program: Program, folder: str, path: str, variables: int, deadline: Deadline
) -> Output | None:
    dialect = program.dialect
    result = os.path.join(folder, "result")
    files = [path, result] if dialect.result_file else [path]
    command = [program.path, *dialect.arguments, *files]
    written = os.path.join(folder, "stdout")
    with open(written, "wb") as out, open(os.path.join(folder, "stderr"), "wb+") as err:
        code = _run(program, command, out, err, deadline)
        if code is None:
            return None
        err.seek(0)
        complaint = err.read(_LONGEST)
    claims = {
        **dict.fromkeys(dialect.satisfiable, Claim.SATISFIABLE),
        **dict.fromkeys(dialect.unsatisfiable, Claim.UNSATISFIABLE),
        0: Claim.UNKNOWN,
    }
    if code not in claims:
        last = complaint.strip().rpartition(b"\n")[2]
        why = f": {excerpt(last)}" if last else ""
        _fail(program, f"it ended with {how_ended(code)}, which is no answer{why}")
    output = _read(program, result if dialect.result_file else written, variables)
    if output.claim is not claims[code]:
        _fail(program, f"it says {output.claim}, but its exit code is {code}")
    return output


def _read(program: Program, path: str, variables: int) -> Output:
    source = f"{program.name}, its output"
    try:
        if os.path.getsize(path) > _LONGEST + 32 * variables:
            _fail(program, "its output is longer than any answer")
        with open(path, "rb") as stream:
            output = read_output(stream, source, variables)
    except FileNotFoundError:
        _fail(program, "it wrote no result file")
    except FormatError as error:
        raise SolverFailedError(str(error)) from None
    if output.form != ("result file" if program.dialect.result_file else "competition"):
        _fail(program, "its output has no s line")
    return output


def _run(
    program: Program, command: list[str], out: IO[Any], err: IO[Any], deadline: Deadline
) -> int | None:
    """Return the exit code, or None at the deadline; the process group is ended in any case."""
    process = None
    with _sigterm_unwinds():
        try:
            with held(signal.SIGTERM, signal.SIGINT):
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    start_new_session=True,
                )
            return process.wait(deadline.left())
        except subprocess.TimeoutExpired:
            assert process is not None
            _signal_group(process, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE)
            return None
        except OSError as error:
            _fail(program, f"it cannot be started ({error.strerror or error})")
        finally:
            if process is not None:
                _signal_group(process, signal.SIGKILL)
                process.wait()


def _signal_group(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    # The group may be empty, or have only processes that ended already.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


@contextmanager
def _sigterm_unwinds() -> Iterator[None]:
    """Within the block, SIGTERM raises SystemExit, so that the solver's process is ended as well.

    A handler that the caller has set is left in place.
    """
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGTERM) not in (signal.SIG_DFL, None):
        yield
        return

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _fail(program: Program, what: str) -> NoReturn:
    raise SolverFailedError(f"{program.name}: {what}")
