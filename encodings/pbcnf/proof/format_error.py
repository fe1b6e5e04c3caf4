"""The error of every reader here: a file that is not of its format."""

from __future__ import annotations

from pbcnf.errors import Error


class ProofFormatError(Error, ValueError):
    """A CNF or a proof that is not of its format; ``str()`` is one line with the place.

    ``line`` counts from 1, ``offset`` counts the bytes of a binary proof from 0; one of them is
    None, or both where no place is wrong.
    """

    def __init__(
        self, source: str, message: str, line: int | None = None, offset: int | None = None
    ) -> None:
        # All four go to args: an exception from a worker process is rebuilt from them.
        super().__init__(source, message, line, offset)
        self.source = source
        self.message = message
        self.line = line
        self.offset = offset

    def __str__(self) -> str:
        place = f"{self.source}:" if self.line is None else f"{self.source}:{self.line}:"
        if self.offset is not None:
            place += f" byte {self.offset}:"
        return f"{place} {self.message}"


def shown(text: bytes) -> str:
    """Return bytes of a file as they may stand in a message: printable and short."""
    return repr(text[:40])[2:-1] + ("..." if len(text) > 40 else "")
