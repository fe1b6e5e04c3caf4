"""Our figures and the published ones, side by side, as Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from satsweeper.board.size import BoardSize
from satsweeper.report.table import padded_table
from scripts.win_rates.published import PUBLISHED, Published

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
