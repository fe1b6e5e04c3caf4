"""Statements files of the modelling language, read as the problem of rows that they state."""

from __future__ import annotations

from typing import IO

from pbcnf.constraints.problem import Problem
from pbcnf.errors import EncodingError
from pbcnf.formats.compressed import DamagedError, TooLargeError, decompressed_chunks
from pbcnf.formats.error import FormatError


def read_statements_file(stream: IO[bytes], source: str) -> Problem:
    """Read a statements file, compressed or not, as `pbcnf.language.Builder.problem` gives it.

    `source` names the file in errors. Variables 1, 2, ... are the Booleans of the file, by number;
    its integers are in `Problem.integers`. Raises FormatError for what is no such file.
    """
    from pbcnf.language.statements_file import read_statements

    try:
        return read_statements(b"".join(decompressed_chunks(stream)), source).problem()
    except (DamagedError, TooLargeError, EncodingError) as error:
        message = str(error).removeprefix(f"{source}: ")
        raise FormatError(source, None, None, message) from None
