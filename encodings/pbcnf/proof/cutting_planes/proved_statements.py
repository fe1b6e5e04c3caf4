"""Clauses checked against a statements file, by the proof from its canonical rows.

Variables up to the number of Booleans are those of the CNF; the CNF's later ones come behind the
canonical ones in the proof. Behind the clauses a proof leaves two constraints for each integer of
more than one value, its link: the integer is a constant and a weighted sum of the CNF's literals.
So a model of the CNF, decoded by these sums, is what the proof is about.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbcnf.proof.cnf_reader import parse_cnf
from pbcnf.proof.cutting_planes.canonical import CanonicalRows, StatedInteger, canonical_rows
from pbcnf.proof.cutting_planes.checker import Shared, check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.formula import PbFormula
from pbcnf.proof.cutting_planes.inequality import Inequality
from pbcnf.proof.cutting_planes.statements import MOST_COMPUTED
from pbcnf.proof.format_error import ProofFormatError


@dataclass(frozen=True, slots=True)
class DecodedInteger:
    """The value of an integer in a model: ``constant + sum of weight * literal``."""

    name: str
    constant: int
    terms: tuple[tuple[int, int], ...]
    """Weights and variables of the CNF."""


@dataclass(frozen=True, slots=True)
class CheckedStatements:
    """The sizes of what was checked, and how integers are decoded."""

    statements: int
    booleans: int
    integers: tuple[DecodedInteger, ...]
    rows: int
    """Canonical rows."""
    variables: int
    clauses: int
    steps: int
    equivalent: bool
    """Whether every model of the clauses, decoded, is a solution of the statements."""

    @property
    def shown(self) -> str:
        """The claim that the proof shows: "equivalent", or "no solution lost"."""
        return "equivalent" if self.equivalent else "no solution lost"


@dataclass(frozen=True, slots=True)
class ProvedStatements:
    """Clauses and links of integers, left by a proof from a statements file."""

    canonical: CanonicalRows
    left: tuple[tuple[int, frozenset[int] | None], ...]
    """Numbers and clauses over variables of the proof; None where no clause is left."""
    integers: tuple[DecodedInteger, ...]
    steps: int
    equivalent: bool
    fresh: int | None
    """The smallest variable, of no row and no clause, that is introduced behind the turn."""

    @staticmethod
    def of(
        statements: bytes,
        proof: bytes,
        sources: tuple[str, str] = ("statements.json", "proof.pbp"),
        *,
        most_digits: int = MOST_COMPUTED,
    ) -> ProvedStatements:
        """Check the proof. Raises ProofError, naming file and line, for the first thing wrong."""
        canonical = canonical_rows(statements, sources[0])
        linked = canonical.linked
        shared = Shared(canonical.booleans, 2 * len(linked))
        formula = PbFormula(canonical.rows, canonical.variables)
        derived = check_proof(
            formula, proof, *sources, most_digits=most_digits, turns=True, shared=shared
        )
        alone = derived.alone
        some = [*(derived.constraints.derived.items() if alone is None else alone)]
        if len(some) < shared.links:
            raise ProofError(sources[1], 1, f"links of {len(linked)} integers are missing")
        at = len(some) - shared.links
        rows = [row for _, row in some[at:]]
        by_link = iter(zip(rows[::2], rows[1::2], strict=True))
        integers = []
        for each in canonical.integers:
            if each.literals:
                integers.append(_decoded(each, *next(by_link), canonical, sources[1]))
            else:
                integers.append(DecodedInteger(each.name, each.values[0], ()))
        left = tuple((number, row.clause) for number, row in some[:at])
        size = len(canonical.rows)
        # No row excludes nothing: then every model satisfies all of them, if nothing is decoded.
        equivalent = alone is not None or not (size or linked)
        steps = derived.last - size
        return ProvedStatements(canonical, left, tuple(integers), steps, equivalent, derived.fresh)

    def check(self, cnf: bytes, source: str = "formula.cnf") -> CheckedStatements:
        """Check that a CNF has exactly the proved clauses, in order.

        Raises ProofFormatError for the first thing wrong.
        """
        read = parse_cnf(cnf, source)
        booleans = self.canonical.booleans
        behind = self.canonical.variables - booleans

        def moved(lit: int) -> int:
            return lit if abs(lit) <= booleans else lit + behind if lit > 0 else lit - behind

        for place, ((number, proved), clause) in enumerate(
            zip(self.left, read.clauses, strict=False), start=1
        ):
            if proved != frozenset(map(moved, clause)) or len(proved) < len(clause):
                message = f"clause {place} is not what constraint {number} of the proof says"
                raise ProofFormatError(source, message)
        if len(self.left) != len(read.clauses):
            message = (
                f"the clauses are {len(read.clauses)}, where the proof leaves {len(self.left)}"
            )
            raise ProofFormatError(source, message)
        named = [v for each in self.integers for _, v in each.terms]
        if read.num_vars < max([booleans, *named]):
            message = (
                f"the variables are {read.num_vars}, but {max([booleans, *named])} in the proof"
            )
            raise ProofFormatError(source, message)
        if self.fresh is not None and self.fresh <= read.num_vars + behind:
            message = f"the variables are {read.num_vars}, yet the proof introduces x{self.fresh}"
            raise ProofFormatError(source, message)
        sizes = len(self.canonical.rows), read.num_vars, len(self.left), self.steps
        stated = len(self.canonical.statements)
        return CheckedStatements(stated, booleans, self.integers, *sizes, self.equivalent)


def _decoded(
    integer: StatedInteger,
    at_least: Inequality,
    at_most: Inequality,
    canonical: CanonicalRows,
    source: str,
) -> DecodedInteger:
    """Return how an integer is decoded, from its link. Raises ProofError for no link."""
    # Over variables: sum of a * v >= degree, where the literal ~v is 1 - v.
    one, other = (
        ({abs(lit): w if lit > 0 else -w for lit, w in row.terms.items()},
         row.degree - sum(w for lit, w in row.terms.items() if lit < 0))
        for row in (at_least, at_most)
    )  # fmt: skip
    rest, (constant, steps) = dict(one[0]), integer.form
    own = all(rest.pop(o, 0) == step for o, step in steps.items())
    outside = all(v <= canonical.booleans or v > canonical.variables for v in rest)
    opposite = other == ({v: -a for v, a in one[0].items()}, -one[1])
    if not (own and outside and opposite):
        raise ProofError(
            source, 1, f"the link of the integer {integer.name[:40]} says something else"
        )
    behind = canonical.variables - canonical.booleans
    terms = tuple(
        (-a, v if v <= canonical.booleans else v - behind) for v, a in sorted(rest.items())
    )
    return DecodedInteger(integer.name, constant + one[1], terms)


def check_statements(
    statements: bytes,
    cnf: bytes,
    proof: bytes,
    sources: tuple[str, str, str] = ("statements.json", "formula.cnf", "proof.pbp"),
    *,
    most_digits: int = MOST_COMPUTED,
) -> CheckedStatements:
    """Check that a proof leaves the clauses of a CNF, in order, and the links of all integers.

    Then every solution of the statements extends to a model of the clauses that says the same
    values. `CheckedStatements.equivalent` says whether what every model says is a solution, too.

    Raises ProofError or ProofFormatError, naming file and line, for the first thing wrong.
    """
    names = sources[0], sources[2]
    return ProvedStatements.of(statements, proof, names, most_digits=most_digits).check(
        cnf, sources[1]
    )
