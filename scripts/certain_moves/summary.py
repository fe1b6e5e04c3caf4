"""The figures of many games: one object of plain values a start, in the order they are shown."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

import numpy as np

from satsweeper import odds
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.board.geometry import Square
from satsweeper.board.size import BoardSize
from satsweeper.compare.statistics.intervals import wilson
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Minefield
from satsweeper.play.until_stuck import steps, until_stuck
from satsweeper.report.table import padded_table


class Method(NamedTuple):
    """An engine as a player.

    ``total``: whether the engine knows the total. ``cap``: largest group of cells that enumeration
    takes. ``claim``: the published share of safe cells that the method opens, in per cent.
    """

    engine: str
    total: bool = False
    cap: int | None = None
    claim: tuple[int, int] | None = None


METHODS: Final = {
    "single_clue": Method("single_clue", claim=(30, 50)),
    "subset": Method("subset", claim=(60, 70)),
    "subset+total": Method("subset", total=True, claim=(60, 70)),
    "enumeration15": Method("enumeration", cap=15),
    "assumption": Method("assumption"),
    "sat": Method("sat"), "sat+total": Method("sat", total=True),
}  # fmt: skip
"""Name -> method. ``+total``: with the total known; ``15``: groups of up to 15 cells only."""

DEFAULT: Final = tuple(name for name in METHODS if name != "subset+total")
"""Methods that are measured by default. ``subset+total`` takes all covered cells as a further set,
which costs a second for some positions."""

STARTS: Final = ((FirstClick.SAFE, (0, 0)), (FirstClick.OPENING, (3, 3)))

CLAIMED_BOARD: Final = "30x16/99"
"""The board to which the published claims refer."""

LIMITS: Final = (15, 20)
"""Numbers of cells of a group: the cap of one published program, and the number that is rarely
exceeded according to another."""


class Seen(NamedTuple):
    """A position of a game played to its end, certain moves first, else the safest guess.

    ``undecided``: number of cells in the largest group of cells that single-clue rules leave
    undecided; ``covered``: number of cells in the largest group of covered cells.
    """

    stuck: bool
    """Whether single-clue rules find no safe cell in the position."""
    guessed: bool
    """Whether a guess was made earlier in the game."""
    undecided: int
    covered: int


class Record(NamedTuple):
    """The outcome of a game.

    ``shares`` and ``won`` have an entry for each method: the share of safe cells opened, and
    whether the game was won without a guess. ``seen`` holds the positions of the game played to its
    end, which was won if ``won_with_guesses``.
    """

    shares: tuple[float, ...]
    won: tuple[bool, ...]
    seen: tuple[Seen, ...]
    won_with_guesses: bool


class Plan(NamedTuple):
    """Settings of all games of a table; without ``groups`` no game is played to its end."""

    board: BoardSize
    first_click: FirstClick
    first: Cell
    methods: tuple[str, ...]
    seed: int
    groups: bool = True


def play(plan: Plan, number: int) -> Record:
    """Play game ``number``: every method on a common layout, and the game to its end."""
    layout = game_layout(plan.board, plan.first, plan.first_click, plan.seed, number)
    drawn = Minefield(layout)
    drawn.open(1 << layout.geometry.index(plan.first))
    shares, won = [], []
    for method in map(METHODS.__getitem__, plan.methods):
        game = Minefield(layout, drawn.opened)
        options = Options(cap=method.cap)
        until_stuck(game, method.engine, total=method.total, options=options)
        shares.append(game.opened.bit_count() / layout.free.bit_count())
        won.append(game.won)
    seen = _to_the_end(drawn) if plan.groups else []
    return Record(tuple(shares), tuple(won), tuple(seen), drawn.won)


class Games(NamedTuple):
    """Plays batches of games of a plan."""

    plan: Plan

    def run(self, numbers: range) -> tuple[int, list[Record]]:
        """Return the number of the first game of a batch, and the outcomes of its games."""
        return numbers.start, [play(self.plan, number) for number in numbers]


def _to_the_end(game: Minefield) -> list[Seen]:
    geometry = game.layout.geometry
    seen: list[Seen] = []
    guessed = False
    while True:
        for step in steps(game, "sat"):
            undecided, covered = (
                max(map(int.bit_count, groups(geometry, step.facts.clues, cells)), default=0)
                for cells in (step.facts.undecided, game.covered)
            )
            seen.append(Seen(not step.by_rules, guessed, undecided, covered))
        if game.won:
            return seen
        game.open(1 << geometry.index(odds(game.position()).safest()[0]))
        guessed = True
        if game.lost:
            return seen


def groups(geometry: Square, clues: int, cells: int) -> list[int]:
    """Return the groups of ``cells`` that ``clues`` connect, each as a bit board.

    Cells that no clue counts are in no group. With all covered cells in ``cells`` the groups divide
    the frontier; without the known cells among them groups may be smaller.
    """
    found = []
    spread = geometry.spread
    waiting = spread(clues) & cells
    while waiting:
        group = waiting & -waiting
        new = group
        # Breadth first: from cells to the clues beside them, from clues to the cells they count.
        while new:
            new = spread(spread(new) & clues) & waiting & ~group
            group |= new
        found.append(group)
        waiting &= ~group
    return found


class Share(NamedTuple):
    """An estimate and its 95 % interval, all from 0 to 1."""

    value: float
    low: float
    high: float

    def against(self, low: float, high: float) -> str:
        """Return where the interval lies relative to a claimed range, as a key of ``_VERDICTS``."""
        if self.high < low or self.low > high:
            return "below" if self.high < low else "above"
        return "within" if low <= self.low and self.high <= high else "not excluded"


def ratio(parts: Sequence[float], wholes: Sequence[float], seed: int) -> Share:
    """Return the sum of ``parts`` over the sum of ``wholes``, with a percentile bootstrap interval.

    Games are resampled, not positions, since the positions of a game depend on each other.
    """
    above, below = np.array(parts, float), np.array(wholes, float)
    n = len(above)
    if not below.sum():
        return Share(0.0, 0.0, 1.0)
    draw = np.random.default_rng(seed)
    found: list[float] = []
    # 2,000 resamples, in 20 arrays of 100.
    for _ in range(20):
        chosen = draw.integers(0, n, (100, n))
        whole = below[chosen].sum(axis=1)
        found += (above[chosen].sum(axis=1)[whole > 0] / whole[whole > 0]).tolist()
    low, high = np.percentile(np.array(found), [2.5, 97.5])
    return Share(float(above.sum() / below.sum()), float(low), float(high))


def proportion(successes: int, trials: int) -> Share:
    """Return a proportion with Wilson's score interval, which is sound at 0 and 1 as well."""
    return Share(successes / trials if trials else 0.0, *wilson(successes, trials))


