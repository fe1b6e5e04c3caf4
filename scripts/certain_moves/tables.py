"""The figures as Markdown tables, which are read as easily in a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scripts.certain_moves.methods import LIMITS

_VERDICTS: Final = {
    "below": "excluded: less",
    "above": "excluded: more",
    "within": "holds",
    "not excluded": "not excluded",
}


def tables(found: Mapping[str, Any]) -> str:
    """The tables of a start under a heading: coverage, and groups where they were measured."""
    row, column = found["first"]
    promise = {"safe": "only it is safe", "opening": "it and its neighbours are safe"}
    about = f"{found['games']} games."
    parts = [markdown_table(_coverage_rows(found["coverage"]))]
    if "groups" in found:
        won = _share(found["won_with_safest_guesses"])
        about += f" With the safest guess wherever nothing is certain, won: {won}."
        parts.append(markdown_table(_group_rows(found["groups"])))
    heading = f"### {found['board']}, first cell ({row}, {column}): {promise[found['start']]}"
    return "\n\n".join([heading, about, *parts])


def _coverage_rows(methods: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    rows = [["method", "safe cells open, mean", "median", "solved", "claimed", "the claim"]]
    for each in methods:
        claim = each["claim"]
        claimed = f"{claim['low']:.0%} to {claim['high']:.0%}" if claim else "-"
        said = _VERDICTS[claim["mean"]] if claim else "-"
        share, solved = _share(each["share"]), _share(each["solved"])
        rows.append([each["method"], share, f"{each['median']:.1%}", solved, claimed, said])
    return rows


def _group_rows(kinds: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    head = ["positions", "cells", "played", "number"]
    head += [f"over {limit}: {of}" for limit in LIMITS for of in ("positions", "games")]
    rows = [[*head, "largest", "rarely over 20"]]
    for each in kinds:
        shares = [_share(each[f"over {n}"][of]) for n in LIMITS for of in ("positions", "games")]
        said = _VERDICTS[each["claim"]] if each["claim"] else "-"
        where = [each["at"], each["cells"], each["extent"], str(each["positions"])]
        rows.append([*where, *shares, str(each["maximum"]), said])
    return rows


def _share(share: Mapping[str, float]) -> str:
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{share['value']:.1%} ({low:.1f} to {high:.1f})"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts as a table, the first row its heads."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(n) for cell, n in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    rule = "| " + " | ".join("-" * n for n in widths) + " |"
    return "\n".join([lines[0], rule, *lines[1:]])
