"""What the linear relaxation of a position proves: bounds on cells, or that there is no layout."""

from dataclasses import replace
from fractions import Fraction

from pbcnf.wording import counted
from satsweeper.engines.parts.reduction import Reduction
from satsweeper.engines.protocol import EngineAnswer
from satsweeper.linear.duality import bound, rounded
from satsweeper.linear.highs import Outcome, Program
from satsweeper.processes.deadline import Deadline


def proved_bound(reduction: Reduction, column: int, cost: int, outcome: Outcome) -> Fraction:
    """A bound below ``cost`` times a column that the duals of a run prove, computed exactly.

    With cost 0, a bound above 0 proves that there is no layout.
    """
    return bound(reduction.rows(), {column: cost} if cost else {}, rounded(outcome.duals))


class Relaxation:
    """The relaxation of a position, asked for proofs; both programs are kept between questions."""

    def __init__(self, reduction: Reduction) -> None:
        self._reduction = reduction
        self._program = Program(reduction.num_vars, reduction.rows())

    def extreme(self, column: int, sign: int, seconds: float | None) -> tuple[Outcome, bool]:
        """Minimise ``sign`` times a column: the outcome, and whether a verdict is proved.

        With sign 1 that the cell is a mine: its lowest value is above 0. With sign -1 that it is
        safe: its highest value is below 1.
        """
        self._program.cost(column, float(sign))
        outcome = self._program.run(seconds)
        self._program.cost(column, 0.0)
        if outcome.status != "optimal":
            return outcome, False
        bound = proved_bound(self._reduction, column, sign, outcome)
        return outcome, bound > min(sign, 0)

    def no_layout(self, seconds: float | None) -> tuple[Outcome, bool]:
        """Minimise what the equations miss by: the outcome, and whether that is proved above 0."""
        reduction = self._reduction
        outcome = Program(reduction.num_vars, reduction.rows(), slack=True).run(seconds)
        proved = outcome.status == "optimal" and proved_bound(reduction, 0, 0, outcome) > 0
        return outcome, proved


def with_proofs(answer: EngineAnswer, reduction: Reduction, deadline: Deadline) -> EngineAnswer:
    """The answer of a 0/1 program, with a note on what of it rests on the solver's doubles.

    A cell under the same clues as another needs no proof of its own.
    """
    relaxation = Relaxation(reduction)
    if answer.status == "inconsistent":
        if relaxation.no_layout(deadline.left())[1]:
            return answer
        return _noted(answer, "that no layout exists is HiGHS's word, which computes in doubles")
    above: dict[int, list[int]] = {variable: [] for variable in reduction.variables.values()}
    for number, equation in enumerate(reduction.constraints):
        for variable in equation.variables:
            above[variable].append(number)
    proved: dict[tuple[bool, tuple[int, ...]], bool] = {}
    doubtful = 0
    for mine, cells in ((True, answer.mines), (False, answer.safe)):
        for cell in sorted(cells):
            column = reduction.variables[cell]
            key = mine, tuple(above[column])
            if key not in proved:
                proved[key] = relaxation.extreme(column, 1 if mine else -1, deadline.left())[1]
            doubtful += not proved[key]
    if not doubtful:
        return answer
    total = len(answer.mines) + len(answer.safe)
    return _noted(
        answer,
        f"{doubtful} of {counted(total, 'certain cell')} "
        "rest on HiGHS's word, which computes in doubles; "
        "the others are proved exactly",
    )


def _noted(answer: EngineAnswer, note: str) -> EngineAnswer:
    return replace(answer, notes=(*answer.notes, note))
