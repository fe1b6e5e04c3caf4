"""The relaxation: how low and how high each cell goes when cells may be mines in part. HiGHS.

Incomplete: a lowest value above 0 proves a mine, a highest value below 1 a safe cell, and what is
true of layouts but not of their mixtures (parity, above all) is missed. No claim rests on doubles:
what the duals of HiGHS prove is computed in integers (`satsweeper.engines.parts.weak_duality`).

What duals say, and what they do not. Minimising x of a cell, the dual of a clue is how fast the
lowest value rises with the clue's number, as far as one basis lasts; the clues with a dual other
than 0 prove the verdict. The reduced cost of another cell is how fast it would rise with that
cell's own value. If the objective is empty, all duals and reduced costs are 0, whether there is one
layout or a million: zero duals say nothing about the number of layouts, nor do they confirm that
there are several.
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
"""Values this near to 0 or 1 are tried as a layout; the board decides."""

_MISSED: Final = "cells without a verdict may still be certain: the relaxation is incomplete"


def classify(position: Position, options: Options) -> Classification:
    """Classify as far as the relaxation goes."""
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
                # Near to a layout is not a layout; nothing is concluded from it.
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
            # A lowest value above 0 refutes "safe", a highest value below 1 refutes "mine".
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
