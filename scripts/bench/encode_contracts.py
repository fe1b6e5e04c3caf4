"""Contracts of encoders as they were examined: a digest of all that an examination looks at.

To examine an encoder takes seconds, to emit what is examined a fraction of one. So the tests
examine an encoder whose digest is in ``contracts.json``, beside them, in slow runs only.
``scripts/record_encodings.py`` writes the file, and examines whatever is new in it.
"""

import json
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2s
from itertools import chain
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from pbcnf import ENCODERS
from pbcnf.audit import Audit, BoundKind, Property
from pbcnf.audit.contract import Case, Contract, cases

UPTO: Final = 6
"""The largest number of inputs that is examined."""

FILE: Final = Path(__file__).parents[2] / "tests" / "pbcnf" / "encoders" / "contracts.json"


def on_record() -> dict[str, str]:
    """Return the digest of each encoder that was examined and found without fault."""
    found: dict[str, str] = json.loads(FILE.read_text("ascii")) if FILE.exists() else {}
    return found


def digest_of(name: str) -> str:
    """Return a digest of the clauses, sizes and claims of an encoder, its counters included."""
    digest = blake2s(digest_size=16)
    with _emission_alone(digest):
        for case in cases(name, UPTO):
            digest.update(_in_words(case).encode())
    return digest.hexdigest()


@contextmanager
def _emission_alone(digest: Any) -> Iterator[None]:
    """Let the audit only emit what it examines otherwise."""

    def audit_clauses(clauses: Sequence[Sequence[int]], *details: object) -> Audit:
        digest.update(array("i", chain.from_iterable((*clause, 0) for clause in clauses)).tobytes())
        digest.update(repr(details).encode())
        return Audit(None, frozenset(), {})

    with (
        patch("pbcnf.audit.contract.audit_clauses", audit_clauses),
        patch("pbcnf.audit.bounds.audit_clauses", audit_clauses),
    ):
        yield


def _in_words(case: Case) -> str:
    claims = sorted(prop.value for prop in case.claims)
    found = None if case.audit is None else [*map(str, case.audit.failures.items())]
    return f"{case.bound}: {claims} {found}\n"


def faults_of(name: str) -> list[str]:
    """Examine an encoder on every bound; return the claims that do not hold, or are too modest."""
    contract = Contract(name, UPTO, tuple(cases(name, UPTO)))
    found = [f"{case.bound}, {prop.value}: {why}" for case, prop, why in contract.breaches()]
    for case in contract.stronger().get(Property.PARSIMONIOUS, []):
        # Exactly k by binary merges is parsimonious for few inputs only; at 9 it is not.
        excused = name.startswith("binary_merge") and case.bound.kind is BoundKind.EXACTLY
        if not (excused or getattr(case.bound, "weighted", False)):
            found.append(f"{case.bound}, parsimonious: not claimed")
    return found


def renewed() -> dict[str, str]:
    """Return the digests of all encoders; raise ValueError for one that does not pass."""
    known, now = on_record(), {name: digest_of(name) for name in ENCODERS}
    for name, digest in now.items():
        if known.get(name) != digest and (faults := faults_of(name)):
            raise ValueError(f"{name}: {faults[0]}")
    return now
