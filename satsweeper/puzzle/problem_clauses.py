"""Statements of a board as clauses, such that a layout has one value of each auxiliary variable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear
from pbcnf.constraints.normal_form import sum_of
from pbcnf.emission.dispatch import choose
from pbcnf.emission.encode import encode
from pbcnf.emission.whole_problems import AUTO
from pbcnf.encoders.cardinality.totalizer import Totalizer
from pbcnf.encoders.counter import UnaryCount
from pbcnf.encoders.protocol import takes_weights
from pbcnf.encoders.table import find_encoder
from pbcnf.formula import Formula
from pbcnf.sink import ClauseSink, GuardedSink
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.problem_writer import StatedBounds
from satsweeper.solvers.sum_range import refuse_if_huge

_DIRECT: Final = 9
"""The most literals of a sum that ``encoding`` encodes; more are for ``total_encoding``."""
_UNARY: Final = 2000
"""The largest sum of weights that is counted in unary."""


@dataclass(frozen=True, slots=True)
class EncodedSum:
    """The auxiliary variables ``first`` .. ``last`` of one sum, of its part and encoder."""

    first: int
    last: int
    part: Part
    encoding: str


class StatementEncoder:
    """Clauses of statements in a formula.

    A sum of at most nine literals without weights is encoded by ``encoding``, another one by
    ``total_encoding``; "auto" chooses by size. Where an encoder chosen by size leaves auxiliary
    variables free, and where literals imply bounds, the sum is counted in unary in both directions.

    Args:
        formula: receives the clauses; the variables of statements are allocated.
        encoding: the encoder of small sums, by name.
        total_encoding: the encoder of larger sums.
    """

    def __init__(
        self, formula: Formula, encoding: str = "direct", total_encoding: str = AUTO
    ) -> None:
        self.parsimonious = True
        """Whether so far each auxiliary variable has one value, by the encoders' claims."""
        self.formula = formula
        self.sums: list[EncodedSum] = []
        """The sums with auxiliary variables."""
        self._encoding = encoding
        self._total_encoding = total_encoding
        self._counts: dict[tuple[int, ...], UnaryCount] = {}

    def add(self, statement: StatedBounds) -> None:
        """Add the clauses of a statement.

        Raises ValueError for bounds that the encoder cannot express.
        """
        literals = statement.literals
        if statement.is_clause:
            self.formula.add_clause([*literals, *[-lit for lit in statement.when]])
            return
        before = self.formula.num_vars
        encoder = self._add_guarded(statement) if statement.when else self._add_plain(statement)
        if self.formula.num_vars > before:
            last = self.formula.num_vars
            self.sums.append(EncodedSum(before + 1, last, statement.part, encoder))

    def _add_guarded(self, statement: StatedBounds) -> str:
        # Guarded clauses leave auxiliary variables free where the guard is false, so that there
        # must be none; a counter counts whether its bounds bind or not.
        if statement.weights is None and len(statement.literals) <= _DIRECT:
            sink: ClauseSink = self.formula
            for lit in statement.when:
                sink = GuardedSink(sink, -lit)
            bounds = statement.lower, statement.upper
            encode(Cardinality(statement.literals, *bounds), sink, "direct")
            return "direct"
        if statement.most <= _UNARY:
            self._count(statement)
            return "totalizer"
        for constraint in statement.constraints():
            self._encode(constraint, AUTO)
        return AUTO

    def _add_plain(self, statement: StatedBounds) -> str:
        (constraint,) = statement.constraints()
        name = self._encoding
        if len(statement.literals) > _DIRECT or statement.weights is not None:
            name = self._total_encoding
            if statement.weights is not None and name != AUTO:
                name = name if takes_weights(find_encoder(name)) else AUTO
        if name == AUTO:
            chosen = choose(constraint).encoder
            if not _parsimonious(constraint, chosen) and statement.most <= _UNARY:
                self._count(statement)
                return "totalizer"
        return self._encode(constraint, name)

    def _encode(self, constraint: Linear, name: str) -> str:
        if name == AUTO:
            name = choose(constraint).encoder or "direct"
        form = sum_of(constraint)
        if form is not None and max(form.weights, default=0) == 1:
            refuse_if_huge(find_encoder(name), len(form.lits), form.lower, form.upper)
        encode(constraint, self.formula, name)
        self.parsimonious &= _parsimonious(constraint, name)
        return name

    def _count(self, statement: StatedBounds) -> None:
        """Add bounds of a unary count; statements about equal sums share the count."""
        weights = statement.weights or (1,) * len(statement.literals)
        inputs = tuple(
            [lit for lit, w in zip(statement.literals, weights, strict=True) for _ in range(w)]
        )
        # Bounds that literals imply are several of one sum: all of its outputs are made.
        downto, upto = (0, len(inputs)) if statement.when else (statement.lower, statement.upper)
        key = (downto, upto, *inputs)
        if key not in self._counts:
            self._counts[key] = Totalizer().count(inputs, upto, self.formula, downto=downto)
        count = self._counts[key]
        guards = [-lit for lit in statement.when]
        for bound in (*count.at_least(statement.lower), *count.at_most(statement.upper)):
            self.formula.add_clause([*guards, bound])


def _parsimonious(constraint: Linear, name: str | None) -> bool:
    """Whether an encoder claims that each auxiliary variable has one value."""
    form = sum_of(constraint)
    if name is None or form is None or not form.lits or form.clause() is not None:
        return True
    encoder = find_encoder(name)
    if max(form.weights) == 1:
        return encoder.parsimonious(len(form.lits), form.lower, form.upper)
    return takes_weights(encoder) and encoder.weighted_parsimonious(
        form.weights, form.lower, form.upper
    )


def without_weights(
    statements: Iterable[StatedBounds], num_vars: int
) -> tuple[list[Constraint], StatementEncoder]:
    """Return clauses and sums with weights 1 that hold exactly if all ``statements`` do.

    Args:
        statements: the statements, over the variables 1 .. ``num_vars``.
        num_vars: the number of variables so far.

    Returns the constraints, and the encoder that encoded the weighted sums among them.
    """
    formula = Formula(num_vars)
    encoder = StatementEncoder(formula)
    found: list[Constraint] = []
    for statement in statements:
        constraints = [*statement.constraints()]
        if any(_weighted(each) for each in constraints):
            encoder.add(statement)
        else:
            found += constraints
    return [*found, *[Cardinality(clause, lower=1) for clause in formula.clauses()]], encoder


def _weighted(constraint: Linear) -> bool:
    form = sum_of(constraint)
    return form is not None and max(form.weights, default=1) > 1
