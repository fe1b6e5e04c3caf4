"""Certificates of small boards, written and checked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from satsweeper.certificate.certify import Certificate, certify_within
from satsweeper.certificate.folder import write_folder
from satsweeper.checker.check import Checked, check
from satsweeper.position import Position


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
