"""Headers and lines of other formats, recognised for error messages."""

from __future__ import annotations

import re
from typing import Final

from pbcnf.formats.error import excerpt

_HEADERS: Final = {
    b"cnf": "DIMACS CNF",
    b"wcnf": "weighted MaxSAT (WCNF)",
    b"inccnf": "iCNF (clauses and cubes)",
    b"icnf": "an incremental proof's iCNF (queries)",
    b"knf": "KNF (clauses and cardinality constraints)",
    b"cnf+": "the CNF+ of Minicard and PySAT",
    b"wcnf+": "the WCNF+ of PySAT",
    b"gcnf": "group CNF (GCNF)",
    b"pcnf": "projected counting as of 2020",
    b"pmc": "projected counting",
    b"wpcnf": "weighted projected counting",
    b"edge": "a graph in DIMACS form",
    b"col": "a graph in DIMACS form",
    b"sat": "a formula in DIMACS SAT form",
}
_LINES: Final = (
    (rb"x-?[0-9]*", "an XOR clause of CryptoMiniSat"),
    (rb"h", "a hard clause of WCNF"),
    (rb"a", "a cube of iCNF or a quantifier of QDIMACS"),
    (rb"e", "a quantifier of QDIMACS"),
    (rb"k", "a cardinality constraint of KNF"),
    (rb"[iqmulf]", "a line of an incremental proof"),
    (rb"d", "a deletion in a proof"),
    (rb"[svo]", "a line of a solver's output"),
    (rb"\*.*|[+-][0-9]+", "OPB"),
    (rb"\{[0-9]+\}", "a group of GCNF"),
    (rb"\(.*|;.*", "SMT-LIB"),
    (rb"<[!a-zA-Z].*", "HTML"),
)


def named_header(text: bytes, needed: str) -> str:
    """Return the message for a line `text` that begins with p but is not the header `needed`."""
    words = text.split(maxsplit=2)
    kind = words[1] if len(words) > 1 else b""
    known = _HEADERS.get(kind)
    if known is None or needed.split()[1] == kind.decode("ascii", "replace"):
        return f"'{excerpt(text)}' is no header: '{needed}' is needed"
    return f"'{excerpt(text)}' is the header of {known}: '{needed}' is needed"


def named_start(token: bytes) -> str:
    """Return " (FORMAT?)" for a line start `token` that is known from another format, or ""."""
    for pattern, name in _LINES:
        if re.fullmatch(pattern, token[:80], re.DOTALL):
            return f" ({name}?)"
    return ""
