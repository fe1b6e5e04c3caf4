"""HiGHS through its door: nothing but the numbers comes of it."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(
    find_spec("highspy") is None, reason="highspy is an extra: pip install satsweeper[ilp]"
)

PROGRAMS = """
import sys
sys.path[:] = {path!r}
from satsweeper.linear.highs import LinearProgram

for integer in (False, True):
    program = LinearProgram(3, [((0, 1), 1), ((1, 2), 1)], integer=integer)
    for column in (0, 2):
        program.cost(column, 1.0)
    assert [round(value) for value in program.run(60).values] == [0, 1, 0]
"""


def test_a_program_is_made_and_run_without_a_word() -> None:
    # In a process of its own, whose end writes out what C still holds back.
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAMS.format(path=sys.path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
