"""The linear relaxation: the minimum and maximum of each cell's variable between 0 and 1. HiGHS.

Incomplete: a minimum above 0 proves a mine, a maximum below 1 a safe cell. Consequences that hold
for 0/1 solutions but not for all fractional solutions (parity, above all) are missed. No claim
depends on doubles: the bounds that HiGHS's duals prove are computed in integers
(`satsweeper.engines.parts.weak_duality`).

The meaning of duals. When the variable x of a cell is minimised, the dual of a clue is the rate at
which the minimum rises with the clue's number, within the range of one basis; the clues with a dual
other than 0 prove the verdict. The reduced cost of another cell is the rate at which the minimum
rises with the value of that cell. With an empty objective all duals and reduced costs are 0, for
one layout as for a million: zero duals give no information on the number of layouts.
"""

from typing import Final

from satsweeper.answers.classification import Classification, Status
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import (
    OUT_OF_TIME,
    Evidence,
    PartialAnswers,
    classify_apart,
)
from satsweeper.engines.parts.weak_duality import ProvingRelaxation
from satsweeper.linear.highs import ProgramOutcome, mines_of
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

_NEAR: Final = 1e-6
"""The largest distance to 0 or 1 of values that are rounded and checked as a layout."""

_MISSED: Final = "cells without a verdict may still be certain: the relaxation is incomplete"


def classify(position: Position, options: Options) -> Classification:
    """Return the verdicts that the linear relaxation proves."""
    return classify_apart("ortools", _classify, position, options)


def _classify(position: Position, options: Options) -> Classification:
    deadline, answers = Deadline.after(options.timeout), PartialAnswers(options.tell)
    sums = PositionSums(position, options)
    if sums.impossible:
        return sums.inconsistent()
    evidence = Evidence(sums)
    if not sums.cells:
        evidence.add_layout(frozenset())
        return evidence.answer()
    variables = len(sums.cells)

    def try_as_layout(outcome: ProgramOutcome) -> None:
        values = outcome.values[:variables]
        if all(min(abs(value), abs(value - 1)) < _NEAR for value in values):
            try:
                evidence.add_layout(mines_of(values, variables))
            except WrongModelError:
                # The rounded values are no layout: nothing is concluded.
                return

    relaxation = ProvingRelaxation(sums)
    first, impossible = relaxation.no_layout(deadline.left())
    if impossible:
        return sums.inconsistent()
    if first.status == "optimal":
        try_as_layout(first)
    late = first.status == "limit"
    for group in sums.interchangeable:
        for sign in (1, -1):
            # A minimum above 0 refutes "safe", a maximum below 1 refutes "mine".
            literal = -sign * group[0]
            if late or literal not in evidence.open:
                continue
            outcome, proved = relaxation.extreme(group[0] - 1, sign, deadline.left())
            late = outcome.status == "limit"
            if outcome.status == "optimal":
                try_as_layout(outcome)
                if proved:
                    evidence.refuted.add(literal)
            answers.offer(evidence.answer)
    answer = evidence.answer((OUT_OF_TIME,) if late else ())
    return answer if late or answer.status is not Status.UNDECIDED else evidence.answer((_MISSED,))