_VERDICTS: Final = {
    "below": "excluded: less", "above": "excluded: more", "within": "holds",
    "not excluded": "not excluded",
}  # fmt: skip


def tables(found: Mapping[str, Any]) -> str:
    """Return the tables of a start under a heading: coverage, and groups if measured."""
    row, column = found["first"]
    promise = {"safe": "only it is safe", "opening": "it and its neighbours are safe"}
    about = f"{found['games']} games."
    rows = [["method", "safe cells open, mean", "median", "solved", "claimed", "the claim"]]
    for each in found["coverage"]:
        claim = each["claim"]
        claimed = f"{claim['low']:.0%} to {claim['high']:.0%}" if claim else "-"
        verdict = _VERDICTS[claim["mean"]] if claim else "-"
        share, solved = _share(each["share"]), _share(each["solved"])
        rows.append([each["method"], share, f"{each['median']:.1%}", solved, claimed, verdict])
    parts = [padded_table(rows)]
    if "groups" in found:
        won = _share(found["won_with_safest_guesses"])
        about += f" With the safest guess wherever nothing is certain, won: {won}."
        kinds = [(limit, of) for limit in LIMITS for of in ("positions", "games")]
        heads = ["positions", "cells", "played", "number", *(f"over {n}: {of}" for n, of in kinds)]
        rows = [[*heads, "largest", "rarely over 20"]]
        for each in found["groups"]:
            shares = [_share(each[f"over {limit}"][of]) for limit, of in kinds]
            verdict = _VERDICTS[each["claim"]] if each["claim"] else "-"
            where = [each["at"], each["cells"], each["extent"], str(each["positions"])]
            rows.append([*where, *shares, str(each["maximum"]), verdict])
        parts.append(padded_table(rows))
    heading = f"### {found['board']}, first cell ({row}, {column}): {promise[found['start']]}"
    return "\n\n".join([heading, about, *parts])


