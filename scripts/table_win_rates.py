#!/usr/bin/env python3
"""docs/win_rates.md: our win rates beside every published one, each with its convention.

Ours are kept in docs/win_rates.json, from which the document is made again. --add takes what
finished simulations (satsweeper simulate ... -o FOLDER) came to into that file; of two runs of one
strategy on the same board, first click and seed the one with more games is kept, or else the later;
games of several seeds by the same code (its digest is kept) are counted together.
Strategies of several folders that are added together are compared in pairs, too, on the games of
one seed that both have played. What is around the markers of the document is left alone.

Examples: scripts/table_win_rates.py
  scripts/table_win_rates.py --add FOLDER ANOTHER
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf.formats.writing import replacing
from pbcnf.wording import counted
from satsweeper.board.size import BoardSize
from satsweeper.compare.statistics.intervals import PairedCounts, wilson
from satsweeper.compare.sweep.journal import JournalError
from satsweeper.play.draw import FirstClick
from satsweeper.play.simulation.report import as_json, pair_row
from satsweeper.play.simulation.run import Pair, SettingFigures, games_won, read_simulation
from satsweeper.report.table import padded_table
from scripts.frame.arguments import ended, parser_of, update


class Source(NamedTuple):
    """A published strategy and its source; ``strategy`` and ``note`` may be empty."""

    who: str
    strategy: str
    place: str
    note: str = ""


class Published(NamedTuple):
    """A published win rate.

    ``won`` is the rate in per cent as printed, ``given`` its uncertainty. ``games`` 0 and an empty
    ``start`` or ``given`` stand for values that the source does not state.
    """

    source: Source
    board: str
    first_click: FirstClick
    start: str
    won: str
    given: str = ""
    games: int = 0

    @property
    def rate(self) -> float:
        """The win rate, from 0 to 1."""
        return float(self.won) / 100


def _published() -> Iterator[Published]:
    """Read the figures of published_win_rates.txt, beside this file."""
    text = Path(__file__).with_name("published_win_rates.txt").read_text("utf-8")
    known, figures = (
        [["" if field == "-" else field for field in line.split(" | ")] for line in lines]
        for part in text.split("\n\n")
        if (lines := [line for line in part.splitlines() if not line.startswith("#")])
    )
    sources = {name: Source(*fields) for name, *fields in known}
    for name, board, click, start, won, *more in figures:
        given, games = (*more, "", "")[:2]
        first_click = FirstClick(click)
        yield Published(sources[name], board, first_click, start, won, given, int(games or 0))


PUBLISHED: Final = tuple(_published())
"""All published win rates; boards are columns x rows / mines, starts are row, column."""

SCHEMA: Final = "satsweeper/win-rates/1"
Row = Mapping[str, Any]
_ROWS: Final = ("runs", "pairs")
_SAME: Final = ("board", "first_click", "start", "seed")
"""Keys whose values identify, with the strategies, a run or a pair."""


def read_results(path: Path) -> list[dict[str, Any]]:
    """Return the simulations in a file; an empty list if there is no file.

    Raises:
        ValueError: the file does not hold simulations.
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
    """Write the simulations to a file, whole or not at all, with a line for each row."""
    texts = []
    for simulation in simulations:
        head = {key: value for key, value in simulation.items() if key not in _ROWS}
        lists = {key: ",\n".join(f" {json.dumps(r)}" for r in simulation[key]) for key in _ROWS}
        # Lists with rows come first.
        parts = [f'"{key}": [\n{rows}\n]' for key, rows in lists.items() if rows]
        parts += [f'"{key}": []' for key, rows in lists.items() if not rows]
        texts.append(f"{json.dumps(head)[:-1]},\n" + ",\n".join(parts) + "}")
    rows = ",\n".join(texts)
    with replacing(path) as stream:
        stream.write(f'{{"schema": "{SCHEMA}", "simulations": [\n{rows}\n]}}\n'.encode("ascii"))


