"""A whole statements file: its clauses derived from its canonical rows, and these from the clauses.

Forward, the literals of the encodings and one variable for each gate are introduced; each node of
the file is shown to equal its gate, each row of `Builder.problem` follows from the gates, and the
clauses from the rows as those of a file do. Links say what the literals of an integer add up to.
Then all but clauses is deleted, and everything is shown once more in the other direction: the rows
from the clauses, the gates from the rows, canonical literals from those of the encodings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbcnf.constraints.constraint import Constraint
from pbcnf.derivation.derivation_state import Derivation, DerivationState, UnderivableError
from pbcnf.derivation.inequalities import LinearInequality
from pbcnf.derivation.opb import derive_encoded, rows_again
from pbcnf.derivation.statements.emitted import EmittedRows, numbered
from pbcnf.derivation.statements.gates import ExactGates
from pbcnf.derivation.statements.integers import LinkedInteger
from pbcnf.derivation.statements.nodes import EqualNodes
from pbcnf.derivation.statements.reasoning import Equation, Halves, Reasoning, halves_of
from pbcnf.derivation.statements.recorded import RecordedEncoding, RecordedOutput, StatedClause
from pbcnf.emission.whole_problems import Choices, Encoded, encode_problem
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.language.builder import Builder
from pbcnf.language.circuit import Operation, Ref
from pbcnf.language.expressions import Not
from pbcnf.language.integers import IntegerEncoding, IntegerVariable
from pbcnf.language.statements_file import StatementsFile
from pbcnf.literals import Var
from pbcnf.proof.cutting_planes.canonical import CanonicalRows, canonical_rows


@dataclass(slots=True)
class CertifiedStatements:
    """The clauses of a statements file, and how they follow from its canonical rows."""

    builder: Builder
    canonical: CanonicalRows
    formula: Formula
    """The clauses, with the numbers of variables that a CNF has."""
    derivation: Derivation
    encoded: list[Encoded]
    one_way: str | None = None
    """Why the canonical rows are not derived from the clauses again; None if they are."""


def derive_statements(
    raw: bytes,
    source: str = "statements.json",
    choices: Choices | None = None,
    most_clauses: int | None = None,
) -> CertifiedStatements:
    """Encode a statements file as `Builder.problem` and `encode_problem` do, with a derivation.

    Raises ProofError for a file that checkers do not read, EncodingError for one that cannot be
    encoded, and for a statement without a derivation.
    """
    canonical = canonical_rows(raw, source)
    file = StatementsFile(raw, source)
    output = RecordedOutput(canonical.variables)
    encoding = RecordedEncoding(file.builder, output)
    formula = Formula(output.num_vars)
    every: list[Constraint] = [*output.constraints]
    encoded = [*encode_problem(every, formula, choices, most_clauses)]
    run = _Run(canonical, file, encoding, formula)
    try:
        one_way = run.derive(encoded)
    except UnderivableError as error:
        raise EncodingError(f"{source}: these statements have no proof: {error}") from None
    shift = canonical.variables - canonical.booleans
    shifted = Formula(formula.num_vars - shift)
    for clause in formula.clauses():
        shifted.add_clause([_moved(lit, canonical, shift) for lit in clause])
    return CertifiedStatements(file.builder, canonical, shifted, run.derivation, encoded, one_way)


def _moved(lit: int, canonical: CanonicalRows, shift: int) -> int:
    if abs(lit) <= canonical.booleans:
        return lit
    return lit - shift if lit > 0 else lit + shift


@dataclass(slots=True)
class _Run:
    canonical: CanonicalRows
    file: StatementsFile
    encoding: RecordedEncoding
    formula: Formula
    derivation: Derivation = field(init=False)
    _link_rows: dict[int, LinearInequality] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.derivation = Derivation(len(self.canonical.rows))

    def derive(self, encoded: Sequence[Encoded]) -> str | None:
        """Take all steps; return why there is no way back, None if there is one."""
        derivation = self.derivation
        rows, links, last = self._forward()
        before = derivation.formula + derivation.added
        given, next_number = [], before - sum(map(len, rows)) + 1
        first = next_number
        for constraint in self.encoding.rows.linear():
            ids, next_number = numbered(constraint, next_number)
            given.append((constraint, ids))
        state = DerivationState(derivation)
        state.last_var = max(last, self.formula.num_vars)
        every = derive_encoded(encoded, given, self.formula, state)
        derivation.delete(range(first, before + 1))
        state = DerivationState(derivation)
        state.last_var = last
        restated = self._restated(links, state)
        gone = [*range(1, derivation.formula + 1), *restated]
        if not gone:
            # There is nothing that a model of the clauses could fail to satisfy.
            return None
        mark = len(derivation.steps), derivation.added
        found = rows_again(every, state, gone, first - 1)
        if isinstance(found, str):
            return found
        state.last_var = last
        numbers = {
            place: [found[n] for n in ids if n is not None] for place, (_, ids) in enumerate(given)
        }
        try:
            self._back(numbers, state)
        except UnderivableError as error:
            # What is there shows one direction; the turn itself is taken back.
            del derivation.steps[mark[0] :]
            derivation.added = mark[1]
            return str(error)
        return None

    def _restated(self, links: Sequence[int], state: DerivationState) -> list[int]:
        """State the links once more, behind the clauses."""
        for number in links:
            state.rows[number] = self._link_rows[number]
        new = [state.add([(number, 1)]) for number in links]
        state.delete(links)
        return new

    def _start(self, state: DerivationState) -> tuple[Reasoning, ExactGates]:
        reasoning = Reasoning(state)
        lits = self.encoding.gate_literals
        return reasoning, ExactGates(self.encoding.circuit, reasoning, lits.__getitem__)

    def _integers(
        self, gates: ExactGates, reasoning: Reasoning
    ) -> dict[IntegerVariable, LinkedInteger]:
        found = {}
        for stated, variable in zip(
            self.canonical.integers, self.file.builder.integer_variables(), strict=True
        ):
            made = self.encoding.literals[variable]
            found[variable] = LinkedInteger(
                stated, made, self.encoding.encodings[variable], gates, reasoning
            )
        return found

    def _forward(self) -> tuple[list[list[int]], list[int], Var]:
        """Derive the rows of the problem and the links; return their numbers, in order."""
        canonical, derivation = self.canonical, self.derivation
        state = DerivationState(derivation)
        state.last_var = self.formula.num_vars
        for number, (terms, degree) in enumerate(canonical.rows, start=1):
            state.declare(number, [(w, lit) for lit, w in terms.items()], degree)
        reasoning, gates = self._start(state)
        integers = self._integers(gates, reasoning)
        chain = 1
        for integer in integers.values():
            size = max(len(integer.canonical) - 1, 0)
            integer.encode(range(chain, chain + size))
            chain += size
        meanings = {each.var: halves_of(each) for some in canonical.made.values() for each in some}
        nodes = EqualNodes(
            canonical, self.file, meanings, self.encoding, integers, gates, reasoning
        )
        emitted = EmittedRows(self.encoding, gates, reasoning)
        emitted.copy_gates()
        for integer in integers.values():
            for ref in integer.made.axioms():
                emitted.assert_root(ref, axiom(integer, ref, gates, reasoning))
        first = len(canonical.rows) - len(canonical.statements)
        clauses = iter([e for e in self.encoding.rows.events if isinstance(e, StatedClause)])
        for at, is_clause in zip(canonical.statements, self.encoding.is_clause, strict=True):
            first += 1
            if is_clause:
                for place in next(clauses).rows:
                    lits = self.encoding.rows.linear()[place].lits
                    emitted.numbers[place] = [
                        reasoning.clause(lits, [first, *self._inner(at, nodes)])
                    ]
                continue
            equation, ref = self._equal(at, nodes)
            unit = reasoning.clause([gates.literal(ref)], [first, *equation.numbers])
            emitted.assert_root(ref, unit)
        emitted.derive()
        rows = [emitted.numbers[place] for place in range(len(emitted.rows))]
        links = [
            number
            for integer in integers.values()
            if integer.canonical
            for number in _both(integer.link)
        ]
        self._link_rows = {number: state.rows[number] for number in links}
        again = [[state.add([(number, 1)]) for number in some] for some in rows]
        kept = {*links, *(number for some in again for number in some)}
        given = derivation.formula
        state.delete([n for n in range(given + 1, given + derivation.added + 1) if n not in kept])
        return again, links, state.last_var

    def _equal(self, at: int, nodes: EqualNodes) -> tuple[Equation, Ref]:
        """Show that a statement equals its gate. Raises EncodingError, with its node's number."""
        try:
            return nodes.equation(at), nodes.ref(self.file.truth(at))
        except EncodingError as error:
            kind = type(error)
            raise kind(f"node {at} is stated: {error}") from None

    def _inner(self, at: int, nodes: EqualNodes) -> list[int]:
        """Return the constraints of a node that is a clause of literals, or of its negation."""
        each = self.file.nodes[at]
        found = nodes.rows_of(at)
        if isinstance(each, Not):
            found += nodes.rows_of(nodes.places[each.part])
        return found

    def _back(self, numbers: dict[int, list[int]], state: DerivationState) -> None:
        """Derive canonical rows and links from the rows of the problem, whose numbers these are."""
        canonical = self.canonical
        reasoning, gates = self._start(state)
        emitted = EmittedRows(self.encoding, gates, reasoning)
        emitted.declare(numbers)
        integers = self._integers(gates, reasoning)
        emitted.imply_gates()
        emitted.assert_gates()
        chain: list[int] = []
        for integer in integers.values():
            axioms: list[int] = []
            for ref in integer.made.axioms():
                gates.literal(ref)
                axioms += [emitted.root(ref), *gates.cone(ref), *emitted.rows_about(ref)]
            integer.introduce(axioms)
            chain += integer.chain
        meanings: dict[Var, Halves] = {}
        definitions: list[int] = []
        for at in sorted(canonical.made):
            for each in canonical.made[at]:
                halves = self._defined(each.var, canonical.rows, each.rows, reasoning)
                meanings[each.var] = halves
                definitions += halves.numbers
        nodes = EqualNodes(
            canonical, self.file, meanings, self.encoding, integers, gates, reasoning
        )
        clauses = iter([e for e in self.encoding.rows.events if isinstance(e, StatedClause)])
        stated = []
        for at, is_clause in zip(canonical.statements, self.encoding.is_clause, strict=True):
            lit = nodes.literal(at)
            if is_clause:
                rows = emitted.rows_of(next(clauses).rows)
                stated.append(reasoning.clause([lit], [*rows, *self._inner(at, nodes)]))
                continue
            equation, ref = self._equal(at, nodes)
            stated.append(reasoning.clause([lit], [emitted.root(ref), *equation.numbers]))
        links = [
            number
            for integer in integers.values()
            if integer.canonical
            for number in _both(integer.link)
        ]
        for number in (*chain, *definitions, *stated, *links):
            state.add([(number, 1)])

    def _defined(
        self, var: Var, rows: Sequence[object], places: tuple[int, ...], reasoning: Reasoning
    ) -> Halves:
        """Introduce a canonical variable by its rows."""
        first = self.canonical.rows[places[0] - 1]
        if len(places) == 1:
            [lit] = first.terms
            return Halves(None, None, reasoning.state.fix(lit))
        terms = [(w, lit) for lit, w in first.terms.items() if abs(lit) != var]
        return reasoning.defined(var, terms, first.degree)


def _both(equation: Equation) -> list[int]:
    if equation.ge is None or equation.le is None:
        raise UnderivableError("a link says nothing")
    return [equation.ge, equation.le]


def axiom(integer: LinkedInteger, ref: Ref, gates: ExactGates, reasoning: Reasoning) -> int:
    """Derive an axiom of an encoding from the canonical literals of its integer."""
    if integer.encoding is IntegerEncoding.BINARY:
        return integer.beyond(ref)
    gate, known = gates.literal(ref), gates.cone(ref)
    if integer.encoding is IntegerEncoding.ORDER:
        known += integer.order_rows()
        return reasoning.clause([gate], known)
    total = integer.total()
    found = reasoning.clause_if([gate], [*known, *total.numbers])
    if found is not None:
        return found
    if gates.circuit[ref].operation is not Operation.SUM:
        raise UnderivableError("an axiom of a direct encoding does not follow")
    sides = []
    for (lit, halves), number in zip(gates.sides[abs(ref)], total, strict=True):
        assert halves.while_false is not None
        assert number is not None
        sides.append(reasoning.refuted([lit], [(number, 1), (halves.while_false, 1)]))
    return reasoning.clause([gate], [*sides, *known])
