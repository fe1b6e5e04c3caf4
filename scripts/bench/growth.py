"""Growth of contenders on families: solvers on the formula, engines on the board, sums on problems.

A solver gets the formula of the family, or of the question about a certain cell
(``satsweeper.competition.instance``); an engine classifies the board. Each run is a task
that can be pickled, in a child with a hard limit of CPU time; as in
``satsweeper.competition.measuring``, whose children these are, no answer is taken on trust. Sizes
grow in steps of two, then by a quarter, until a size is not decided; all contenders of a family see
the same sizes.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import median
from time import thread_time
from typing import Any, Final, NamedTuple, Self

from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.problem import Problem
from satsweeper.answers.classification import Status
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.errors import DefectError
from satsweeper.compare.job.question import Encoded
from satsweeper.compare.job.scramble import scrambled
from satsweeper.competition.instance import EntryInstance, Series, TooLargeError, instance_of
from satsweeper.competition.measurement import SolverRun
from satsweeper.competition.measuring import Children
from satsweeper.competition.solving import solve
from satsweeper.engines.protocol import EngineRefusedError
from satsweeper.engines.table import ENGINES, find_engine
from satsweeper.families.table import FAMILIES, Family
from satsweeper.linear.equations import Equation
from satsweeper.linear.refutation import refutation_of
from satsweeper.position import Position
from satsweeper.processes.forked import Last
from satsweeper.processes.limits import Ended
from satsweeper.solvers.output import Claim
from satsweeper.solvers.table import SOLVERS

ON_FORMULAS: Final = ("minisat22", "glucose4", "maplechrono", "lingeling", "cadical195")
ON_BOARDS: Final = ("portfolio", "sat", "elimination", "ilp")
SUMS: Final = "refutation_of"
"""The portfolio's method where search fails, on problems that are no boards."""

GAVE_UP: Final = "no answer"


class Outcome(NamedTuple):
    """A run, and a digest of all verdicts if a complete engine has given them."""

    run: SolverRun
    verdicts: str = ""


def decide(solver: str, instance: EntryInstance, disguise: int) -> Last:
    """Decide a formula by a solver; a model is checked against clauses and constraints.

    The process ends afterwards. ``disguise``: the seed by which variables are renamed and clauses
    shuffled, which is not timed; 0 for the formula as it is.
    """
    encoded, renaming = scrambled(Encoded(instance.formula), disguise)
    answered = solve(solver, encoded.formula)
    model = answered.model if renaming is None else renaming.back(answered.model)
    if answered.model and not instance.problem.holds(set(model)):
        raise DefectError(f"{solver}: a model that does not meet the constraints")
    return Last(Outcome(answered.run))


def classified(
    name: str, position: Position, certain: Mapping[Cell, bool], small: Position
) -> Last:
    """Classify a board by an engine; ``certain`` are the verdicts known by an argument.

    If ``certain`` is not empty, the engine has an answer if it finds these verdicts; otherwise, if
    it proves that there is no layout, or decides every cell. The board ``small`` is classified
    first, untimed, so that imports are not counted. CPU time of the thread is read, as the CPU time
    of a limited process is counted in whole ticks. The process ends afterwards.
    """
    engine = find_engine(name)
    engine.classify(small, Options())
    began = thread_time()
    try:
        answer = engine.classify(position, Options())
    except EngineRefusedError:
        return Last(Outcome(SolverRun(Claim.UNKNOWN, thread_time() - began, GAVE_UP)))
    seconds = thread_time() - began
    for cell, mine in certain.items():
        if cell in (answer.safe if mine else answer.mines):
            raise DefectError(f"{name}: a false verdict of {cell}")
    if answer.status is Status.INCONSISTENT:
        return Last(Outcome(SolverRun(Claim.UNSATISFIABLE, seconds)))
    found = all(c in (answer.mines if m else answer.safe) for c, m in certain.items())
    if answer.status is not Status.CONSISTENT:
        if certain and found:
            return Last(Outcome(SolverRun(Claim.SATISFIABLE, seconds)))
        return Last(Outcome(SolverRun(Claim.UNKNOWN, seconds, GAVE_UP)))
    if not found:
        raise DefectError(f"{name}: a certain cell is called unknown")
    verdicts = repr((answer.safe, answer.mines)).encode()
    digest = hashlib.sha256(verdicts).hexdigest()[:16]
    return Last(Outcome(SolverRun(Claim.SATISFIABLE, seconds), digest))


