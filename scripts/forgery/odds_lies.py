"""Forged certificates of odds: a circuit changed, and the odds that follow from it claimed."""

import json
import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from satsweeper.checker.board import read_board
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.odds.boxes import split_board
from satsweeper.checker.odds.chances import chances_of
from satsweeper.checker.odds.circuit import read_circuits
from satsweeper.checker.odds.evaluation import evaluate

Lines = list[list[str]]
"""The words of each line."""


def changed_circuit(data: bytes, rng: random.Random) -> bytes:
    """The circuits after a change that keeps the form: nodes, pairs, boxes, joins."""
    lines = [line.split(" ") for line in data.decode("ascii").split("\n")[1:-1]]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice(_CHANGES)(lines, rng)
    return "\n".join(["satsweeper circuits 1", *map(" ".join, lines), ""]).encode()


def claim_what_follows(files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> bytes | None:
    """Return the odds that follow from the circuits, true of the board or not; None if no odds
    follow."""
    try:
        board = read_board(files["board.txt"].decode("ascii"), manifest["flags"] == "trust")
        circuits = read_circuits(files["circuits.txt"].decode("ascii"))
        density = None if manifest["density"] is None else Fraction(manifest["density"])
        counts = [evaluate(circuit, True) for circuit in circuits]
        found = chances_of(board, split_board(board), counts, density)
    except (WrongCertificateError, LookupError, TypeError, ValueError, StopIteration):
        return None
    number = {chance: at for at, chance in enumerate(dict.fromkeys(found.mine))}
    cells = [number[chance] for chance in found.mine]
    claims = {"solutions": found.layouts, "chances": list(number), "cells": cells}
    return json.dumps(claims).encode() + b"\n"


def _places(lines: Lines, kind: str) -> list[int]:
    return [at for at, words in enumerate(lines) if words[0] == kind]


def _drop_pair(lines: Lines, rng: random.Random) -> None:
    places = [at for at in _places(lines, "node") if len(lines[at]) > 3]
    if places:
        words = lines[rng.choice(places)]
        at = rng.randrange(1, len(words), 2)
        del words[at : at + 2]


def _add_pair(lines: Lines, rng: random.Random) -> None:
    places = _places(lines, "node")
    if places:
        words = lines[rng.choice(places)]
        pairs = list(zip(words[1::2], words[2::2], strict=False))
        pairs.append((str(rng.randrange(4)), str(rng.randrange(4))))
        pairs.sort(key=lambda pair: tuple(map(int, pair)))
        words[1:] = [word for pair in pairs for word in pair]


def _drop_node(lines: Lines, rng: random.Random) -> None:
    """Change the pairs with a node as well, now and then, so that all numbers still fit."""
    places = _places(lines, "node")
    if not places:
        return
    at = rng.choice(places)
    join = max(place for place in _places(lines, "join") if place < at)
    lines[join][3] = str(int(lines[join][3]) - 1)
    del lines[at]
    if rng.random() < 0.8:
        region = max(place for place in _places(lines, "region") if place < at)
        boxes = int(lines[region][1])
        group = boxes + len([p for p in _places(lines, "join") if region < p < join])
        _forget(lines, region, str(group), at - join - 1)


def _forget(lines: Lines, region: int, group: str, node: int) -> None:
    """Take a node of a group out of all pairs, and name the nodes after it anew."""
    side = None
    for words in lines[region + 1 :]:
        if words[0] == "region":
            return
        if words[0] == "join":
            side = words[1:3].index(group) if group in words[1:3] else None
        elif words[0] == "node" and side is not None:
            kept = []
            for pair in zip(words[1::2], words[2::2], strict=False):
                number = int(pair[side])
                if number != node:
                    renamed = list(pair)
                    renamed[side] = str(number - (number > node))
                    kept += renamed
            words[1:] = kept or ["0", "0"]


def _merge_nodes(lines: Lines, rng: random.Random) -> None:
    places = [at for at in _places(lines, "node") if lines[at - 1][0] == "node"]
    if places:
        at = rng.choice(places)
        join = max(place for place in _places(lines, "join") if place < at)
        lines[join][3] = str(int(lines[join][3]) - 1)
        lines[at - 1] += lines.pop(at)[1:]


def _other_range(lines: Lines, rng: random.Random) -> None:
    places = _places(lines, "box")
    if places:
        words = lines[rng.choice(places)]
        at = rng.choice([1, 2])
        words[at] = str(max(int(words[at]) + rng.choice([-1, 1]), 0))


def _move_cell(lines: Lines, rng: random.Random) -> None:
    places = _places(lines, "box")
    if len(places) > 1:
        one, other = (lines[at] for at in rng.sample(places, 2))
        if len(one) > 4 or rng.random() < 0.5:
            other.append(one.pop())
        else:
            one[3:], other[3:] = other[3:], one[3:]


def _other_join(lines: Lines, rng: random.Random) -> None:
    places = _places(lines, "join")
    if places:
        words = lines[rng.choice(places)]
        if rng.random() < 0.5:
            words[1], words[2] = words[2], words[1]
        else:
            words[rng.choice([1, 2])] = str(rng.randrange(len(places) + 2))


def _drop_region(lines: Lines, rng: random.Random) -> None:
    places = [*_places(lines, "region"), len(lines)]
    if len(places) > 1:
        at = rng.randrange(len(places) - 1)
        region = lines[places[at] : places[at + 1]]
        del lines[places[at] : places[at + 1]]
        if rng.random() < 0.5:
            lines += region


_CHANGES: Final[tuple[Callable[[Lines, random.Random], None], ...]] = (
    _drop_pair, _drop_pair, _add_pair, _drop_node, _drop_node, _drop_node, _merge_nodes,
    _other_range, _move_cell, _other_join, _drop_region,
)  # fmt: skip
