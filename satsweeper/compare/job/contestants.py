"""The encoders that a comparison can name: ours, other libraries', anyone's, and none at all."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import ENCODERS
from pbcnf.wording import unknown_name
from satsweeper.peers import PEERS
from satsweeper.peers.user_encoder import FunctionEncoder, own_encoder

NATIVE: Final = "native"
"""No encoding: "at most k" is passed to a solver with native cardinality constraints."""

Encoders = Mapping[str, Encoder]
"""Encoders of a caller's own, by the names that jobs give them."""


def contestant(name: str, encoders: Encoders | None = None) -> Encoder | None:
    """The encoder of a name, None for ``native``.

    The name is one of ``encoders``, of ours, ``LIBRARY:NAME`` for an encoder of another library
    (``satsweeper.peers``), or ``MODULE:NAME`` for a user's own
    (``satsweeper.peers.user_encoder``). A module with the name of a library cannot be named.

    Raises:
        ValueError: no encoder has this name; the message lists the known names.
    """
    if encoders and name in encoders:
        return encoders[name]
    return None if name == NATIVE else _named(name, tuple(encoders or ()))


@cache
def _named(name: str, callers_names: tuple[str, ...]) -> Encoder:
    if name in ENCODERS:
        return ENCODERS[name]
    place, colon, _ = name.partition(":")
    if colon and place in PEERS:
        from satsweeper.peers.audit import subjects

        found: Any = subjects([name])[0].encoder
        return FunctionEncoder(name, found)
    if colon:
        return own_encoder(name)
    elsewhere = f", LIBRARY:NAME for those of {', '.join(PEERS)}, and MODULE:NAME for your own"
    raise ValueError(unknown_name("encoder", name, [*callers_names, *ENCODERS, NATIVE], elsewhere))
