"""A proof followed from statements to the clauses of a CNF, and back if it turns around."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbcnf.proof.cnf_reader import parse_cnf
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.derivation_recheck import FollowedProof, GivenRows
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.statements.canonical_rows import CanonicalRows
from satsweeper.checker.statements.reading import read_statements
from satsweeper.checker.sums_recheck import SumInequality


class IntegerLink(NamedTuple):
    """The integer ``name`` is ``constant`` + sum of weight * variable in a model of the CNF.

    ``weights``: variable of the CNF -> weight.
    """

    name: str
    constant: int
    weights: dict[int, int]


@dataclass(frozen=True)
class RecheckedStatements:
    """A followed proof.

    Args:
        equivalent: whether every model of the CNF says a solution; otherwise only that every
            solution extends to a model is shown.
        links: what a model says of each integer, in the order of the statements file.
        booleans: the Boolean variables are 1 .. ``booleans``, here and in the CNF.
        rows: the number of canonical rows.
        canonical: the number of their variables, Booleans included.
        variables: the number of variables in the header of the CNF.
        clauses: the number of its clauses.
    """

    equivalent: bool
    links: tuple[IntegerLink, ...]
    booleans: int
    rows: int
    canonical: int
    variables: int
    clauses: int

    @property
    def shown(self) -> str:
        """The claim that the proof shows: "equivalent", or "no solution lost"."""
        return "equivalent" if self.equivalent else "no solution lost"


def recheck_statements(
    statements: bytes,
    formula: bytes,
    proof: bytes,
    names: tuple[str, str, str] = ("statements.json", "formula.cnf", "proof.pbp"),
) -> RecheckedStatements:
    """Follow ``proof`` from ``statements``, and compare what it leaves with ``formula``.

    Args:
        statements: a statements file, JSON.
        formula: a file in DIMACS CNF.
        proof: a text in VeriPB's format, version 3.0.
        names: the names of the three files, for errors.

    Raises:
        WrongCertificateError: the first defect of a file, or the first step that is not sound.
    """
    read = read_statements(statements, names[0])
    try:
        canonical = CanonicalRows(read)
    except ValueError as error:
        raise WrongCertificateError(names[0], f"too large: {error}") from None
    try:
        cnf = parse_cnf(formula, names[1])
    except ProofFormatError as error:
        raise wrong_at(names[1], error.line, error.message) from None
    if cnf.num_vars < read.booleans:
        fault = f"{counted(cnf.num_vars, 'variable')}, but {counted(read.booleans, 'Boolean')}"
        raise WrongCertificateError(names[1], f"{fault} in {names[0]}")
    try:
        steps = proof.decode("ascii")
    except UnicodeDecodeError as error:
        raise WrongCertificateError(names[2], f"byte {error.start}: not ASCII") from None
    linked = [form for form in canonical.integers if form.terms]
    numbers = _Numbering(read.booleans, canonical.variables, cnf.num_vars)
    rows = GivenRows(canonical.rows, canonical.variables, read.booleans, 2 * len(linked))
    left = FollowedProof(rows, names[2], numbers.last).result(steps)
    _compare(left.clauses, cnf.clauses, numbers, names)
    if len(left.links) < rows.links:
        raise WrongCertificateError(names[2], "followed again: links of integers are missing")
    links = []
    halves = iter(left.links)
    for integer, form in zip(read.integers, canonical.integers, strict=True):
        constant, weights = form.constant, dict[int, int]()
        if form.terms:
            try:
                constant, weights = _link(form.constant, form.terms, next(halves), next(halves))
                weights = {numbers.in_cnf(y): weight for y, weight in weights.items()}
            except ValueError as error:
                fault = f"followed again: the link of the integer {integer.name!r}: {error}"
                raise WrongCertificateError(names[2], fault) from None
        links.append(IntegerLink(integer.name, constant, weights))
    sizes = read.booleans, len(canonical.rows), canonical.variables, cnf.num_vars, len(cnf.clauses)
    return RecheckedStatements(left.equivalent, tuple(links), *sizes)


class _Numbering(NamedTuple):
    """Variables of a CNF and of a proof, of which ``booleans`` and ``canonical`` come first."""

    booleans: int
    canonical: int
    variables: int
    """The last variable of the CNF."""

    @property
    def last(self) -> int:
        """The variable of the proof that stands for the last one of the CNF."""
        return self.canonical + self.variables - self.booleans

    def in_proof(self, lit: int) -> int:
        """Return the literal of the proof that stands for ``lit`` of the CNF."""
        if abs(lit) <= self.booleans:
            return lit
        more = self.canonical - self.booleans
        return lit + more if lit > 0 else lit - more

    def in_cnf(self, v: int) -> int:
        """Return the variable of the CNF that ``v`` stands for. Raises ValueError for others."""
        if v <= self.booleans:
            return v
        # Variables up to ``canonical`` are in no CNF. One above ``last`` would have no value in a
        # model, and the proof could define it as it likes.
        if not self.canonical < v <= self.last:
            raise ValueError(f"x{v} stands for no variable of the CNF")
        return v - self.canonical + self.booleans


def _compare(
    left: Sequence[frozenset[int] | None],
    clauses: Sequence[Sequence[int]],
    numbers: _Numbering,
    names: tuple[str, str, str],
) -> None:
    """Refuse a CNF whose clauses are not those ``left`` by the proof, in order."""
    # The clauses are compared by the numbers of the proof: to those, every variable of the CNF has
    # exactly one, while the proof has variables that the CNF has not.
    for place, (found, clause) in enumerate(zip(left, clauses, strict=False), start=1):
        if found != frozenset(map(numbers.in_proof, clause)) or len(found) < len(clause):
            fault = f"followed again: clause {place} is not the one that the proof leaves"
            raise WrongCertificateError(names[1], fault)
    if len(left) != len(clauses):
        fault = f"{counted(len(clauses), 'clause')}, where the proof leaves {len(left)}"
        raise WrongCertificateError(names[1], f"followed again: {fault}")


def _link(
    constant: int, gaps: dict[int, int], first: SumInequality, second: SumInequality
) -> tuple[int, dict[int, int]]:
    """Return constant and weights of the sum that equals ``constant`` + sum of gap * variable.

    ``first`` must say that the form is at least the sum, ``second`` that it is at most the sum;
    ``gaps``: order literal of the integer -> gap. Raises ValueError for other inequalities.
    """
    if second != SumInequality({v: -c for v, c in first.left.items()}, -first.bound):
        raise ValueError("its two inequalities are not opposite")
    # first: constant + sum of gaps - (sum) >= 0, so sum of gaps - sum of weights >= bound, where
    # bound is the constant of the sum without ``constant``.
    if any(first.left.get(v) != gap for v, gap in gaps.items()):
        raise ValueError("an order literal has not the distance of two values as its weight")
    weights = {y: -c for y, c in first.left.items() if y not in gaps}
    return constant + first.bound, weights
