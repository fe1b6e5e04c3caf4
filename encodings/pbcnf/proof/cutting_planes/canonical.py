"""Statements files as canonical rows: chosen to be short and plainly right, not to be small.

The file is JSON: Booleans by number, integers with domains, nodes that refer to earlier ones, and
which of these are stated. An integer with the values v1 < ... < vk has a literal for each value
but the least, "at least this value", and equals ``v1 + sum of step * literal``. Every node that is
true or false is a literal, every other one a *form*: a constant and coefficients of variables.
`_Translation.define` is the only source of rows for nodes: a new variable that is true exactly if a
form reaches a number. So every solution of the statements is exactly one solution of the rows.

Nothing here is shared with the language that such files come from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, NamedTuple

from pbcnf.proof.cutting_planes.error import ProofError, RefusedError
from pbcnf.proof.cutting_planes.inequality import Inequality
from pbcnf.proof.cutting_planes.statements import MOST_DIGITS, text_of

SCHEMA: Final = "satsweeper/statements/1"
MOST_VARIABLES: Final = 1_000_000
MOST_TERMS: Final = 20_000_000
"""The most canonical variables, and terms in rows, that are made of a file."""
_TOO_LARGE: Final = 10**MOST_DIGITS


class Form(NamedTuple):
    """``constant + sum of coefficient * variable``; no coefficient is 0."""

    constant: int
    terms: dict[int, int]

    @property
    def least(self) -> int:
        """The least value, the variables taken for independent."""
        return self.constant + sum([a for a in self.terms.values() if a < 0])

    @property
    def most(self) -> int:
        """The largest value, the variables taken for independent."""
        return self.constant + sum([a for a in self.terms.values() if a > 0])

    def ascending(self) -> list[tuple[int, int]]:
        """Return variables and coefficients, by variable."""
        return sorted(self.terms.items())


def summed(parts: Iterable[tuple[int, Form]], constant: int = 0) -> Form:
    """Return ``constant + sum of factor * form``."""
    terms: dict[int, int] = {}
    for factor, form in parts:
        constant += factor * form.constant
        for v, a in form.terms.items():
            terms[v] = terms.get(v, 0) + factor * a
    if any(abs(number) >= _TOO_LARGE for number in (constant, *terms.values())):
        raise RefusedError(f"a number of more than {MOST_DIGITS} digits")
    return Form(constant, {v: a for v, a in terms.items() if a})


def form_of(value: int | Form) -> Form:
    """Return a literal as a form: v, or 1 - v."""
    if isinstance(value, Form):
        return value
    return Form(0, {value: 1}) if value > 0 else Form(1, {-value: -1})


class CanonicalVariable(NamedTuple):
    """A variable that is true exactly if ``form >= least``, and the numbers of its rows.

    One number: the variable is constant.
    """

    var: int
    form: Form
    least: int
    rows: tuple[int, ...]


class StatedInteger(NamedTuple):
    """An integer: its name, its values, and the literals of all values but the least."""

    name: str
    values: tuple[int, ...]
    literals: range

    @property
    def form(self) -> Form:
        """The integer as a form."""
        steps = zip(self.literals, self.values, self.values[1:], strict=False)
        return Form(self.values[0], {o: after - before for o, before, after in steps})


@dataclass(slots=True)
class CanonicalRows:
    """The rows of a statements file, and what the variables in them are."""

    booleans: int
    """Booleans are the variables 1 to this."""
    integers: list[StatedInteger] = field(default_factory=list)
    rows: list[Inequality] = field(default_factory=list)
    variables: int = 0
    values: dict[int, int | Form] = field(default_factory=dict)
    """Node -> its literal or form, of each node that a statement reaches."""
    made: dict[int, list[CanonicalVariable]] = field(default_factory=dict)
    """Node -> variables defined for the node, in order."""
    statements: list[int] = field(default_factory=list)
    """The nodes that are stated; the last rows say so."""

    @property
    def linked(self) -> list[StatedInteger]:
        """The integers with two values or more."""
        return [each for each in self.integers if each.literals]


def canonical_rows(raw: bytes, source: str = "statements.json") -> CanonicalRows:
    r"""Read a statements file into canonical rows.

    Raises ProofError for whatever is not as the grammar says, and for what is too large.

    >>> text = b'{"schema": "satsweeper/statements/1", "booleans": 2, "integers": [], '
    >>> text += b'"nodes": [{"literal": 1}, {"literal": -2}, {"or": [0, 1]}], "statements": [2]}'
    >>> for terms, degree in canonical_rows(text).rows: print(terms, degree)
    {-3: 1, 1: 1, -2: 1} 1
    {3: 2, -1: 1, 2: 1} 2
    {3: 1} 1
    """
    try:
        file = json.loads(
            text_of(raw, source),
            object_pairs_hook=_once,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
        return _Translation(file).result
    except RefusedError as refusal:
        raise ProofError(source, 1, str(refusal)) from None
    except json.JSONDecodeError as error:
        raise ProofError(source, error.lineno, f"no JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise ProofError(source, 1, f"no JSON that is read: {error}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(pairs) > len(dict(pairs)):
        raise RefusedError("a key is there twice in an object")
    return dict(pairs)


def _no_float(word: str) -> int:
    raise RefusedError(f"numbers are integers, not {word[:40]}")


class _Translation:
    """A file on its way to rows. Every method raises RefusedError for what it does not allow."""

    def __init__(self, file: Any) -> None:
        required = ("schema", "booleans", "integers", "nodes", "statements")
        keys = set(_object(file, "the file"))
        if not {*required} <= keys <= {*required, "names", "objective"}:
            raise RefusedError(f"a statements file has {', '.join(required)}")
        if file["schema"] != SCHEMA:
            raise RefusedError(f"the schema is '{str(file['schema'])[:60]}', not '{SCHEMA}'")
        booleans = _number(file["booleans"], "the number of Booleans")
        if not 0 <= booleans <= MOST_VARIABLES:
            raise RefusedError(f"the number of Booleans: up to {MOST_VARIABLES:,} are read")
        self.result = CanonicalRows(booleans, variables=booleans)
        self._names(file.get("names", {}))
        self.terms = 0
        for each in _list(file["integers"], "the integers"):
            self._integer(each)
        for each in self.result.integers:
            for o in each.literals[:-1]:
                self._row([(1, o), (1, -(o + 1))], 1)
        nodes = _list(file["nodes"], "the nodes")
        kinds = [self._kind(at, node) for at, node in enumerate(nodes)]
        stated = [_index(at, len(nodes)) for at in _list(file["statements"], "the statements")]
        objective = file.get("objective")
        if objective is not None:
            if set(_object(objective, "the objective")) != {"node", "maximise"}:
                raise RefusedError("an objective has a node, and maximise")
            _index(objective["node"], len(nodes))
            if not isinstance(objective["maximise"], bool):
                raise RefusedError("maximise is true or false")
        for at in _reached(stated, nodes, kinds):
            self.at = at
            self.result.values[at] = _KINDS[kinds[at]].value(self, nodes[at])
        for at in stated:
            self._row([(1, self.literal(at))], 1)
        self.result.statements = stated

    def _names(self, names: Any) -> None:
        for number, name in _object(names, "names").items():
            if not (number.isascii() and number.isdigit() and isinstance(name, str)):
                raise RefusedError("names are strings, by the number of the Boolean")

    def _integer(self, each: Any) -> None:
        keys = set(_object(each, "an integer"))
        if not {"name", "domain"} <= keys <= {"name", "domain", "encoding"}:
            raise RefusedError("an integer has a name, a domain, and perhaps an encoding")
        if not isinstance(each["name"], str):
            raise RefusedError("the name of an integer is a string")
        values: list[int] = []
        for pair in _list(each["domain"], "a domain"):
            first, last = [_number(end, "the end of a range") for end in _list(pair, "a range", 2)]
            if last < first or (values and first <= values[-1] + 1):
                raise RefusedError("ranges of a domain are ascending and apart from each other")
            self._fits(len(values) + last - first + 1)
            values += range(first, last + 1)
        if not values:
            raise RefusedError(f"the domain of the integer {each['name'][:40]} is empty")
        begin = self.result.variables + 1
        self.result.variables += len(values) - 1
        self._fits(0)
        literals = range(begin, begin + len(values) - 1)
        self.result.integers.append(StatedInteger(each["name"], tuple(values), literals))

    def _kind(self, at: int, node: Any) -> str:
        """Return the kind of a node whose references are in order."""
        kind = next((key for key in _object(node, "a node") if key in _KINDS), "")
        if not kind or set(node) != {kind, *_KINDS[kind].further}:
            raise RefusedError(f"node {at} has not the keys of one of {', '.join(_KINDS)}")
        for index in _KINDS[kind].parts(node):
            _index(index, at)
        return kind

    def _fits(self, more: int) -> None:
        if self.result.variables + more > MOST_VARIABLES:
            raise RefusedError(f"more than {MOST_VARIABLES:,} canonical variables")

    def _row(self, terms: Sequence[tuple[int, int]], degree: int) -> int:
        self.terms += len(terms)
        if self.terms > MOST_TERMS:
            raise RefusedError(f"more than {MOST_TERMS:,} terms in canonical rows")
        self.result.rows.append(Inequality({lit: w for w, lit in terms}, degree))
        return len(self.result.rows)

    def define(self, form: Form, least: int) -> int:
        """Return a new variable that is true exactly if ``form >= least``."""
        self._fits(1)
        self.result.variables += 1
        z = self.result.variables
        terms = [(abs(a), v if a > 0 else -v) for v, a in form.ascending()]
        need, most = least - form.least, form.most - form.least
        # While z is true the sum of positive weights is at least `need`; while z is false it is at
        # most need - 1, so that the negated literals weigh at least most - need + 1.
        if need <= 0 or need > most:
            rows: tuple[int, ...] = (self._row([(1, z if need <= 0 else -z)], 1),)
        else:
            rest = most - need + 1
            rows = (
                self._row([(need, -z), *terms], need),
                self._row([(rest, z), *((w, -lit) for w, lit in terms)], rest),
            )
        self.result.made.setdefault(self.at, []).append(CanonicalVariable(z, form, least, rows))
        return z

    def literal(self, index: Any) -> int:
        """Return the literal of a node that is true or false."""
        value = self.result.values[index]
        if isinstance(value, Form):
            raise RefusedError(f"node {index} is a number, where true or false is needed")
        return value

    def form(self, index: Any) -> Form:
        """Return a node as a form."""
        return form_of(self.result.values[index])

    def forms(self, indices: Any) -> list[Form]:
        """Return nodes as forms."""
        return [self.form(index) for index in indices]

    def all_of(self, literals: Sequence[int]) -> int:
        """Return a variable that is true exactly if all literals are."""
        return self.define(summed([(1, form_of(lit)) for lit in literals]), len(literals))

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a variable that is true exactly if one of the literals is."""
        return self.define(summed([(1, form_of(lit)) for lit in literals]), 1)

    def between(self, form: Form, lower: int | None, upper: int | None) -> int:
        """Return a variable that is true exactly if the bounds hold."""
        sides = [] if lower is None else [self.define(form, lower)]
        if upper is not None:
            sides.append(self.define(summed([(-1, form)]), -upper))
        return sides[0] if len(sides) == 1 else self.all_of(sides)

    def pair(self, x: int, y: int) -> int:
        """Return a variable that is true exactly if two variables are."""
        return x if x == y else self.all_of([x, y])

    def value_of_literal(self, node: Any) -> int:
        lit = _number(node["literal"], "a literal")
        if not 0 < abs(lit) <= self.result.booleans:
            raise RefusedError(f"the literal {lit} is of no Boolean")
        return lit

    def value_of_constant(self, node: Any) -> int:
        if not isinstance(node["constant"], bool):
            raise RefusedError("a constant is true or false")
        return self.define(Form(0, {}), 0 if node["constant"] else 1)

    def value_of_not(self, node: Any) -> int:
        return -self.literal(node["not"])

    def value_of_and(self, node: Any) -> int:
        return self.all_of([self.literal(each) for each in node["and"]])

    def value_of_or(self, node: Any) -> int:
        return self.any_of([self.literal(each) for each in node["or"]])

    def value_of_xor(self, node: Any) -> int:
        parts = [self.literal(each) for each in node["xor"]]
        if not parts:
            return self.any_of([])
        found, *rest = parts
        for part in rest:
            both = self.all_of([found, part])
            odd = [(1, form_of(found)), (1, form_of(part)), (-2, form_of(both))]
            found = self.define(summed(odd), 1)
        return found

    def value_of_ite(self, node: Any) -> int:
        condition, yes, no = [self.literal(each) for each in _list(node["ite"], "ite", 3)]
        first = self.all_of([condition, yes])
        return self.any_of([first, self.all_of([-condition, no])])

    def value_of_compare(self, node: Any) -> int:
        lower, upper = [
            None if node[end] is None else _number(node[end], "a bound")
            for end in ("lower", "upper")
        ]
        return self.between(self._weighted(node["compare"]), lower, upper)

    def value_of_all_different(self, node: Any) -> int:
        found = []
        for one, other in combinations(self.forms(node["all_different"]), 2):
            difference = summed([(1, one), (-1, other)])
            above = self.define(difference, 1)
            found.append(self.any_of([above, self.define(summed([(-1, difference)]), 1)]))
        return self.all_of(found)

    def value_of_table(self, node: Any) -> int:
        columns = self.forms(node["table"])
        equal: dict[tuple[int, int], int] = {}
        chosen = []
        for row in _list(node["rows"], "the rows of a table"):
            for place in enumerate(_list(row, "a row", len(columns))):
                at, value = place[0], _number(place[1], "a value")
                if place not in equal:
                    equal[place] = self.between(columns[at], value, value)
            chosen.append(self.all_of([equal[place] for place in enumerate(row)]))
        return self.any_of(chosen)

    def value_of_lexicographic(self, node: Any) -> int:
        one, other = map(self.forms, node["lexicographic"])
        found = self.define(Form(0, {}), 0 if len(one) <= len(other) else 1)
        for a, b in reversed([*zip(one, other, strict=False)]):
            difference = summed([(1, b), (-1, a)])
            at_most = self.define(difference, 0)
            later = self.any_of([self.define(difference, 1), found])
            found = self.all_of([at_most, later])
        return found

    def value_of_integer(self, node: Any) -> Form:
        at, known = _number(node["integer"], "an integer"), self.result.integers
        if not 0 <= at < len(known):
            raise RefusedError(f"there is no integer {at}")
        return known[at].form

    def value_of_sum(self, node: Any) -> Form:
        return summed([(1, self._weighted(node["sum"]))], _number(node["constant"], "a constant"))

    def value_of_product(self, node: Any) -> Form:
        one, other = self.forms(_list(node["product"], "a product", 2))
        self._fits(len(one.terms) * len(other.terms))
        parts = [(one.constant, other), (other.constant, Form(0, one.terms))]
        for x, a in one.ascending():
            for y, b in other.ascending():
                parts.append((a * b, form_of(self.pair(x, y))))
        return summed(parts)

    def value_of_maximum(self, node: Any) -> Form:
        parts = self.forms(node["maximum"])
        if not parts:
            raise RefusedError("the maximum of no numbers")
        least, most = max(each.least for each in parts), max(each.most for each in parts)
        self._fits((most - least) * (len(parts) + 1))
        reached = [
            self.any_of([self.define(each, value) for each in parts])
            for value in range(least + 1, most + 1)
        ]
        return summed([(1, form_of(each)) for each in reached], least)

    def value_of_element(self, node: Any) -> Form:
        place, parts = self.form(node["element"]), list[tuple[int, Form]]()
        for key, index in _list(node["entries"], "the entries"):
            here = self.between(place, _number(key, "a key"), _number(key, "a key"))
            entry = self.form(index)
            parts.append((entry.constant, form_of(here)))
            parts += [(w, form_of(self.pair(here, x))) for x, w in entry.ascending()]
        return summed(parts)

    def _weighted(self, pairs: Any) -> Form:
        return summed([(_number(weight, "a weight"), self.form(index)) for weight, index in pairs])


