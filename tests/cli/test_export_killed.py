"""Whoever is killed while writing leaves the old file or the new one, never a part."""

import lzma
import random
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

BOARD = "\n".join(
    "".join(str((r * c) % 3) if (r + c) % 2 else "?" for c in range(60)) for r in range(60)
)


def export(board: Path, out: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "satsweeper", "export", "--encoding", "totalizer"]
    return subprocess.Popen([*command, str(board), "-o", str(out)], env=environment)


@pytest.mark.parametrize("part", range(2))
def test_a_killed_export_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, environment: dict[str, str], part: int
) -> None:
    board, whole, out = tmp_path / "b.txt", tmp_path / "whole.cnf.xz", tmp_path / "out.cnf.xz"
    board.write_text(BOARD)
    start = monotonic()
    assert export(board, whole, environment).wait() == 0
    usual = monotonic() - start
    new = lzma.decompress(whole.read_bytes())
    out.write_bytes(lzma.compress(b"older"))
    draw = random.Random(part)
    kills = 0
    while kills < 4:
        child = export(board, out, environment)
        start = monotonic()
        try:
            child.wait(timeout=usual * draw.uniform(0.2, 1.0))
            # It is quicker now: what else the machine does may have changed.
            usual = monotonic() - start
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            kills += 1
        assert lzma.decompress(out.read_bytes()) in (b"older", new)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "b.txt",
        "out.cnf.xz",
        "whole.cnf.xz",
    ]
