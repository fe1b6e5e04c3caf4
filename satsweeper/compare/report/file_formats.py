"""The findings for other programs: one JSON object, CSV, tables in LaTeX, files for mkplot.

mkplot: https://github.com/alexeyignatiev/mkplot. The file of each contender holds an object with
``preamble`` (names and options) and ``stats``: instance -> ``status`` (solved or not) and ``rtime``
in seconds. Draw the files with ``mkplot.py --legend prog_alias -t LIMIT -p cactus FILES``.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import IO, Any, Final

from pbcnf.wording import counted
from satsweeper.compare.job.job import Job, Measured, Result
from satsweeper.compare.report.findings import Findings, TaskFindings
from satsweeper.compare.report.sentences import LETTERS, PAR2, setting, verdict
from satsweeper.compare.statistics.contest import Contest
from satsweeper.compare.statistics.curves import cactus
from satsweeper.compare.statistics.measures import Score, time_of
from satsweeper.compare.statistics.paired import Comparison
from satsweeper.compare.statistics.signed_rank import instances_needed
from satsweeper.report import table
from satsweeper.report.table import escape_plain, table_row

# The findings as one JSON object.


def as_json(found: Findings) -> dict[str, Any]:
    """The findings in the schema ``satsweeper/report/1``; missing numbers are null."""
    sweep = found.sweep
    return {
        "schema": "satsweeper/report/1",
        "jobs": sweep.jobs,
        "done": len(sweep.results),
        "complete": sweep.complete,
        "torn": sweep.torn,
        "repeated": sweep.repeated,
        "disagreements": [
            {
                "task": each.task,
                "instance": each.instance,
                "name": each.name,
                "answers": [
                    {"verdicts": digest or None, "status": status, "jobs": [r.job.id for r in own]}
                    for (digest, status), own in each.answers.items()
                ],
            }
            for each in found.differing
        ],
        "wrong": [{"job": result.job.id, "message": result.message} for result in found.wrong],
        "faults": [{"encoding": name, "fault": why} for name, why in found.faulty.items()],
        "tasks": [_task(each) for each in found.tasks],
        "manifest": sweep.manifest,
    }


def _task(task: TaskFindings) -> dict[str, Any]:
    contest, tested = task.contest, task.tested
    curves = cactus(contest)
    contenders = [
        {
            "contender": contest.label(contender),
            **asdict(contender),
            **_score(score),
            "tied": "" if contender in task.distrust else task.letters[contender],
            "distrust": task.distrust.get(contender),
            "cactus": curves[contender].tolist(),
        }
        for score in task.scores
        if (contender := score.contender) is not None
    ]
    count = tested[0].tests if tested else 0
    return {
        "task": contest.task,
        "part": contest.part,
        "instances": len(contest.instances),
        "seeds": list(contest.seeds),
        "timeout": contest.timeout,
        "comparisons": count,
        "instances_needed": instances_needed(count) if tested else None,
        "smallest_p": min((each.attainable for each in tested), default=None),
        "enough": any(each.enough for each in tested) if tested else None,
        "contenders": contenders,
        "virtual_best": _score(task.best),
        "pairs": [_pair(each, contest) for each in task.compared],
        "growth": [
            {
                "contender": contest.label(each.contender),
                "of": each.of,
                "instances": len(each.sizes),
                "exponent": each.exponent and each.exponent[0],
                "interval": each.exponent and _interval(*each.exponent[1:]),
            }
            for each in task.growth
        ],
    }


def _score(score: Score) -> dict[str, Any]:
    par2 = score.par2
    found: dict[str, Any] = {
        "jobs": score.jobs,
        "solved": score.solved,
        "par2": par2 and par2.mean,
        "par2_interval": par2 and _interval(par2.lower, par2.upper),
    }
    if score.contender is None:
        return found
    return found | {
        "unique": score.unique,
        "statuses": {str(status): count for status, count in score.statuses.items()},
        "variables": score.variables,
        "clauses": score.clauses,
        "literals": score.literals,
        "memory": score.memory,
    }


def _pair(compared: Comparison, contest: Contest) -> dict[str, Any]:
    better = compared.better
    some = compared.instances > 0
    return {
        "measure": compared.measure.name,
        "first": contest.label(compared.first),
        "second": contest.label(compared.second),
        "verdict": verdict(compared, contest),
        "significant": better is not None,
        "better": None if better is None else contest.label(better),
        "ratio": compared.ratio if some else None,
        "interval": _interval(compared.lower, compared.upper) if some else None,
        "p": compared.ranks.p,
        "p_sign": compared.sign,
        "p_holm": compared.corrected,
        "smallest_p": None if compared.corrected is None else compared.attainable,
        "instances": compared.instances,
        "pairs": compared.pairs,
        "censored": compared.censored,
        "failed": list(compared.failed),
    }


def _interval(low: float, high: float) -> list[float] | None:
    return [low, high] if math.isfinite(low) and math.isfinite(high) else None


# Results of a sweep as CSV, a row a job, for spreadsheets and data frames.

COLUMNS: Final = (
    "id",
    *(field.name for field in fields(Job)),
    "status",
    *(field.name for field in fields(Measured)),
    *(field.name for field in fields(Result)[3:]),
)
"""``encode`` and ``solve`` in CPU seconds, ``memory`` in bytes; unknown values are empty."""


def write_csv(results: Iterable[Result], stream: IO[bytes]) -> None:
    """Write a header and a row for each of `results`, in the order given."""
    objects = (result.as_json() for result in results)
    table.write_csv(COLUMNS, (each | each.pop("measured") for each in objects), stream)


# Tables for a paper, one for each task, in plain LaTeX without packages, to be used by ``\input``.


def latex(found: Findings) -> str:
    """The tables: contenders by PAR-2, with a common letter for contenders that are tied."""
    return "\n".join(_table(found, task) for task in found.tasks)


def _table(found: Findings, task: TaskFindings) -> str:
    contest = task.contest
    rows = [["contender", "solved", "PAR-2 [s]", "95 % interval", "tied"]]
    for score in [*task.scores, task.best]:
        par2 = score.par2
        rows.append(
            [
                "virtual best" if score.contender is None else contest.label(score.contender),
                f"{score.solved}/{score.jobs}",
                "-" if par2 is None else f"{par2.mean:.4g}",
                "-" if par2 is None else f"{par2.lower:.4g} to {par2.upper:.4g}",
                "" if score.contender is None else task.letters[score.contender],
            ]
        )
    sweep, missing = found.sweep, ""
    if not sweep.complete:
        missing = f" Incomplete: {len(sweep.results)} of {counted(sweep.jobs, 'job')}."
    caption = f"{contest.title}: {setting(task)}. {PAR2} {LETTERS}{missing}"
    head, *body = [table_row([escape_plain(cell) for cell in row]) for row in rows]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape_plain(caption)}}}",
            r"\begin{tabular}{lrrrl}",
            r"\hline",
            head,
            r"\hline",
            *body[:-1],
            r"\hline",
            body[-1],
            r"\hline",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def mkplot_files(found: Findings) -> dict[str, dict[str, Any]]:
    """Return parts of file names -> content; names contain the task if there are several."""
    files: dict[str, dict[str, Any]] = {}
    for task in found.tasks:
        contest = task.contest
        for at, contender in enumerate(contest.contenders):
            name = contest.label(contender)
            if len(found.tasks) > 1:
                name = f"{contest.title}-{name}"
            options = {
                "--encodings": contender.encoding,
                "--total-encodings": contender.total_encoding,
                "--solvers": contender.solver,
                "--orders": contender.order,
            }
            preamble = {
                "benchmark": contest.title,
                "program": "satsweeper",
                "prog_args": " ".join(f"{key} {value}" for key, value in options.items() if value),
                "prog_alias": contest.label(contender),
            }
            files[_free(name, files)] = {"preamble": preamble, "stats": _stats(contest, at)}
    return files


def _stats(contest: Contest, at: int) -> dict[str, dict[str, Any]]:
    named: dict[str, dict[str, Any]] = {}
    own: list[Result] = [r for r in contest.results[at].flat if r is not None]
    for result in own:
        job = result.job
        name = f"{job.name} seed {job.seed}"
        if name in named:
            # Different instances may have the same name.
            name = f"{job.name} {job.instance} seed {job.seed}"
        solved = result.status.solved
        late = contest.timeout if contest.timeout is not None else time_of(result)
        named[name] = {
            "status": solved,
            "rtime": time_of(result) if solved else late,
            "mempeak": f"{result.measured.memory // 1024} KiB",
        }
    return named


def _free(name: str, taken: dict[str, Any]) -> str:
    """Return ``name`` in characters that file names may hold, with a number if it is taken."""
    plain = re.sub(r"[^A-Za-z0-9.+_-]+", "-", name).strip("-.") or "contender"
    found, number = plain, 1
    while found.lower() in {each.lower() for each in taken}:
        number += 1
        found = f"{plain}-{number}"
    return found
