#!/usr/bin/env python3
"""docs/win_rates.md: our win rates beside every published one, each with its convention.

Ours are kept in docs/win_rates.json, from which the document is made again. --add takes what
finished simulations (satsweeper simulate ... -o FOLDER) came to into that file; of two runs of one
strategy on the same board, first click and seed the one with more games is kept, or else the later.
What is around the markers of the document is left alone.

Examples: scripts/table_win_rates.py
  scripts/table_win_rates.py --add FOLDER ANOTHER
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf.formats.writing import replacing
from pbcnf.wording import counted
from satsweeper.board.size import BoardSize
from satsweeper.compare.sweep.journal import JournalError
from satsweeper.play.first_click import FirstClick
from satsweeper.play.simulation.as_json import as_json
from satsweeper.play.simulation.run import read_simulation
from satsweeper.report.markdown import padded_table
from scripts.frame.arguments import ended, parser_of, with_section

SAFE, OPENING, NONE = FirstClick.SAFE, FirstClick.OPENING, FirstClick.NONE
SMALL, BEGINNER, MIDDLE, EXPERT = "8x8/10", "9x9/10", "16x16/40", "30x16/99"


@dataclass(frozen=True, slots=True)
class Source:
    """A published strategy and its source; ``strategy`` and ``note`` may be empty."""

    who: str
    strategy: str
    place: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """A figure; ``won`` in per cent as printed, ``given`` its uncertainty.

    ``games`` 0, ``start`` and ``given`` empty: not stated.
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
        """The figure itself, from 0 to 1."""
        return float(self.won) / 100


_PROB: Final = "github.com/b1f6c1c4/MineSweeperProb, README (2024)"
_AAAI: Final = "workshop of AAAI-17"
_JAVA: Final = "github.com/DavidNHill/Minesweeper, README"
_LEE: Final = "a table of leezhongjun"
_EXCERPT: Final = "seen in an excerpt only"
_TREE: Final = "PSEQ, game tree below 256 layouts"

PSEQ: Final = Source("b1f6c1c4", "PSEQ", _PROB)
TREE: Final = Source("b1f6c1c4", _TREE, _PROB)
TU: Final = Source("Tu et al. 2017", "PSEQ", _AAAI)
TU_TREE: Final = Source("Tu et al. 2017", _TREE, _AAAI)
HILL: Final = Source(
    "DavidNHill",
    "second safety, likely fifty-fifties, game tree",
    "github.com/DavidNHill/JSMinesweeper, issue 38 and README",
)
HILL_BEFORE: Final = Source("DavidNHill", "an earlier version", _JAVA)
XIENAOBAN: Final = Source(
    "xienaoban",
    "lowest chance, rules, next position, game tree",
    "github.com/xienaoban/minesweeper",
)
AROLAUN: Final = Source("ArolaunTech", "", "github.com/ArolaunTech")
GCP: Final = Source("gamescomputersplay", "", "github.com/gamescomputersplay")
MCAJBEN: Final = Source("McAJBen", "lowest chance", "github.com/McAJBen/MinesweeperAI")
MCAJBEN_SMALL: Final = Source(
    "McAJBen", "lowest chance", MCAJBEN.place, "the size of its beginner's board is not stated"
)
YUJIN: Final = Source(
    "yujin 2007",
    "lowest chance",
    _EXCERPT,
    "its convention is not stated; the figure fits no other",
)
BCW: Final = Source("bcw 2013", "", _EXCERPT)
JGESC: Final = Source("jgesc", "", "github.com/jgesc")
TACHIKAKA: Final = Source("TachikakaMin", "", _EXCERPT)
LKFORGE: Final = Source(
    "LKForge", "", _EXCERPT, "no other figure for that start is near; these fit an opening"
)
SECOND_HAND: Final = {
    Source(who, "", _LEE, "at second hand, and mostly under this convention"): won
    for who, won in (
        ("OH, Buffet 2013", "38.7"),
        ("leezhongjun", "38.0"),
        ("Legendre 2012", "37.5"),
        ("Studholme 2000", "33.9"),
        ("Becerra 2015", "32.9"),
    )
}

