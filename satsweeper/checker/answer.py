"""An answer checked: the optimum of an OPB problem, or that it has no solution, by a proof."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbcnf.proof.cutting_planes.checker import ProvedBounds, check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.formula import read_formula
from satsweeper.checker.answer_recheck import recheck_answer
from satsweeper.checker.contents import read_named
from satsweeper.checker.encoding import turned_around
from satsweeper.checker.errors import UnknownRuleError, WrongCertificateError, counted, wrong_at
from satsweeper.checker.external import check_externally
from satsweeper.checker.formula import DERIVATION, PROBLEM


@dataclass(frozen=True)
class CheckedAnswer:
    """The conclusion of a proof about a problem, its sizes, and further programs that accept it.

    ``status``: OPTIMUM FOUND, UNSATISFIABLE, SATISFIABLE, or BOUNDS where the bounds differ.
    ``sha256``: of problem and proof. ``unknown``: the rule that the second checker does not know,
    so that only the first has followed the proof; None if both have.
    """

    status: str
    bounds: ProvedBounds | None
    constraints: int
    variables: int
    steps: int
    sha256: tuple[str, str]
    external: tuple[str, ...]
    unknown: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Schema ``satsweeper/check-answer/1``."""
        lower, upper = self.bounds or (None, None)
        return {
            "schema": "satsweeper/check-answer/1",
            "verified": True,
            "status": self.status,
            "lower": lower,
            "upper": upper,
            "constraints": self.constraints,
            "variables": self.variables,
            "steps": self.steps,
            "sha256": dict(zip(("problem", "proof"), self.sha256, strict=True)),
            "external": list(self.external),
            "checkers": 1 if self.unknown else 2,
        }

    def sentence(self) -> str:
        """Return the proved claim in words."""
        shown = "unsatisfiable proved" if self.status == "UNSATISFIABLE" else "a solution is shown"
        if self.bounds is not None:
            lower, upper = self.bounds
            shown = f"optimum {upper} proved"
            if lower != upper:
                shown = f"the optimum is from {lower} to {upper}, and a solution with {upper} shown"
        lines = [
            f"verified: {shown}, of {counted(self.constraints, 'row')} over"
            f" {counted(self.variables, 'variable')}, by {counted(self.steps, 'step')}"
        ]
        if self.unknown:
            lines.append(f"one checker followed it, and the second not to the end: {self.unknown}")
        if self.external:
            lines.append(f"the proof is accepted by {', '.join(self.external)}")
        return "\n".join(lines)


def check_answer(
    problem: str | Path, proof: str | Path, *, external: bool = True, seconds: float = 600
) -> CheckedAnswer:
    """Check a proof from the rows of an OPB problem to what it concludes; no file is compressed.

    Args:
        problem: the OPB file.
        proof: the proof, in VeriPB's format.
        external: whether VeriPB is run as well, if it is on PATH; rows with <= are turned into rows
            with >= before.
        seconds: the time limit of VeriPB.

    Raises:
        WrongCertificateError: the first defect, also a proof that concludes nothing, a file of
            another kind, or too large a file.
        OSError: a file cannot be read.
    """
    paths = [Path(path) for path in (problem, proof)]
    raw = [read_named(path) for path in paths]
    names = paths[0].name, paths[1].name
    try:
        formula = read_formula(raw[0], names[0], objective=True)
        found = check_proof(formula, raw[1], *names)
    except ProofError as error:
        raise wrong_at(error.source, error.line, error.message) from None
    bounds = found.bounds
    conclusion = "UNSAT" if found.refuted else "SAT" if found.satisfied else "NONE"
    # A second checker, which shares no code with the first, follows the steps again. Both must come
    # to the same conclusion, unless there is a rule of VeriPB that only the first knows.
    due = (conclusion, 0, 0) if bounds is None else ("BOUNDS", *bounds)
    unknown = None
    try:
        if recheck_answer(raw[0].decode("ascii"), raw[1].decode("ascii"), names[1]) != due:
            raise WrongCertificateError(names[1], "followed again: another conclusion")
    except UnknownRuleError as error:
        unknown = error.fault
    if due[0] == "NONE":
        fault = "it concludes nothing: that of an encoding is checked together with its FORMULA"
        raise WrongCertificateError(names[1], fault)
    status = {"UNSAT": "UNSATISFIABLE", "SAT": "SATISFIABLE"}.get(due[0], "BOUNDS")
    if bounds is not None and bounds.lower == bounds.upper:
        status = "OPTIMUM FOUND"
    accepted: list[str] = []
    if external:
        try:
            files = {PROBLEM: turned_around(raw[0]), DERIVATION: raw[1]}
            accepted = check_externally(files, "", seconds)
        except WrongCertificateError as error:
            raise WrongCertificateError(names[1], error.fault) from None
    size = len(formula.constraints)
    hashes = [hashlib.sha256(data).hexdigest() for data in raw]
    return CheckedAnswer(
        *(status, bounds, size, formula.variables, found.last - size),
        *((hashes[0], hashes[1]), tuple(accepted), unknown),
    )
