"""Other people's checkers, where they are on PATH: the same bytes, judged once more.

They are given copies of what was checked, in a folder of their own that nobody else may enter, and
run in it: what they judge is not what may stand in the certificate's folder by then, and no name
that they print is anybody's choice.
"""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from satsweeper.checker.formula import DERIVATION, PROBLEM
from satsweeper.checker.manifest import SUMS
from satsweeper.checker.refutation import DRAT, LRAT, REFUTED
from satsweeper.checker.wrong import WrongCertificateError


@dataclass(frozen=True)
class External:
    """A program, the files it is given, and how it says yes: a line, and its exit status."""

    program: str
    files: tuple[str, ...]
    yes: str
    exits: tuple[int, ...] = (0,)
    cannot: str | None = None
    """How its last line ends if it cannot read such files: then it has not been asked."""


CHECKERS: Final = (
    # drat-trim ends with 1 as well where unit propagation alone refutes the clauses.
    External("drat-trim", (REFUTED, DRAT), "s VERIFIED", exits=(0, 1)),
    External("lrat-check", (REFUTED, LRAT), "c VERIFIED"),
    External("cake_lpr", (REFUTED, LRAT), "s VERIFIED UNSAT"),
    External("veripb", (PROBLEM, DERIVATION), "s VERIFIED", cannot="Unsupported version"),
    External("veripb", (PROBLEM, SUMS), "s VERIFIED", cannot="Unsupported version"),
)
"""lrat-check is drat-trim's; cake_lpr is verified itself; veripb, from its version 3 on, checks the
derivation, and sums."""


def installed() -> list[str]:
    """The names of the checkers that are on PATH."""
    return [*dict.fromkeys(each.program for each in CHECKERS if shutil.which(each.program))]


def check_externally(files: Mapping[str, bytes], stem: str, seconds: float) -> list[str]:
    """The checkers that accepted the files whose names begin with ``stem``.

    Raises:
        WrongCertificateError: one does not accept them, or takes longer than ``seconds``.
        OSError: the files cannot be written for them, or one cannot be run.
    """
    accepted = []
    with TemporaryDirectory(prefix="satsweeper-") as place:
        for each in CHECKERS:
            program = shutil.which(each.program)
            names = [stem + name for name in each.files]
            if program is None or not files.keys() >= set(names):
                continue
            for name in each.files:
                path = Path(place, name)
                if not path.exists():
                    path.write_bytes(files[stem + name])
            if _accepts(each, str(Path(program).absolute()), place, names[-1], seconds):
                accepted.append(each.program)
    return accepted


def _accepts(each: External, program: str, place: str, name: str, seconds: float) -> bool:
    """Whether it accepts its files in a folder; False if it cannot read such files."""
    try:
        run = subprocess.run(
            [program, *each.files],
            cwd=place,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        fault = f"{each.program} gave no answer within {seconds:g} s"
        raise WrongCertificateError(name, fault) from None
    said = [line.strip() for line in (run.stdout + "\n" + run.stderr).split("\n")]
    told = [line for line in said if line]
    yes = any(line.startswith(each.yes) for line in told)
    if yes and run.returncode in each.exits:
        return True
    if each.cannot and told and told[-1].rstrip(".").endswith(each.cannot) and run.returncode > 0:
        return False
    verdict = [line for line in told if line.startswith("s ")]
    why = (verdict or told or ["nothing"])[-1]
    if yes:
        why = f"{why}, but it ended with status {run.returncode}"
    raise WrongCertificateError(name, f"{each.program} does not accept it: {why}")