PUBLISHED: Final = (
    Published(PSEQ, SMALL, SAFE, "0,0", "81.6351", "± 0.0034", 500_000_000),
    Published(TREE, SMALL, SAFE, "0,0", "81.7711", "± 0.0076", 100_000_000),
    Published(PSEQ, BEGINNER, SAFE, "0,0", "91.6775", "± 0.0024", 500_000_000),
    Published(TREE, BEGINNER, SAFE, "0,0", "91.6949", "± 0.0054", 100_000_000),
    Published(PSEQ, MIDDLE, SAFE, "0,0", "78.1228", "± 0.0057", 200_000_000),
    Published(TREE, MIDDLE, SAFE, "0,0", "78.2295", "± 0.0081", 100_000_000),
    Published(PSEQ, EXPERT, SAFE, "0,0", "39.6158", "± 0.0068", 200_000_000),
    Published(TREE, EXPERT, SAFE, "0,0", "40.0468", "± 0.0096", 100_000_000),
    Published(PSEQ, SMALL, OPENING, "2,2", "90.1456", "± 0.0026", 500_000_000),
    Published(TREE, SMALL, OPENING, "2,2", "90.3448", "± 0.0058", 100_000_000),
    Published(PSEQ, BEGINNER, OPENING, "2,2", "97.1453", "± 0.0015", 500_000_000),
    Published(TREE, BEGINNER, OPENING, "2,2", "97.1669", "± 0.0033", 100_000_000),
    Published(PSEQ, MIDDLE, OPENING, "2,2", "88.9267", "± 0.0043", 200_000_000),
    Published(TREE, MIDDLE, OPENING, "2,2", "89.0757", "± 0.0061", 100_000_000),
    Published(PSEQ, EXPERT, OPENING, "3,3", "52.7838", "± 0.0069", 200_000_000),
    Published(TREE, EXPERT, OPENING, "3,3", "53.4502", "± 0.0098", 100_000_000),
    Published(PSEQ, SMALL, SAFE, "the worst", "73.75"),
    Published(PSEQ, BEGINNER, SAFE, "the worst, 3,3", "86.43"),
    Published(PSEQ, MIDDLE, SAFE, "the worst", "70.78"),
    Published(PSEQ, EXPERT, SAFE, "the worst", "35.77"),
    Published(TU, SMALL, SAFE, "0,0", "81.627", "(8)"),
    Published(TU_TREE, SMALL, SAFE, "0,0", "81.79", "(2)"),
    Published(TU, MIDDLE, SAFE, "0,0", "78.122", "(8)"),
    Published(TU_TREE, MIDDLE, SAFE, "0,0", "78.22", "(3)"),
    Published(TU, EXPERT, SAFE, "0,0", "39.616", "(5)"),
    Published(TU_TREE, EXPERT, SAFE, "0,0", "40.06", "(2)"),
    Published(HILL, EXPERT, SAFE, "0,0", "41.132", "± 0.03", 10_000_000),
    Published(HILL, EXPERT, OPENING, "3,3", "54.3"),
    Published(HILL_BEFORE, EXPERT, SAFE, "0,0", "40"),
    Published(HILL_BEFORE, EXPERT, OPENING, "3,3", "53"),
    Published(XIENAOBAN, EXPERT, SAFE, "", "39.68", games=500_000),
    Published(AROLAUN, BEGINNER, SAFE, "", "91.40", "± 0.17", 100_000),
    Published(AROLAUN, MIDDLE, SAFE, "", "77.29", "± 0.26", 100_000),
    Published(AROLAUN, EXPERT, SAFE, "", "39.33", "± 0.30", 100_000),
    Published(GCP, EXPERT, SAFE, "", "38.6", "± 0.3"),
    Published(MCAJBEN_SMALL, BEGINNER, SAFE, "0,0", "90.6", games=1_016_600),
    Published(MCAJBEN, MIDDLE, SAFE, "0,0", "76.6", games=1_000_000),
    Published(MCAJBEN, EXPERT, SAFE, "0,0", "38.1", games=10_178_336),
    Published(YUJIN, EXPERT, OPENING, "", "52.96"),
    Published(BCW, BEGINNER, SAFE, "0,0", "89.9"),
    Published(BCW, MIDDLE, SAFE, "0,0", "72.0"),
    Published(BCW, EXPERT, SAFE, "0,0", "20.0"),
    Published(JGESC, MIDDLE, SAFE, "", "62"),
    Published(TACHIKAKA, SMALL, NONE, "", "52.2", games=10_000),
    Published(TACHIKAKA, SMALL, SAFE, "", "75.2", games=10_000),
    Published(TACHIKAKA, MIDDLE, NONE, "", "48.0", games=10_000),
    Published(TACHIKAKA, MIDDLE, SAFE, "", "70.5", games=10_000),
    Published(TACHIKAKA, EXPERT, NONE, "", "10.2", games=1_000),
    Published(TACHIKAKA, EXPERT, SAFE, "", "19.2", games=1_000),
    Published(LKFORGE, BEGINNER, SAFE, "the centre", "95.5", games=1_000),
    Published(LKFORGE, MIDDLE, SAFE, "the centre", "85.6", games=1_000),
    *(Published(source, EXPERT, SAFE, "", won) for source, won in SECOND_HAND.items()),
)
"""All of them; boards are columns x rows / mines, starts row, column."""


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


Row = Mapping[str, Any]
_PROMISES: Final = {
    "safe": "the first cell is safe",
    "opening": "the first cell and its neighbours are safe",
    "none": "no promise",
    "windows": "a mine at the first cell is moved to the top left",
}
_HEADS: Final = ("who", "strategy", "first click", "games", "won [%]", "interval")
_OURS: Final = "**here**"


