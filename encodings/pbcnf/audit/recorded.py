"""The encodings of few inputs on record: a change that breaks no claim shows as well.

An encoding may hold clauses that it could do without for few inputs, and a wrong literal there
breaks nothing that can be computed. So the clauses of every non-trivial bound of at most 6 inputs
are on record, as digests, in ``recorded.json`` beside this file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2s
from importlib.resources import files
from typing import Final

from pbcnf.audit.bounds import Bound, BoundKind, every_bound
from pbcnf.literals import Clause

UPTO: Final = 6
"""The largest number of inputs on record."""


def on_record(name: str, bound: Bound) -> str | None:
    """Return the digest of the clauses that the encoder of this name had for `bound`, if any."""
    return _records().get(name, {}).get(_key(bound)) if not bound.weighted else None


def digest(clauses: Sequence[Clause]) -> str:
    """Return eight hexadecimal digits for the clauses, in their order.

    >>> digest([[1, -2], [2]]) == digest([[1, -2], [-2]])
    False
    """
    text = "\n".join(" ".join(map(str, clause)) for clause in clauses)
    return blake2s(text.encode("ascii"), digest_size=4).hexdigest()


def recordable(upto: int = UPTO) -> list[Bound]:
    """Return the bounds of at most `upto` inputs that an encoder is asked for."""
    settled = (BoundKind.TRIVIAL, BoundKind.OUT_OF_RANGE)
    return [bound for bound in every_bound(upto) if bound.kind not in settled]


def to_json(records: Mapping[str, Mapping[Bound, str]]) -> str:
    """Return the text of ``recorded.json``: encoder -> bound -> digest."""
    plain = {
        name: {_key(bound): found for bound, found in bounds.items()}
        for name, bounds in records.items()
    }
    return json.dumps(plain, indent=0, sort_keys=True) + "\n"


@cache
def _records() -> Mapping[str, Mapping[str, str]]:
    text = files("pbcnf.audit").joinpath("recorded.json").read_text("ascii")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def _key(bound: Bound) -> str:
    return f"{bound.n} {bound.lower} {bound.upper}"