def finished(folder: Path) -> dict[str, Any]:
    """Read the figures of a simulation from its folder.

    Raises:
        ValueError: the simulation is not finished, or a cell that was called safe had a mine.
        JournalError: the folder holds no simulation.
    """
    found = read_simulation(folder)
    if found.missing:
        raise ValueError(f"{folder}: {counted(found.missing, 'game')} to come")
    if found.unsafe:
        raise ValueError(f"{folder}: {counted(found.unsafe, 'cell')} called safe had a mine")
    answer = as_json(found)
    manifest = found.manifest
    code = manifest["code"]
    return {
        "started": manifest["started"][:10],
        "machine": {key: manifest["machine"][key] for key in ("cpu", "cores", "architecture")},
        "versions": {key: manifest["versions"][key] for key in ("satsweeper", "python", "numpy")},
        "seed": answer["seed"],
        "width": answer["width"],
        **{
            key: [
                {**row, "seed": answer["seed"], "code": [code[n] for n in _strategies(row)]}
                for row in answer[key]
            ]
            for key in _ROWS
        },
    }


def _strategies(row: Mapping[str, Any]) -> list[str]:
    """Return the strategy of a run, or the two of a pair."""
    return [row["strategy"], *([row["against"]] if "against" in row else [])]


def across(folders: Sequence[Path]) -> dict[int, list[dict[str, Any]]]:
    """Pair strategies of folders with equal seeds; return rows by the number of the later folder.

    A pair is of the layouts that both strategies have played: the first games of the seed. A
    strategy that two folders have is paired with none of the strategies of both.
    """
    won = [games_won(folder) for folder in folders]
    manifests = [read_simulation(folder).manifest for folder in folders]
    seeds = [manifest["plan"]["seed"] for manifest in manifests]
    found: dict[int, list[dict[str, Any]]] = {}
    for (i, before), (j, later) in combinations(enumerate(won), 2):
        for (setting, name), other in product(later, before):
            together = (setting, other[1]) in later or (setting, name) in before
            if seeds[i] != seeds[j] or other[0] != setting or together:
                continue
            games = min(len(later[setting, name]), len(before[other]))
            a, b = later[setting, name][:games], before[other][:games]
            counts = (a & b, a & ~b, b & ~a, ~a & ~b)
            pairs = PairedCounts(*(int(np.count_nonzero(each)) for each in counts))
            pair = Pair(name, other[1], pairs, pairs.interval(), pairs.mcnemar())
            about = SettingFigures(setting, games, False, (), (pair,))
            code = [manifests[j]["code"][name], manifests[i]["code"][other[1]]]
            row = {**pair_row(about, pair), "seed": seeds[j], "code": code}
            found.setdefault(j, []).append(row)
    return found


