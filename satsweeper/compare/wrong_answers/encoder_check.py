"""The audit of users' encoders after a sweep, as jobs may all succeed with a wrong encoder.

A clause that is missing from the encoding of a total shows only where a search happens to need it.
So after a sweep that showed nothing, each such encoder is checked against every assignment of up to
five inputs at every bound, in a process of its own that can be ended.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from pbcnf.encoders.table import ENCODERS
from satsweeper.compare.job.contestants import NATIVE, Encoders, contestant
from satsweeper.processes.fork_server import ForkServer
from satsweeper.processes.limits import Limits

_INPUTS: Final = 5
_SECONDS: Final = 10.0
"""CPU seconds for one encoder; what takes longer is not said."""


def lines(found: Mapping[str, str]) -> list[str]:
    """Return a line for each fault that ``faulty`` returned."""
    return [
        f"{name} is wrong, although no job has shown it: {fault}" for name, fault in found.items()
    ]


def faulty(names: Iterable[str], encoders: Encoders | None = None) -> dict[str, str]:
    """The encoders of these names that are not ours and are wrong, and what is wrong with them."""
    own = dict(encoders or {})
    foreign = [n for n in dict.fromkeys(names) if n in own or n not in {"", NATIVE, *ENCODERS}]
    with ForkServer(partial(partial, _fault, own), Limits(seconds=_SECONDS)) as server:
        found = {name: server.ask(name) for name in foreign}
    # An encoder that ends the process has ended its jobs, too, and they say so.
    return {name: fault for name, fault in found.items() if isinstance(fault, str)}


def _fault(encoders: Encoders, name: str) -> str | None:
    from pbcnf.audit import Property, cases

    encoder = contestant(name, encoders)
    if encoder is None:
        return None
    # Jobs report exceptions; here only answers count.
    for case in cases(encoder, _INPUTS):
        if case.audit is not None and Property.CORRECT in case.audit.failures:
            return f"{case.bound}: {case.audit.failures[Property.CORRECT]}"
    return None
