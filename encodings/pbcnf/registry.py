"""The one table of encoders."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from pbcnf.at_most_one.pairwise import Pairwise
from pbcnf.cardinality.direct import Direct
from pbcnf.cardinality.knuth_counter import KnuthCounter
from pbcnf.cardinality.sequential_counter import SequentialCounter
from pbcnf.cardinality.totalizer import Totalizer
from pbcnf.encoder import Encoder

ENCODERS: Mapping[str, Encoder] = MappingProxyType(
    {
        "direct": Direct(),
        "pairwise": Pairwise(),
        "sequential_counter": SequentialCounter(),
        "knuth_counter": KnuthCounter(),
        "totalizer": Totalizer(),
    }
)


def find_encoder(encoder: str | Encoder) -> Encoder:
    """Return the encoder of that name; an encoder is returned as it is.

    Raises ValueError for an unknown name, with the known ones and the nearest of them.
    """
    if not isinstance(encoder, str):
        return encoder
    if encoder in ENCODERS:
        return ENCODERS[encoder]
    near = get_close_matches(encoder, ENCODERS, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"unknown encoder {encoder!r}: the encoders are {', '.join(ENCODERS)}{hint}")
