"""Jobs of the tests' own."""

from importlib import import_module

import pytest


@pytest.fixture
def odd_jobs(data, monkeypatch):
    """The module, where other processes find it as well."""
    monkeypatch.syspath_prepend(str(data / "processes"))
    return import_module("odd_jobs")
