"""Certificates of small boards, written and checked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume

from satsweeper.answers.classification import HardRegion
from satsweeper.certificate.certify import Certificate, certify_within
from satsweeper.certificate.folder import write_folder
from satsweeper.checker.check import Checked, check
from satsweeper.position import Position
from satsweeper.search.session import PositionSession

FLAG, COVERED = -2, -1
MARKS = {"mine": "M", "safe": "S", "unknown": "?"}


@pytest.fixture(scope="session")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Certificate, Checked]]:
    """Certify a position, write the certificate, and check what was written."""
    folder = tmp_path_factory.mktemp("certificates") / "one"

    def run(
        position: Position, *, apart: bool = False, **options: Any
    ) -> tuple[Certificate, Checked]:
        # A process of its own has HiGHS, whatever a test before has loaded here.
        certificate = certify_within(200 if apart else None, position, **options)
        assert certificate is not None
        with patch("os.fsync"):  # No power failure is tested here.
            write_folder(folder, certificate.files, certificate.about)
        found = check(Path(folder), external=False)
        assert found.one_proof == (found.proved > 0 or found.status == "inconsistent")
        return certificate, found

    return run


def expected_grid(board: Any, flags: str) -> list[str] | None:
    """The grid of verdicts, by all layouts; None if there is no layout."""
    if flags == "ignore":
        board = board._replace(cells=np.where(board.cells == FLAG, COVERED, board.cells))
    verdicts = board.verdicts()
    if verdicts is None:
        return None
    return [
        "".join(
            MARKS[verdicts[r, c]] if (r, c) in verdicts else "F" if code == FLAG else str(code)
            for c, code in enumerate(row)
        )
        for r, row in enumerate(board.cells.tolist())
    ]


@pytest.fixture(scope="session")
def compared(checked: Callable[..., Any]) -> Callable[..., tuple[Certificate, Checked]]:
    """Certify a small board and check it: what is said is what all layouts say."""

    def run(board: Any, flags: str = "trust", **options: Any) -> tuple[Certificate, Checked]:
        try:
            position = Position(board.cells, board.total)
        except ValueError:
            assume(False)
        certificate, found = checked(position, flags=flags, **options)
        grid = expected_grid(board, flags)
        about = certificate.about
        assert about["grid"] == grid
        assert found.status == about["status"] == ("inconsistent" if grid is None else "consistent")
        text = "" if grid is None else "".join(grid)
        assert found.proved == text.count("S") + text.count("M")
        assert found.witnessed == text.count("?")
        return certificate, found

    return run


@pytest.fixture
def sums_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every board counts as one that search did not settle, and every total as large."""
    classify = PositionSession.classify

    def hard(self: PositionSession, *arguments: Any) -> Any:
        found = classify(self, *arguments)
        found.stats.hard_regions = (HardRegion(0, 0, False, ()),)
        return found

    monkeypatch.setattr(PositionSession, "classify", hard)
    monkeypatch.setattr("satsweeper.certificate.certify._LARGE", -1)
