"""The builder: named variables, statements about them, and an objective."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from copy import copy
from typing import Any

from pbcnf.constraints.problem import Objective, Problem
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.language.connectives import total
from pbcnf.language.encoding import Encoding
from pbcnf.language.evaluation import Leaf, value
from pbcnf.language.expressions import (
    AnyOperand,
    AnyProposition,
    Literal,
    Operand,
    Proposition,
    Sum,
    proposition,
)
from pbcnf.language.integers import Domain, IntegerEncoding, IntegerVariable
from pbcnf.language.names import Names
from pbcnf.language.output import EncodedOutput, Output, ProblemOutput
from pbcnf.language.transformation import Transformation
from pbcnf.literals import IntLike, Lit, integer
from pbcnf.sink import ClauseSink
from pbcnf.wording import counted, unknown_name


class Builder:
    """A collection of variables, statements and an objective that can be encoded as clauses.

    >>> b = Builder()
    >>> x, y, z = b.booleans("xyz")
    >>> b.add((x & y) >> (2 * x + 3 * ~y + z <= 4), x | y)
    >>> formula = b.formula()
    >>> formula.num_vars, list(formula)
    (5, [[-1, -2, 4], [-4, -5, 2], [-4, -1, 5], [1, 2]])
    >>> b.decode([1, -2, 3])
    {'x': True, 'y': False, 'z': True}
    """

    def __init__(self, names: Names | None = None) -> None:
        """Start without variables; the pool `names`, if given, numbers the variables."""
        self.names = Names() if names is None else names
        self._integers: dict[Hashable, IntegerVariable] = {}
        self._statements: list[Proposition] = []
        self._objective: tuple[Sum, bool] | None = None
        self._last: Encoding | None = None

    def __copy__(self) -> Builder:
        """Return an independent copy of the builder: variables, statements and objective."""
        found = Builder(copy(self.names))
        found._integers, found._statements = dict(self._integers), list(self._statements)
        found._objective = self._objective
        return found

    def __repr__(self) -> str:
        """Return the numbers of Booleans, integers and statements as text."""
        parts = counted(len(self.names), "Boolean"), counted(len(self._integers), "integer")
        return f"Builder({', '.join(parts)}, {counted(len(self._statements), 'statement')})"

    @property
    def statements(self) -> tuple[Proposition, ...]:
        """The added statements, in order."""
        return tuple(self._statements)

    @property
    def objective(self) -> tuple[Sum, bool] | None:
        """The sum to optimise, and whether to maximise; None without an objective."""
        return self._objective

    def boolean(self, name: Hashable | None = None) -> Literal:
        """Return the Boolean variable called `name`, made at first use; a new variable for None.

        Raises ValueError if an integer has the name, TypeError if `name` cannot be hashed.
        """
        if name is None:
            return Literal(self.names.fresh())
        if name in self._integers:
            raise ValueError(f"{name!s} is an integer")
        return Literal(self.names.number(name), name)

    def booleans(self, names: Iterable[Hashable]) -> list[Literal]:
        """Return the Boolean variables of several names; each letter of a string is a name."""
        return [self.boolean(name) for name in names]

    def integer(
        self,
        name: Hashable,
        lower: IntLike | None = None,
        upper: IntLike | None = None,
        *,
        domain: Domain | Iterable[IntLike] | None = None,
        encoding: IntegerEncoding | str | None = None,
    ) -> IntegerVariable:
        """Return a new integer variable, from `lower` to `upper` or with these values alone.

        `encoding` is ``"order"``, ``"direct"`` or ``"binary"``; without
        it the rule of `pbcnf.language.integer_literals` chooses.

        Raises ValueError for a name that is taken, an empty domain, an unknown encoding; TypeError
        for None as a name, bounds that are no integers, and unless there are two bounds or a
        domain.
        """
        if name is None:
            raise TypeError("None is no name of an integer")
        if name in self:
            raise ValueError(f"the name {name!s} is taken")
        if domain is None:
            if lower is None or upper is None:
                raise TypeError(
                    f"the integer {name!s} needs a lower and an upper bound, or a domain"
                )
            domain = range(integer(lower, "lower"), integer(upper, "upper") + 1)
        elif lower is not None or upper is not None:
            raise TypeError(f"bounds or a domain are given for the integer {name!s}, not both")
        values = domain if isinstance(domain, Domain) else Domain.of(domain)
        found = self._integers[name] = IntegerVariable(name, values, encoding)
        return found

    def integers(
        self, names: Iterable[Hashable], lower: IntLike, upper: IntLike
    ) -> list[IntegerVariable]:
        """Return new integer variables called `names`, with equal bounds."""
        return [self.integer(name, lower, upper) for name in names]

    def __getitem__(self, name: Hashable) -> Literal | IntegerVariable:
        """Return the variable of a name. Raises KeyError if there is none."""
        if name in self._integers:
            return self._integers[name]
        if name in self.names:
            return self.boolean(name)
        raise KeyError(name)

    def __contains__(self, name: Hashable) -> bool:
        """Whether a variable has this name."""
        return name in self._integers or name in self.names

    def integer_variables(self) -> tuple[IntegerVariable, ...]:
        """Return the integer variables, in order of creation."""
        return tuple(self._integers.values())

    def add(self, *statements: AnyProposition) -> None:
        """Add propositions that must be true. Raises TypeError for a value of another type."""
        self._statements += [proposition(statement) for statement in statements]

    def minimise(self, operand: AnyOperand) -> None:
        """Set the objective: minimise `operand`. Replaces the previous objective.

        Raises TypeError for an operand that is no number.
        """
        self._objective = total([operand]), False

    def maximise(self, operand: AnyOperand) -> None:
        """Set the objective: maximise `operand`. Replaces the previous objective.

        Raises TypeError for an operand that is no number.
        """
        self._objective = total([operand]), True

    def formula(self, transformation: Transformation | str = "plaisted_greenbaum") -> Formula:
        """Return the statements as a CNF; the objective is left out.

        Raises as `encode` does.
        """
        formula = Formula()
        self.encode(formula, transformation)
        return formula

    def encode(
        self, sink: ClauseSink, transformation: Transformation | str = "plaisted_greenbaum"
    ) -> Encoding:
        """Encode the statements into `sink`; return the encoding, which decodes models.

        Variables are allocated in the sink up to the last number of the pool: variables that the
        sink has already are the pool's variables of the same numbers. The encoding takes further
        statements, too.

        With ``"tseitin"`` every auxiliary variable has one value in each model, so that the formula
        has as many models as the statements. ``"plaisted_greenbaum"`` has fewer clauses.

        Raises ValueError for another transformation, EncodingError for a variable of another
        builder and for products that are too large.
        """
        known = [each.value for each in Transformation]
        if isinstance(transformation, str) and transformation not in known:
            raise ValueError(unknown_name("transformation", transformation, known))
        chosen = Transformation(transformation)
        sink.new_vars(max(0, self.names.last - sink.num_vars))
        return self._encoded(EncodedOutput(sink, chosen is Transformation.TSEITIN), chosen)

    def problem(self) -> Problem:
        """Return the statements and the objective as a problem of rows, for any format.

        Gates become clauses; a sum implied by a literal becomes an inequality with the literal (big
        M). Integers become the literals of their encodings, named ``x>=3``, ``x=3``, ``x_bit0``,
        with the constraints that define the literals. Raises as `encode` does.
        """
        rows = ProblemOutput(self.names.last)
        encoding = self._encoded(rows, Transformation.PLAISTED_GREENBAUM)
        objective = None
        if self._objective is not None:
            asked, maximise = self._objective
            objective = _weighted(*encoding.linear_form(asked), maximise)
        names = self.names.in_files() | encoding.names(self._integers)
        integers = dict[str, Objective]()
        for name, each in self._integers.items():
            shown = str(name)
            while shown in integers:  # Different names may have one text, such as 1 and "1".
                shown += "_"
            integers[shown] = _weighted(*encoding.integer_sum(each))
        return Problem(rows.num_vars, tuple(rows.constraints), names, objective, integers)

    def decode(self, model: Collection[Lit]) -> dict[Any, int]:
        """Return the value of every name, a bool or an integer, in a model of the last encoding.

        `model` holds the true literals. Raises EncodingError if nothing has been encoded yet.
        """
        true, encoding = frozenset(model), self._last
        if encoding is None:
            raise EncodingError("nothing has been encoded yet")
        found: dict[Any, int] = {name: self.names.number(name) in true for name in self.names}
        integers = self._integers.items()
        return found | {name: encoding.value(variable, true) for name, variable in integers}

    def value(self, operand: Operand, values: Mapping[Hashable, bool | int]) -> int:
        """Return the value of an expression under `values`: name -> value of the variable."""

        def value_of(leaf: Leaf) -> int:
            if isinstance(leaf, IntegerVariable):
                return int(values[leaf.name])
            name = self.names.name(abs(leaf.lit))
            return int(bool(values[abs(leaf.lit) if name is None else name]) == (leaf.lit > 0))

        return value(operand, value_of)

    def holds(self, values: Mapping[Hashable, bool | int]) -> bool:
        """Whether every statement is true under `values` (name -> value), found by arithmetic.

        No encoding takes part: decoded models are checked by this method. Integers must have a
        value of their domain. Raises KeyError for a name without a value.
        """
        inside = all(values[name] in each.domain for name, each in self._integers.items())
        return inside and all(self.value(statement, values) for statement in self._statements)

    def _encoded(self, output: Output, transformation: Transformation) -> Encoding:
        self._last = Encoding(
            output,
            self.names,
            self._integers.values(),
            self._statements,
            None if self._objective is None else self._objective[0],
            transformation,
        )
        return self._last


def _weighted(constant: int, terms: list[tuple[Lit, int]], maximise: bool = False) -> Objective:
    lits, weights = tuple(lit for lit, _ in terms), tuple(weight for _, weight in terms)
    return Objective(lits, weights, constant, maximise)
