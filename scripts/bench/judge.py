"""Verdicts against the answers, and against each other where there is no answer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.bench.contenders import Contender
from scripts.bench.measure import Trial
from scripts.bench.records import Record

_SHOWN = 6


@dataclass(frozen=True)
class Difference:
    """A contender's verdicts that are not the expected ones.

    ``cells``: ``(row, column, expected, given)``; none if the repeats gave different verdicts.
    ``against``: whose verdicts were expected. ``judged``: whether the run fails for it.
    """

    id: str
    contender: str
    with_total: bool
    against: str
    cells: tuple[tuple[int, int, str, str], ...]
    judged: bool

    def __str__(self) -> str:
        total = "total known" if self.with_total else "total unknown"
        if not self.cells:
            return f"{self.id}: {self.contender} ({total}): not the same verdicts in every repeat"
        cells = ", ".join(
            f"({r}, {c}) {given} not {expected}" for r, c, expected, given in self.cells[:_SHOWN]
        )
        more = len(self.cells) - _SHOWN
        rest = f" and {more} more" if more > 0 else ""
        return f"{self.id}: {self.contender} ({total}), against {self.against}: {cells}{rest}"


@dataclass
class Judgement:
    """Differences, and the certain cells that incomplete contenders leave unknown.

    ``incomplete`` counts cells by ``(contender, record id)``. ``unchecked``: records without an
    answer that one contender alone answered, with the question.
    """

    differences: list[Difference]
    incomplete: Counter[tuple[str, str]]
    unchecked: list[str]


def judge(
    contenders: Sequence[Contender],
    records: Sequence[Record],
    trials: dict[str, Trial],
    with_total: bool,
) -> Judgement:
    """Compare everything that was answered."""
    found = Judgement([], Counter(), [])
    for record in records:
        for question in (False, True):
            group = [c for c in contenders if c.question(with_total) is question]
            _judge_one(group, record, trials, question, found)
    return found


def _judge_one(
    group: Sequence[Contender],
    record: Record,
    trials: dict[str, Trial],
    question: bool,
    found: Judgement,
) -> None:
    given = {}
    for contender in group:
        result = trials[contender.name].results.get(record.id) if contender.name in trials else None
        if result is not None and result.verdicts is not None:
            given[contender.name] = result.verdicts
            if result.unsteady:
                found.differences.append(
                    Difference(record.id, contender.name, question, "itself", (), contender.judged)
                )
    expected, against = record.answer(question), "the answer"
    if expected is None:
        complete = [c for c in group if c.complete and c.name in given]
        if not complete:
            return
        against = complete[0].name
        expected = given[against]
        if len(complete) == 1:
            found.unchecked.append(f"{record.id} (total {'known' if question else 'unknown'})")
    for contender in group:
        verdicts = given.get(contender.name, expected)
        if verdicts == expected:
            continue
        cells = []
        for place in range(max(len(expected), len(verdicts))):
            want, got = expected[place : place + 1], verdicts[place : place + 1]
            if want == got:
                continue
            if got == "?" and not contender.complete:
                found.incomplete[contender.name, record.id] += 1
            else:
                cells.append((*divmod(place, record.columns), want, got))
        if cells:
            found.differences.append(
                Difference(
                    record.id, contender.name, question, against, tuple(cells), contender.judged
                )
            )
