"""Questions of jobs to solvers: constraints and a check, and the constraints encoded as clauses.

A board's variables are the cells of the frontier (covered, next to a clue), row by row. With a
total M and I interior cells one more variable stands for one interior cell: as interior cells are
interchangeable, the frontier and this cell hold between M - (I - 1) and M mines. If these bounds
always hold, the total is left out. No rule and no table decides cells beforehand: encodings are
compared, not reductions. Flags are mines.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from random import Random

from pbcnf.constraints.constraint import Cardinality, Linear
from pbcnf.constraints.normal_form import WeightedSum, sum_of, sums
from pbcnf.constraints.order import LiteralOrder, literal_order
from pbcnf.emission.dispatch import Kind, sum_emission
from pbcnf.encoders.protocol import Encoder, Propagation
from pbcnf.formula import EncodingSize, Formula
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink
from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.facts import Window, WrongModelError
from satsweeper.clues import constraints_of
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.job.job import Task
from satsweeper.position import Position
from satsweeper.solvers.evaluation import completed, first_unsatisfied


@dataclass(frozen=True, slots=True)
class JobQuestion:
    """Constraints over variables 1 .. ``variables``, to be encoded, or clauses as they are.

    ``check`` raises WrongModelError for a model that violates the board or the problem itself,
    independent of the encoding. A model has a literal for each variable from 1 on, auxiliary
    variables last; its end may be missing. ``grid`` returns the board with the verdicts of literals
    that are true in all models.
    """

    variables: int
    constraints: tuple[Linear, ...] = ()
    total: Linear | None = None
    clauses: Formula | None = None
    assumptions: tuple[int, ...] = ()
    check: Callable[[list[int]], None] = lambda model: None
    grid: Callable[[Collection[int]], str] = lambda literals: ""


def question_of(instance: Instance, task: Task) -> JobQuestion:
    """The question of a task on an instance.

    ``classify`` and ``consistent`` have equal questions on a board; in ``classify`` every variable
    is a candidate for a verdict.

    Raises:
        ValueError: the instance has no such task.
    """
    if instance.kind is InstanceKind.BOARD and task is not Task.SOLVE:
        position = instance.position()
        if task is Task.TOTAL:
            return total_question(position, instance.digest)
        return layout_question(position)
    if task is not Task.SOLVE:
        raise ValueError(f"{instance.name} is a {instance.kind}: there is no {task}, only solve")
    if instance.kind is InstanceKind.CNF:
        formula = instance.formula()

        def check_clauses(model: list[int]) -> None:
            wrong = first_unsatisfied(formula, model)
            if wrong is not None:
                clause = " ".join(map(str, [*wrong, 0]))
                raise WrongModelError(f"a model breaks the clause {clause}")

        return JobQuestion(formula.num_vars, clauses=formula, check=check_clauses)
    problem = instance.problem()

    def check_sums(model: list[int]) -> None:
        true = set(completed(model, problem.num_vars))
        for number, constraint in enumerate(problem.constraints, start=1):
            if not constraint.holds(true):
                raise WrongModelError(f"a model breaks constraint {number} of the problem")

    return JobQuestion(problem.num_vars, sums(problem), check=check_sums)


def layout_question(position: Position) -> JobQuestion:
    """Every clue, and the total if it is known."""
    board = constraints_of(position)
    clues = [clue_sum for clue_sum in board.sums() if clue_sum.clue is not None]
    near = sorted({v for clue_sum in clues for v in clue_sum.variables})
    number = {v: at for at, v in enumerate(near, start=1)}
    cells = board.cell_list()
    frontier = [cells[v - 1] for v in near]
    interior = [cell for v, cell in enumerate(cells, start=1) if v not in number]
    mines, n = board.total, len(near)
    constraints = tuple(
        Cardinality([number[v] for v in each.variables], each.mines, each.mines) for each in clues
    )
    # `others` interior cells have no variable: they hold any number of mines from 0 to `others`.
    # The total always holds if both of its bounds do, with mines in no cell and in every cell.
    total, others = None, max(len(interior) - 1, 0)
    if mines is not None and not (interior and mines - others <= 0 and mines > n):
        n += bool(interior)
        total = Cardinality(range(1, n + 1), mines - others, mines)
    alone = n > len(near)
    places = [position.geometry.index(cell) for cell in frontier]
    geometry, _, shown, values, _, trusted, _, _ = position.view()
    window = Window(geometry, 0, geometry.size, shown, values, trusted)

    def check(model: list[int]) -> None:
        held = [place for place, lit in zip(places, model, strict=False) if lit > 0]
        window.check(held)
        if mines is None:
            return
        here = int(alone and len(model) >= n and model[n - 1] > 0)
        if not 0 <= mines - len(held) - here <= others:
            inner = counted(len(interior), "cell")
            raise WrongModelError(
                f"a model has {counted(len(held), 'mine')} in the frontier and {here} in a cell of"
                f" the interior: with {inner} there, the total is not {mines}"
            )

    def grid(literals: Collection[int]) -> str:
        signs = {COVERED: "?", FLAG: "F"}
        codes = [[signs.get(code, str(code)) for code in row] for row in position.cells.tolist()]
        # All interior cells have the verdict of the cell that stands for them.
        places = [*enumerate(frontier, start=1), *((n, cell) for cell in interior if alone)]
        for v, (row, column) in places:
            if v in literals:
                codes[row][column] = "M"
            elif -v in literals:
                codes[row][column] = "S"
        return "\n".join("".join(row) for row in codes)

    return JobQuestion(n, constraints, total, check=check, grid=grid)


def total_question(position: Position, seed: str) -> JobQuestion:
    """The total over all covered cells, and nothing else: exactly M of n.

    A third of the cells, drawn from ``seed``, is assumed: mines in proportion, the others safe, so
    that there is a model wherever the total fits the board.

    Raises:
        ValueError: the total is not known.
    """
    board = constraints_of(position)
    mines, n = board.total, len(board.cells)
    if mines is None:
        raise ValueError("the total is not known: there is no constraint to ask about")
    third = Random(f"cells of the total {seed}").sample(range(1, n + 1), n // 3)
    share = min(max(round(mines * len(third) / n), 0), len(third)) if n else 0
    assumed = [v if place < share else -v for place, v in enumerate(third)]

    def check(model: list[int]) -> None:
        held = sum(lit > 0 for lit in model[:n])
        if held != mines:
            raise WrongModelError(
                f"a model has {counted(held, 'mine')} in {counted(n, 'cell')}, not {mines}"
            )
        if any((model[abs(lit) - 1] > 0) != (lit > 0) for lit in assumed if abs(lit) <= len(model)):
            raise WrongModelError("a model does not hold the assumptions")

    total = Cardinality(range(1, n + 1), mines, mines)
    return JobQuestion(n, total=total, assumptions=tuple(assumed), check=check)


# A question as clauses, with native "at most k" for constraints without an encoding.


@dataclass(slots=True)
class Encoded:
    """Clauses, and native constraints: pairs of literals and the most of them that may be true."""

    formula: Formula
    at_most: list[tuple[list[int], int]] = field(default_factory=list)

    @property
    def size(self) -> EncodingSize:
        """All variables, clauses and literals; a native "at most k" counts as one clause."""
        formula, literals = self.formula, sum(len(lits) for lits, _ in self.at_most)
        clauses = formula.num_clauses + len(self.at_most)
        return EncodingSize(formula.num_vars, clauses, formula.num_literals + literals)


def encoded(
    question: JobQuestion,
    clues: Encoder | None,
    total: Encoder | None,
    order: LiteralOrder,
    seed: int,
) -> Encoded:
    """Encode the constraints by ``clues`` and the total by ``total``; None is native.

    Literals enter the encoders in ``order`` (`literal_order`).

    Raises:
        ValueError: an encoder cannot express a constraint.
    """
    if question.clauses is not None:
        return Encoded(question.clauses)
    answer = Encoded(Formula(question.variables))
    pairs: list[tuple[Linear, Encoder | None]] = [(each, clues) for each in question.constraints]
    if question.total is not None:
        pairs.append((question.total, total))
    in_order = literal_order(order, seed, [constraint for constraint, _ in pairs])
    fresh: dict[int, Encoder] = {
        id(encoder): _Fresh(encoder) for encoder in (clues, total) if encoder is not None
    }
    for constraint, encoder in pairs:
        form = sum_of(in_order(constraint))
        if encoder is None and form is not None and form.lits and form.clause() is None:
            # Native: only the units go into the formula. At least k of n literals is at most n - k
            # of their negations.
            if max(form.weights) > 1:
                raise ValueError(f"weights up to {max(form.weights)}: weights 1 only")
            n, lits = len(form.lits), list(form.lits)
            if form.upper < n:
                answer.at_most.append((lits, form.upper))
            if form.lower > 0:
                answer.at_most.append(([-lit for lit in lits], n - form.lower))
            form = WeightedSum(form.units, (), (), 0, 0)

        def choose(kind: Kind, form: WeightedSum, encoder: Encoder | None = encoder) -> Encoder:
            assert encoder is not None
            return encoder if kind is Kind.PSEUDO_BOOLEAN else fresh[id(encoder)]

        sum_emission(form, choose).emit(answer.formula)
    return answer


class _Fresh:
    """A wrapper of an encoder that has no cached templates yet: templates are cached by encoder.

    Every job therefore makes its templates, once for each shape: no job gains time by templates of
    an earlier job, and encoders that compare equal do not share templates.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.name = encoder.name
        self.propagation = Propagation.NONE

    def parsimonious(self, n: int, lower: int, upper: int) -> bool:
        return self.encoder.parsimonious(n, lower, upper)

    def size(self, n: int, lower: int, upper: int) -> EncodingSize:
        return self.encoder.size(n, lower, upper)

    def encode(self, lits: Sequence[Lit], lower: int, upper: int, sink: ClauseSink) -> None:
        self.encoder.encode(lits, lower, upper, sink)
