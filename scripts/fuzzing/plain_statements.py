"""Statements files drawn at random, and what they mean: plain Python over values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

Json = dict[str, Any]

KINDS = (
    "literal", "not", "and", "or", "xor", "ite", "compare", "all_different", "table",
    "lexicographic", "integer", "sum", "product", "maximum", "element", "constant",
)  # fmt: skip
"""In this order the first that is a key of a node is its kind: a sum has a constant, too."""
NUMBERS = {"integer", "sum", "product", "maximum", "element"}


def content(file: Json) -> bytes:
    """Return a file as it is written."""
    return json.dumps(file).encode("ascii")


def kind_of(node: Json) -> str:
    """Return the kind of a node."""
    return next(kind for kind in KINDS if kind in node)


# -- What a file means: the column of meanings in the format's table.


def values_of(domain: list[list[int]]) -> list[int]:
    """Return the values of a domain of ranges."""
    return [value for low, high in domain for value in range(low, high + 1)]


def computed(
    node: Json, known: list[Any], booleans: tuple[int, ...], integers: tuple[int, ...]
) -> Any:
    """Return the value of a node; `known` holds the values of earlier nodes."""
    match node:
        case {"literal": lit}:
            return bool(booleans[abs(lit) - 1]) == (lit > 0)
        case {"not": part}:
            return not known[part]
        case {"and": parts}:
            return all(known[part] for part in parts)
        case {"or": parts}:
            return any(known[part] for part in parts)
        case {"xor": parts}:
            return [known[part] for part in parts].count(True) % 2 == 1
        case {"ite": [condition, yes, no]}:
            return known[yes] if known[condition] else known[no]
        case {"compare": terms, "lower": lower, "upper": upper}:
            total = sum(weight * known[part] for weight, part in terms)
            return (lower is None or lower <= total) and (upper is None or total <= upper)
        case {"all_different": parts}:
            return len({known[part] for part in parts}) == len(parts)
        case {"table": parts, "rows": rows}:
            return [known[part] for part in parts] in rows
        case {"lexicographic": [first, second]}:
            return [known[part] for part in first] <= [known[part] for part in second]
        case {"integer": index}:
            return integers[index]
        case {"sum": terms, "constant": constant}:
            return constant + sum(weight * known[part] for weight, part in terms)
        case {"product": [one, other]}:
            return known[one] * known[other]
        case {"maximum": parts}:
            return max(known[part] for part in parts)
        case {"element": part, "entries": entries}:
            return sum(known[at] for key, at in entries if key == known[part])
        case {"constant": true}:
            return true


def meets(file: Json, booleans: tuple[int, ...], integers: tuple[int, ...]) -> bool:
    """Whether values of Booleans and integers are a solution."""
    known: list[Any] = []
    for node in file["nodes"]:
        known.append(computed(node, known, booleans, integers))
    return all(known[at] for at in file["statements"])


def solutions(file: Json) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the values of Booleans and integers that are solutions, by trying all."""
    domains = [values_of(integer["domain"]) for integer in file["integers"]]
    for booleans in product((0, 1), repeat=file["booleans"]):
        for integers in product(*domains):
            if meets(file, booleans, integers):
                yield booleans, integers


# -- Files at random.


def ranges(values: list[int]) -> list[list[int]]:
    """Return the domain of values, as few ranges as there may be."""
    found: list[list[int]] = []
    for value in sorted(values):
        if found and found[-1][1] == value - 1:
            found[-1][1] = value
        else:
            found.append([value, value])
    return found


def drawn(rng: Random, booleans: int = 3, integers: int = 2, values: int = 4) -> Json:
    """Return a random file; the numbers limit Booleans, integers, and values of an integer."""
    known = [
        {"name": f"n{at}", "domain": ranges(rng.sample(range(-3, 6), rng.randint(1, values)))}
        for at in range(rng.randint(0, integers))
    ]
    file: Json = {
        "schema": "satsweeper/statements/1", "booleans": rng.randint(0, booleans),
        "integers": known, "nodes": [], "statements": [],
    }  # fmt: skip
    nodes = file["nodes"]
    for at in range(len(known)):
        nodes.append({"integer": at})
    for lit in range(1, file["booleans"] + 1):
        nodes.append({"literal": lit})
    for _ in range(rng.randint(1, 6)):
        nodes.append(drawn_node(rng, file))
    stated = [at for at, node in enumerate(nodes) if kind_of(node) not in NUMBERS]
    if stated:
        late = stated[-3:]
        file["statements"] = [rng.choice(late) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
    return file


def drawn_node(rng: Random, file: Json) -> Json:
    """A node of any kind over the nodes of the file, which may be too few for the first kinds."""
    nodes = file["nodes"]
    propositions = [at for at, node in enumerate(nodes) if kind_of(node) not in NUMBERS]
    fitting = ["constant", "and", "or", "xor", "table", "lexicographic", "all_different"]
    fitting += ["literal"] if file["booleans"] else []
    fitting += ["integer"] if file["integers"] else []
    fitting += ["not", "ite", "and", "or", "xor"] if propositions else []
    if nodes:
        fitting += ["table", "lexicographic", "all_different", *sorted(NUMBERS - {"integer"})]
        fitting += ["compare"] * 3 + ["product"]
    kind = rng.choice(fitting)

    def some(of: list[int], least: int = 0, most: int = 3) -> list[int]:
        return [rng.choice(of) for _ in range(rng.randint(least, most) if of else 0)]

    def weighted(least: int = 0) -> list[list[int]]:
        return [[rng.randint(-3, 3), at] for at in some(every, least)]

    every = [*range(len(nodes))]
    match kind:
        case "literal":
            return {kind: rng.choice([1, -1]) * rng.randint(1, file["booleans"])}
        case "constant":
            return {kind: rng.random() < 0.5}
        case "not":
            return {kind: rng.choice(propositions)}
        case "and" | "or" | "xor":
            return {kind: some(propositions)}
        case "ite":
            return {kind: some(propositions, 3)}
        case "compare":
            bounds = sorted(rng.randint(-6, 8) for _ in range(2))
            lower, upper = (rng.choice([bound, bound, None]) for bound in bounds)
            return {kind: weighted(1), "lower": lower, "upper": upper}
        case "all_different":
            return {kind: some(every)}
        case "table":
            parts = some(every, 0, 2)
            rows = [[rng.randint(-2, 4) for _ in parts] for _ in range(rng.randint(0, 4))]
            return {kind: parts, "rows": rows}
        case "lexicographic":
            return {kind: [some(every), some(every)]}
        case "integer":
            return {kind: rng.randrange(len(file["integers"]))}
        case "sum":
            return {kind: weighted(), "constant": rng.randint(-2, 3)}
        case "product":
            return {kind: some(every, 2, 2)}
        case "maximum":
            return {kind: some(every, 1)}
    return {kind: rng.choice(every), "entries": weighted()}
