"""Statements files encoded: as clauses with a proof, or as any format writes a problem."""

from __future__ import annotations

from typing import IO

from pbcnf.derivation import write_proof
from pbcnf.derivation.statements.whole import CertifiedStatements, derive_statements
from pbcnf.emission.whole_problems import Choices, tallied
from pbcnf.formats.write.dimacs import write_dimacs
from pbcnf.formula import EncodingSize
from satsweeper.export.problem import ProblemReport
from satsweeper.version import __version__


def encode_statements(
    raw: bytes,
    source: str,
    stream: IO[bytes],
    proof: IO[bytes],
    choices: Choices | None = None,
    most_clauses: int | None = None,
) -> ProblemReport:
    """Encode a statements file as CNF into ``stream``, and write to ``proof`` why that is right.

    Raises:
        ProofError: the file is not as checkers read it; ``source`` names it in messages.
        EncodingError: it cannot be encoded, or a statement has no derivation.
        ValueError: an encoder would need too many clauses.
    """
    made = derive_statements(raw, source, choices, most_clauses)
    report = _report(made)
    write_dimacs(made.formula, stream, comments=(f"satsweeper {__version__}", "statements"))
    write_proof(made.derivation, proof)
    return report


def _report(made: CertifiedStatements) -> ProblemReport:
    formula, objective = made.formula, made.builder.objective
    total = EncodingSize(formula.num_vars, formula.num_clauses, formula.num_literals)
    shown = None if objective is None else f"{'max' if objective[1] else 'min'}: {objective[0]!r}"
    return ProblemReport(
        *("statements", made.canonical.booleans, total, tallied(made.encoded), shown),
        steps=made.derivation.added,
        one_way=made.one_way,
    )
