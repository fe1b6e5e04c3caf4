"""Files for mkplot, one a contender: https://github.com/alexeyignatiev/mkplot.

An object with ``preamble`` (what ran) and ``stats``: instance -> ``status`` (solved or not) and
``rtime`` in seconds. Draw them with ``mkplot.py --legend prog_alias -t LIMIT -p cactus FILES``.
"""

import re
from typing import Any

from satsweeper.compare.job.result import Result
from satsweeper.compare.report.findings import Findings
from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.measures import time_of


def mkplot_files(found: Findings) -> dict[str, dict[str, Any]]:
    """Return parts of file names -> content; names contain the task if there are several."""
    files: dict[str, dict[str, Any]] = {}
    for task in found.tasks:
        contest = task.contest
        for at, contender in enumerate(contest.contenders):
            name = contest.label(contender)
            if len(found.tasks) > 1:
                name = f"{contest.title}-{name}"
            files[_free(name, files)] = {
                "preamble": _preamble(contest, contender),
                "stats": _stats(contest, at),
            }
    return files


def _preamble(contest: Contest, contender: Contender) -> dict[str, str]:
    options = {
        "--encodings": contender.encoding,
        "--total-encodings": contender.total_encoding,
        "--solvers": contender.solver,
        "--orders": contender.order,
    }
    return {
        "benchmark": contest.title,
        "program": "satsweeper",
        "prog_args": " ".join(f"{key} {value}" for key, value in options.items() if value),
        "prog_alias": contest.label(contender),
    }


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
    """Return ``name`` with characters that file names may hold, and not yet taken."""
    plain = re.sub(r"[^A-Za-z0-9.+_-]+", "-", name).strip("-.") or "contender"
    found, number = plain, 1
    while found.lower() in {each.lower() for each in taken}:
        number += 1
        found = f"{plain}-{number}"
    return found
