"""Certificates of boards under rules, to be forged with hashes that fit."""

import hashlib
import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from satsweeper.certificate.puzzle.certify import PuzzleCertificate, certify_puzzle
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.puzzle.check import CheckedPuzzle, check_puzzle
from satsweeper.puzzle.puzzle import Puzzle


class PuzzleForgery:
    """The files and the manifest of a certificate, to be changed, written and checked."""

    def __init__(self, certificate: PuzzleCertificate, folder: Path) -> None:
        self.files = dict(certificate.files)
        self.about = dict(certificate.about)
        self.folder = folder
        self._numbers = count()

    def text(self, name: str) -> str:
        return self.files[name].decode("ascii")

    def lines(self, name: str) -> list[str]:
        return self.text(name).splitlines()

    def put_lines(self, name: str, lines: list[str]) -> None:
        self.files[name] = "".join(f"{line}\n" for line in lines).encode()

    def replace(self, name: str, old: str, new: str) -> None:
        assert old in self.text(name), f"{name} holds no {old!r}"
        self.files[name] = self.text(name).replace(old, new, 1).encode()

    def layouts(self) -> list[list[str]]:
        found: list[list[str]] = json.loads(self.files["layouts.json"])["layouts"]
        return found

    def put_layouts(self, layouts: object) -> None:
        self.files["layouts.json"] = json.dumps({"layouts": layouts}).encode()

    def manifest(self) -> dict[str, Any]:
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}
        return {**self.about, "files": hashes}

    def write(self) -> Path:
        folder = self.folder / str(next(self._numbers))
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        (folder / "manifest.json").write_text(json.dumps(self.manifest()))
        return folder

    def check(self, **asked: Any) -> CheckedPuzzle:
        return check_puzzle(self.write(), external=False, **asked)

    def refused(self, **asked: Any) -> str:
        with pytest.raises(WrongCertificateError) as caught:
            self.check(**asked)
        return str(caught.value)


@pytest.fixture
def forgery(tmp_path):
    """A function from a certificate to one that can be forged."""
    numbers = count()

    def forgery(found: PuzzleCertificate) -> PuzzleForgery:
        return PuzzleForgery(found, tmp_path / f"certificate{next(numbers)}")

    return forgery


@pytest.fixture
def certified(forgery):
    """A function from the text of a board to its certificate, which can be forged."""

    def certified(text: str, flags: Any = "trust") -> PuzzleForgery:
        made: PuzzleForgery = forgery(certify_puzzle(Puzzle.parse(text), flags=flags))
        return made

    return certified
