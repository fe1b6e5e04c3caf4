"""The runs of the study, and their results as tables in Markdown."""

import hashlib
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from math import exp
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np

from satsweeper.answers.classification import Status as Found
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result
from satsweeper.compare.statistics.contest import Contender, Contest, contests
from satsweeper.compare.statistics.measures import MEASURES, scores, time_of, timed_out, values
from satsweeper.compare.sweep.backends import Backend
from satsweeper.compare.sweep.plan import RECORDS, digest_of
from satsweeper.compare.sweep.resumable import ResumableSweep
from satsweeper.compare.sweep.run import Prepared, manifest_of, prepare, run_prepared
from satsweeper.compare.wrong_answers.disagreement import Disagreement, Watch
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import Limits
from satsweeper.report.table import markdown_table
from satsweeper.search.session import PositionSession
from satsweeper.show.progress import progress
from satsweeper.solvers.search_budget import SearchBudget
from scripts.study.parts import Against, Part, against_default, default_of, pooled, rank_correlation

Rows = list[list[str]]


def part_tables(part: Part, results: Sequence[Result], timeout: float) -> str:
    """Return all tables of a part."""
    contest = pooled(results, part, part.solvers, timeout)
    blocks = [
        _setting(part, results, timeout),
        _table(_scores(part, contest)),
        "Time over the default's, solver by solver (`*`: a claim of that solver's runs alone):",
        _table(_by_solver(part, results, timeout)),
    ]
    families = {instance.digest: instance.family for instance in part.make()}
    if len(set(families.values())) > 1:
        blocks += [
            "Time over the default's, by kind of instance (geometric means, untested):",
            _table(_by_family(part, contest, families)),
        ]
    if part.native:
        counting = _scores(part, pooled(results, part, part.counting, timeout))
        which = f"The solvers that count by themselves ({', '.join(part.counting)}), together:"
        blocks += [which, _table(counting)]
    jobs = [result.job for result in results]
    pairs = {(job.encoding, job.total_encoding, job.order, job.solver) for job in jobs}
    best = _table(_best(results, part, timeout))
    blocks += [f"The best of all pairs, by PAR-2, of {len(pairs)}:", best]
    return "\n\n".join(blocks)


def summary_table(found: Mapping[Part, Sequence[Result]], timeout: float) -> str:
    """Return a table with a row for each part: its default, the best by PAR-2, and the claims."""
    rows = [["question", "default", "best by PAR-2", "its time / the default's", "claim",
             "native: time / the default's, same solvers", "claim"]]  # fmt: skip
    for part, results in found.items():
        contest = pooled(results, part, part.solvers, timeout)
        beside = against_default(contest, part)
        best = scores(contest)[0].contender
        assert best is not None
        row = [part.title, _name(default_of(contest, part), part), _name(best, part)]
        found_best = beside.get(best)
        row += [_ratio(found_best["time"]), _claims(found_best)] if found_best else ["1", "-"]
        native = ["-", "-"]
        if part.native:
            counting = pooled(results, part, part.counting, timeout)
            against = against_default(counting, part)
            constraints = next(each for each in against if each.encoding == "native")
            native = [_ratio(against[constraints]["time"]), _claims(against[constraints])]
        rows.append([*row, *native])
    return _table(rows)


def on_the_same(plain: Sequence[Result], reduced: Sequence[Result], encoding: str) -> str:
    """Return a sentence about the times of ``encoding`` on boards of both sweeps; empty if none.

    ``plain`` are results without reductions, ``reduced`` with all reductions.
    """

    def times(results: Sequence[Result]) -> dict[tuple[str, str], float]:
        return {
            (result.job.instance, result.job.solver): time_of(result)
            for result in results
            if result.job.seed == 0 and result.job.total_encoding == encoding
        }

    without, with_all = times(plain), times(reduced)
    both = sorted(without.keys() & with_all.keys())
    if not both:
        return ""
    means = [sum(each[key] for key in both) / len(both) for each in (without, with_all)]
    return (
        f"On the {len({board for board, _ in both})} boards that both have, with"
        f" {', '.join(sorted({solver for _, solver in both}))} and seed 0, `{encoding}` takes"
        f" {_ms(means[0])} ms in the mean without the reductions, and {_ms(means[1])} ms with them."
    )


def size_table(found: Mapping[Part, Sequence[Result]], timeout: float) -> str:
    """Return the table of how well sizes rank encodings."""
    rows = [["question", "clauses : time", "clauses : solving", "clauses : conflicts",
             "variables : time", "literals : time", "instances"]]  # fmt: skip
    asked = (("clauses", "time"), ("clauses", "solve"), ("clauses", "conflicts"),
             ("variables", "time"), ("literals", "time"))  # fmt: skip
    for part, results in found.items():
        contest = pooled(results, part, part.solvers, timeout)
        cells, counts = [], [0]
        for size, measure in asked:
            rank = rank_correlation(contest, size, measure)
            if rank is None:
                cells.append("-")
                continue
            between = f" ({rank.low:.2f} to {rank.high:.2f})" if rank.instances > 1 else ""
            cells.append(f"{rank.mean:.2f}{between}")
            counts.append(rank.instances)
        rows.append([part.title, *cells, f"{max(counts)}"])
    return _table(rows)


