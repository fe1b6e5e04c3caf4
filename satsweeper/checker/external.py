"""Checkers of other projects, run on the checked bytes if they are on PATH.

They are given copies of what was checked, in a folder of their own that nobody else may enter, and
run in it: what they judge is not what may stand in the certificate's folder by then, and no name
that they print is anybody's choice.
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
    """A program, the files it is given, and the line and exit status that accept them."""

    program: str
    files: tuple[str, ...]
    yes: str
    exits: tuple[int, ...] = (0,)
    cannot: str | None = None
    """End of the last line of a program that cannot read such files; None: it always can."""


CHECKERS: Final = (
    # drat-trim ends with 1 as well where unit propagation alone refutes the clauses.
    External("drat-trim", (REFUTED, DRAT), "s VERIFIED", exits=(0, 1)),
    External("cake_lpr", (REFUTED, LRAT), "s VERIFIED UNSAT"),
    External("veripb", (PROBLEM, DERIVATION), "s VERIFIED", cannot="Unsupported version"),
    External("veripb", (PROBLEM, SUMS), "s VERIFIED", cannot="Unsupported version"),
    External("veripb", ONE_PROOF, "s VERIFIED UNSATISFIABLE", cannot="Unsupported version"),
)
"""Programs that are asked. cake_lpr is verified itself; veripb reads our files unchanged from its
version 3 on. lrat-check of drat-trim is not asked: it accepts hints that end without a
conflict as a proof of the empty clause."""

_SUCCEEDED: Final = "Verification succeeded."
"""Line by which VeriPB 1 accepts a proof, contradictions among its steps included."""


def programs() -> list[str]:
    """Return the names of all checkers, each name once."""
    return [*dict.fromkeys(each.program for each in CHECKERS)]


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
    """Whether ``program`` accepts the files in ``place``; False if it cannot read such files."""
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
