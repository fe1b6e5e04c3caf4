"""Certificates to be forged: the hashes are made anew, so that only what they say can be wrong."""

import copy
import hashlib
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from satsweeper.certificate.certify import certify, certify_within
from satsweeper.certificate.folder import SCHEMA
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.families.table import FAMILIES
from satsweeper.position import Position
from tests.boards import PROVABLE
from tests.commands import EXAMPLES

FAMILY = {
    "two cells": ("chessboard_with_private_cells", 10),
    "another contradiction": ("mutilated_chessboard", 10),
    "contradiction": ("mutilated_chessboard", 12),
    "with clauses": ("parity_lattice_with_open_end", 10),
}
"""Boards whose verdicts sums of clues prove, the last with the help of clauses."""


class Forgery:
    """The files and the manifest of a certificate, to be changed, written and checked."""

    def __init__(self, files: dict[str, bytes], about: dict[str, Any], folder: Path) -> None:
        self.files = dict(files)
        self.about = copy.deepcopy(about)
        self.manifest: bytes | None = None
        """Instead of the one that fits the files."""
        self.unnamed: dict[str, bytes] = {}
        """Files that the manifest does not name."""
        self.folder = folder

    def text(self, name: str) -> str:
        return self.files[name].decode("ascii")

    def json(self, name: str) -> Any:
        return json.loads(self.files[name])

    def put_json(self, name: str, value: object) -> None:
        self.files[name] = json.dumps(value).encode()

    def replace(self, name: str, old: str, new: str) -> None:
        assert old in self.text(name), f"{name} holds no {old!r}"
        self.files[name] = self.text(name).replace(old, new, 1).encode()

    def lines(self, name: str) -> list[str]:
        return self.text(name).splitlines()

    def put_lines(self, name: str, lines: list[str]) -> None:
        self.files[name] = "".join(f"{line}\n" for line in lines).encode()

    def clauses(self, name: str) -> list[str]:
        return self.lines(name)[1:]

    def put_clauses(self, name: str, clauses: list[str]) -> None:
        variables = self.lines(name)[0].split()[2]
        self.put_lines(name, [f"p cnf {variables} {len(clauses)}", *clauses])

    def change_verdict(self, cell: tuple[int, int], verdict: str) -> None:
        rows = [list(row) for row in self.about["grid"]]
        rows[cell[0]][cell[1]] = verdict
        self.about["grid"] = ["".join(row) for row in rows]

    def cells_with(self, verdict: str) -> Iterator[tuple[int, int]]:
        for r, row in enumerate(self.about["grid"]):
            yield from ((r, c) for c, found in enumerate(row) if found == verdict)

    def claim_last_cell_safe(self, clauses: list[str], lrat: str) -> None:
        """Call the last cell of "1????" safe, by clauses of which it would follow."""
        self.change_verdict((0, 4), "S")
        known = [*self.clauses("formula.cnf"), *clauses]
        self.put_clauses("formula.cnf", known)
        self.put_clauses("refutation.cnf", [*known, "-1 4 0"])
        self.files["refutation.lrat"] = lrat.encode()
        self.files["refutation.drat"] = b"0\n"
        cells = [{"cell": [0, c], "mine": 1, "safe": 0} for c in (2, 3)]
        self.put_json("layouts.json", {"layouts": [["1MSSS"], ["1MMMS"]], "cells": cells})

    def add_steps(self, *steps: str) -> None:
        """Put steps at the end of the derivation."""
        self.replace("derivation.pbp", "output NONE", "\n".join([*steps, "output NONE"]))

    def claim_inconsistent(self) -> None:
        """Say that there is no layout, and show none."""
        self.about.update(status="inconsistent", grid=None)
        del self.files["layouts.json"]

    def named(self) -> dict[str, Any]:
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}
        return {"schema": SCHEMA, **self.about, "files": hashes}

    def write(self) -> Path:
        self.folder.mkdir(parents=True)
        written = json.dumps(self.named()).encode() if self.manifest is None else self.manifest
        for name, data in {**self.files, **self.unnamed, "manifest.json": written}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return self.folder

    def check(self) -> Any:
        return check(self.write(), external=False)

    def fault(self) -> WrongCertificateError:
        """How the checker refuses it."""
        with pytest.raises(WrongCertificateError) as refused:
            self.check()
        assert str(refused.value) == f"{refused.value.file}: {refused.value.fault}"
        assert str(refused.value).isprintable()
        return refused.value

    def refused(self, files: str, fault: str = "") -> None:
        """Hold the checker to a refusal: one of the named files, and part of the message."""
        found = self.fault()
        assert found.file in files.split()
        assert fault in found.fault


class Certificates(dict[str, Any]):
    """Certificates by the names of their boards, each made when a test first needs it."""

    def __missing__(self, name: str) -> Any:
        if name in FAMILY:
            family, size = FAMILY[name]
            # Made in a process that has HiGHS, whatever a test before has loaded here.
            made = certify_within(200, FAMILIES[family].instance(size))
        elif name == "expert":  # A whole board, whose proof needs search.
            made = certify(Position.read(EXAMPLES / "expert.txt"))
        else:
            cells = {"total": [(0, 2), (1, 4)], "open": [(0, 1)]}.get(name, ())
            encoding = "totalizer" if name == "open" else "direct"
            made = certify(Position.parse(PROVABLE[name]), cells=cells, encoding=encoding)
        self[name] = made
        return made


@pytest.fixture(scope="session")
def certificates():
    return Certificates()


@pytest.fixture
def forge(certificates, tmp_path):
    """A certificate by the name of its board, to be changed."""
    numbers = count()

    def take(name: str) -> Forgery:
        certificate = certificates[name]
        return Forgery(certificate.files, certificate.about, tmp_path / str(next(numbers)))

    return take