def _setting(part: Part, results: Sequence[Result], timeout: float) -> str:
    instances = len({result.job.instance for result in results})
    ended = Counter(result.status for result in results)
    ends = ", ".join(f"{ended[status]} {status}" for status in JobStatus if ended[status])
    return (
        f"{len(results)} jobs ({ends}): task `{part.task}`, {instances} instances, seeds"
        f" {', '.join(map(str, range(part.seeds)))}, {len(part.solvers)} solvers"
        f" ({', '.join(part.solvers)}), limit {timeout:g} s of CPU time a job. Default:"
        f" `{part.default}`."
    )


def _scores(part: Part, contest: Contest) -> Rows:
    rows = [["encoding", "solved", "PAR-2 [ms]", "time / default's", "solving / default's",
             "conflicts / default's", "claims", "clauses"]]  # fmt: skip
    beside = against_default(contest, part)
    for score in scores(contest):
        assert score.contender is not None
        par2 = score.par2
        row = [
            f"`{_name(score.contender, part)}`",
            f"{score.solved} of {score.jobs}",
            "-" if par2 is None else f"{_ms(par2.mean)} ({_ms(par2.lower)} to {_ms(par2.upper)})",
        ]
        if found := beside.get(score.contender):
            ratios = [_ratio(found.get(name)) for name in ("time", "solve", "conflicts")]
            row += [*ratios, _claims(found)]
        else:
            row += ["1", "1", "1", "(the default)"]
        rows.append([*row, "-" if score.clauses is None else f"{score.clauses:.0f}"])
    return rows


def _by_solver(part: Part, results: Sequence[Result], timeout: float) -> Rows:
    columns = [against_default(pooled(results, part, [s], timeout), part) for s in part.solvers]
    rows = [["encoding", *part.solvers]]
    for who in sorted({who for column in columns for who in column}):
        row = [f"`{_name(who, part)}`"]
        for column in columns:
            of = column[who]["time"] if who in column else None
            if of is None or not of.instances:
                row.append("-")
            else:
                row.append(_figure(of.ratio) + "*" * (of.better or of.worse))
        rows.append(row)
    return rows


def _by_family(part: Part, contest: Contest, families: Mapping[str, str]) -> Rows:
    times = values(contest, MEASURES["time"])
    if contest.timeout is not None:
        times = np.where(timed_out(contest), contest.timeout, times)
    default = contest.contenders.index(default_of(contest, part))
    others = [at for at in range(len(contest.contenders)) if at != default]
    rows = [["instances", *(f"`{_name(contest.contenders[at], part)}`" for at in others)]]
    for family in dict.fromkeys(families.values()):
        own = [at for at, digest in enumerate(contest.instances) if families[digest] == family]
        row = [f"{family} ({len(own)})"]
        for at in others:
            ratios = np.log(times[at][own] / times[default][own])
            known = ~np.isnan(ratios)
            row.append(_figure(exp(float(np.mean(ratios[known])))) if np.any(known) else "-")
        rows.append(row)
    return rows


def _best(results: Sequence[Result], part: Part, timeout: float) -> Rows:
    rows = [["encoding", "solver", "solved", "PAR-2 [ms]"]]
    [contest] = contests(results, timeout)
    for score in scores(contest)[:5]:
        who = score.contender
        assert who is not None
        shown = Contender(who.total_encoding if part.of_total else who.encoding, "", "", who.order)
        par2 = "-" if score.par2 is None else _ms(score.par2.mean)
        solved = f"{score.solved} of {score.jobs}"
        rows.append([f"`{_name(shown, part)}`", who.solver, solved, par2])
    return rows


def _name(who: Contender, part: Part) -> str:
    return who.encoding if len(part.orders) == 1 else f"{who.encoding}, {who.order}"


def _ratio(found: Against | None) -> str:
    if found is None or not found.instances:
        return "-"
    if found.instances == 1:
        return _figure(found.ratio)
    return f"{_figure(found.ratio)} ({_figure(found.low)} to {_figure(found.high)})"


def _figure(number: float) -> str:
    """Return ``number`` with about two significant digits."""
    digits = 3 if number < 0.1 else 2 if number < 10 else 1 if number < 100 else 0
    return f"{number:.{digits}f}"


def _ms(seconds: float) -> str:
    return _figure(1000 * seconds)


def _claims(found: Mapping[str, Against]) -> str:
    claims = []
    words = {"time": ("slower", "faster"), "conflicts": ("more conflicts", "fewer conflicts")}
    for name, sides in words.items():
        if name in found and (found[name].better or found[name].worse):
            claims.append(sides[found[name].better])
    return ", ".join(claims) or "no difference shown"


