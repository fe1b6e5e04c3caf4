"""SatSweeper: Minesweeper as satisfiability, on encodings that can be trusted.

>>> from satsweeper import Position, classify
>>> print("\\n".join(classify(Position.parse("1??\\n12?\\n01?")).grid()))
1MS
12?
01?
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from satsweeper.version import __version__ as __version__

if TYPE_CHECKING:
    from satsweeper.answers.classification import Classification, Conflict, Status, Verdict
    from satsweeper.answers.explanation import Explanation
    from satsweeper.board.errors import Error
    from satsweeper.certificate.certify import Certificate, certify
    from satsweeper.checker.check import check
    from satsweeper.count.odds import Odds, odds
    from satsweeper.engines.asking.classify import classify
    from satsweeper.notation.error import BoardError
    from satsweeper.position import Position
    from satsweeper.search.explain import explain
    from satsweeper.search.session import Session
    from satsweeper.show.notebook.values import as_html, as_svg, as_text


__all__ = [
    "BoardError",
    "Certificate",
    "Classification",
    "Conflict",
    "Error",
    "Explanation",
    "Odds",
    "Position",
    "Session",
    "Status",
    "Verdict",
    "as_html",
    "as_svg",
    "as_text",
    "certify",
    "check",
    "classify",
    "explain",
    "odds",
]

_NAMES = {
    "satsweeper.answers.classification": "Classification Conflict Status Verdict",
    "satsweeper.answers.explanation": "Explanation",
    "satsweeper.board.errors": "Error",
    "satsweeper.certificate.certify": "Certificate certify",
    "satsweeper.checker.check": "check",
    "satsweeper.count.odds": "Odds odds",
    "satsweeper.engines.asking.classify": "classify",
    "satsweeper.notation.error": "BoardError",
    "satsweeper.position": "Position",
    "satsweeper.search.explain": "explain",
    "satsweeper.search.session": "Session",
    "satsweeper.show.notebook.values": "as_html as_svg as_text",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that ``satsweeper --help`` loads no solver."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names alone."""
    return sorted([*__all__, "__version__"])
