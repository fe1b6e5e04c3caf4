"""Jobs of the tests' own."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def odd_jobs(data: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, where other processes find it as well."""
    monkeypatch.syspath_prepend(str(data / "processes"))
    return import_module("odd_jobs")
