"""Compressed files: recognised by content when reading, by name when writing.

A small file can decompress to any size. Three limits hold therefore: on all decompressed bytes, on
bytes for each compressed byte beyond the first `FREE_BYTES`, and on bytes of a line.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, Final, cast

from pbcnf.errors import Error

MOST_BYTES: Final = 2**32
"""The default limit of the content of a compressed file: 4 GiB."""

MOST_RATIO: Final = 200
"""Further bytes allowed for each byte of the compressed file; text of clauses needs fewer."""

FREE_BYTES: Final = 2**24
"""The ratio is checked beyond 16 MiB of content only: small files may be very repetitive."""

LONGEST_LINE: Final = 2**27
"""The longest line, compressed or not: a whole line is held in memory."""

_CHUNK: Final = 2**20
_READ: Final = 2**14
_MEMORY: Final = 2**29
_MAGIC: Final[dict[bytes, Callable[[], Any]]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(wbits=31),
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ\0": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY),
}


class DamagedError(Error, ValueError):
    """A compressed file that is truncated or corrupt."""


class TooLargeError(Error, ValueError):
    """A file that would need more memory than a reader is allowed to use."""


def decompressed_chunks(raw: IO[bytes], limit: int = MOST_BYTES) -> Iterator[bytes]:
    """Yield the content of `raw`, decompressed if it is gzip, bzip2 or xz, in pieces up to 1 MiB.

    `raw` need not be seekable, and stays open, perhaps read further than the yielded content.
    Raises DamagedError, TooLargeError beyond `limit` decompressed bytes or `MOST_RATIO`, and
    OSError if `raw` cannot be read. The limits hold for compressed files only.
    """
    with _buffered(raw) as source:
        start = source.read(6)
        opener = next((opens for magic, opens in _MAGIC.items() if start.startswith(magic)), None)
        if opener is None:
            piece = start + source.read(_CHUNK - 6) if len(start) == 6 else start
            while piece:
                yield piece
                piece = source.read(_CHUNK)
            return
        try:
            yield from _decompressed(start, source, opener, limit)
        except (EOFError, zlib.error, lzma.LZMAError) as error:
            raise DamagedError(str(error)) from None
        except OSError as error:
            # For data that are no bzip2, bz2 raises OSError without errno; a failed read has one.
            if error.errno is not None:
                raise
            raise DamagedError(str(error)) from None


def line_blocks(raw: IO[bytes], limit: int = MOST_BYTES) -> Iterator[bytes]:
    """Yield the content of `raw` in pieces of whole lines, each piece some 1 MiB or one line.

    Only the last piece may lack its line feed. Raises as `decompressed_chunks` does, and
    TooLargeError for a line of more than `LONGEST_LINE` bytes.
    """
    started: list[bytes] = []
    length = 0
    for chunk in decompressed_chunks(raw, limit):
        end = chunk.rfind(b"\n") + 1
        if end:
            yield b"".join([*started, chunk[:end]])
            started, length = [], 0
        if end < len(chunk):
            started.append(chunk[end:])
            length += len(chunk) - end
            if length > LONGEST_LINE:
                raise TooLargeError(f"a line of more than {LONGEST_LINE:,} bytes")
    if started:
        yield b"".join(started)


def decompressed_lines(raw: IO[bytes], limit: int = MOST_BYTES) -> Iterator[bytes]:
    """Yield the lines of `raw`, decompressed if it is gzip, bzip2 or xz; close it in the end.

    Raises as `line_blocks` does.
    """
    try:
        for block in line_blocks(raw, limit):
            yield from io.BytesIO(block)
    finally:
        raw.close()


@contextmanager
def compressing(file: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """Give a stream that writes to `file`, compressed if `name` ends in .gz, .bz2 or .xz."""
    name = name.lower()
    if name.endswith(".gz"):
        # The header of gzip gets no file name and no time: equal content gives equal files.
        with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
            yield cast("IO[bytes]", packed)
    elif name.endswith(".bz2"):
        with bz2.BZ2File(file, "wb") as packed_bz2:
            yield cast("IO[bytes]", packed_bz2)
    elif name.endswith(".xz"):
        with lzma.LZMAFile(file, "wb") as packed_xz:
            yield cast("IO[bytes]", packed_xz)
    else:
        yield file


@contextmanager
def _buffered(raw: IO[bytes]) -> Iterator[IO[bytes]]:
    """Give a stream whose `read` returns too few bytes at the end of the file only.

    `raw` stays open.
    """
    if hasattr(raw, "peek") or isinstance(raw, io.BytesIO):
        yield raw
        return
    buffered = io.BufferedReader(cast("io.RawIOBase", raw))
    try:
        yield cast("IO[bytes]", buffered)
    finally:
        with suppress(ValueError):
            buffered.detach()


def _decompressed(
    data: bytes, source: IO[bytes], opener: Callable[[], Any], limit: int
) -> Iterator[bytes]:
    """Yield the content of concatenated compressed streams; zero bytes between them are skipped."""
    consumed, produced = len(data), 0
    while data:
        decompressor = opener()
        while not decompressor.eof:
            piece = decompressor.decompress(data, _CHUNK)
            data = getattr(decompressor, "unconsumed_tail", b"")
            produced += len(piece)
            if produced > limit:
                raise TooLargeError(f"more than {limit:,} bytes when decompressed")
            if produced > max(FREE_BYTES, MOST_RATIO * consumed):
                raise TooLargeError(
                    f"more than {MOST_RATIO} times its size when decompressed, as far as read"
                    f" ({consumed:,} to {produced:,} bytes)"
                )
            if piece:
                yield piece
            elif not decompressor.eof and not data:
                data = source.read(_READ)
                consumed += len(data)
                if not data:
                    raise EOFError("it ends in the middle")
        data = decompressor.unused_data.lstrip(b"\0")
        while not data and (data := source.read(_READ)):
            consumed += len(data)
            data = data.lstrip(b"\0")
