"""The committed results: what finished simulations came to, and where and when they ran."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pbcnf.formats.writing import replacing
from pbcnf.wording import counted
from satsweeper.play.simulation.report import as_json
from satsweeper.play.simulation.run import read_simulation

SCHEMA: Final = "satsweeper/win-rates/1"
_MACHINE: Final = ("cpu", "cores", "architecture")
_SAME: Final = ("board", "first_click", "start", "seed", "strategy", "against")
"""Return the values that identify a run or a pair."""


def read_results(path: Path) -> list[dict[str, Any]]:
    """The simulations in a file; none if there is no file.

    Raises:
        ValueError: it holds something else.
    """
    if not path.exists():
        return []
    try:
        content = json.loads(path.read_bytes())
        if content["schema"] != SCHEMA:
            raise ValueError(f"schema {content['schema']!r}, not {SCHEMA}")
        found: list[dict[str, Any]] = content["simulations"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: no results of simulations: {error}") from None
    return found


def write_results(path: Path, simulations: Sequence[Mapping[str, Any]]) -> None:
    """Write them whole or not at all, a line a row so that changes can be read."""
    rows = ",\n".join(_spread(each) for each in simulations)
    with replacing(path) as stream:
        stream.write(f'{{"schema": "{SCHEMA}", "simulations": [\n{rows}\n]}}\n'.encode("ascii"))


def _spread(simulation: Mapping[str, Any]) -> str:
    head = {key: value for key, value in simulation.items() if key not in ("runs", "pairs")}
    lists = [
        f'"{key}": [\n' + ",\n".join(f" {json.dumps(row)}" for row in simulation[key]) + "\n]"
        for key in ("runs", "pairs")
        if simulation[key]
    ]
    empty = [f'"{key}": []' for key in ("runs", "pairs") if not simulation[key]]
    return f"{json.dumps(head)[:-1]},\n" + ",\n".join([*lists, *empty]) + "}"


def finished(folder: Path) -> dict[str, Any]:
    """Read the figures of a simulation from its folder.

    Raises:
        ValueError: it is not finished, or a cell that was called safe had a mine.
        JournalError: it is no simulation.
    """
    found = read_simulation(folder)
    if found.missing:
        raise ValueError(f"{folder}: {counted(found.missing, 'game')} to come")
    if found.unsafe:
        raise ValueError(f"{folder}: {counted(found.unsafe, 'cell')} called safe had a mine")
    answer = as_json(found)
    manifest = found.manifest
    return {
        "started": manifest["started"][:10],
        "machine": {key: manifest["machine"][key] for key in _MACHINE},
        "versions": {key: manifest["versions"][key] for key in ("satsweeper", "python", "numpy")},
        "seed": answer["seed"],
        "width": answer["width"],
        "runs": [{**row, "seed": answer["seed"]} for row in answer["runs"]],
        "pairs": [{**row, "seed": answer["seed"]} for row in answer["pairs"]],
    }


def merged(
    before: Iterable[Mapping[str, Any]], added: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Merge old and new runs and pairs; of equal ones the larger number of games counts.

    Of equally many games what is added takes the place of what was there. A simulation of which
    nothing is left is left out.
    """
    every = [*before, *added]
    best: dict[str, tuple[int, int]] = {}
    for at, simulation in enumerate(every):
        for row in _rows(simulation):
            best[_key(row)] = max(best.get(_key(row), (0, 0)), (row["games"], at))
    kept = [
        {
            **simulation,
            **{
                kind: [row for row in simulation[kind] if best[_key(row)][1] == at]
                for kind in ("runs", "pairs")
            },
        }
        for at, simulation in enumerate(every)
    ]
    return [simulation for simulation in kept if any(_rows(simulation))]


def _rows(simulation: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*simulation["runs"], *simulation["pairs"]]


def _key(row: Mapping[str, Any]) -> str:
    return json.dumps([row.get(name) for name in _SAME])
