"""Other people's checkers, where they are on PATH: the same files, judged once more."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from satsweeper.checker.formula import DERIVATION, PROBLEM
from satsweeper.checker.refutation import DRAT, LRAT, REFUTED
from satsweeper.checker.wrong import WrongCertificateError


@dataclass(frozen=True)
class External:
    """A program, the files it is given, and a line of its output that means yes."""

    program: str
    files: tuple[str, ...]
    yes: str
    cannot: str = "\0"
    """Part of a line that says it cannot read such files: then it has not been asked."""


CHECKERS: Final = (
    External("drat-trim", (REFUTED, DRAT), "s VERIFIED"),
    External("lrat-check", (REFUTED, LRAT), "c VERIFIED"),
    External("cake_lpr", (REFUTED, LRAT), "s VERIFIED UNSAT"),
    External("veripb", (PROBLEM, DERIVATION), "s VERIFIED", "Unsupported version"),
)
"""lrat-check is drat-trim's; cake_lpr is verified itself; veripb, from its version 3 on, checks the
derivation."""


def installed() -> list[str]:
    """The names of the checkers that are on PATH."""
    return [each.program for each in CHECKERS if shutil.which(each.program)]


def check_externally(folder: Path, files: set[str], stem: str, seconds: float) -> list[str]:
    """The checkers that accepted the files in ``folder`` below ``stem``.

    Raises:
        WrongCertificateError: one does not accept them, or takes longer than ``seconds``.
    """
    accepted = []
    for each in CHECKERS:
        program = shutil.which(each.program)
        names = [stem + name for name in each.files]
        if program is None or not files.issuperset(names):
            continue
        command = [program, *(str(folder / name) for name in names)]
        try:
            run = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            fault = f"{each.program} gave no answer within {seconds:g} s"
            raise WrongCertificateError(names[-1], fault) from None
        said = [line.strip() for line in (run.stdout + "\n" + run.stderr).splitlines()]
        if any(each.cannot in line for line in said):
            continue
        if not any(line.startswith(each.yes) for line in said):
            told = [line for line in said if line]
            verdict = [line for line in told if line.startswith("s ")]
            why = (verdict or told or ["nothing"])[-1]
            raise WrongCertificateError(names[-1], f"{each.program} does not accept it: {why}")
        accepted.append(each.program)
    return accepted
