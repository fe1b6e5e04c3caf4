"""A part of the study as one sweep: every job in one plan, contenders of a block side by side."""

import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from time import process_time
from typing import Final, Self

from satsweeper.answers.classification import Status as Found
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.plan import RECORDS, Axes, digest_of
from satsweeper.compare.sweep.resumable import ResumableSweep
from satsweeper.compare.sweep.run import Prepared, manifest_of, prepare, run_prepared
from satsweeper.compare.wrong_answers.disagreement import Disagreement, Watch
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import Limits
from satsweeper.search.session import Session
from satsweeper.show.progress import progress
from satsweeper.solvers.search_budget import SearchBudget
from scripts.study.parts import Part

_SHORT: Final = 0.1
_CLOCK: Final = 4
"""Seconds on the clock for one of CPU time, on a machine that is busy with other things."""


class Reduced:
    """Does jobs in this process; a context, as the runners of a sweep are.

    A job that took more CPU time than it may, or was still undecided, has the status ``timeout``.
    """

    def __init__(self, instances: Iterable[Instance], limits: Limits) -> None:
        self._instances = {instance.digest: instance for instance in instances}
        self._seconds = limits.seconds or 3600.0

    def run(self, job: Job) -> Result:
        """The verdicts of all cells; ``solve`` is the CPU time from the position to them.

        What is over at once is done once more, and the smaller time counts: the first time may
        have imported something.
        """
        position = self._instances[job.instance].position()
        found = self._classified(job, position)
        if found.status.solved and found.measured.solve < _SHORT:
            again = self._classified(job, position)
            found = min(found, again, key=lambda result: result.measured.solve)
        return found

    def _classified(self, job: Job, position: Position) -> Result:
        started = process_time()
        with Session(
            position, encoding=job.encoding, total_encoding=job.total_encoding, solver=job.solver
        ) as session:
            answer = session.classify(SearchBudget(Deadline.after(_CLOCK * self._seconds)))
        spent = process_time() - started
        if spent > self._seconds or answer.status is Found.UNDECIDED:
            return Result(job, JobStatus.TIMEOUT, Measured(0.0, self._seconds, 0))
        consistent = answer.status is Found.CONSISTENT
        text = "\n".join(answer.grid()) if consistent else ""
        return Result(
            job,
            JobStatus.SAT if consistent else JobStatus.UNSAT,
            Measured(0.0, spent, 0),
            calls=answer.stats.sat_calls,
            verdicts=hashlib.sha256(text.encode()).hexdigest()[:16],
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is left."""


class SpentError(Exception):
    """There is no time left; what is done is written, and can be gone on with."""


class WrongAnswerError(Exception):
    """Two contenders differ, or a model is wrong; the message is one line."""


def prepared_part(part: Part, limits: Limits) -> Prepared:
    """The jobs of a part; ValueError for a name that does not exist."""
    instances = part.make()
    sweeps = [prepare(instances, axes, limits=limits) for axes in part.axes()]
    blocks: dict[tuple[int, str], list[Job]] = {}
    for job in dict.fromkeys(chain.from_iterable(sweep.jobs for sweep in sweeps)):
        blocks.setdefault((job.seed, job.instance), []).append(job)
    jobs: list[Job] = []
    for (seed, digest), block in blocks.items():
        # As in a sweep of one product: the order in a block is drawn from the block.
        Random(f"{digest} {seed}").shuffle(block)
        jobs += block
    axes = _united([sweep.axes for sweep in sweeps])
    return replace(sweeps[0], jobs=tuple(jobs), axes=axes, digest=digest_of(jobs, limits, False))


def _united(axes: Sequence[Axes]) -> Axes:
    def union(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(chain.from_iterable(getattr(each, name) for each in axes)))

    return replace(
        axes[0],
        encodings=union("encodings"),
        total_encodings=union("total_encodings"),
        solvers=union("solvers"),
    )


def run_part(
    part: Part,
    folder: Path,
    limits: Limits,
    *,
    jobs: int,
    until: float,
    resume: bool,
    arguments: Sequence[str],
) -> list[Result]:
    """Do what is left of a part; its results in the order of the plan.

    ``until`` is a reading of ``time.monotonic``.

    Raises:
        SpentError: it came first.
        WrongAnswerError: a contender is wrong, so that nothing is worth comparing.
        JournalError, BackendError: as ``sweep``.
    """
    prepared = prepared_part(part, limits)
    folder.mkdir(parents=True, exist_ok=True)
    with progress(part.name, len(prepared.jobs)) as show:

        def reach(done: float) -> None:
            show(done)
            if time.monotonic() > until and done < len(prepared.jobs):
                raise SpentError(f"{part.name}: {done:.0f} of {len(prepared.jobs)} jobs are done")

        backend = Backend(jobs=jobs)
        wrong: Disagreement | None
        if part.reduced:
            content = manifest_of(prepared, arguments)
            opening = partial(Reduced, prepared.instances, prepared.limits)
            see = Watch().see
            sweep = ResumableSweep(
                prepared.jobs, content, RECORDS, see, opening, backend, reach=reach
            )
            swept = sweep.run(folder, resume=resume)
            results, wrong = swept.results, swept.stopped
        else:
            compared = run_prepared(
                prepared, folder, backend, resume=resume, arguments=arguments, reach=reach
            )
            results, wrong = compared.results, compared.disagreement
    if wrong is not None:
        raise WrongAnswerError(f"{part.name}: {wrong}")
    return results
