"""Encoders that are not ours, audited: jobs may all end well although one of them is wrong.

A clause that is missing from the encoding of a total shows only where a search happens to need it.
So after a sweep that showed nothing, each such encoder is checked against every assignment of up to
five inputs at every bound, in a process of its own that can be ended.
"""

import pickle
import subprocess
import sys
from collections.abc import Iterable
from typing import Final

from pbcnf.encoders.table import ENCODERS
from satsweeper.compare.job.contestants import NATIVE, Encoders, contestant

_INPUTS: Final = 5
_SECONDS: Final = 30.0
"""For all encoders together; what is not reached by then is not said."""


def faults(names: Iterable[str], encoders: Encoders | None = None) -> list[str]:
    """What is wrong with the encoders of these names that are not ours, a line each."""
    own = dict(encoders or {})
    foreign = [n for n in dict.fromkeys(names) if n in own or n not in {"", NATIVE, *ENCODERS}]
    if not foreign:
        return []
    # No multiprocessing: that would run the main script of whoever called a sweep once more.
    code = f"import sys; sys.path[:] = {sys.path!r}\n"
    code += "from satsweeper.compare.wrong_answers.encoder_check import main; main()"
    try:
        ended = subprocess.run(
            [sys.executable, "-c", code],
            input=pickle.dumps((foreign, own)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
        said = ended.stdout
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
    # An encoder that ends the process has ended its jobs, too, and they say so.
    return said.decode("utf-8", "replace").splitlines()


def main() -> None:
    """Audit what standard input names; a line for each that is wrong."""
    names, encoders = pickle.loads(sys.stdin.buffer.read())
    for name in names:
        fault = _fault(name, encoders)
        if fault is not None:
            line = f"{name} is wrong, although no job has shown it: {fault}\n"
            sys.stdout.buffer.write(line.encode())
            sys.stdout.buffer.flush()


def _fault(name: str, encoders: Encoders) -> str | None:
    from pbcnf.audit import Property, cases

    encoder = contestant(name, encoders)
    if encoder is None:
        return None
    try:
        for case in cases(encoder, _INPUTS):
            if case.audit is not None and Property.CORRECT in case.audit.failures:
                return f"{case.bound}: {case.audit.failures[Property.CORRECT]}"
    except Exception:
        # Jobs report exceptions; here only answers count.
        return None
    return None
