"""Files as lines of text, compressed or not, and problems whose constraints are read one by one."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Final

from pbcnf.constraints.constraint import Constraint
from pbcnf.constraints.problem import Objective
from pbcnf.formats.compressed import MOST_BYTES, DamagedError, TooLargeError, line_blocks
from pbcnf.formats.digits import line_feeds
from pbcnf.formats.error import FormatError
from pbcnf.literals import Var

# Input of every reader: the lines of a file that may be compressed, and errors with their place.

_BOM: Final = b"\xef\xbb\xbf"
_NO_BLANKS: Final = (b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\x1f")
"""Bytes that are white space for Python and in no format."""


def text_blocks(stream: IO[bytes], source: str, limit: int = MOST_BYTES) -> Iterator[bytes]:
    """Yield a stream in pieces of whole lines, decompressed, without a byte order mark.

    The stream stays open. Raises FormatError, which names `source`, for a file that is damaged or
    beyond what `pbcnf.formats.compressed` allows, and OSError.
    """
    lines = 0
    try:
        for number, block in enumerate(line_blocks(stream, limit)):
            yield block.removeprefix(_BOM) if number == 0 else block
            lines += line_feeds(block)
    except DamagedError as error:
        message = f"the compressed file is damaged or cut off: {error}"
        raise FormatError(source, lines + 1, None, message) from None
    except TooLargeError as error:
        raise FormatError(source, lines + 1, None, f"too large: {error}") from None


def text_lines(
    stream: IO[bytes], source: str, limit: int = MOST_BYTES, *, comments: bytes = b"c*\\"
) -> Iterator[bytes]:
    """Yield the lines of a stream, in which only blanks and tabs are between words.

    Lines that begin with one of the bytes `comments` may contain anything. Raises as `text_blocks`
    does, and FormatError for any other byte that Python takes for a blank.
    """
    before = 0
    for block in text_blocks(stream, source, limit):
        if any(byte in block for byte in _NO_BLANKS):
            for number, line in enumerate(io.BytesIO(block), start=before + 1):
                match = re.search(b"|".join(_NO_BLANKS), line)
                if match is not None and line[0] not in comments:
                    message = f"byte 0x{match[0][0]:02x}: only blanks and tabs are between words"
                    raise FormatError(source, number, match.start() + 1, message)
        yield from io.BytesIO(block)
        before += line_feeds(block)


Opener = Callable[[], IO[bytes]]
"""A function that returns a new binary stream of the whole file at each call."""


@dataclass(slots=True)
class FileLines:
    """The lines of a file, which can be read several times; open streams are closed together."""

    opened: Opener
    source: str
    """The name of the file, for errors."""
    strict: bool = False
    """Whether a header that contradicts the file raises an error instead of making a note."""
    path: str = ""
    """The path of the file, whose ending may tell the format: `source` may be a shortened path."""
    _streams: list[IO[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path = self.path or self.source

    def again(self) -> Generator[bytes]:
        """Yield the lines from the first, decompressed, without a byte order mark."""
        return self._pieces(text_lines)

    def blocks(self) -> Generator[bytes]:
        """Yield the file in pieces of whole lines, about 1 MiB each."""
        return self._pieces(text_blocks)

    def close(self) -> None:
        """Close every opened stream."""
        for stream in self._streams:
            stream.close()

    def _pieces(self, read: Callable[[IO[bytes], str], Iterator[bytes]]) -> Generator[bytes]:
        # The stream is opened for the first piece; `close` closes it if the last piece is not read.
        self._streams.append(raw := self.opened())
        try:
            yield from read(raw, self.source)
        finally:
            raw.close()


@dataclass(slots=True)
class ProblemFile:
    """A problem whose constraints are read lazily; as a context manager it closes the file.

    The objective is known only after all constraints have been read.
    """

    format: str
    """The name of the format."""
    num_vars: int
    """Variables 1 .. num_vars are the problem's own; in OPB, i is called x<i>."""
    declared: int | None
    """The number of constraints declared by the file, or None."""
    constraints: Iterator[Constraint] = field(repr=False)
    objective: str | None = None
    """The objective as written in the file, or a short description; None without an objective."""
    parsed_objective: Objective | None = field(default=None, repr=False)
    names: Callable[[], Mapping[Var, str]] = field(default=dict, repr=False)
    """Returns variable -> name, read from the file at each call, for variables with a name."""
    spelled: Callable[[], Mapping[Var, str]] = field(default=dict, repr=False)
    """Names used in constraints; unlike ``names``, names given by comments are left out."""
    integers: Mapping[str, Objective] = field(default_factory=dict, repr=False)
    """As in `pbcnf.Problem`."""
    notes: list[str] = field(default_factory=list, repr=False)
    """Violations of the format that were read nevertheless, up to now, each with its place."""
    own: Var | None = None
    """The last variable of the file itself; products and soft constraints define later ones."""
    lines: FileLines | None = field(default=None, repr=False)
    """Streams to close at the end."""

    def __enter__(self) -> ProblemFile:
        return self

    def __exit__(self, *exception: object) -> None:
        if self.lines is not None:
            self.lines.close()
