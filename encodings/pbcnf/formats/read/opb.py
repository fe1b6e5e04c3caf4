"""OPB, the linear pseudo-Boolean format of the PB competitions, 2005 to 2024, and WBO: the reader.

::

    * #variable= 3 #constraint= 2 #equal= 1 intsize= 4
    * a comment
    min: +1 x1 ;
    +2 x1 -3 ~x2 +1 x3 >= 1 ;
    @label +1 x1 ~x2 +1*x3 = 1 ;

``~x2`` is the negation of x2. Statements end with a semicolon and may span lines or share one; the
objective is one of them, anywhere. ``<=``, ``<`` and ``>`` are read as well, names other than
x1, x2, ... (see `pbcnf.formats.opb.variables`), a star behind a weight, a label before a statement,
which is dropped, products of literals, decimals, ``/* comments */`` and, if all variables are 0/1,
files of lp_solve (see `pbcnf.formats.opb.variables`). The first comment declares the numbers of
variables and constraints; it may be missing. A file with more variables, or more or fewer
constraints, makes a note, and is refused only if `FileLines.strict` is set.

Each distinct product becomes a variable, which clauses behind all constraints define. In WBO a
constraint behind ``[weight]`` is soft: its relaxation variable is true if the constraint is given
up, and the objective is the total weight of the constraints given up; ``soft: top ;`` demands that
the objective is below top. Reference: Roussel, Manquinho: Input/output format and solver
requirements for the competitions of pseudo-Boolean solvers (2012, revised for PB24).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.constraints.problem import Objective
from pbcnf.formats.digits import MOST_DIGITS
from pbcnf.formats.error import FormatError, declared_variables, excerpt, too_many_variables
from pbcnf.formats.opb.parsing import OpbStatement, Parsed, parse, statements
from pbcnf.formats.opb.variables import PLAIN_SUM, Variables, find_variables, product_of
from pbcnf.formats.problem_file import FileLines, ProblemFile
from pbcnf.formats.rows import given_up, relaxed
from pbcnf.literals import MAX_VAR, Lit, Var
from pbcnf.wording import are, counted

_DECLARED: Final = re.compile(rb"#(variable|constraint)=\s*(\S+)")
_CONSTRAINT: Final = re.compile(rb"(" + PLAIN_SUM + rb")(>=|<=|=)\s*([+-]?[0-9]+)\s*")


@dataclass(frozen=True, slots=True)
class OpbHeader:
    """The numbers declared by the first comment; None for a number that is not declared."""

    variables: int | None
    constraints: int | None


def open_opb(lines: FileLines) -> ProblemFile:
    """Open a file. Raises FormatError, now or while the constraints are read, and OSError."""
    with closing(lines.again()) as opened:
        header = read_header(opened, lines.source)
    variables = find_variables(lines, header.variables)
    reader = _Reader(lines, header, variables)
    return reader.problem


def read_header(lines: Iterable[bytes], source: str) -> OpbHeader:
    """Read the declaration in the comments before the first statement of `lines`.

    Raises FormatError for a number that is none, or more variables than literals can name.
    """
    found: dict[bytes, int] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith(b"*"):
            break
        for match in _DECLARED.finditer(line):
            name, text = match.groups()
            if not re.fullmatch(rb"[0-9]{1,18}", text):
                message = f"#{name.decode()}= needs a number"
                raise FormatError(source, number, match.start(2) + 1, message)
            if name == b"variable" and int(text) > MAX_VAR:
                message = too_many_variables(int(text))
                raise FormatError(source, number, match.start(2) + 1, message)
            found.setdefault(name, int(text))
        if found:
            break
    return OpbHeader(found.get(b"variable"), found.get(b"constraint"))


class _Reader:
    """An OPB file whose constraints are read one at a time; only the current constraint is kept."""

    def __init__(self, lines: FileLines, header: OpbHeader, variables: Variables) -> None:
        self.lines, self.header, self.variables = lines, header, variables
        self.products = max(variables.own, header.variables or 0) + 1
        self.soft = self.products + len(variables.products)
        self.problem = ProblemFile(
            "opb", self.soft - 1 + variables.soft, header.constraints, self._constraints()
        )
        self.problem.own, self.problem.names = self.products - 1, self._names
        # Statements with variables up to `limit` only are read without a check of each literal.
        self.limit = min(self.products - 1, header.variables or MAX_VAR)
        self.objective: OpbStatement | None = None
        self.given_up: list[tuple[int, Var]] = []
        self.top: int | None = None
        # Second inequalities of soft constraints with two bounds, yielded after all statements.
        self.behind: list[PseudoBoolean] = []

    def _names(self) -> dict[Var, str]:
        found = {var: name.decode("ascii") for name, var in self.variables.others.items()}
        for lits, var in self.variables.products.items():
            found[var] = "*".join(
                ("~" if lit < 0 else "") + found.get(abs(lit), f"x{abs(lit)}") for lit in lits
            )
        for place in range(self.variables.soft):
            found[self.soft + place] = given_up(place + 1)
        return found

    def _constraints(self) -> Iterator[PseudoBoolean | Cardinality]:
        count, last, declared = 0, 0, self.header.constraints
        for statement in statements(self.lines.again(), self.lines.source):
            last = statement.line
            found = self._plain(statement) or self._parsed(statement)
            if found is None:
                continue
            count += 1
            if declared is not None and count == declared + 1:
                message = f"constraint {count}, but {declared} {are(declared)} declared"
                self._note(statement.error(0, message))
            yield found
        if declared is not None and count < declared:
            message = f"the file ends after {count} of {counted(declared, 'declared constraint')}"
            self._note(FormatError(self.lines.source, last or None, None, message))
        yield from self.behind
        for lits, var in self.variables.products.items():
            # The variable of a product implies each factor, and all factors imply the variable.
            yield from (Cardinality([-var, lit], lower=1) for lit in lits)
            yield Cardinality([var, *(-lit for lit in lits)], lower=1)
        if self.given_up:
            if self.objective is not None:
                raise self.objective.error(0, "an objective beside soft constraints")
            softs, weights = zip(*[(var, weight) for weight, var in self.given_up], strict=True)
            self.problem.objective = counted(len(softs), "soft constraint")
            self.problem.parsed_objective = Objective(softs, weights)
            if self.top is not None:
                yield PseudoBoolean(softs, weights, upper=self.top - 1)

    def _plain(self, statement: OpbStatement) -> PseudoBoolean | None:
        """Return a constraint of plain terms, or None if `statement` needs the full parser."""
        match = _CONSTRAINT.fullmatch(statement.text)
        if match is None:
            return None
        terms, relation, bound = match.groups()
        words = terms.replace(b"*", b" ").replace(b"~x", b"-").replace(b"x", b"").split()
        if len(statement.text) > MOST_DIGITS and max(map(len, [*words, bound])) > MOST_DIGITS:
            return None
        lits = list(map(int, words[1::2]))
        if lits and (max(lits) > self.limit or min(lits) < -self.limit):
            return None
        value = int(bound)
        return PseudoBoolean(
            lits,
            map(int, words[::2]),
            lower=None if relation == b"<=" else value,
            upper=None if relation == b">=" else value,
        )

    def _parsed(self, statement: OpbStatement) -> PseudoBoolean | None:
        """Return the constraint of a statement beyond plain sums; None for other statements."""
        parsed = parse(statement)
        if parsed.kind == "soft":
            if self.top is not None:
                raise statement.error(0, "a second 'soft:'")
            self.top = parsed.bound
            return None
        if parsed.kind in ("int", "bin", "binary"):
            return None
        lits, weights = self._terms(statement, parsed)
        if parsed.kind:
            if self.objective is not None:
                first = self.objective.error(0, "").line
                raise statement.error(0, f"a second objective: the first is in line {first}")
            self.objective = statement
            self.problem.objective = statement.text.decode("ascii").strip()
            maximise = parsed.kind == "max"
            self.problem.parsed_objective = Objective(
                tuple(lits), tuple(weights), 0, maximise, parsed.scale
            )
            return None
        constraint = _bounded(lits, weights, parsed, self.variables.lp_solve)
        if parsed.weight is None:
            return constraint
        var = self.soft + len(self.given_up)
        self.given_up.append((parsed.weight, var))
        first_bound, *other = relaxed(constraint, var)
        self.behind += other
        return first_bound

    def _terms(self, statement: OpbStatement, parsed: Parsed) -> tuple[list[Lit], list[int]]:
        """Return literals and weights; products are replaced by their variables."""
        lits: list[Lit] = []
        weights: list[int] = []
        for weight, factors in parsed.terms:
            found = []
            for factor in factors:
                lit = self.variables.literal(factor.text)
                if abs(lit) > self.limit:
                    self._check(statement, factor.offset, factor.text, abs(lit))
                found.append(lit)
            product = tuple(found) if len(found) == 1 else product_of(found)
            if product is None:
                continue
            lits.append(product[0] if len(product) == 1 else self.variables.products[product])
            weights.append(weight)
        return lits, weights

    def _check(self, statement: OpbStatement, offset: int, text: bytes, var: Var) -> None:
        """Refuse a variable above MAX_VAR; note a variable above the declared number."""
        declared = self.header.variables
        most = MAX_VAR if var > MAX_VAR or declared is None else declared
        message = f"variable {excerpt(text)}: {declared_variables(most)}"
        if var > MAX_VAR:
            raise statement.error(offset, message)
        self._note(statement.error(offset, message))
        self.limit = self.products - 1

    def _note(self, error: FormatError) -> None:
        if self.lines.strict:
            raise error
        self.problem.notes.append(str(error))


def _bounded(lits: list[Lit], weights: list[int], parsed: Parsed, lp_solve: bool) -> PseudoBoolean:
    bound, relation = parsed.bound or 0, parsed.relation
    # In lp_solve's format ``<`` is ``<=``.
    gap = 1 if relation in (b"<", b">") and not lp_solve else 0
    lower = None if relation[:1] == b"<" else bound + gap
    upper = None if relation[:1] == b">" else bound - gap
    return PseudoBoolean(lits, weights, lower, upper)
