"""The results of the study as tables in Markdown, and boards classified with all reductions."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from time import process_time

import numpy as np

from satsweeper.answers.classification import Status as Found
from satsweeper.compare.instances.instance import Instance
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result
from satsweeper.compare.statistics.contest import Contender, Contest
from satsweeper.compare.statistics.measures import scores, time_of
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.limits import Limits
from satsweeper.report.table import markdown_table
from satsweeper.search.session import PositionSession
from satsweeper.solvers.search_budget import SearchBudget
from scripts.study.contests import (
    Against,
    against_rivals,
    log_times,
    pooled,
    rank_correlation,
    spreads,
    worth_of_orders,
)
from scripts.study.parts import Part, Planned

Rows = list[list[str]]


@dataclass(frozen=True)
class Answered:
    """A part with the results of all instances that have all their results."""

    planned: Planned
    results: Sequence[Result]
    timeout: float

    @staticmethod
    def of(planned: Planned, results: Sequence[Result], timeout: float) -> "Answered":
        """Return the part without the instances of which a result is missing."""
        done = Counter(result.job.instance for result in results)
        wanted = Counter(job.instance for job in planned.sweep.jobs)
        kept = [
            result for result in results if done[result.job.instance] == wanted[result.job.instance]
        ]
        return Answered(planned, kept, timeout)

    @property
    def part(self) -> Part:
        """The question."""
        return self.planned.part

    @cached_property
    def contest(self) -> Contest:
        """The contest with all solvers that are compared."""
        return self.with_solvers(self.part.solvers)

    def with_solvers(self, solvers: Sequence[str]) -> Contest:
        """Return the contest with some solvers."""
        return pooled(self.results, self.part, solvers, self.timeout, self.planned.by_size)

    @cached_property
    def counting(self) -> Contest:
        """The contest of native constraints, with the solvers that have them."""
        contest, wanted = self.with_solvers(self.part.counting), {"native", *self.part.native}
        return contest.only([who for who in contest.contenders if who.encoding in wanted])

    @cached_property
    def against(self) -> dict[Contender, dict[str, Against]]:
        """The comparisons in `contest`."""
        return against_rivals(self.contest, self.part)


def part_tables(found: Answered) -> str:
    """Return all tables of a part."""
    part = found.part
    own = "without groups" if len(part.orders) == 1 else "in the given order"
    rival = "the default's" if part.default else f"its own {own}"
    blocks = [
        _setting(found),
        _table(_scores(found, found.contest, found.against)),
        f"Time over {rival}, solver by solver (`*`: a claim of that solver's runs alone):",
        _table(_by_solver(found)),
    ]
    if len(set(found.planned.families.values())) > 1:
        blocks += [
            f"Time over {rival}, by kind of instance (geometric means, untested):",
            _table(_by_family(found)),
        ]
    if part.native:
        rows = _scores(found, found.counting, against_rivals(found.counting, part))
        which = f"The solvers that count by themselves ({', '.join(part.counting)}), together:"
        blocks += [which, _table(rows)]
    best = _table(_best(found))
    return "\n\n".join([*blocks, "The best of all pairs with a solver, by PAR-2:", best])


def summary_table(every: Sequence[Answered]) -> str:
    """Return a table with a row for each part that has a default: the best by PAR-2, the claims."""
    rows = [["question", "default", "best by PAR-2", "its time / the default's", "claim",
             "native: time / the default's, same solvers", "claim"]]  # fmt: skip
    for found in every:
        part = found.part
        if not part.default:
            continue
        # Where the rule by size and an encoder are one, the encoder is the best only by its name.
        ranked = [score.contender for score in scores(found.contest)]
        best = ranked[0]
        assert best is not None
        row = [part.title, f"`{part.default}`", f"`{best.encoding}`"]
        of_best = found.against.get(best)
        row += [_ratio(of_best["time"]), _claims(of_best)] if of_best else ["1", "-"]
        native = ["-", "-"]
        if part.native:
            against = against_rivals(found.counting, part)
            constraints = next(
                (own for who, own in against.items() if who.encoding == "native"), {}
            )
            native = [_ratio(constraints.get("time")), _claims(constraints)]
        rows.append([*row, *native])
    return _table(rows)


def worth_table(found: Answered) -> str:
    """Return the table of what the orders are worth for each encoder."""
    rows = [["encoder", "best order", "its time / the given order's", "claim",
             "the order best on the other families", "the best of each problem"]]  # fmt: skip
    for each in worth_of_orders(found.contest, found.part, found.planned.families):
        ratios = [_ratio(ratio) for ratio in (each.fixed, each.unseen, each.oracle)]
        claim = _claims({"time": each.fixed})
        rows.append([f"`{each.encoding}`", each.best, ratios[0], claim, *ratios[1:]])
    return _table(rows)


def spread_table(found: Answered) -> str:
    """Return the table of the spread over orders, over encoders, and by chance."""
    words = {(True, False): "smaller over orders", (False, True): "larger over orders"}
    rows = [["solver", "over orders", "over encoders", "by chance",
             "deviation over orders / over encoders", "claim"]]  # fmt: skip
    for each in spreads(found.results, found.part, found.timeout):
        claim = words.get((each.ratio.better, each.ratio.worse), "no difference shown")
        factors = [_figure(factor) for factor in (each.orders, each.encoders, each.chance)]
        rows.append([each.name, *factors, _ratio(each.ratio), claim])
    return _table(rows)


def on_the_same(plain: Answered, reduced: Answered) -> str:
    """Return a sentence about the times of the default on boards of both; empty without any."""
    encoding = reduced.part.default

    def times(results: Sequence[Result]) -> dict[tuple[str, str], float]:
        return {
            (result.job.instance, result.job.solver): time_of(result)
            for result in results
            if result.job.seed == 0 and result.job.total_encoding == encoding
        }

    without, with_all = times(plain.results), times(reduced.results)
    both = sorted(without.keys() & with_all.keys())
    if not both:
        return "No board is in both parts on totals."
    means = [sum(each[key] for key in both) / len(both) for each in (without, with_all)]
    return (
        f"On the {len({board for board, _ in both})} boards that both parts on totals have, with"
        f" {', '.join(sorted({solver for _, solver in both}))} and seed 0, `{encoding}` takes"
        f" {_ms(means[0])} ms in the mean without the reductions, and {_ms(means[1])} ms with them."
    )


def size_table(every: Sequence[Answered]) -> str:
    """Return the table of how well sizes rank encodings."""
    rows = [["question", "clauses : time", "clauses : solving", "clauses : conflicts",
             "variables : time", "literals : time", "instances"]]  # fmt: skip
    asked = (("clauses", "time"), ("clauses", "solve"), ("clauses", "conflicts"),
             ("variables", "time"), ("literals", "time"))  # fmt: skip
    for found in every:
        ranks = [rank_correlation(found.contest, size, measure) for size, measure in asked]
        if any(ranks) and len(found.part.orders) == 1:
            cells = [
                "-" if r is None else f"{r.mean:.2f} ({r.low:.2f} to {r.high:.2f})" for r in ranks
            ]
            count = max(rank.instances for rank in ranks if rank is not None)
            rows.append([found.part.title, *cells, f"{count}"])
    return _table(rows)


def _setting(found: Answered) -> str:
    part, results = found.part, found.results
    instances = len({result.job.instance for result in results})
    ended = Counter(result.status for result in results)
    ends = ", ".join(f"{ended[status]} {status}" for status in JobStatus if ended[status])
    default = f" Default: `{part.default}`." if part.default else ""
    of = len(found.planned.sweep.instances)
    return (
        f"{len(results)} jobs ({ends}): task `{part.task}`, {instances} of {of} instances, seeds"
        f" {', '.join(map(str, range(part.seeds)))}, {len(part.solvers)} solvers"
        f" ({', '.join(part.solvers)}), limit {found.timeout:g} s of CPU time a job.{default}"
    )


def _scores(
    found: Answered, contest: Contest, against: Mapping[Contender, Mapping[str, Against]]
) -> Rows:
    whose = "default's" if found.part.default else "own"
    rows = [["encoding", "solved", "PAR-2 [ms]", f"time / {whose}", f"solving / {whose}",
             f"conflicts / {whose}", "claims", "clauses"]]  # fmt: skip
    for score in scores(contest):
        assert score.contender is not None
        par2 = score.par2
        row = [
            f"`{_name(score.contender, found.part)}`",
            f"{score.solved} of {score.jobs}",
            "-" if par2 is None else f"{_ms(par2.mean)} ({_ms(par2.lower)} to {_ms(par2.upper)})",
        ]
        if own := against.get(score.contender):
            ratios = [_ratio(own.get(name)) for name in ("time", "solve", "conflicts")]
            row += [*ratios, _claims(own)]
        else:
            row += ["1", "1", "1", "(the default)" if found.part.default else "-"]
        rows.append([*row, "-" if score.clauses is None else f"{score.clauses:.0f}"])
    return rows


def _by_solver(found: Answered) -> Rows:
    part = found.part
    columns = [against_rivals(found.with_solvers([name]), part) for name in part.solvers]
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


def _by_family(found: Answered) -> Rows:
    contest, families = found.contest, found.planned.families
    times = log_times(contest)
    at = {who: place for place, who in enumerate(contest.contenders)}
    rivals = {who: found.part.rival(who) for who in contest.contenders}
    pairs = [(who, rival) for who, rival in rivals.items() if who != rival]
    rows = [["instances", *(f"`{_name(who, found.part)}`" for who, _ in pairs)]]
    own = [families[digest] for digest in contest.instances]
    for family in dict.fromkeys(families.values()):
        inside = np.array([each == family for each in own])
        if not np.any(inside):
            continue
        row = [f"{family} ({np.count_nonzero(inside)})"]
        for who, rival in pairs:
            ratios = times[at[who]][inside] - times[at[rival]][inside]
            known = ~np.isnan(ratios)
            row.append(_figure(exp(float(np.mean(ratios[known])))) if np.any(known) else "-")
        rows.append(row)
    return rows


def _best(found: Answered) -> Rows:
    rows = [["encoding", "solver", "solved", "PAR-2 [ms]"]]
    pairs: dict[tuple[Contender, str], list[Result]] = {}
    for result in found.results:
        if result.job.seed < found.part.seeds:
            who = found.part.contender(result.job)
            pairs.setdefault((who, result.job.solver), []).append(result)
    # What the rule by size takes is run with the solvers that count on these instances alone.
    most, late = max(map(len, pairs.values())), 2 * found.timeout
    means = {
        key: sum(time_of(each) if each.status.solved else late for each in own) / len(own)
        for key, own in pairs.items()
        if len(own) == most
    }
    for who, solver in sorted(means, key=lambda key: means[key])[:5]:
        own = pairs[who, solver]
        solved = f"{sum(each.status.solved for each in own)} of {len(own)}"
        rows.append([f"`{_name(who, found.part)}`", solver, solved, _ms(means[who, solver])])
    return rows


def _name(who: Contender, part: Part) -> str:
    return who.encoding if len(part.orders) == 1 else f"{who.encoding}, {who.order}"


def _ratio(found: Against | None) -> str:
    if found is None:
        return "-"
    if not found.instances:
        return "1" if found.ratio == 1 else "-"
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
