"""A certificate and what its board says, worked out once; whatever is sent away starts anew."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property
from typing import Self

from satsweeper.checker.board import BOARD, Board, read_board
from satsweeper.checker.layouts import verdicts_of
from satsweeper.checker.manifest import Certificate
from satsweeper.checker.stated import Stated


class Case:
    """A certificate; all that is read off its files raises WrongCertificateError."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self._sent: Collection[str] = certificate.files

    def sent_with(self, *names: str) -> Self:
        """The same, of whose files another process gets these alone, where they are there."""
        other = type(self)(self.certificate)
        other.__dict__.update(self.__dict__, _sent=names)
        return other

    def __reduce__(self) -> tuple[Callable[[Certificate], Self], tuple[Certificate]]:
        files = {
            name: self.certificate.files[name]
            for name in self._sent
            if name in self.certificate.files
        }
        return type(self), (replace(self.certificate, files=files),)

    @cached_property
    def board(self) -> Board:
        """The board, as the checker reads it."""
        return read_board(self.certificate.text(BOARD), self.certificate.trust_flags)

    @cached_property
    def stated(self) -> Stated:
        """All that it says."""
        return Stated.by(self.board)

    @cached_property
    def verdicts(self) -> str:
        """The verdict of every covered cell; none of an inconsistent board."""
        return verdicts_of(self.certificate, self.board) if self.certificate.consistent else ""

    @cached_property
    def claimed(self) -> list[int] | None:
        """The literals that the certain verdicts say; None: there is no layout."""
        if not self.certificate.consistent:
            return None
        verdicts = enumerate(self.verdicts, start=1)
        return [v if mark == "M" else -v for v, mark in verdicts if mark != "?"]