class _Kind(NamedTuple):
    value: Callable[[_Translation, Any], int | Form]
    parts: Callable[[Any], list[Any]]
    """The indices that a node refers to."""
    further: tuple[str, ...] = ()
    """Further keys that the node has."""


def _listed(key: str) -> Callable[[Any], list[Any]]:
    return lambda node: [*_list(node[key], key)]


def _paired(key: str) -> Callable[[Any], list[Any]]:
    return lambda node: [_list(pair, key, 2)[1] for pair in _list(node[key], key)]


def _both(node: Any) -> list[Any]:
    return [
        at for side in _list(node["lexicographic"], "the lists", 2) for at in _list(side, "a list")
    ]


_OF: Final = _Translation
_KINDS: Final = {
    "literal": _Kind(_OF.value_of_literal, lambda _: []),
    "constant": _Kind(_OF.value_of_constant, lambda _: []),
    "not": _Kind(_OF.value_of_not, lambda node: [node["not"]]),
    "and": _Kind(_OF.value_of_and, _listed("and")),
    "or": _Kind(_OF.value_of_or, _listed("or")),
    "xor": _Kind(_OF.value_of_xor, _listed("xor")),
    "ite": _Kind(_OF.value_of_ite, _listed("ite")),
    "compare": _Kind(_OF.value_of_compare, _paired("compare"), ("lower", "upper")),
    "all_different": _Kind(_OF.value_of_all_different, _listed("all_different")),
    "table": _Kind(_OF.value_of_table, _listed("table"), ("rows",)),
    "lexicographic": _Kind(_OF.value_of_lexicographic, _both),
    "integer": _Kind(_OF.value_of_integer, lambda _: []),
    "sum": _Kind(_OF.value_of_sum, _paired("sum"), ("constant",)),
    "product": _Kind(_OF.value_of_product, _listed("product")),
    "maximum": _Kind(_OF.value_of_maximum, _listed("maximum")),
    "element": _Kind(
        _OF.value_of_element,
        lambda node: [node["element"], *_paired("entries")(node)],
        ("entries",),
    ),
}


def _reached(stated: list[int], nodes: list[Any], kinds: list[str]) -> list[int]:
    """Return the nodes that the statements refer to, in order."""
    found, waiting = set[int](), [*stated]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += _KINDS[kinds[at]].parts(nodes[at])
    return sorted(found)


def _object(found: Any, what: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise RefusedError(f"{what} must be an object")
    return found


def _list(value: Any, what: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        size = "" if length is None else f" of {length}"
        raise RefusedError(f"{what} must be a list{size}")
    return value


def _number(value: Any, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= _TOO_LARGE:
        raise RefusedError(f"{what} must be an integer of at most {MOST_DIGITS} digits")
    return int(value)


def _index(value: Any, before: int) -> int:
    found = _number(value, "a reference to a node")
    if not 0 <= found < before:
        raise RefusedError(f"a reference to node {str(found)[:20]}: known are those below {before}")
    return found
