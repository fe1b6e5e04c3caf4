"""An encoding checked: a CNF loses no solution of an OPB problem, or is equivalent to it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pbcnf.proof.cutting_planes.encodings import CheckedEncoding, ProvedClauses
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.contents import read_named
from satsweeper.checker.derivation_recheck import recheck_derivation
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.external import check_externally
from satsweeper.checker.formula import DERIVATION, PROBLEM
from satsweeper.checker.statements.check import CheckedStatedFiles, check_stated

_COMPRESSED: Final = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")
"""First bytes of files of gzip, bzip2, xz and zstd."""


@dataclass(frozen=True)
class CheckedFiles:
    """A checked encoding, the SHA-256 of problem, formula and proof, and accepting programs.

    ``external``: names of other projects' checkers that accepted the proof.
    """

    encoding: CheckedEncoding
    sha256: tuple[str, str, str]
    external: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Schema ``satsweeper/check-encoding/1``."""
        found = self.encoding
        return {
            "schema": "satsweeper/check-encoding/1",
            "verified": True,
            "shown": found.shown,
            "constraints": found.constraints,
            "inputs": found.inputs,
            "variables": found.variables,
            "clauses": found.clauses,
            "steps": found.steps,
            "sha256": dict(zip(("problem", "formula", "proof"), self.sha256, strict=True)),
            "external": list(self.external),
        }

    def sentence(self) -> str:
        """Return the proved claim and its limits in words."""
        found = self.encoding
        auxiliary = counted(found.variables - found.inputs, "auxiliary variable")
        rows, steps = counted(found.constraints, "row"), counted(found.steps, "step")
        inputs, clauses = counted(found.inputs, "variable"), counted(found.clauses, "clause")
        if found.equivalent:
            lines = [
                f"verified: equivalent: the models of the {clauses} ({auxiliary}), seen on"
                f" {inputs}, are exactly the solutions of {rows}, by {steps}"
            ]
        else:
            lines = [
                f"verified: no solution lost: every solution of {rows} over {inputs} extends to a"
                f" model of the {clauses} ({auxiliary}), by {steps}",
                "so if the clauses are unsatisfiable, the problem is;"
                " that a model is a solution is not shown",
            ]
        if self.external:
            lines.append(f"the derivation is accepted by {', '.join(self.external)}")
        return "\n".join(lines)


def check_files(
    problem: str | Path,
    formula: str | Path,
    proof: str | Path,
    *,
    external: bool = True,
    seconds: float = 600,
) -> CheckedFiles | CheckedStatedFiles:
    """Check that a CNF loses no solution of an OPB problem, or is equivalent, by a proof.

    The problem may be a statements file as well, which no other program reads.

    No file is compressed. Which of the two is shown, `CheckedEncoding.shown` says.

    Args:
        problem: the OPB file.
        formula: the CNF file that encodes ``problem``.
        proof: the derivation of the clauses of ``formula`` from ``problem``.
        external: whether VeriPB is run on problem and proof as well, if it is on PATH; rows with <=
            are turned into rows with >= before.
        seconds: the time limit of VeriPB.

    Raises:
        WrongCertificateError: the first defect, also a file of another kind or too large a file.
        OSError: a file cannot be read.
    """
    paths = [Path(path) for path in (problem, formula, proof)]
    raw = [read_named(path) for path in paths]
    names = paths[0].name, paths[1].name, paths[2].name
    if raw[0].lstrip().startswith(b"{"):
        return check_stated(raw, names)
    for name, data in zip(names, raw, strict=True):
        if data.startswith(_COMPRESSED):
            raise WrongCertificateError(name, "it is compressed: check reads files as they are")
    try:
        proved = ProvedClauses.of(raw[0], raw[2], (names[0], names[2]))
        found = proved.check(raw[1], names[1])
    except (ProofError, ProofFormatError) as error:
        raise wrong_at(error.source, error.line, error.message) from None
    # A second checker, which shares no code with the first, follows the steps again. Both must be
    # left with equal clauses in equal order.
    texts = raw[0].decode("ascii"), raw[2].decode("ascii")
    again = recheck_derivation(*texts, found.inputs, names[2], found.variables)
    if again.clauses != [clause for _, clause in proved.left]:
        raise WrongCertificateError(names[2], "followed again: other clauses are left")
    if again.equivalent != found.equivalent:
        raise WrongCertificateError(names[2], "followed again: only one direction is shown")
    accepted: list[str] = []
    if external:
        try:
            files = {PROBLEM: turned_around(raw[0]), DERIVATION: raw[2]}
            accepted = check_externally(files, "", seconds)
        except WrongCertificateError as error:
            raise WrongCertificateError(names[2], error.fault) from None
    hashes = [hashlib.sha256(data).hexdigest() for data in raw]
    return CheckedFiles(found, (hashes[0], hashes[1], hashes[2]), tuple(accepted))


def turned_around(problem: bytes) -> bytes:
    r"""An OPB file without ``<=``, which old versions of VeriPB do not read: weights are negated.

    >>> turned_around(b"* two rows\n+1 x1 -2 ~x2 <= 1 ;\n+1 x1 >= 1 ;\n")
    b'* two rows\n-1 x1 2 ~x2 >= -1 ;\n+1 x1 >= 1 ;\n'
    """
    statements = problem.split(b";")
    for at, statement in enumerate(statements):
        if b"<=" in statement:
            comments = [line for line in statement.split(b"\n") if line.startswith(b"*")]
            rows = [line for line in statement.split(b"\n") if not line.startswith(b"*")]
            left, _, right = b" ".join(rows).partition(b"<=")
            words = left.split()
            words[::2] = [b"%d" % -int(weight) for weight in words[::2]]
            row = b" ".join([*words, b">=", b"%d" % -int(right), b""])
            statements[at] = b"".join(b"%b\n" % line for line in comments) + row
            if at and not comments:
                statements[at] = b"\n" + row
    return b";".join(statements)
