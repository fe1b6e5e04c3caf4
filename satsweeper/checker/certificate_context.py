"""A certificate under check, with everything derived from its board cached.

Pickled for another process, a context takes along only the files named in `sent_with`; what was
derived is not sent but derived again there.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property
from typing import Self

from satsweeper.checker.board import BOARD, CheckedBoard, read_board
from satsweeper.checker.layouts import verdicts_of
from satsweeper.checker.manifest import LoadedCertificate
from satsweeper.checker.opb_statement import OpbStatement


class CertificateContext:
    """A certificate under check; properties read from its files raise WrongCertificateError."""

    def __init__(self, certificate: LoadedCertificate) -> None:
        self.certificate = certificate
        self._sent: Collection[str] = certificate.files

    def sent_with(self, *names: str) -> Self:
        """Return a context that sends another process only the files ``names``, if they exist."""
        other = type(self)(self.certificate)
        other.__dict__.update(self.__dict__, _sent=names)
        return other

    def __reduce__(self) -> tuple[Callable[[LoadedCertificate], Self], tuple[LoadedCertificate]]:
        files = {
            name: self.certificate.files[name]
            for name in self._sent
            if name in self.certificate.files
        }
        return type(self), (replace(self.certificate, files=files),)

    @cached_property
    def board(self) -> CheckedBoard:
        """The board, as the checker reads it."""
        return read_board(self.certificate.text(BOARD), self.certificate.trust_flags)

    @cached_property
    def statement(self) -> OpbStatement:
        """All clues of the board and its total, as OPB."""
        return OpbStatement.by(self.board)

    @cached_property
    def verdicts(self) -> str:
        """The verdict of every covered cell; empty for an inconsistent board."""
        return verdicts_of(self.certificate, self.board) if self.certificate.consistent else ""

    @cached_property
    def claimed(self) -> list[int] | None:
        """The literals that the certain verdicts claim; None claims that no layout exists."""
        if not self.certificate.consistent:
            return None
        verdicts = enumerate(self.verdicts, start=1)
        return [v if mark == "M" else -v for v, mark in verdicts if mark != "?"]
