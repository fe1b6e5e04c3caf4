"""The one error of the checker."""

from __future__ import annotations

from pbcnf.errors import Error


class ProofError(Error, ValueError):
    """A formula that cannot be read, or a proof that proves nothing from some line on.

    ``str()`` is one line, ``source:line: message``.
    """

    def __init__(self, source: str, line: int, message: str) -> None:
        super().__init__(source, line, message)
        self.source = source
        self.line = line
        self.message = message

    def __str__(self) -> str:
        text = f"{self.source}:{self.line}: {self.message}"
        return text if text.isprintable() else repr(text)[1:-1]


class RefusedError(Error, ValueError):
    """Why a statement is refused; whoever reads the file adds where that is."""
