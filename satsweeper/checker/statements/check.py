"""Clauses checked against the statements that they encode, by two readers of file and proof."""

import hashlib
from dataclasses import dataclass
from typing import Any

from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.proved_statements import CheckedStatements, check_statements
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.statements.recheck import IntegerLink, recheck_statements


@dataclass(frozen=True)
class CheckedStatedFiles:
    """A checked encoding of statements, and the SHA-256 of statements, formula and proof."""

    encoding: CheckedStatements
    sha256: tuple[str, str, str]

    def as_json(self) -> dict[str, Any]:
        """Schema ``satsweeper/check-statements/1``."""
        found = self.encoding
        return {
            "schema": "satsweeper/check-statements/1",
            "verified": True,
            "shown": found.shown,
            "statements": found.statements,
            "booleans": found.booleans,
            "integers": {
                each.name: {"constant": each.constant, "terms": [[*pair] for pair in each.terms]}
                for each in found.integers
            },
            "rows": found.rows,
            "variables": found.variables,
            "clauses": found.clauses,
            "steps": found.steps,
            "sha256": dict(zip(("statements", "formula", "proof"), self.sha256, strict=True)),
        }

    def sentence(self) -> str:
        """Return the proved claim and its limits in words."""
        found = self.encoding
        over = (
            f"{counted(found.statements, 'statement')} over {counted(found.booleans, 'Boolean')}"
            f" and {counted(len(found.integers), 'integer')}"
        )
        clauses, steps = counted(found.clauses, "clause"), counted(found.steps, "step")
        if found.equivalent:
            return (
                f"verified: equivalent: the models of the {clauses}, decoded, are exactly the"
                f" solutions of {over}, by {steps}"
            )
        return (
            f"verified: no solution lost: every solution of {over} is what a model of the"
            f" {clauses} says, by {steps}\n"
            "so if the clauses are unsatisfiable, the statements are;"
            " that what a model says is a solution is not shown"
        )


def check_stated(raw: list[bytes], names: tuple[str, str, str]) -> CheckedStatedFiles:
    """Check a CNF against a statements file, by the proof; ``raw``: these three.

    Both readers must come to the same result. Raises WrongCertificateError for the first defect.
    """
    statements, formula, proof = raw
    try:
        found = check_statements(statements, formula, proof, names)
    except (ProofError, ProofFormatError) as error:
        raise wrong_at(error.source, error.line, error.message) from None
    again = recheck_statements(statements, formula, proof, names)
    links = tuple(
        IntegerLink(e.name, e.constant, {v: w for w, v in e.terms}) for e in found.integers
    )
    if (again.equivalent, again.links) != (found.equivalent, links):
        raise WrongCertificateError(names[2], "followed again: it shows something else")
    hashes = [hashlib.sha256(data).hexdigest() for data in raw]
    return CheckedStatedFiles(found, (hashes[0], hashes[1], hashes[2]))