def _table(rows: Sequence[Sequence[str]]) -> str:
    return markdown_table(rows[0], rows[1:])


class Reduced:
    """Runs jobs with all reductions in this process.

    A job that took more CPU time than the limit, or left the board undecided, gets the status
    ``timeout``.
    """

    def __init__(self, instances: Iterable[Instance], limits: Limits) -> None:
        self._instances = {instance.digest: instance for instance in instances}
        self._seconds = limits.seconds or 3600.0

    def run(self, job: Job) -> Result:
        """Return the result of a job; ``solve`` is the CPU time from the position to its verdicts.

        A job of less than 0.1 s is run twice, and the smaller time counts, as the first run may
        have imported modules.
        """
        position = self._instances[job.instance].position()
        found = self._classified(job, position)
        if found.status.solved and found.measured.solve < 0.1:
            again = self._classified(job, position)
            found = min(found, again, key=lambda result: result.measured.solve)
        return found

    def _classified(self, job: Job, position: Position) -> Result:
        started = process_time()
        # The deadline is four times the limit of CPU time, as the machine may be busy.
        deadline = Deadline.after(4 * self._seconds)
        how = {name: getattr(job, name) for name in ("encoding", "total_encoding", "solver")}
        with PositionSession(position, **how) as session:
            answer = session.classify(SearchBudget(deadline))
        spent = process_time() - started
        if spent > self._seconds or answer.status is Found.UNDECIDED:
            return Result(job, JobStatus.TIMEOUT, Measured(0.0, self._seconds, 0))
        status, text = JobStatus.UNSAT, ""
        if answer.status is Found.CONSISTENT:
            status, text = JobStatus.SAT, "\n".join(answer.grid())
        digest, calls = hashlib.sha256(text.encode()).hexdigest()[:16], answer.stats.sat_calls
        return Result(job, status, Measured(0.0, spent, 0), calls=calls, verdicts=digest)


class SpentError(Exception):
    """The time of the study is over; finished jobs are written, and the study can be resumed."""


class WrongAnswerError(Exception):
    """Two contenders differ, or a model is wrong; the message is one line."""


def prepared_part(part: Part, limits: Limits) -> Prepared:
    """Return the jobs of a part; raise ValueError for an unknown name."""
    instances = part.make()
    sweeps = [prepare(instances, axes, limits=limits) for axes in part.axes()]
    blocks: dict[tuple[int, str], list[Job]] = {}
    for job in dict.fromkeys(chain.from_iterable(sweep.jobs for sweep in sweeps)):
        blocks.setdefault((job.seed, job.instance), []).append(job)
    jobs: list[Job] = []
    for (seed, digest), block in blocks.items():
        # As in any sweep, the jobs of one instance and seed run in an order drawn from these two.
        Random(f"{digest} {seed}").shuffle(block)
        jobs += block
    several: dict[str, Any] = {
        name: tuple(dict.fromkeys(chain.from_iterable(getattr(s.axes, name) for s in sweeps)))
        for name in ("encodings", "total_encodings", "solvers")
    }
    axes = replace(sweeps[0].axes, **several)
    return replace(sweeps[0], jobs=tuple(jobs), axes=axes, digest=digest_of(jobs, limits, False))


def run_part(
    part: Part, folder: Path, limits: Limits, chosen: Namespace, words: Sequence[str]
) -> list[Result]:
    """Run the remaining jobs of a part; return all results in the order of the plan.

    ``chosen`` has ``jobs`` and ``resume``, and ``until``, the moment on the clock of
    ``time.monotonic`` at which no further job is begun; ``words`` are those of the command.

    Raises:
        SpentError: the moment ``until`` came before the last job.
        WrongAnswerError: a contender gave a wrong answer, so no comparison means anything.
        JournalError, BackendError: as in any sweep.
    """
    prepared = prepared_part(part, limits)
    folder.mkdir(parents=True, exist_ok=True)
    with progress(part.name, len(prepared.jobs)) as show:

        def reach(done: float) -> None:
            show(done)
            if time.monotonic() > chosen.until and done < len(prepared.jobs):
                raise SpentError(f"{part.name}: {done:.0f} of {len(prepared.jobs)} jobs are done")

        backend = Backend(jobs=chosen.jobs)
        wrong: Disagreement | None
        how: dict[str, Any] = {"resume": chosen.resume}
        if part.reduced:
            content = manifest_of(prepared, words)
            opening = partial(nullcontext, Reduced(prepared.instances, prepared.limits))
            about = prepared.jobs, content, RECORDS, Watch().see, opening, backend
            results, wrong = ResumableSweep(*about, reach=reach).run(folder, **how)
        else:
            how |= {"arguments": words, "reach": reach}
            compared = run_prepared(prepared, folder, backend, **how)
            results, wrong = compared.results, compared.disagreement
    if wrong is not None:
        raise WrongAnswerError(f"{part.name}: {wrong}")
    return results