def _share(share: Mapping[str, float]) -> str:
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{share['value']:.1%} ({low:.1f} to {high:.1f})"


KINDS: Final = tuple(
    (at, "left by the rules", extent)
    for at in ("rules stuck", "each position")
    for extent in ("whole games", "before the first guess")
) + tuple((at, "all next to a clue", "whole games") for at in ("rules stuck", "each position"))
"""Kinds of measurements of groups: the positions, the cells that form groups, and the part of a
game."""


def summary(plan: Plan, records: Sequence[Record]) -> dict[str, Any]:
    """Return coverage by method and group sizes by kind, with intervals and verdicts on claims.

    ``claim`` is None for a method or kind without a published claim; shares are from 0 to 1.
    """
    found: dict[str, Any] = {
        "board": str(plan.board), "start": str(plan.first_click), "first": list(plan.first),
        "games": len(records),
        "coverage": [_coverage(plan, records, at) for at in range(len(plan.methods))],
    }  # fmt: skip
    if plan.groups:
        won = proportion(sum(r.won_with_guesses for r in records), len(records))
        found["won_with_safest_guesses"] = won._asdict()
        found["groups"] = [_groups(plan, records, *kind) for kind in KINDS]
    return found


def _coverage(plan: Plan, records: Sequence[Record], at: int) -> dict[str, Any]:
    name, shares = plan.methods[at], [record.shares[at] for record in records]
    share = ratio(shares, [1.0] * len(shares), plan.seed)
    claim, claimed = None, METHODS[name].claim
    if claimed is not None and str(plan.board) == CLAIMED_BOARD:
        low, high = (per_cent / 100 for per_cent in claimed)
        claim = {"low": low, "high": high, "mean": share.against(low, high)}
    return {
        "method": name, "share": share._asdict(), "median": median(shares),
        "solved": proportion(sum(r.won[at] for r in records), len(records))._asdict(),
        "claim": claim,
    }  # fmt: skip


def _groups(
    plan: Plan, records: Sequence[Record], at: str, cells: str, extent: str
) -> dict[str, Any]:

    def counts(seen: Seen) -> bool:
        early = extent == "whole games" or not seen.guessed
        return early and (seen.stuck or at == "each position")

    group = "undecided" if cells == "left by the rules" else "covered"
    largest = [[getattr(s, group) for s in record.seen if counts(s)] for record in records]
    found: dict[str, Any] = {
        "at": at, "cells": cells, "extent": extent,
        "positions": sum(map(len, largest)),
        "maximum": max((size for sizes in largest for size in sizes), default=0),
    }  # fmt: skip
    for limit in LIMITS:
        over = [[size > limit for size in sizes] for sizes in largest]
        positions = ratio([sum(each) for each in over], [len(each) for each in over], plan.seed)
        games = proportion(sum(map(any, over)), len(over))
        found[f"over {limit}"] = {"positions": positions._asdict(), "games": games._asdict()}
    # The claim is that groups rarely exceed the larger limit; 5 % is our reading of "rarely".
    # `positions` is that of the last turn of the loop, the larger limit.
    claimed = str(plan.board) == CLAIMED_BOARD
    found["claim"] = positions.against(0.0, 0.05) if claimed else None
    return found
