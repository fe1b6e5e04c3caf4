"""The findings as one JSON object."""

import math
from dataclasses import asdict
from typing import Any

from satsweeper.compare.report.distrust import DifferingAnswers
from satsweeper.compare.report.findings import Findings, TaskFindings
from satsweeper.compare.report.sentences import verdict
from satsweeper.compare.statistics.attainable import instances_needed
from satsweeper.compare.statistics.contest import Contest
from satsweeper.compare.statistics.curves import Growth, cactus
from satsweeper.compare.statistics.paired import Comparison
from satsweeper.compare.statistics.scores import Score


def as_json(found: Findings) -> dict[str, Any]:
    """``satsweeper/report/1``; numbers that do not exist are null."""
    sweep = found.sweep
    return {
        "schema": "satsweeper/report/1",
        "jobs": sweep.jobs,
        "done": len(sweep.results),
        "complete": sweep.complete,
        "torn": sweep.torn,
        "repeated": sweep.repeated,
        "disagreements": [_differing(each) for each in found.differing],
        "wrong": [{"job": result.job.id, "message": result.message} for result in found.wrong],
        "faults": [{"encoding": name, "fault": why} for name, why in found.faulty.items()],
        "tasks": [_task(each) for each in found.tasks],
        "manifest": sweep.manifest,
    }


def _differing(found: DifferingAnswers) -> dict[str, Any]:
    answers = [
        {"verdicts": digest or None, "status": status, "jobs": [r.job.id for r in results]}
        for (digest, status), results in found.answers.items()
    ]
    return {
        "task": found.task,
        "instance": found.instance,
        "name": found.name,
        "answers": answers,
    }


def _task(task: TaskFindings) -> dict[str, Any]:
    contest = task.contest
    curves = cactus(contest)
    contenders = []
    for score in task.scores:
        contender = score.contender
        if contender is not None:
            why = task.distrust.get(contender)
            contenders.append(
                {
                    "contender": contest.label(contender),
                    **asdict(contender),
                    **_score(score),
                    "tied": "" if why else task.letters[contender],
                    "distrust": why,
                    "cactus": curves[contender].tolist(),
                }
            )
    return {
        "task": contest.task,
        "part": contest.part,
        "instances": len(contest.instances),
        "seeds": list(contest.seeds),
        "timeout": contest.timeout,
        **_answerable(task),
        "contenders": contenders,
        "virtual_best": _score(task.best),
        "pairs": [_pair(each, contest) for each in task.compared],
        "growth": [_growth(each, contest) for each in task.growth],
    }


def _answerable(task: TaskFindings) -> dict[str, Any]:
    tested = task.tested
    count = tested[0].tests if tested else 0
    return {
        "comparisons": count,
        "instances_needed": instances_needed(count) if tested else None,
        "smallest_p": min((each.attainable for each in tested), default=None),
        "enough": any(each.enough for each in tested) if tested else None,
    }


def _score(score: Score) -> dict[str, Any]:
    par2 = score.par2
    found: dict[str, Any] = {
        "jobs": score.jobs,
        "solved": score.solved,
        "par2": None if par2 is None else par2.mean,
        "par2_interval": None if par2 is None else _interval(par2.lower, par2.upper),
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


def _growth(found: Growth, contest: Contest) -> dict[str, Any]:
    exponent = found.exponent
    return {
        "contender": contest.label(found.contender),
        "of": found.of,
        "instances": len(found.sizes),
        "exponent": None if exponent is None else exponent[0],
        "interval": None if exponent is None else _interval(*exponent[1:]),
    }


def _interval(low: float, high: float) -> list[float] | None:
    return [low, high] if math.isfinite(low) and math.isfinite(high) else None
