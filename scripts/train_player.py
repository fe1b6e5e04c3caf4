#!/usr/bin/env python3
"""The network of the strategy `learned`: games are played, and it is fitted to what came of them.

Plays games by `second_safety`, or by the network of --network, into shards under DIR, one setting
after the other, in turns. With the chance --explore a guess is at any candidate instead. A shard
that is there is not played again, so after an end of any kind the same command goes on; more games
only add shards. Then a network is fitted to all shards of DIR and of the folders of --also: it
estimates the chance to win from the position that a guess leaves. Equal arguments give equal
files on one machine; the fit takes one thread of BLAS, as with two a large one gave another file.

Examples: scripts/train_player.py -o games --quick
  scripts/train_player.py -o games --shards 8 --to first.json
  scripts/train_player.py -o more --network first.json --seed 1100 --also games --write
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

import numpy as np

from pbcnf.formats.writing import replacing
from satsweeper.board.layout import Layout
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.kernel.certain import EXPLODED, STUCK, WON, open_certain
from satsweeper.play.kernel.compiled import foresee
from satsweeper.play.kernel.exact import NONE, TOO_MANY, best_exact, best_isolated
from satsweeper.play.kernel.grid import UNKNOWN
from satsweeper.play.kernel.learned import WinNetwork, judge_cell, room_for_network
from satsweeper.play.kernel.lookahead import CHANCE, VALUES
from satsweeper.play.kernel.second_safety import find_candidates
from satsweeper.play.scratch import lend_scratch, numbers_of
from satsweeper.play.strategies.built_in import (
    EFFORT,
    LAYOUTS,
    WEIGHTS,
    by_network,
    network_of,
    second_safety,
)
from satsweeper.play.view import GuessView
from scripts.frame import arguments as frame
from scripts.study import value

ROOT: Final = Path(__file__).resolve().parents[1]
SHIPPED: Final = ROOT / "satsweeper" / "play" / "strategies" / "learned.json"
SETTINGS: Final = (
    ("30x16/99", "safe", (0, 0), 8000),
    ("30x16/99", "opening", (3, 3), 5000),
    ("16x16/40", "safe", (0, 0), 3000),
    ("9x9/10", "safe", (0, 0), 2000),
    ("8x8/10", "safe", (0, 0), 2000),
)
"""Boards, promises and first cells, and the games of a shard."""


def main(argv: Sequence[str] | None = None) -> int:
    """Play what is missing, fit, and write the network; return the exit code."""
    parser = frame.parser_of(__doc__)
    add = parser.add_argument
    add("-o", "--output", metavar="DIR", type=Path, required=True, help="where the shards are")
    add("--shards", metavar="N", type=frame.positive, default=1, help="of each setting (1)")
    add("--seed", metavar="N", type=int, default=1000,
        help="the seed of the layouts; each setting adds 1 to it (1000)")  # fmt: skip
    add("--explore", metavar="CHANCE", type=float, default=0.2,
        help="the chance of a guess at any candidate (0.2)")  # fmt: skip
    add("--network", metavar="FILE", type=Path, help="the network that plays")
    add("--also", metavar="DIR", type=Path, nargs="*", default=[], help="more shards to fit to")
    add("--units", metavar="N", type=frame.positive, default=40, help="hidden units (40)")
    add("--epochs", metavar="N", type=frame.positive, default=24, help="passes of a fit (24)")
    add("--fits", metavar="N", type=frame.positive, default=6,
        help="fits of which the mean is taken (6)")  # fmt: skip
    add("--rounds", metavar="N", type=frame.positive, default=2,
        help="fits, each to the estimates of the one before (2)")  # fmt: skip
    add("--to", metavar="FILE", type=Path, help="write the network there")
    add("--write", action="store_true", help="write the network that `learned` uses")
    add("--quick", action="store_true", help="a hundredth of the games")
    arguments = parser.parse_args(argv)
    if not 0 <= arguments.explore <= 1:
        parser.error("argument --explore: a chance is from 0 to 1")
    return frame.ended("train_player", lambda: _train(arguments), hint="; the same command goes on")


def _train(arguments: argparse.Namespace) -> int:
    network = None
    if arguments.network is not None:
        try:
            network = network_of(arguments.network.read_text("ascii"))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{arguments.network}: no network: {error}") from None
    arguments.output.mkdir(parents=True, exist_ok=True)
    for shard in range(arguments.shards):
        for s, (board, promise, start, games) in enumerate(SETTINGS):
            many = games // 100 if arguments.quick else games
            path = arguments.output / f"{s}-{arguments.seed}-{many}-{shard}.npz"
            if not path.exists():
                setting = BoardSize.parse(board), FirstClick(promise), start
                which = arguments.seed + s, many * shard, many
                found = played(*setting, network, *which, arguments.explore)
                with replacing(path) as stream:
                    np.savez(stream, **found)
                sys.stderr.write(f"{path}: {len(found['came'])} guesses\n")
    folders = [arguments.output, *arguments.also]
    paths = [path for folder in folders for path in sorted(folder.glob("*.npz"))]
    sizes = arguments.units, arguments.epochs, arguments.rounds, arguments.seed, arguments.fits
    fitted, lines = value.train(value.read(paths), *sizes)
    print("\n".join(lines))
    for path in filter(None, (arguments.to, SHIPPED if arguments.write else None)):
        with replacing(path) as stream:
            stream.write(fitted.as_json().encode("ascii"))
    return 0


def played(
    board: BoardSize,
    promise: FirstClick,
    start: tuple[int, int],
    network: WinNetwork | None,
    seed: int,
    first: int,
    games: int,
    explore: float,
) -> dict[str, Any]:
    """Play games ``first`` to ``first + games - 1``; return the arrays of ``value.Guesses``.

    ``network`` plays, None: `second_safety`; ``explore``: the chance of another candidate.
    """
    foresee(games)
    after: list[Any] = []
    guesses: list[tuple[int, int, int, float, int]] = []
    for number in range(games):
        layout = game_layout(board, start, promise, seed, first + number)
        drawn = np.random.default_rng([seed, first + number])
        own, worth = _game(layout, board, start, network, drawn, explore, after)
        guesses += [(*guess, worth, number) for guess in own]
    columns = list(zip(*guesses, strict=True)) or [()] * 5
    begin, end, came, worths, game = columns
    return {
        "after": np.array(after, np.float32),
        "begin": np.array(begin, np.int64),
        "end": np.array(end, np.int64),
        "came": np.array(came, np.int64),
        "worth": np.array(worths, np.float32),
        "game": np.array(game, np.int64),
        "games": games,
    }


def _game(
    layout: Layout,
    board: BoardSize,
    start: tuple[int, int],
    network: WinNetwork | None,
    drawn: np.random.Generator,
    explore: float,
    after: list[Any],
) -> tuple[list[tuple[int, int, int]], float]:
    """Play a game; return the first row, the end and the row that came of each guess, and a chance.

    The chance is the one to win at the end. Rows are appended to ``after``. Guesses by exact play
    are left out.
    """
    numbers = numbers_of(layout)
    choose = second_safety if network is None else by_network(network)
    judging = room_for_network(1) if network is None else network
    found: list[tuple[int, int, int]] = []
    with lend_scratch(board.rows, board.columns) as scratch:
        codes = np.full(scratch.cells, UNKNOWN, np.int8)
        grid, work, candidates = scratch.grid, scratch.moves.work, scratch.candidates
        index = start[0] * board.columns + start[1]
        while numbers[index] != EXPLODED:
            state = open_certain(
                grid, numbers, codes, board.mines, index, scratch.moves, scratch.chances
            )
            if state != STUCK:
                return found, float(state == WON)
            room = scratch.exact(LAYOUTS)
            cell, won, layouts = best_exact(grid, codes, board.mines, work, room, EFFORT)
            if cell != TOO_MANY:
                return found, won / layouts
            cell, _, _ = best_isolated(grid, codes, work, room, EFFORT)
            if cell != NONE:
                index = cell
                continue
            view = GuessView(board, codes, scratch)
            index = view.index(choose(view))
            known = grid, codes, board.mines, work
            if drawn.random() < explore:
                many = find_candidates(*known, scratch.chances, candidates, WEIGHTS)
                if many:
                    index = int(candidates.cells[drawn.integers(many)])
            if judge_cell(*known, candidates, judging, index) < 0:
                raise ValueError(f"{board}: a region is too wide to be judged")
            begin, came = len(after), -1
            for shown in range(VALUES):
                chance = candidates.lookahead.seen[shown, CHANCE]
                if chance > 0:
                    came = len(after) if shown == numbers[index] else came
                    after.append(np.r_[chance, judging.inputs[shown]].astype(np.float32))
            found.append((begin, len(after), came))
    return found, 0.0


if __name__ == "__main__":
    sys.exit(main())