def merged(
    before: Iterable[Mapping[str, Any]], added: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Merge old and new runs and pairs; of equal keys the row with more games is kept.

    With equal numbers of games the later row is kept. A simulation without rows is left out.
    """
    every = [*before, *added]

    def key_of(row: Mapping[str, Any]) -> str:
        # A pair is the same whichever of its strategies stands first.
        return json.dumps([*[row.get(name) for name in _SAME], sorted(_strategies(row))])

    best: dict[str, tuple[int, int]] = {}
    for at, simulation in enumerate(every):
        for row in (*simulation["runs"], *simulation["pairs"]):
            best[key_of(row)] = max(best.get(key_of(row), (0, 0)), (row["games"], at))
    kept = []
    for at, simulation in enumerate(every):
        left = {k: [r for r in simulation[k] if best[key_of(r)][1] == at] for k in _ROWS}
        if any(left.values()):
            kept.append({**simulation, **left})
    return kept


def pooled(rows: Iterable[Row]) -> list[Row]:
    """Add up runs of one strategy, or pairs of two strategies, that differ in their seeds alone.

    Rows are of one board and promise. Those without a digest of their code stay apart: another
    version of a strategy may have played them.
    """
    groups: dict[str, list[Row]] = {}
    for at, row in enumerate(rows):
        key = [_strategies(row), row["start"], row.get("code", at)]
        groups.setdefault(json.dumps(key), []).append(row)
    return [_total(rows) if len(rows) > 1 else rows[0] for rows in groups.values()]


def _total(rows: Sequence[Row]) -> Row:
    """Return the figures of all games of ``rows``, which are independent."""
    if "against" in rows[0]:
        names = ("both", "only_strategy", "only_against", "neither")
        counts = {name: sum(row[name] for row in rows) for name in names}
        pairs = PairedCounts(*counts.values())
        shown = {"difference": pairs.difference, "interval": pairs.interval(), "p": pairs.mcnemar()}
        return {**rows[0], **counts, "games": pairs.n, **shown}
    games, won = (sum(row[name] for row in rows) for name in ("games", "won"))
    means = {
        name: sum(row["games"] * row[name] for row in rows) / games
        for name in ("guesses", "won_without_guess", "seconds")
    }
    unguessed = wilson(round(means["won_without_guess"] * games), games)
    return {
        **rows[0], **means, "games": games, "won": won, "rate": won / games,
        "interval": wilson(won, games), "won_without_guess_interval": unguessed,
        "unsafe": sum(row["unsafe"] for row in rows),
    }  # fmt: skip


_PROMISES: Final = {
    "safe": "the first cell is safe", "opening": "the first cell and its neighbours are safe",
    "none": "no promise", "windows": "a mine at the first cell is moved to the top left",
}  # fmt: skip
_HEADS: Final = ("who", "strategy", "first click", "games", "won [%]", "interval")
_OURS: Final = "**here**"


def sections(simulations: Sequence[Row]) -> str:
    """Return a section for each board and promise with a win rate, ours or a published one."""
    runs, pairs = ([row for each in simulations for row in each[key]] for key in _ROWS)
    found = {(row["board"], row["first_click"]) for row in runs}
    found |= {(each.board, str(each.first_click)) for each in PUBLISHED}

    def order(key: tuple[str, str]) -> tuple[int, int, int]:
        board = BoardSize.parse(key[0])
        return board.rows * board.columns, board.mines, list(_PROMISES).index(key[1])

    parts: list[str] = []
    for board, promise in sorted(found, key=order):
        own, paired = (
            pooled(row for row in rows if (row["board"], row["first_click"]) == (board, promise))
            for rows in (runs, pairs)
        )
        parts += _section(board, promise, own, paired)
    return "\n\n".join(parts)


def _section(board: str, promise: str, runs: Sequence[Row], pairs: Sequence[Row]) -> Iterator[str]:
    yield f"### {board}, {_PROMISES[promise]}"
    others = [p for p in PUBLISHED if (p.board, str(p.first_click)) == (board, promise)]
    rows = [(run["rate"], _run(run)) for run in runs]
    for each in others:
        games = f"{each.games:,}" if each.games else ""
        source = each.source.who, each.source.strategy
        rows.append((each.rate, (*source, each.start, games, each.won, each.given)))
    rows.sort(key=itemgetter(0), reverse=True)
    yield padded_table([_HEADS, *(cells for _, cells in rows)])
    if runs:
        yield padded_table([_MORE, *map(_more, runs)])
    if pairs:
        yield padded_table([_PAIRS, *map(_pair, pairs)])
    notes = dict.fromkeys(f"{p.source.who}: {p.source.note}." for p in others if p.source.note)
    if notes:
        yield " ".join(notes)


def _run(run: Row) -> tuple[str, ...]:
    low, high = (f"{100 * end:.2f}" for end in run["interval"])
    about = _OURS, f"`{run['strategy']}`", _cell(run)
    return *about, f"{run['games']:,}", f"{100 * run['rate']:.2f}", f"{low} to {high}"


_MORE: Final = (
    "strategy here", "first click", "guesses a game", "won without a guess [%]",
    "CPU milliseconds a game", "called safe and was not",
)  # fmt: skip


def _more(run: Row) -> tuple[str, ...]:
    low, high = (f"{100 * end:.2f}" for end in run["won_without_guess_interval"])
    won = f"{100 * run['won_without_guess']:.2f} ({low} to {high})"
    about = f"`{run['strategy']}`", _cell(run), f"{run['guesses']:.2f}"
    return *about, won, f"{1000 * run['seconds']:.2f}", f"{run['unsafe']}"


_PAIRS: Final = (
    "on the same layouts", "first click", "games", "points more", "95 % interval",
    "only the first won", "only the second", "p",
)  # fmt: skip


def _pair(pair: Row) -> tuple[str, ...]:
    low, high = (f"{100 * end:+.2f}" for end in pair["interval"])
    counts = [f"{pair[name]:,}" for name in ("games", "only_strategy", "only_against")]
    names = f"`{pair['strategy']}` - `{pair['against']}`"
    about = names, _cell(pair), counts[0], f"{100 * pair['difference']:+.2f}"
    return *about, f"{low} to {high}", *counts[1:], f"{pair['p']:.1e}"


def _cell(row: Row) -> str:
    return "{},{}".format(*row["start"])


def setting(simulations: Sequence[Row]) -> str:
    """Return dates, machines, versions and CPU hours of the simulations."""
    if not simulations:
        return "No simulation has been added yet."
    lines = []
    for each in simulations:
        if not each["runs"]:
            continue  # All that is left of it are pairs.
        machine, versions = each["machine"], each["versions"]
        hours = sum(run["games"] * run["seconds"] for run in each["runs"]) / 3600
        games = sum(run["games"] for run in each["runs"])
        boards = ", ".join(dict.fromkeys(run["board"] for run in each["runs"]))
        width = "" if each["width"] is None else f" A width of {each['width']:g} ended it."
        lines.append(
            f"- {boards}: {games:,} games, seed {each['seed']}, {hours:.2g} CPU hours,"
            f" from {each['started']}; {machine['cpu']}, {machine['cores']} cores;"
            f" satsweeper {versions['satsweeper']}, Python {versions['python']},"
            f" numpy {versions['numpy']}.{width}"
        )
    return "\n".join(lines)


DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
COMMAND: Final = "python scripts/table_win_rates.py"


def main(argv: Sequence[str] | None = None) -> int:
    """Add simulations, and write the tables, or only check them; return the exit code."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--add", metavar="FOLDER", nargs="+", type=Path, default=[], help="finished simulations")
    add("--results", metavar="FILE", type=Path, default=DOCS / "win_rates.json",
        help="(docs/win_rates.json)")  # fmt: skip
    add("--check", action="store_true", help="write nothing; 1 if a table is stale")
    add("file", nargs="?", type=Path, default=DOCS / "win_rates.md", help="(docs/win_rates.md)")
    arguments = parser.parse_args(argv)
    errors = OSError, ValueError, JournalError
    return ended("table_win_rates", lambda: _write(arguments), errors)


def _write(arguments: argparse.Namespace) -> int:
    simulations = read_results(arguments.results)
    if arguments.add:
        added = [finished(folder) for folder in arguments.add]
        for at, pairs in across(arguments.add).items():
            added[at]["pairs"] += pairs
        simulations = merged(simulations, added)
    sources = dict.fromkeys((p.source.who, p.source.place) for p in PUBLISHED)
    found = {
        "win rates": sections(simulations),
        "setting of the games": setting(simulations),
        "sources of win rates": padded_table([("who", "where"), *sources]),
    }
    if not update(arguments.file, COMMAND, found, check=arguments.check):
        return 1
    if arguments.add and not arguments.check:
        write_results(arguments.results, simulations)
    return 0


if __name__ == "__main__":
    sys.exit(main())