def added_up(equations: Sequence[Equation], small: Sequence[Equation]) -> Last:
    """Search for a linear combination of ``equations`` that refutes them.

    ``small`` is refuted first, untimed. The process ends afterwards.
    """
    refutation_of(small)
    began = thread_time()
    claim = Claim.UNKNOWN if refutation_of(equations) is None else Claim.UNSATISFIABLE
    seconds = thread_time() - began
    return Last(Outcome(SolverRun(claim, seconds, GAVE_UP if claim is Claim.UNKNOWN else "")))


Task = partial[Last]


def contenders_of(family: Family) -> tuple[str, ...]:
    """Return the contenders for a family; sums of equations only refute problems."""
    if family.of == "board":
        return ON_FORMULAS + ON_BOARDS
    return ON_FORMULAS if family.satisfiable else (*ON_FORMULAS, SUMS)


def task_of(contender: str, instance: EntryInstance, family: Family, size: int, seed: int) -> Task:
    """Return the task; ``instance`` belongs to the contender's series.

    ``seed`` is the seed of the instance, if the family has seeds, and of the disguise of a formula.
    """
    if contender in SOLVERS:
        return partial(decide, contender, instance, seed)
    small = family.instance(family.small[0], 0)
    if contender in ENGINES and instance.position is not None and isinstance(small, Position):
        certain = family.certain(size, seed)
        return partial(classified, contender, instance.position, certain, small)
    if contender == SUMS and not isinstance(small, Position):
        return partial(added_up, _equations(instance.problem), _equations(small))
    raise ValueError(f"{contender} has nothing to say of {family.name}")


def _equations(problem: Problem) -> tuple[Equation, ...]:
    """Return the constraints with equal bounds; families have distinct positive literals."""
    sums = (each for each in problem.constraints if isinstance(each, Cardinality))
    return tuple((each.lits, each.lower) for each in sums if each.lower == each.upper)


class Point(NamedTuple):
    """A contender, a family and a size."""

    family: str
    contender: str
    size: int

    @property
    def id(self) -> str:
        """The point as text, for example ``ones/minisat22/12``."""
        return f"{self.family}/{self.contender}/{self.size}"


class Measured(NamedTuple):
    """The runs at a point, up to the first without an answer.

    ``verdicts``: for each run the digest of all verdicts of a complete engine, else an empty text.
    """

    job: Point
    runs: tuple[SolverRun, ...]
    verdicts: tuple[str, ...]

    @property
    def decided(self) -> bool:
        """Whether every run has an answer."""
        return all(run.solved for run in self.runs)

    @property
    def seconds(self) -> tuple[float, float, float]:
        """CPU time: the median, the least and the most."""
        times = [run.seconds for run in self.runs]
        return median(times), min(times), max(times)

    def as_json(self) -> dict[str, Any]:
        """Return the object of a line of the journal."""
        runs = [
            {"claim": run.claim, "seconds": round(run.seconds, 6), "reason": run.reason}
            for run in self.runs
        ]
        about = {"id": self.job.id, **self.job._asdict()}
        return {**about, "runs": runs, "verdicts": list(self.verdicts)}


def measured_of(line: object) -> Measured:
    """Parse the object of a line of the journal; raise ValueError for any other object."""
    try:
        entry: Any = line
        runs = tuple(
            SolverRun(str(run["claim"]), float(run["seconds"]), str(run["reason"]))
            for run in entry["runs"]
        )
        if not runs:
            raise ValueError("a point without runs")
        job = Point(str(entry["family"]), str(entry["contender"]), int(entry["size"]))
        return Measured(job, runs, tuple(map(str, entry["verdicts"])))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no measurement of a point: {error}") from None


TIMEOUT: Final = "timeout"


class Setting(NamedTuple):
    """CPU seconds of a run, runs of a point, and the first seed, which the other seeds follow."""

    limit: float
    repetitions: int
    seed: int


