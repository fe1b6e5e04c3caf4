"""Strategies of the tests' own that can be named."""

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module", autouse=True)
def own_strategies() -> Iterator[None]:
    """``odd_strategies:NAME`` is found here, and by processes that are started here."""
    data = Path(__file__).parents[2] / "data"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(data)
        patch.syspath_prepend(data)
        yield
