"""An encoded builder: literals of its variables, further statements, values in a model."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from typing import Final

from pbcnf.emission.groups import Group
from pbcnf.errors import EncodingError
from pbcnf.language.circuit import Circuit, Operation, Ref
from pbcnf.language.evaluation import Leaf, value
from pbcnf.language.expressions import (
    AnyProposition,
    Compound,
    Connective,
    Literal,
    Not,
    Operand,
    Proposition,
    Sum,
    proposition,
)
from pbcnf.language.integer_literals import (
    EncodingHints,
    IntegerLiterals,
    encoding_for,
    literals_of,
)
from pbcnf.language.integers import IntegerEncoding, IntegerVariable
from pbcnf.language.lowering import Lowering
from pbcnf.language.names import Names
from pbcnf.language.output import Output
from pbcnf.language.transformation import Transformation, Transformer
from pbcnf.literals import Lit, Var

_JOINED: Final = {1: Connective.OR, -1: Connective.AND}
"""Sign -> connective of a clause: a disjunction, or a negated conjunction."""


class Encoding:
    """Statements encoded into one output; more may follow.

    Boolean variables have the numbers of their literals, up to the last number of the pool. The
    literals of the integers come next, integer by integer, then auxiliary variables.
    """

    def __init__(
        self,
        output: Output,
        names: Names,
        integers: Iterable[IntegerVariable],
        statements: Iterable[Proposition],
        objective: Sum | None,
        transformation: Transformation,
        transformer: type[Transformer] = Transformer,
    ) -> None:
        """Choose encodings of the integers in `statements`, and encode their axioms."""
        self._circuit = Circuit()
        self._inputs: dict[Var, Ref] = {}
        self._lits: dict[Ref, Lit] = {}
        self._names, self._num_booleans = names, names.last
        self._transformer = transformer(self._circuit, output, transformation)
        self.literals: dict[IntegerVariable, IntegerLiterals] = {}
        self.encodings: dict[IntegerVariable, IntegerEncoding] = {}
        self._lowering = Lowering(self._circuit, self.literals, self._input)
        statements = list(statements)
        # Clauses over Boolean variables need no gates and no lowering; all other statements decide
        # which encoding each integer gets.
        clauses = [self._clause(statement) for statement in statements]
        general = [each for each, clause in zip(statements, clauses, strict=True) if clause is None]
        uses = EncodingHints.of(general if objective is None else [*general, objective])
        for variable in integers:
            single, summed = variable not in uses.otherwise, variable in uses.summed
            encoding = encoding_for(variable, single, summed)
            self.encodings[variable] = encoding
            made = self.literals[variable] = literals_of(variable.domain, encoding, self._circuit)
            for ref in made.refs:
                self._named(ref, output.new_var())
            if made.tied is not None:
                lits = tuple(self._lits[ref] for ref in made.refs)
                output.know(Group(lits, chain=made.tied))
        self._output = output
        axioms = [ref for made in self.literals.values() for ref in made.axioms()]
        refs = [self._lowering.ref(statement) for statement in general]
        # The output learns all groups before it encodes the first sum, so that every sum can use
        # them: all axioms and statements hold in every model.
        for lits in self._at_most_one([*axioms, *refs]):
            output.know(Group(lits))
        for ref in axioms:
            self._transformer.require(ref)
        waiting = iter(refs)
        for clause in clauses:
            if clause is None:
                self._transformer.require(next(waiting))
            else:
                self._add_clause(clause)

    def add(self, *statements: AnyProposition) -> None:
        """Encode further statements over the existing variables.

        Raises TypeError for a non-proposition, EncodingError for a variable made later.
        """
        for statement in statements:
            stated = proposition(statement)
            clause = self._clause(stated)
            if clause is None:
                self._transformer.require(self._lowering.ref(stated))
            else:
                self._add_clause(clause)

    def literal(self, statement: AnyProposition) -> Lit:
        """Return a literal that is true exactly if the statement is: to be assumed, for example."""
        return self._transformer.literal(self._lowering.ref(proposition(statement)))

    def linear_form(self, operand: Operand) -> tuple[int, list[tuple[Lit, int]]]:
        """Return an expression as a constant and weighted literals: an objective, for example."""
        constant, terms = self._lowering.linear_form(operand)
        return constant, [(self._transformer.literal(ref), weight) for ref, weight in terms]

    def integer_sum(self, variable: IntegerVariable) -> tuple[int, list[tuple[Lit, int]]]:
        """Return an integer as `linear_form` does, and its other literals with weight 0."""
        constant, terms = self.linear_form(variable)
        weighed = {abs(lit) for lit, _ in terms}
        own = [self._lits[ref] for ref in self.literals[variable].refs]
        return constant, terms + [(lit, 0) for lit in own if abs(lit) not in weighed]

    def value(self, operand: Operand, model: Collection[Lit]) -> int:
        """Return the value of an expression in a model, 0 or 1 of a proposition.

        `model` holds the true literals. A variable without a literal in `model` is false.
        """
        true = model if isinstance(model, set | frozenset) else frozenset(model)

        def value_of(leaf: Leaf) -> int:
            if isinstance(leaf, Literal):
                return int((abs(leaf.lit) in true) == (leaf.lit > 0))
            found = self.literals.get(leaf)
            if found is None:
                raise EncodingError(
                    f"the integer {leaf!r} is not in this encoding: it was made later, or elsewhere"
                )
            try:
                return found.read(lambda ref: self._lits[ref] in true)
            except StopIteration:
                raise EncodingError(f"no model: it gives the integer {leaf!r} no value") from None

        return value(operand, value_of)

    def names(self, integers: Mapping[Hashable, IntegerVariable]) -> dict[Var, str]:
        """Return names for the literals of the integers, such as ``x>=3``."""
        return {
            self._lits[ref]: f"{name!s}{meaning}"
            for name, variable in integers.items()
            for ref, meaning in zip(
                self.literals[variable].refs, self.literals[variable].meanings(), strict=True
            )
        }

    def _clause(self, statement: Proposition) -> dict[Lit, None] | None:
        """Return the literals of a statement that is a clause and needs no gate; None otherwise."""
        sign, inner = (-1, statement.part) if isinstance(statement, Not) else (1, statement)
        if not isinstance(inner, Compound) or inner.connective is not _JOINED[sign]:
            return None
        found: dict[Lit, None] = {}
        for part in inner.parts:
            if not isinstance(part, Literal):
                return None
            self._variable(part)
            found[sign * part.lit] = None
        return found

    def _add_clause(self, clause: dict[Lit, None]) -> None:
        if not any(-lit in clause for lit in clause):
            self._output.add_clause(list(clause))

    def _at_most_one(self, refs: Iterable[Ref]) -> Iterator[tuple[Lit, ...]]:
        """Yield groups of literals of which the statements allow at most one to be true."""
        # Every reference in `waiting` is true in every model: all children of a conjunction are.
        waiting = list(refs)[::-1]
        while waiting:
            ref = waiting.pop()
            gate = self._circuit[ref]
            if ref < 0:
                continue
            if gate.operation is Operation.AND:
                waiting += reversed(gate.children)
            elif gate.operation is Operation.SUM and gate.upper == max(gate.weights) == 1:
                inputs = [child for child in gate.children if abs(child) in self._lits]
                yield tuple(self._lits[c] if c > 0 else -self._lits[-c] for c in inputs)

    def _named(self, ref: Ref, lit: Lit) -> None:
        self._lits[ref] = lit
        self._transformer.name(ref, lit)

    def _input(self, literal: Literal) -> Ref:
        var = self._variable(literal)
        if var not in self._inputs:
            self._inputs[var] = self._circuit.input()
            self._named(self._inputs[var], var)
        return self._inputs[var]

    def _variable(self, literal: Literal) -> Var:
        var, name = abs(literal.lit), literal.name
        if name is not None and self._names.name(var) != name:
            raise EncodingError(f"the Boolean {name!s} belongs to another builder")
        if var > self._num_booleans:
            raise EncodingError(f"variable {var} was made after the encoding, or by nobody")
        return var
