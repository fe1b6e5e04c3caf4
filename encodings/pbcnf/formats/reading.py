"""The way in of every reader: lines of a file that may be compressed, and errors with a place."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import IO, Final

from pbcnf.formats.compressed import MOST_BYTES, DamagedError, TooLargeError, line_blocks
from pbcnf.formats.digits import line_feeds
from pbcnf.formats.error import FormatError

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
            _refuse_other_blanks(block, source, before, comments)
        yield from io.BytesIO(block)
        before += line_feeds(block)


def _refuse_other_blanks(block: bytes, source: str, before: int, comments: bytes) -> None:
    for number, line in enumerate(io.BytesIO(block), start=before + 1):
        match = re.search(b"|".join(_NO_BLANKS), line)
        if match is not None and line[0] not in comments:
            message = f"byte 0x{match[0][0]:02x}: only blanks and tabs are between words"
            raise FormatError(source, number, match.start() + 1, message)
