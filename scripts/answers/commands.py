"""Answers of the command line: standard output, standard error, exit code and files of commands."""

import bz2
import gzip
import json
import lzma
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any, Final

from scripts.answers.functions import drawn_boards
from scripts.answers.record import PROOF, Record

_PROOFS: Final = (".drat", ".lrat", ".pbp", ".lidrup", ".drup")
_CERTIFICATES: Final = ("certificate", "cell", "certified", "chain")
"""Folders whose files may differ: certificates."""

SCENARIOS: Final = (Path(__file__).parent / "scenarios.txt").read_text("utf-8")
"""A line a scenario: commands that follow one another in a folder of their own. `for NAME in ...:`
before them repeats the scenario. A line that begins with ``+`` belongs to long runs alone."""


def record_commands(record: Record, inputs: Path, more: bool) -> None:
    """Record the answers of all scenarios, with the files of the checkout `inputs`."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shutil.copytree(inputs / "examples", data / "examples")
        shutil.copytree(inputs / "tests" / "data", data / "tests")
        _draw_problems(data / "drawn")
        for name, text in drawn_boards(6, 11):
            (data / "drawn" / f"{name.replace(' ', '_')}.txt").write_text(text)
        for number, scenario in enumerate(_scenarios(more)):
            if record.wants(f"command: {scenario}"):
                here = Path(folder) / str(number)
                here.mkdir()
                for name in ("examples", "tests", "drawn"):
                    (here / name).symlink_to(data / name)
                _run(record, scenario, here)
                shutil.rmtree(here)


def _scenarios(more: bool) -> list[str]:
    found = []
    for line in SCENARIOS.splitlines():
        if not line or line.startswith("#") or (line.startswith("+") and not more):
            continue
        line = line.removeprefix("+").strip()
        if line.startswith("for "):
            names, _, command = line.removeprefix("for NAME in ").partition(": ")
            found += [command.replace("NAME", name) for name in names.split()]
        else:
            found.append(line)
    return found


def _run(record: Record, scenario: str, here: Path) -> None:
    """Run the commands of a scenario in the folder `here`; record answers and files."""
    text = []
    for command in scenario.split(" && "):
        if command.startswith("fixed-times "):
            _fix_times(here / command.split()[1] / "results.jsonl")
            continue
        command, _, target = command.partition(" > ")
        ran = subprocess.run(
            [sys.executable, "-P", "-m", "satsweeper", *shlex.split(command)],
            cwd=here,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if target:
            (here / target.strip()).write_bytes(ran.stdout)
        out, err = (b.decode("utf-8", "surrogateescape") for b in (ran.stdout, ran.stderr))
        text.append(f"$ {command}\n{out}{err}exit code {ran.returncode}")
    answer = "\n".join(text).replace(str(here), "HERE")
    record.add(f"command: {scenario}", answer)
    for path in sorted(here.rglob("*")):
        if path.is_file() and path.name != ".lock" and not path.is_symlink():
            inside = path.relative_to(here)
            proof = path.suffix in _PROOFS or inside.parts[0] in _CERTIFICATES
            kind = PROOF if proof else "file: "
            data = _unpacked(path).decode("utf-8", "surrogateescape").replace(str(here), "HERE")
            record.add(f"{kind}{scenario} | {inside}", data)


def _fix_times(results: Path) -> None:
    """Replace the times in a file of results by numbers that follow from the rest of a line."""
    lines = []
    for line in sorted(results.read_text("utf-8").splitlines()):
        entry = json.loads(line)
        measured = entry.pop("measured")
        draw = Random(str(entry))
        entry["measured"] = _drawn(measured, draw)
        lines.append(json.dumps(entry, separators=(",", ":")))
    results.write_text("\n".join(lines) + "\n", "utf-8")


def _drawn(measured: Any, draw: Random) -> Any:
    """Return `measured` with every number replaced by a random number."""
    if isinstance(measured, dict):
        return {name: _drawn(value, draw) for name, value in measured.items()}
    if isinstance(measured, list):
        return [_drawn(value, draw) for value in measured]
    return draw.randint(1, 9999) / 1000 if isinstance(measured, float) else 40_000_000


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    ways = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}
    return ways[path.suffix](data) if path.suffix in ways else data


def _draw_problems(folder: Path) -> None:
    """Write OPB problems drawn at random: `folder`/0.opb and so on, every second one optimised."""
    os.makedirs(folder)
    draw = Random(7)
    for number in range(6):
        n = draw.randint(6, 14)

        def terms(most: int, n: int = n) -> str:
            chosen = sorted(draw.sample(range(1, n + 1), draw.randint(2, n)))
            return " ".join(
                f"+{draw.randint(1, most)} {draw.choice(('', '~'))}x{x}" for x in chosen
            )

        signs = (">=", ">=", "=")
        rows = [
            f"{terms(draw.choice((1, 1, 9)))} {draw.choice(signs)} {draw.randint(1, 4)} ;"
            for _ in range(draw.randint(3, 8))
        ]
        goal = [f"min: {terms(20)} ;"] if number % 2 else []
        head = f"* #variable= {n} #constraint= {len(rows)}"
        (folder / f"{number}.opb").write_text("\n".join([head, *goal, *rows]) + "\n")
