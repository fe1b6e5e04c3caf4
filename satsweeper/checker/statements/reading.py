"""A statements file, read strictly: one JSON object of schema ``satsweeper/statements/1``.

A *node* is a JSON object with the keys of its kind; it refers to earlier nodes by their index from
0, so there are no circles. *Propositions* are true or false, all other nodes are numbers; where a
number is expected, a proposition counts as 1 or 0.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, NoReturn

from satsweeper.checker.contents import is_integer, json_object
from satsweeper.checker.errors import WrongCertificateError

MOST_DIGITS: Final = 4000
"""Limit on the decimal digits of a number, here and in what is computed from the file."""
TOO_LARGE: Final = 10**MOST_DIGITS
"""The least natural number that is too long."""

SCHEMA: Final = "satsweeper/statements/1"
_KEYS: Final = frozenset(("schema", "booleans", "integers", "nodes", "statements"))
_ENCODINGS: Final = ("order", "direct", "binary")
_NUMBERS: Final = frozenset(("integer", "sum", "product", "maximum", "element"))
"""The kinds of nodes that are no propositions."""
_MORE_KEYS: Final = {
    "compare": ["lower", "upper"], "table": ["rows"], "sum": ["constant"], "element": ["entries"],
}  # fmt: skip
_KINDS: Final = {
    frozenset((kind, *_MORE_KEYS.get(kind, ()))): kind
    for kind in (
        "literal", "constant", "not", "and", "or", "xor", "ite", "compare", "all_different",
        "table", "lexicographic", *sorted(_NUMBERS),
    )
}  # fmt: skip
"""The keys of a node -> its kind, which is one of the keys."""


class Integer(NamedTuple):
    """An integer variable with the values in the ranges ``domain``, both ends included."""

    name: str
    domain: list[tuple[int, int]]


class Statements(NamedTuple):
    """The content of a statements file, without its objective and what names encodings.

    Args:
        booleans: the Boolean variables are 1 .. ``booleans``.
        names: the names of Booleans that have one, by their numbers.
        integers: the integer variables, in order.
        nodes: as in the file, each of one of the kinds.
        uses: the indices of the nodes that each node refers to.
        statements: the indices of the propositions that are stated.
    """

    booleans: int
    names: dict[int, str]
    integers: list[Integer]
    nodes: list[dict[str, Any]]
    uses: list[set[int]]
    statements: list[int]


def read_statements(content: bytes, name: str) -> Statements:
    """Return the statements in ``content``, the file ``name``.

    Raises:
        WrongCertificateError: the first defect.
    """
    return _StatementsReader(name).read(json_object(name, content))


class _StatementsReader:
    """The parts of a file named ``file`` that were read so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.place = ""
        """The part that is read now, for errors."""
        self.booleans = 0
        self.integers: list[Integer] = []
        self.propositions: list[bool] = []
        """Whether each node that was read is a proposition."""
        self.uses: set[int] = set()
        """The nodes that the present node refers to."""

    def refuse(self, found: object, wanted: str) -> NoReturn:
        shown = found if isinstance(found, str) else json.dumps(found)
        shown = shown if len(shown) <= 60 else f"{shown[:60]} ..."
        place = f"{self.place}: " * bool(self.place)
        raise WrongCertificateError(self.file, f"{place}{shown} where {wanted} should be")

    def read(self, whole: dict[str, Any]) -> Statements:
        keys = _KEYS.symmetric_difference(whole) - {"names", "objective"}
        if keys:
            wanted = f"the keys {', '.join(sorted(_KEYS))}, and perhaps names and objective"
            self.refuse(f"the keys {', '.join(sorted(whole))}", wanted)
        if whole["schema"] != SCHEMA:
            self.refuse(whole["schema"], f"the schema {SCHEMA}")
        self.place = "booleans"
        self.booleans = self.integer(whole["booleans"])
        if self.booleans < 0:
            self.refuse(self.booleans, "a number from 0")
        self.place = "names"
        names = self.names(whole.get("names", {}))
        self.place = "integers"
        for at, found in enumerate(self.listed(whole["integers"])):
            self.place = f"integer {at}"
            self.integers.append(self.integer_variable(found))
        self.place = "names"
        self.distinct([*names.values(), *(each.name for each in self.integers)])
        self.place = "nodes"
        nodes, uses = self.listed(whole["nodes"]), []
        for at, node in enumerate(nodes):
            self.place, self.uses = f"node {at}", set()
            proposition = self.is_proposition(node)
            self.propositions.append(proposition)
            uses.append(self.uses)
        self.place = "statements"
        stated = [self.proposition(found) for found in self.listed(whole["statements"])]
        self.place = "objective"
        self.objective(whole.get("objective"))
        return Statements(self.booleans, names, self.integers, nodes, uses, stated)

    # Values of JSON, and what refers to something.

    def integer(self, found: Any) -> int:
        # True is an integer of Python, and none of JSON.
        if not is_integer(found):
            self.refuse(found, "an integer")
        if abs(found) >= TOO_LARGE:
            self.refuse("a longer number", f"one of at most {MOST_DIGITS} digits")
        return int(found)

    def listed(self, found: Any, length: int | None = None) -> list[Any]:
        if not isinstance(found, list):
            self.refuse(found, "a list")
        if length is not None and len(found) != length:
            self.refuse(found, f"a list of {length}")
        return found

    def index(self, found: Any, size: int, what: str) -> int:
        # A negative index would be taken from the end by Python.
        if not is_integer(found) or not 0 <= found < size:
            self.refuse(found, f"the index of {what}, from 0 and below {size},")
        return int(found)

    def node(self, found: Any) -> int:
        at = self.index(found, len(self.propositions), "an earlier node")
        self.uses.add(at)
        return at

    def proposition(self, found: Any) -> int:
        at = self.node(found)
        if not self.propositions[at]:
            self.refuse(found, "the index of a proposition")
        return at

    def weighted(self, found: Any) -> None:
        for term in self.listed(found):
            weight, node = self.listed(term, 2)
            self.integer(weight)
            self.node(node)

    # Variables.

    def names(self, found: Any) -> dict[int, str]:
        if not isinstance(found, dict):
            self.refuse(found, "an object")
        for number, name in found.items():
            if not re.fullmatch("[1-9][0-9]{0,9}", number) or int(number) > self.booleans:
                self.refuse(number, f"the number of a Boolean, 1 to {self.booleans},")
            if not isinstance(name, str):
                self.refuse(name, "a string")
        return {int(number): name for number, name in found.items()}

    def distinct(self, names: Iterable[str]) -> None:
        # Names tell a reader of the answer which variable is which.
        seen: set[str] = set()
        for name in names:
            if name in seen:
                self.refuse(f"{name!r} twice", "names that are all different")
            seen.add(name)

    def integer_variable(self, found: Any) -> Integer:
        keys = {*found} - {"encoding"} if isinstance(found, dict) else set()
        if keys != {"name", "domain"}:
            self.refuse(found, "an object with name, domain, and perhaps encoding")
        if not isinstance(found["name"], str):
            self.refuse(found["name"], "the name, a string,")
        if found.get("encoding", "order") not in _ENCODINGS:
            self.refuse(found["encoding"], f"one of {', '.join(_ENCODINGS)}")
        domain: list[tuple[int, int]] = []
        for each in self.listed(found["domain"]):
            low, high = map(self.integer, self.listed(each, 2))
            if low > high:
                self.refuse(each, "a range [low, high] with low <= high")
            # Of ranges that touch there would be two ways to write one domain.
            if domain and low <= domain[-1][1] + 1:
                self.refuse(each, f"a range that begins above {domain[-1][1] + 1}")
            domain.append((low, high))
        if not domain:
            self.refuse(found["domain"], "a domain with at least one value")
        return Integer(found["name"], domain)

    def objective(self, found: Any) -> None:
        if found is None:
            return
        if not isinstance(found, dict) or found.keys() != {"node", "maximise"}:
            self.refuse(found, "null, or an object with node and maximise")
        self.node(found["node"])
        if not isinstance(found["maximise"], bool):
            self.refuse(found["maximise"], "true or false")

    # Nodes.

    def is_proposition(self, node: Any) -> bool:
        """Check the node, and return whether it is a proposition."""
        kind = _KINDS.get(frozenset(node)) if isinstance(node, dict) else None
        if kind is None:
            self.refuse(node, f"a node with the keys of {', '.join(_KINDS.values())}")
        value = node[kind]
        match kind:
            case "literal":
                if not 1 <= abs(self.integer(value)) <= self.booleans:
                    self.refuse(value, f"a literal of the Booleans 1 to {self.booleans}")
            case "constant":
                if not isinstance(value, bool):
                    self.refuse(value, "true or false")
            case "not":
                self.proposition(value)
            case "and" | "or" | "xor" | "ite":
                for part in self.listed(value, 3 if kind == "ite" else None):
                    self.proposition(part)
            case "compare":
                self.weighted(value)
                for bound in (node["lower"], node["upper"]):
                    if bound is not None:
                        self.integer(bound)
            case "all_different" | "product" | "maximum":
                for part in self.listed(value, 2 if kind == "product" else None):
                    self.node(part)
                if kind == "maximum" and not value:
                    self.refuse(value, "a list of at least one node")
            case "table":
                for part in self.listed(value):
                    self.node(part)
                for row in self.listed(node["rows"]):
                    for number in self.listed(row, len(value)):
                        self.integer(number)
            case "lexicographic":
                for parts in self.listed(value, 2):
                    for part in self.listed(parts):
                        self.node(part)
            case "integer":
                self.index(value, len(self.integers), "an integer variable")
            case "sum":
                self.weighted(value)
                self.integer(node["constant"])
            case "element":
                self.node(value)
                self.weighted(node["entries"])
        return kind not in _NUMBERS