class Measurer:
    """Measures points one after the other; a context manager."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._children = Children()

    def run(self, job: Point) -> Measured:
        """Measure a point; the first run without an answer is the last.

        Raises:
            DefectError: an answer contradicts the family's argument.
        """
        family, first = FAMILIES[job.family], self._setting.seed
        # A solver gets a question about a certain cell, if the family has any.
        asks = job.contender in SOLVERS and bool(family.certain(family.small[-1], 0))
        series = Series(family, asks)
        expected = Claim.SATISFIABLE if series.satisfiable else Claim.UNSATISFIABLE
        found: list[Outcome] = []
        instance: EntryInstance | None = None
        for seed in range(first, first + self._setting.repetitions):
            if instance is None or series.seeded:
                try:
                    instance = instance_of(series, job.size, seed)
                except TooLargeError:
                    found.append(Outcome(SolverRun(Claim.UNKNOWN, 0.0, "formula too large")))
                    break
            found.append(self._within(task_of(job.contender, instance, family, job.size, seed)))
            run = found[-1].run
            if not run.solved:
                break
            if run.claim != expected:
                raise DefectError(f"{job.id}: it says {run.claim}; by argument it is {expected}")
        return Measured(job, tuple(o.run for o in found), tuple(o.verdicts for o in found))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._children.close()

    def _within(self, task: Task) -> Outcome:
        limit = self._setting.limit
        # A tenth and a second more than the limit: imports count for the child, and its timer may
        # end it a little early.
        found = self._children.run(task, 1.1 * limit + 1.0)
        if isinstance(found, Ended):
            if found.how == "error":
                raise DefectError(found.what or "a contender failed")
            return Outcome(SolverRun(Claim.UNKNOWN, found.seconds, str(found)))
        outcome: Outcome = found
        if outcome.run.seconds > limit:
            return Outcome(SolverRun(Claim.UNKNOWN, outcome.run.seconds, TIMEOUT))
        return outcome


STEP: Final = 2
"""Difference of neighbouring sizes, for which growth is reported; the sizes of every family are all
even or all odd."""


class Ladder(NamedTuple):
    """The first and the last size that is tried."""

    first: int
    last: int

    def sizes(self) -> Iterator[int]:
        """All sizes, of the parity of the first: in steps of two up to 16, then by a quarter."""
        size = self.first
        while size <= self.last:
            yield size
            grown = size + STEP if size < 16 else int(size * 1.25)
            size = grown - (grown - self.first) % STEP


LADDERS: Final[dict[str, Ladder]] = {
    **dict.fromkeys(("mutilated_chessboard", "chessboard_with_private_cells"), Ladder(4, 60)),
    "parity_lattice": Ladder(2, 36), **dict.fromkeys(("ones", "bump"), Ladder(4, 60)),
    **dict.fromkeys(("safehole", "hall"), Ladder(4, 48)), "planted": Ladder(4, 60),
    "checkerboard": Ladder(4, 90), "torus": Ladder(3, 41),
}  # fmt: skip
"""Family -> its sizes, for the families that are measured by default."""

QUICK: Final[dict[str, Ladder]] = {
    "ones": Ladder(4, 6), "chessboard_with_private_cells": Ladder(4, 4), "torus": Ladder(3, 3),
}  # fmt: skip
"""Family -> few and small sizes, to try the script quickly."""

Found = Mapping[Point, Measured]


def next_points(ladders: Mapping[str, Ladder], found: Found) -> list[Point]:
    """Return the next point of every contender that has decided all sizes measured so far.

    The list is empty when all is measured.
    """
    points = []
    for family, ladder in ladders.items():
        for contender in contenders_of(FAMILIES[family]):
            for size in ladder.sizes():
                point = Point(family, contender, size)
                if point not in found:
                    points.append(point)
                    break
                if not found[point].decided:
                    break
    return points


def steps_in_all(ladders: Mapping[str, Ladder]) -> int:
    """Return the number of points if every size is decided."""
    return sum(
        len(list(ladder.sizes())) * len(contenders_of(FAMILIES[family]))
        for family, ladder in ladders.items()
    )


def steps_done(ladders: Mapping[str, Ladder], found: Found) -> int:
    """Return the number of points that are measured, or will not be measured."""
    points = next_points(ladders, found)
    left = [size >= each.size for each in points for size in ladders[each.family].sizes()]
    return steps_in_all(ladders) - sum(left)


def check_agreement(found: Sequence[Measured]) -> None:
    """Compare the verdicts of complete engines on each board.

    Raises:
        DefectError: the verdicts of two engines differ.
    """
    seen: dict[tuple[str, int, int], tuple[str, str]] = {}
    for each in found:
        for number, verdicts in enumerate(each.verdicts):
            if not verdicts:
                continue
            key = each.job.family, each.job.size, number
            first, name = seen.setdefault(key, (verdicts, each.job.contender))
            if first != verdicts:
                raise DefectError(f"{each.job.id}: other verdicts than those of {name}")
