"""What is compiled, and how often."""

from typing import Any

import pytest

from satsweeper.play.kernel import compiled as door


@pytest.mark.skipif(not door.COMPILES, reason="numba is not installed")
def test_constants_among_the_arguments_are_no_reason_to_compile_again(tmp_path, monkeypatch):
    monkeypatch.setattr(door, "_FOLDER", str(tmp_path))

    def twice(number, doubled):
        return number * 2 if doubled else number

    callee: Any = door.compiled(twice)

    def caller(number):
        return callee(1, True) + callee(2, False) + callee(3, number > 0) + callee(number, True)

    assert door.compiled(caller)(4) == 2 + 2 + 6 + 8
    assert len(callee.signatures) == 1
