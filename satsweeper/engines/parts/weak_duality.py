"""Bounds on cells, and clashes, that the linear relaxation of a position proves exactly."""

from dataclasses import replace
from fractions import Fraction

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Status
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.linear.highs import LinearProgram, ProgramOutcome
from satsweeper.linear.relaxation import bound, rounded
from satsweeper.processes.deadline import Deadline


def proved_bound(sums: PositionSums, column: int, cost: int, outcome: ProgramOutcome) -> Fraction:
    """Return a lower bound of ``cost`` times a column that the duals of a run prove exactly.

    With cost 0, a bound above 0 proves that there is no layout.
    """
    return bound(sums.columns, {column: cost} if cost else {}, rounded(outcome.duals))


class ProvingRelaxation:
    """The linear relaxation of a position, kept between queries and asked for exact proofs."""

    def __init__(self, sums: PositionSums) -> None:
        self._sums = sums
        self._program = LinearProgram(len(sums.cells), sums.columns)

    def extreme(self, column: int, sign: int, seconds: float | None) -> tuple[ProgramOutcome, bool]:
        """Minimise ``sign`` times a column: the outcome, and whether a verdict is proved.

        With sign 1 the verdict is a mine: the column's lowest value is above 0. With sign -1 it is
        safe: the highest value is below 1.
        """
        self._program.cost(column, float(sign))
        outcome = self._program.run(seconds)
        self._program.cost(column, 0.0)
        if outcome.status != "optimal":
            return outcome, False
        return outcome, proved_bound(self._sums, column, sign, outcome) > min(sign, 0)

    def no_layout(self, seconds: float | None) -> tuple[ProgramOutcome, bool]:
        """Minimise what the equations miss by: the outcome, and whether more than 0 is proved."""
        sums = self._sums
        outcome = LinearProgram(len(sums.cells), sums.columns, slack=True).run(seconds)
        proved = outcome.status == "optimal" and proved_bound(sums, 0, 0, outcome) > 0
        return outcome, proved


def with_proofs(answer: Classification, sums: PositionSums, deadline: Deadline) -> Classification:
    """Return a 0/1 program's answer, with a note on how much rests on the solver's doubles."""
    relaxation = ProvingRelaxation(sums)
    if answer.status is Status.INCONSISTENT:
        return with_note(answer, "HiGHS", 0 if relaxation.no_layout(deadline.left())[1] else 1)
    verdict = answer.verdict
    doubtful = 0
    for mine in (True, False):
        for group in sums.interchangeable:
            if verdict[sums.cells[group[0] - 1]] != ("mine" if mine else "safe"):
                continue
            # One proof does for all cells under the same clues.
            if not relaxation.extreme(group[0] - 1, 1 if mine else -1, deadline.left())[1]:
                doubtful += len(group)
    return with_note(answer, "HiGHS", doubtful)


def with_note(answer: Classification, solver: str, doubtful: int) -> Classification:
    """Return ``answer`` with a note on what only the word of ``solver`` stands for.

    Args:
        answer: what a solver that computes in doubles has led to.
        solver: the name of the solver.
        doubtful: the number of certain cells without an exact proof; of an inconsistent board, 0 if
            it is proved exactly that no layout exists.
    """
    if not doubtful:
        return answer
    if answer.status is Status.INCONSISTENT:
        note = f"that no layout exists is {solver}'s word, which computes in doubles"
    else:
        certain = counted((answer.safe_board | answer.mine_board).bit_count(), "certain cell")
        note = (
            f"{doubtful} of {certain} rest on {solver}'s word, which computes in doubles; the"
            " others are proved exactly"
        )
    return replace(answer, notes=(*answer.notes, note))
