"""Bugs planted in what checks sums, one at a time: no false claim passes."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbcnf.proof.cutting_planes import Inequality, checker
from pbcnf.proof.cutting_planes.formula import Equalities, Known
from satsweeper import Position, certify
from satsweeper.certificate.folder import write_folder
from satsweeper.checker import formula, sums_recheck
from satsweeper.checker.board import Clues
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from scripts.fuzzing.forgery import false_claim
from scripts.mutate_certificates import lie
from tests.oracles import layouts

BOARDS = (
    "3 4 ?\n1???\n12??\n01??\n",
    "3 5 4\n?2???\n?3?1?\n????1\n",
    "3 5 ?\n1????\n12?2?\n01?1?\n",
    "1 8 3\n1???????\n",
)
ALL = {sign * v for v in range(1, 17) for sign in (1, -1)}


def everything(*_: object) -> set[int]:
    return ALL


BUGS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "no bug": lambda patch: None,
    "equalities force everything": lambda patch: patch.setattr(Equalities, "forced", everything),
    "all that is known forces everything": lambda patch: patch.setattr(Known, "forced", everything),
    "one inequality forces all its literals": lambda patch: patch.setattr(
        Inequality, "forced", property(lambda self: list(self.terms))
    ),
    "the sums added up again force everything": lambda patch: patch.setattr(
        sums_recheck._NumberedSums, "forced", everything
    ),
    "every problem is as written": lambda patch: patch.setattr(
        formula, "_as_written", lambda *_: True
    ),
    "propagation refutes everything": lambda patch: patch.setattr(
        checker, "refuted", lambda *_: True
    ),
    "no layout breaks a clue": lambda patch: patch.setattr(Clues, "first_broken", lambda *_: None),
}


@pytest.fixture(scope="module")
def certificates() -> list[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satsweeper.certificate.certify.MANY", 0)
        made = [certify(Position.parse(text)) for text in BOARDS]
    return [replace(one, files={**one.files, "layouts.json": all_layouts(one)}) for one in made]


def all_layouts(certificate: Any) -> bytes:
    """Instead of a few: whichever verdict is a lie, those that agree with it are among them."""
    board = certificate.files["board.txt"].decode()
    rows = board.splitlines()[1:]
    found = [
        [
            "".join(
                mark if mark != "?" else "M" if (r, c) in mines else "S"
                for c, mark in enumerate(row)
            )
            for r, row in enumerate(rows)
        ]
        for mines in layouts(Position.parse(board))
    ]
    return json.dumps({"layouts": found, "cells": []}).encode()


def lies(certificates: list[Any], folder: Path, count: int) -> Iterator[Path]:
    """Certificates with another verdict somewhere, all files made to agree as far as may be."""
    rng = random.Random(11)
    for number in range(count):
        one = certificates[number % len(certificates)]
        about = json.loads(json.dumps({**one.about, "files": dict.fromkeys(one.files, "")}))
        changed = lie(one.files, about, rng)
        files = {name: data for name, data in {**one.files, **changed}.items() if data is not None}
        # Not what write_folder gives, which names and hashes them itself.
        del about["files"]
        write_folder(folder, files, about)
        yield folder


@pytest.mark.parametrize("bug", BUGS)
def test_no_single_bug_lets_a_false_verdict_pass(
    bug: str, certificates: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    BUGS[bug](monkeypatch)
    monkeypatch.setattr("os.fsync", lambda _: None)
    assert all(each.about["proof"] in ("sums", "both") for each in certificates)
    refused = 0
    for folder in lies(certificates, tmp_path / "c", 120):
        try:
            check(folder, external=False)
        except WrongCertificateError:
            refused += 1
        else:
            assert false_claim(folder) is None
    assert refused > 60


def test_two_bugs_at_once_are_needed(
    certificates: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That such lies would be seen: without both checkers of sums, and without the one proof."""
    for bug in ("all that is known forces everything", "the sums added up again force everything"):
        BUGS[bug](monkeypatch)
    monkeypatch.setattr("satsweeper.checker.check.check_one_proof", lambda *_: None)
    monkeypatch.setattr("os.fsync", lambda _: None)
    passed = 0
    for folder in lies(certificates, tmp_path / "c", 120):
        try:
            check(folder, external=False)
        except WrongCertificateError:
            continue
        passed += false_claim(folder) is not None
    assert passed > 0
