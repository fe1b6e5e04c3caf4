"""Statements files: variables, statements and objective of a builder as JSON, and read again.

What is written is what was stated: relations such as `all_different` are there by their names, and
shared parts once, as nodes to which others refer by number. Schema ``satsweeper/statements/1``;
what each kind of node means is said in docs/language.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator
from typing import IO, Any, Final

from pbcnf.errors import EncodingError
from pbcnf.language.builder import Builder
from pbcnf.language.connectives import total
from pbcnf.language.evaluation import parts
from pbcnf.language.expressions import (
    FALSE,
    TRUE,
    Comparison,
    Compound,
    Connective,
    Constant,
    IntegerProduct,
    Literal,
    Maximum,
    Not,
    Operand,
    Proposition,
    Sum,
    Terms,
)
from pbcnf.language.integers import Domain, IntegerVariable
from pbcnf.language.relations import all_different, element, lexicographic, table

SCHEMA: Final = "satsweeper/statements/1"
MOST_BOOLEANS: Final = 10_000_000
MOST_LEVELS: Final = 50
"""The most levels of products and maxima inside one another."""
MOST_UNFOLDED: Final = 1_000_000
"""The most products and maxima inside a node, each counted as often as it is reached from there."""
_CONNECTIVES: Final = {each.name.lower(): each for each in Connective}


def write_statements(builder: Builder, stream: IO[bytes]) -> None:
    """Write a builder as a statements file; names become text, each once.

    Raises EncodingError for an integer or a Boolean of another builder.
    """
    stream.write(statements_text(builder).encode("ascii"))


def statements_text(builder: Builder) -> str:
    """Return a builder as the text of a statements file; raises as `write_statements` does."""
    integers = builder.integer_variables()
    taken, given = set[str](), builder.names.in_files()
    names = {str(var): _once(name, taken) for var, name in given.items()}
    shown = []
    for each in integers:
        one: dict[str, Any] = {"name": _once(each.name, taken), "domain": each.domain.ranges}
        shown.append(one if each.encoding is None else one | {"encoding": each.encoding.value})
    writer = _Writer(builder, {each: at for at, each in enumerate(integers)})
    stated = [writer.index(statement) for statement in builder.statements]
    objective = None
    if builder.objective is not None:
        asked, maximise = builder.objective
        objective = {"node": writer.index(asked), "maximise": maximise}
    return (
        f'{{"schema": "{SCHEMA}",\n"booleans": {builder.names.last},\n'
        f'"names": {json.dumps(names)},\n'
        f'"integers": {_lines(shown)},\n"nodes": {_lines(writer.nodes)},\n'
        f'"statements": {json.dumps(stated)},\n"objective": {json.dumps(objective)}}}\n'
    )


def read_statements(raw: bytes, source: str = "statements.json") -> Builder:
    """Return the builder that a statements file describes; its names are text.

    Raises EncodingError, naming the node, for what is no such file.
    """
    return StatementsFile(raw, source).builder


class StatementsFile:
    """A file that was read: its builder, and the expression of each node, by number."""

    def __init__(self, raw: bytes, source: str = "statements.json") -> None:
        """Read the file; raises as `read_statements` does."""
        where = "the file"
        self.nodes: list[Operand] = []
        self.stated: list[dict[str, Any]] = []
        """The nodes as they are written."""
        self._inside: dict[Operand, tuple[int, int]] = {}
        """Product or maximum -> how many there are inside, itself included, and on how many levels.
        """
        try:
            file = json.loads(raw)
            if not isinstance(file, dict) or file.get("schema") != SCHEMA:
                raise EncodingError(f"{source}: no statements file: the schema is not {SCHEMA}")
            self.builder = builder = Builder()
            names, taken = file.get("names") or {}, set[str]()
            if not 0 <= file["booleans"] <= MOST_BOOLEANS:
                raise EncodingError(f"{source}: the Booleans: up to {MOST_BOOLEANS:,} are read")
            for var in range(1, file["booleans"] + 1):
                name = names.get(str(var))
                if name is None:
                    builder.names.fresh()
                else:
                    builder.names.number(_once(name, taken))
            for at, each in enumerate(file["integers"]):
                where = f"integer {at}"
                domain = Domain(tuple((first, last) for first, last in each["domain"]))
                name = _once(each["name"], taken)
                builder.integer(name, domain=domain, encoding=each.get("encoding"))
            self._integers = builder.integer_variables()
            for at, node in enumerate(file["nodes"]):
                where = f"node {at}"
                kind = next(key for key in node if key in _READERS)
                found = _READERS[kind](self, node)
                # Each node is an object of its own, constants, too.
                found = Constant(found.value) if isinstance(found, Constant) else found
                self.nodes.append(found)
                self.stated.append(node)
                if not self._limited(self.nodes[-1]):
                    raise EncodingError(
                        f"{source}: {where}: products and maxima inside one another: up to"
                        f" {MOST_UNFOLDED:,} on {MOST_LEVELS} levels are read"
                    )
            where = "the statements"
            builder.add(*[self.truth(at) for at in file["statements"]])
            objective = file.get("objective")
            if objective is not None:
                asked = self.nodes[objective["node"]]
                (builder.maximise if objective["maximise"] else builder.minimise)(asked)
        except EncodingError:
            raise
        except (
            KeyError,
            IndexError,
            TypeError,
            ValueError,
            StopIteration,
            RecursionError,
        ) as error:
            said = f"{type(error).__name__} {error}".strip()
            raise EncodingError(f"{source}: {where} is not as the schema says: {said}") from None

    def _limited(self, found: Operand) -> bool:
        """Whether products and maxima inside an operand are neither too many nor too deep.

        They are expanded wherever they occur, so that a short file could ask for any time.
        """
        if not isinstance(found, IntegerProduct | Maximum):
            return True
        sums = found.parts if isinstance(found, Maximum) else (found.left, found.right)
        inner = [self._inside.get(each, (0, 0)) for one in sums for each, _ in one.terms]
        number = 1 + sum([each for each, _ in inner])
        levels = 1 + max([0, *(each for _, each in inner)])
        self._inside[found] = number, levels
        return number <= MOST_UNFOLDED and levels <= MOST_LEVELS

    def sum(self, node: dict[str, Any]) -> Sum:
        """Return a sum; the terms of sums inside are its own, each operand once."""
        pairs = self.pairs(node["sum"])
        if not any(isinstance(each, Sum) for each, _ in pairs):
            return Sum(Terms(pairs), node["constant"])
        constant, weights = node["constant"], dict[Operand, int]()
        for each, weight in pairs:
            inner = Sum.of(each)
            constant += weight * inner.constant
            for operand, own in inner.terms:
                weights[operand] = weights.get(operand, 0) + weight * own
        return Sum(Terms([*weights.items()]), constant)

    def truth(self, at: int) -> Proposition:
        """Return the proposition of a node. Raises TypeError if it is a number."""
        found = self.nodes[at]
        if not isinstance(found, Proposition):
            raise TypeError(f"node {at} is a number")
        return found

    def pairs(self, node: list[list[int]]) -> list[tuple[Operand, int]]:
        """Return operands with their weights."""
        return [(self.nodes[at], weight) for weight, at in node]

    def joined(self, node: dict[str, Any]) -> Proposition:
        """Return a connective of propositions."""
        kind = next(key for key in node if key in _CONNECTIVES)
        return Compound(_CONNECTIVES[kind], tuple(self.truth(at) for at in node[kind]))

    def literal(self, node: dict[str, Any]) -> Proposition:
        """Return a literal with the name of its variable."""
        lit: int = node["literal"]
        if not 0 < abs(lit) <= self.builder.names.last:
            raise ValueError(f"the literal {lit} is of no Boolean")
        return Literal(lit, self.builder.names.name(abs(lit)))

    def integer(self, node: dict[str, Any]) -> IntegerVariable:
        """Return an integer by its number."""
        at: int = node["integer"]
        return self._integers[at]

    def all(self, indices: list[int]) -> list[Operand]:
        """Return operands."""
        return [self.nodes[at] for at in indices]


_READERS: Final[dict[str, Callable[[StatementsFile, dict[str, Any]], Operand]]] = {
    "literal": StatementsFile.literal,
    "constant": lambda _, node: TRUE if node["constant"] else FALSE,
    "not": lambda file, node: Not(file.truth(node["not"])),
    "and": StatementsFile.joined,
    "or": StatementsFile.joined,
    "xor": StatementsFile.joined,
    "ite": StatementsFile.joined,
    "compare": lambda file, node: Comparison(
        file.pairs(node["compare"]), node["lower"], node["upper"]
    ),
    "all_different": lambda file, node: all_different(file.all(node["all_different"])),
    "table": lambda file, node: table(file.all(node["table"]), node["rows"]),
    "lexicographic": lambda file, node: lexicographic(*map(file.all, node["lexicographic"])),
    "integer": StatementsFile.integer,
    "sum": StatementsFile.sum,
    "product": lambda file, node: IntegerProduct(
        *(total([each]) for each in file.all(node["product"]))
    ),
    "maximum": lambda file, node: Maximum(
        tuple(Sum.of(each) for each in file.all(node["maximum"]))
    ),
    "element": lambda file, node: total(
        [element({key: file.nodes[at]}, file.nodes[node["element"]]) for key, at in node["entries"]]
    ),
}


class _Writer:
    """Nodes on their way to a file, each expression once."""

    def __init__(self, builder: Builder, integers: dict[IntegerVariable, int]) -> None:
        self.builder, self.integers = builder, integers
        self.nodes: list[dict[str, Any]] = []
        self._known: dict[Hashable, int] = {}

    def index(self, root: Operand) -> int:
        """Return the number of an expression, whose parts get numbers before it."""
        # Not by recursion, as expressions may be deep.
        waiting = [(root, False)]
        while waiting:
            each, ready = waiting.pop()
            if self._key(each) in self._known:
                continue
            if ready:
                self._known[self._key(each)] = len(self.nodes)
                self.nodes.append(self._node(each))
            else:
                waiting.append((each, True))
                waiting += [(part, False) for part in reversed([*_children(each)])]
        return self._known[self._key(root)]

    def _key(self, each: Operand) -> Hashable:
        return ("literal", each.lit) if isinstance(each, Literal) else each

    def _all(self, operands: tuple[Operand, ...]) -> list[int]:
        return [self._known[self._key(each)] for each in operands]

    def _node(self, each: Operand) -> dict[str, Any]:
        match each:
            case IntegerVariable():
                if each not in self.integers:
                    raise EncodingError(f"the integer {each!r} belongs to another builder")
                return {"integer": self.integers[each]}
            case Literal():
                name = self.builder.names.name(abs(each.lit))
                if (each.name is not None and each.name != name) or (
                    abs(each.lit) > self.builder.names.last
                ):
                    raise EncodingError(f"the Boolean {each!r} belongs to another builder")
                return {"literal": each.lit}
            case Constant():
                return {"constant": each.value}
            case Not():
                return {"not": self._known[self._key(each.part)]}
            case Compound(origin=(name, operands, rows)):
                lists = [self._all(one) for one in operands]
                node: dict[str, Any] = {name: lists if len(lists) > 1 else lists[0]}
                return node | {"rows": rows} if name == "table" else node
            case Compound():
                return {each.connective.name.lower(): self._all(each.parts)}
            case Comparison():
                terms = self._weighted(each.terms)
                return {"compare": terms, "lower": each.lower, "upper": each.upper}
            case Sum():
                return {"sum": self._weighted([*each.terms]), "constant": each.constant}
            case IntegerProduct():
                return {"product": self._all((each.left, each.right))}
            case Maximum():
                return {"maximum": self._all(each.parts)}
        raise TypeError(f"{type(each).__name__} is no expression of this language")

    def _weighted(self, terms: list[tuple[Operand, int]]) -> list[list[int]]:
        return [[weight, self._known[self._key(each)]] for each, weight in terms]


def _children(each: Operand) -> Iterator[Operand]:
    """Yield the stated parts of an expression."""
    if isinstance(each, Compound) and each.origin is not None:
        for one in each.origin[1]:
            yield from one
    else:
        yield from parts(each)


def _once(name: Hashable, taken: set[str]) -> str:
    """Return a name as text that no other name has."""
    shown = str(name)
    while shown in taken:
        shown += "_"
    taken.add(shown)
    return shown


def _lines(entries: list[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]" if entries else "[]"