def sections(simulations: Sequence[Row]) -> str:
    """A section for each board and promise of which there is a figure, ours or another's."""
    runs = [row for each in simulations for row in each["runs"]]
    pairs = [row for each in simulations for row in each["pairs"]]
    found = {(row["board"], row["first_click"]) for row in runs}
    found |= {(each.board, str(each.first_click)) for each in PUBLISHED}
    order = list(_PROMISES)
    keys = sorted(found, key=lambda key: (_size(key[0]), order.index(key[1])))
    return "\n\n".join(
        part
        for board, promise in keys
        for part in _section(
            board,
            promise,
            [row for row in runs if (row["board"], row["first_click"]) == (board, promise)],
            [row for row in pairs if (row["board"], row["first_click"]) == (board, promise)],
        )
    )


def _size(text: str) -> tuple[int, int]:
    board = BoardSize.parse(text)
    return board.rows * board.columns, board.mines


def _section(board: str, promise: str, runs: Sequence[Row], pairs: Sequence[Row]) -> Iterator[str]:
    yield f"### {board}, {_PROMISES[promise]}"
    others = [p for p in PUBLISHED if (p.board, str(p.first_click)) == (board, promise)]
    rows = [(run["rate"], _run(run)) for run in runs]
    rows += [(other.rate, _published(other)) for other in others]
    yield padded_table([_HEADS, *(cells for _, cells in sorted(rows, key=_rate, reverse=True))])
    if runs:
        yield padded_table([_MORE, *map(_more, runs)])
    if pairs:
        yield padded_table([_PAIRS, *map(_pair, pairs)])
    notes = dict.fromkeys(f"{p.source.who}: {p.source.note}." for p in others if p.source.note)
    if notes:
        yield " ".join(notes)


def _rate(row: tuple[float, Sequence[str]]) -> float:
    return row[0]


def _run(run: Row) -> tuple[str, ...]:
    low, high = run["interval"]
    return (
        _OURS,
        f"`{run['strategy']}`",
        _cell(run),
        f"{run['games']:,}",
        f"{100 * run['rate']:.2f}",
        f"{100 * low:.2f} to {100 * high:.2f}",
    )


def _published(found: Published) -> tuple[str, ...]:
    source, games = found.source, f"{found.games:,}" if found.games else ""
    return (source.who, source.strategy, found.start, games, found.won, found.given)


_MORE: Final = (
    "strategy here",
    "first click",
    "guesses a game",
    "won without a guess [%]",
    "CPU milliseconds a game",
    "called safe and was not",
)


def _more(run: Row) -> tuple[str, ...]:
    low, high = run["won_without_guess_interval"]
    return (
        f"`{run['strategy']}`",
        _cell(run),
        f"{run['guesses']:.2f}",
        f"{100 * run['won_without_guess']:.2f} ({100 * low:.2f} to {100 * high:.2f})",
        f"{1000 * run['seconds']:.2f}",
        f"{run['unsafe']}",
    )


_PAIRS: Final = (
    "on the same layouts",
    "first click",
    "games",
    "points more",
    "95 % interval",
    "only the first won",
    "only the second",
    "p",
)


def _pair(pair: Row) -> tuple[str, ...]:
    low, high = pair["interval"]
    return (
        f"`{pair['strategy']}` - `{pair['against']}`",
        _cell(pair),
        f"{pair['games']:,}",
        f"{100 * pair['difference']:+.2f}",
        f"{100 * low:+.2f} to {100 * high:+.2f}",
        f"{pair['only_strategy']:,}",
        f"{pair['only_against']:,}",
        f"{pair['p']:.1e}",
    )


def _cell(row: Row) -> str:
    return "{},{}".format(*row["start"])


def setting(simulations: Sequence[Row]) -> str:
    """When, on what, and how long."""
    if not simulations:
        return "No simulation has been added yet."
    lines = []
    for each in simulations:
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


def sources() -> str:
    """Where each published figure is from."""
    rows = dict.fromkeys((p.source.who, p.source.place) for p in PUBLISHED)
    return padded_table([("who", "where"), *rows])


DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
COMMAND: Final = "python scripts/table_win_rates.py"


def main(argv: Sequence[str] | None = None) -> int:
    """Take in what is added, and write the tables, or only check them."""
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
        simulations = merged(simulations, [finished(folder) for folder in arguments.add])
    old = new = arguments.file.read_text("utf-8")
    for name, content in (
        ("win rates", sections(simulations)),
        ("setting of the games", setting(simulations)),
        ("sources of win rates", sources()),
    ):
        new = with_section(new, name, COMMAND, content)
    if arguments.check:
        if new != old:
            sys.stderr.write(f"{arguments.file.name} is stale: run {COMMAND}\n")
        return int(new != old)
    if arguments.add:
        write_results(arguments.results, simulations)
    with replacing(arguments.file) as stream:
        stream.write(new.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
