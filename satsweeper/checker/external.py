"""Checkers of other projects, run on the checked bytes if they are on PATH.

Each program runs in a private temporary folder with copies of the checked bytes under fixed names.
So changes in the certificate's folder meanwhile have no effect, and the names in a program's output
are not chosen by the maker of the certificate.
"""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from pbcnf.proof.cutting_planes.statements import OLDER, older_syntax
from satsweeper.checker.claims import DRAT, LRAT, REFUTED
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.formula import DERIVATION, PROBLEM
from satsweeper.checker.manifest import ONE_PROOF, SUMS


@dataclass(frozen=True)
class External:
    """A program, the files it reads, and the line (``yes``) and exit statuses that accept them."""

    program: str
    files: tuple[str, ...]
    yes: str
    exits: tuple[int, ...] = (0,)
    cannot: str | None = None
    """End of the last line of versions that cannot read the files; None: all versions can."""


CHECKERS: Final = (
    # drat-trim ends with 1 as well where unit propagation alone refutes the clauses.
    External("drat-trim", (REFUTED, DRAT), "s VERIFIED", exits=(0, 1)),
    External("cake_lpr", (REFUTED, LRAT), "s VERIFIED UNSAT"),
    External("veripb", (PROBLEM, DERIVATION), "s VERIFIED", cannot="Unsupported version"),
    External("veripb", (PROBLEM, SUMS), "s VERIFIED", cannot="Unsupported version"),
    External("veripb", ONE_PROOF, "s VERIFIED UNSATISFIABLE", cannot="Unsupported version"),
)
"""Programs that are run. cake_lpr is formally verified; veripb reads our files unchanged from its
version 3 on. lrat-check of drat-trim is not run, because lrat-check accepts hints that end without
a conflict as a proof of the empty clause."""

_SUCCEEDED: Final = "Verification succeeded."
"""Line by which VeriPB 1 accepts a proof, contradictions among its steps included."""


def programs() -> list[str]:
    """Return the names of all checkers, each name once."""
    return [*dict.fromkeys(each.program for each in CHECKERS)]


def check_externally(files: Mapping[str, bytes], stem: str, seconds: float) -> list[str]:
    """Run the checkers on PATH, and return the names of those that accepted their files.

    Args:
        files: name -> content of the certificate's files.
        stem: the folder of the files to check, with a slash behind it; empty for the whole board.
        seconds: the time limit of each run.

    Raises:
        WrongCertificateError: a checker does not accept its files, or exceeds ``seconds``.
        OSError: the copies cannot be written, or a checker cannot be run.
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
            absolute = str(Path(program).absolute())
            if any(
                accepts(as_read, absolute, place, names[-1], seconds)
                for as_read in _versions(each, place, files[names[-1]])
            ):
                accepted.append(each.program)
    return [*dict.fromkeys(accepted)]


def _versions(each: External, place: str, proof: bytes) -> Iterator[External]:
    """Yield checker ``each`` with its files unchanged, then with the proof in older syntaxes."""
    yield each
    for version in OLDER if each.cannot else ():
        *others, name = each.files
        Path(place, f"{version}-{name}").write_bytes(older_syntax(proof, version))
        yes = _SUCCEEDED if version == "1.2" else each.yes
        yield replace(each, files=(*others, f"{version}-{name}"), yes=yes)


def accepts(each: External, program: str, place: str, name: str, seconds: float) -> bool:
    """Whether ``program`` accepts the files in ``place``; False if it cannot read their version.

    Raises WrongCertificateError about the file ``name`` if ``program`` refuses, or exceeds
    ``seconds``.
    """
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
    lines = [line.strip() for line in (run.stdout + "\n" + run.stderr).split("\n")]
    printed = [line for line in lines if line]
    yes = any(line.startswith(each.yes) for line in printed)
    if yes and run.returncode in each.exits:
        return True
    last = printed[-1].rstrip(".") if printed else ""
    if each.cannot and last.endswith(each.cannot) and run.returncode > 0:
        return False
    verdict = [line for line in printed if line.startswith("s ")]
    why = (verdict or printed or ["nothing"])[-1]
    if yes:
        why = f"{why}, but it ended with status {run.returncode}"
    raise WrongCertificateError(name, f"{each.program} does not accept it: {why}")
