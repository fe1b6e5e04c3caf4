"""Instances of sweeps: boards, problems of counting constraints and CNFs, each with a digest.

An instance is text, which can be sent to any process and is parsed where it is needed. Equal
contents have equal digests, whatever their files: the content of a board is the board in the text
format, with its total; the content of a problem or a CNF is the text of the file.
"""

import hashlib
import io
import zlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

import numpy as np

from pbcnf.constraints.normal_form import linear_form
from pbcnf.constraints.problem import Problem
from pbcnf.formats.problems import read_problem
from pbcnf.formats.read.dimacs import read_dimacs
from pbcnf.formula import Formula
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.position import Position

_CODE = np.full(256, COVERED, np.int8)
"""The cell of a sign in the text format."""
_CODE[ord("F")] = FLAG
_CODE[ord("0") : ord("9")] = range(9)


class InstanceKind(StrEnum):
    """The kind of an instance."""

    BOARD = "board"
    PROBLEM = "problem"
    CNF = "cnf"


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a sweep.

    ``digest``: 64 hexadecimal digits of the content. ``family``: the name of a group of instances,
    for tables; may be empty. ``data``: the content, compressed.
    """

    digest: str
    name: str
    kind: InstanceKind
    family: str
    data: bytes = field(repr=False)

    @classmethod
    def of_text(cls, kind: InstanceKind, text: bytes, name: str, family: str = "") -> Self:
        """Return the instance with content ``text``, which is not parsed here."""
        digest = hashlib.sha256(f"{kind}\n".encode() + text).hexdigest()
        return cls(digest, name, kind, family, zlib.compress(text))

    @classmethod
    def of_board(cls, position: Position, name: str, family: str = "") -> Self:
        """A position, its total included."""
        return cls.of_text(InstanceKind.BOARD, position.text().encode("ascii"), name, family)

    @property
    def text(self) -> bytes:
        """The content."""
        return zlib.decompress(self.data)

    def position(self) -> Position:
        """The board of an instance of kind ``board``."""
        self._require(InstanceKind.BOARD)
        # Not parsed: the reader of files refuses clues that are too large for their neighbours.
        head, _, body = self.text.partition(b"\n")
        rows, columns, mines = head.decode("ascii").split()
        signs = np.frombuffer(body, np.uint8).reshape(int(rows), int(columns) + 1)[:, :-1]
        return Position(_CODE[signs], None if mines == "?" else int(mines))

    def problem(self) -> Problem:
        """The bounds on sums of a problem; FormatError if the content is no problem."""
        self._require(InstanceKind.PROBLEM)
        return linear_form(read_problem(io.BytesIO(self.text), self.name))

    def formula(self) -> Formula:
        """The clauses of a CNF; FormatError if the content is no CNF."""
        self._require(InstanceKind.CNF)
        return read_dimacs(io.BytesIO(self.text), self.name).formula

    def _require(self, kind: InstanceKind) -> None:
        if self.kind is not kind:
            raise ValueError(f"{self.name} is a {self.kind}, not a {kind}")
