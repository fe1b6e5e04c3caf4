"""PySAT's cardinality encodings, and its pseudo-Boolean ones where pindakaas is installed.

``pysat.pb`` cannot be imported without pindakaas: an assertion fails.
"""

from typing import TYPE_CHECKING

from pysat import card

from satsweeper.peers.pysat_names import encoders_of

if TYPE_CHECKING:
    from pbcnf.audit import EncodeFunction


def encoders() -> dict[str, "EncodeFunction"]:
    """By PySAT's names; ``pb_`` before those of ``PBEnc``."""
    try:
        from pysat import pb
    except (AssertionError, ImportError):
        return encoders_of(card, None)
    return encoders_of(card, pb if pb.pindakaas_present else None)
