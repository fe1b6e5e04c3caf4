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

from pbcnf.audit.bounds import Bound
from pbcnf.literals import Clause


def on_record(name: str, bound: Bound) -> str | None:
    """Return the digest of the clauses that the encoder of this name had for `bound`, if any."""
    return _records().get(name, {}).get(key_of(bound)) if not bound.weighted else None


def digest(clauses: Sequence[Clause]) -> str:
    """Return eight hexadecimal digits for the clauses, in their order.

    >>> digest([[1, -2], [2]]) == digest([[1, -2], [-2]])
    False
    """
    text = "\n".join(" ".join(map(str, clause)) for clause in clauses)
    return blake2s(text.encode("ascii"), digest_size=4).hexdigest()


@cache
def _records() -> Mapping[str, Mapping[str, str]]:
    text = files("pbcnf.audit").joinpath("recorded.json").read_text("ascii")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def key_of(bound: Bound) -> str:
    """Return the key of a bound in ``recorded.json``."""
    return f"{bound.n} {bound.lower} {bound.upper}"
