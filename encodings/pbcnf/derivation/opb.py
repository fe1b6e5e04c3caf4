"""OPB files: their clauses, and the proof that these follow from the constraints in the file."""

from __future__ import annotations

from collections.abc import Sequence

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, PseudoBoolean
from pbcnf.derivation.encoded_constraint import linear_terms
from pbcnf.derivation.inequalities import LinearInequality, linear_inequality
from pbcnf.derivation.problems import CertifiedEncoding, derive_problem
from pbcnf.derivation.steps import BoundIds
from pbcnf.emission.whole_problems import Choices
from pbcnf.errors import EncodingError
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from pbcnf.proof.cutting_planes.inequality import Inequality
from pbcnf.wording import counted


def derive_opb(
    raw: bytes,
    constraints: Sequence[Constraint],
    choices: Choices | None = None,
    most_clauses: int | None = None,
    source: str = "problem.opb",
) -> CertifiedEncoding:
    r"""Encode an OPB file, and derive every clause from the rows that a checker reads in it.

    ``constraints``: the same file as `pbcnf.formats.problems.read_problem` reads it.

    Raises ProofError for a file that checkers do not read (products, names other than x1, x2, ...),
    and ValueError for a constraint that cannot be encoded or derived.

    >>> made = derive_opb(b"2 x1 2 x2 2 x3 >= 3 ;\n", [Cardinality([1, 2, 3], 2)])
    Traceback (most recent call last):
    pbcnf.errors.EncodingError: row 1 is read in two ways
    >>> made = derive_opb(b"1 x1 1 x2 1 x3 >= 2 ;\n", [Cardinality([1, 2, 3], 2)])
    >>> made.formula.num_clauses, made.derivation.added
    (3, 3)
    """
    formula = read_formula(raw, source, objective=True)
    numbered = _numbered(formula, constraints, source)
    size = len(formula.constraints)
    return derive_problem(numbered, formula.variables, size, choices, most_clauses)


def _numbered(
    formula: PbFormula, constraints: Sequence[Constraint], source: str
) -> list[tuple[Linear, BoundIds]]:
    """Return each constraint with the numbers of its rows.

    Raises ValueError if the rows do not say what the constraints say.
    """
    if len(formula.rows) != len(constraints):
        raise EncodingError(
            f"read are {counted(len(formula.rows), 'constraint')} by the checker,"
            f" {len(constraints)} by others"
        )
    found: list[tuple[Linear, BoundIds]] = []
    first = 1
    for size, constraint in zip(formula.rows, constraints, strict=True):
        if not isinstance(constraint, Cardinality | PseudoBoolean):
            raise EncodingError(f"{source}: no OPB file has a {type(constraint).__name__}")
        own = range(first, first + size)
        found.append((constraint, _numbers(constraint, own, formula)))
        first += size
    return found


def _numbers(constraint: Linear, own: range, formula: PbFormula) -> BoundIds:
    terms = linear_terms(constraint)
    lower = linear_inequality(terms, constraint.lower)
    upper = linear_inequality([(-weight, lit) for weight, lit in terms], -constraint.upper)
    said = {_row(formula.constraints[number - 1]): number for number in own}
    numbers = BoundIds(said.pop(_key(lower), None), said.pop(_key(upper), None))
    if said:
        raise EncodingError(f"row {min(said.values())} is read in two ways")
    return numbers


def _row(found: Inequality) -> tuple[object, ...]:
    return _key(
        linear_inequality([(weight, lit) for lit, weight in found.terms.items()], found.degree)
    )


def _key(of: LinearInequality) -> tuple[object, ...]:
    return (frozenset(of.coefficients.items()), of.degree)
