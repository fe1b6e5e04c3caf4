"""Ours under PySAT's names: what ``pbcnf.pysat`` returns, audited like any other library."""

from typing import TYPE_CHECKING

from pbcnf.pysat import card, pb
from satsweeper.peers.pysat_names import encoders_of

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction


def encoders() -> dict[str, "EncodeFunction"]:
    """By PySAT's names; ``pb_`` before those of ``PBEnc``."""
    return encoders_of(card, pb)
