"""The figures of many games: one object of plain values a start, in the order they are shown."""

from collections.abc import Sequence
from statistics import median
from typing import Any, Final

from satsweeper.board.size import BoardSize
from scripts.certain_moves.games import Plan, Record, Seen
from scripts.certain_moves.intervals import Share, mean, proportion, ratio
from scripts.certain_moves.methods import CLAIMED_BOARD, LIMITS, METHODS, RARELY

KINDS: Final = (
    ("rules stuck", "left by the rules", "whole games"),
    ("rules stuck", "left by the rules", "before the first guess"),
    ("each position", "left by the rules", "whole games"),
    ("each position", "left by the rules", "before the first guess"),
    ("rules stuck", "all next to a clue", "whole games"),
    ("each position", "all next to a clue", "whole games"),
)
"""At which positions groups are measured, of which cells they are, and how far games are played."""


def summary(plan: Plan, records: Sequence[Record]) -> dict[str, Any]:
    """Coverage by method and group sizes by kind, with intervals and what they say of the claims.

    ``claim`` is None where nothing was claimed; shares are from 0 to 1.
    """
    board, seed = plan.board, plan.seed
    found: dict[str, Any] = {
        "board": str(board),
        "start": str(plan.first_click),
        "first": list(plan.first),
        "games": len(records),
        "coverage": [
            _coverage(board, name, [(r.shares[i], r.won[i]) for r in records], seed)
            for i, name in enumerate(plan.methods)
        ],
    }
    if plan.groups:
        won = proportion(sum(r.won_with_guesses for r in records), len(records))
        found["won_with_safest_guesses"] = _plain(won)
        found["groups"] = [_groups(board, kind, records, seed) for kind in KINDS]
    return found


def _coverage(
    board: BoardSize, name: str, games: Sequence[tuple[float, bool]], seed: int
) -> dict[str, Any]:
    shares = [share for share, _ in games]
    share = mean(shares, seed)
    claim = METHODS[name].claim if str(board) == CLAIMED_BOARD else None
    return {
        "method": name,
        "share": _plain(share),
        "median": median(shares),
        "solved": _plain(proportion(sum(won for _, won in games), len(games))),
        "claim": claim
        and {
            "low": claim[0] / 100,
            "high": claim[1] / 100,
            "mean": share.against(claim[0] / 100, claim[1] / 100),
        },
    }


def _groups(
    board: BoardSize, kind: tuple[str, str, str], records: Sequence[Record], seed: int
) -> dict[str, Any]:
    at, cells, extent = kind
    largest = [
        [_size(seen, cells) for seen in record.seen if _counts(seen, at, extent)]
        for record in records
    ]
    found: dict[str, Any] = {
        "at": at,
        "cells": cells,
        "extent": extent,
        "positions": sum(map(len, largest)),
        "maximum": max((size for sizes in largest for size in sizes), default=0),
    }
    for limit in LIMITS:
        over = [[size > limit for size in sizes] for sizes in largest]
        positions = ratio([sum(each) for each in over], [len(each) for each in over], seed)
        games = proportion(sum(map(any, over)), len(over))
        found[f"over {limit}"] = {"positions": _plain(positions), "games": _plain(games)}
        if limit == LIMITS[-1]:
            claimed = str(board) == CLAIMED_BOARD
            found["claim"] = positions.against(0.0, RARELY) if claimed else None
    return found


def _counts(seen: Seen, at: str, extent: str) -> bool:
    return (seen.stuck or at == "each position") and not (seen.guessed and extent != "whole games")


def _size(seen: Seen, cells: str) -> int:
    return seen.undecided if cells == "left by the rules" else seen.covered


def _plain(share: Share) -> dict[str, float]:
    return {"value": share.value, "low": share.low, "high": share.high}
