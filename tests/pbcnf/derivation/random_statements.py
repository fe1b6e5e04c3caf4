"""Random statements of the language, and what a proof of them is asked for."""

from __future__ import annotations

import io
import random
from collections.abc import Hashable, Iterator, Mapping
from itertools import product

from pbcnf import dimacs
from pbcnf.derivation import write_proof
from pbcnf.derivation.statements.whole import CertifiedStatements, derive_statements
from pbcnf.language import (
    Builder,
    IntegerVariable,
    Literal,
    Operand,
    Proposition,
    all_different,
    all_of,
    any_of,
    element,
    ite,
    lexicographic,
    maximum,
    minimum,
    table,
    total,
    write_statements,
    xor,
)
from pbcnf.proof.cutting_planes.canonical import canonical_rows


def statements_of(builder: Builder) -> bytes:
    stream = io.BytesIO()
    write_statements(builder, stream)
    return stream.getvalue()


def proved(text: bytes) -> tuple[CertifiedStatements, bytes, bytes]:
    """The derivation, the CNF and the proof of a statements file."""
    made = derive_statements(text)
    proof = io.BytesIO()
    write_proof(made.derivation, proof)
    return made, dimacs(made.formula).encode(), proof.getvalue()


def without_clause(text: bytes, cnf: bytes, proof: bytes, at: int) -> tuple[bytes, bytes]:
    """A CNF and a proof without one clause, which the proof deletes just before the turn."""
    head, *clauses = cnf.decode().splitlines()
    variables, number = head.split()[2:]
    less = [f"p cnf {variables} {int(number) - 1}", *clauses[:at], *clauses[at + 1 :], ""]
    lines = proof.decode().splitlines()
    turn = next(i for i, line in enumerate(lines) if line.startswith("del id 1 2 "))
    made, alive = len(canonical_rows(text).rows), list[int]()
    for line in lines[2:turn]:
        if line.startswith("del"):
            gone = set(line.split())
            alive = [each for each in alive if str(each) not in gone]
        else:
            made += 1
            alive.append(made)
    lines.insert(turn, f"del id {alive[at]} ;")
    return "\n".join(less).encode(), "\n".join(lines).encode()


def everything(builder: Builder) -> Iterator[dict[Hashable, int]]:
    """All values of all variables."""
    integers = builder.integer_variables()
    names = [*builder.names, *(each.name for each in integers)]
    domains: list[list[int]] = [[False, True] for _ in builder.names]
    domains += [[*each.domain] for each in integers]
    for values in product(*domains):
        yield dict(zip(names, values, strict=True))


def solutions(builder: Builder) -> list[Mapping[Hashable, int]]:
    return [values for values in everything(builder) if builder.holds(values)]


def random_builder(seed: int) -> Builder:
    """One to three statements of all kinds over few Booleans and integers."""
    r = random.Random(seed)
    b = Builder()
    xs = [b.boolean(f"x{i}") for i in range(r.randint(1, 3))]
    ns = []
    for i in range(r.randint(0, 3)):
        some = sorted(r.sample(range(-3, 8), r.randint(1, 6)))
        domain = some if r.random() < 0.5 else range(r.randint(-2, 1), r.randint(2, 5))
        encoding = r.choice([None, "order", "direct", "binary"])
        ns.append(b.integer(f"n{i}", domain=domain, encoding=encoding))
    b.add(*(_proposition(r, xs, ns, 2) for _ in range(r.randint(1, 3))))
    return b


def _proposition(
    r: random.Random, xs: list[Literal], ns: list[IntegerVariable], depth: int
) -> Proposition:
    def inner(most: int = 3, least: int = 1) -> list[Proposition]:
        return [_proposition(r, xs, ns, depth - 1) for _ in range(r.randint(least, most))]

    kinds = (
        ["literal"] if not depth else ["literal", "and", "or", "xor", "ite", "not", "sum", "sum"]
    )
    kinds += ["one"] if ns and depth else []
    kinds += ["two", "two", "different", "table", "order"] if len(ns) > 1 and depth else []
    match r.choice(kinds):
        case "literal":
            x = r.choice(xs)
            return r.choice([x, ~x])
        case "and":
            return all_of(inner())
        case "or":
            return any_of(inner())
        case "xor":
            return xor(inner())
        case "ite":
            return ite(*inner(3, 3))
        case "not":
            return ~inner(1)[0]
        case "one":
            n, w, v = r.choice(ns), r.choice([1, 2, -1, -3]), r.randint(-9, 9)
            return r.choice([n == v, n != v, w * n <= v, n >= v])
        case "two":
            n, m = r.sample(ns, 2)
            a, c, v = r.choice([1, 1, 2, -1]), r.choice([1, -1, -1, 3]), r.randint(-4, 8)
            both = a * n + c * m
            return r.choice([both <= v, both >= v, both == v, both != v, n < m, n != m])
        case "different":
            return all_different(
                [n + r.randint(-1, 1) for n in r.sample(ns, r.randint(2, len(ns)))]
            )
        case "table":
            some = r.sample(ns, 2)
            rows = [[r.choice([*n.domain]) for n in some] for _ in range(r.randint(1, 3))]
            return table(some, rows)
        case "order":
            return lexicographic([*r.sample(ns, 2), r.choice(xs)], r.sample(ns, 2))
    weights = [r.choice([1, 1, 1, 2, 3, -1, -2]) for _ in range(r.randint(1, 4))]
    terms = [w * (r.choice(ns) if ns and r.random() < 0.3 else inner(1)[0]) for w in weights]
    v = r.randint(-2, 4)
    return r.choice([total(terms) <= v, total(terms) >= v, total(terms) == v])


class RandomNumbers:
    """One or two statements with maxima, products, elements and relations of such numbers."""

    def __init__(self, seed: int) -> None:
        r = self.r = random.Random(seed)
        b = self.builder = Builder()
        self.xs = [b.boolean(f"x{i}") for i in range(r.randint(1, 2))]
        self.ns = []
        for i in range(r.randint(1, 3)):
            domain = sorted(r.sample(range(-3, 6), r.randint(1, 4)))
            encoding = r.choice([None, "order", "direct", "binary"])
            self.ns.append(b.integer(f"n{i}", domain=domain, encoding=encoding))
        b.add(*(self.proposition(2) for _ in range(r.randint(1, 2))))

    def numbers(self, depth: int, least: int, most: int) -> list[Operand]:
        return [self.number(depth) for _ in range(self.r.randint(least, most))]

    def number(self, depth: int) -> Operand:
        r = self.r
        kinds = ["maximum", "minimum", "abs", "product", "product", "sum", "element", "ite"]
        match r.choice(["integer", "integer", "boolean", *(kinds if depth else [])]):
            case "integer":
                return r.choice(self.ns) + r.choice([0, 0, 1, -2])
            case "boolean":
                return 1 * r.choice(self.xs)
            case "maximum":
                return maximum(self.numbers(depth - 1, 1, 3))
            case "minimum":
                return minimum(self.numbers(depth - 1, 1, 3))
            case "abs":
                return abs(self.number(depth - 1) - self.number(depth - 1))
            case "product":
                return self.number(depth - 1) * self.number(depth - 1)
            case "sum":
                weights = [1, 1, -1, 2, -3]
                return total([r.choice(weights) * n for n in self.numbers(depth - 1, 1, 3)])
            case "ite":
                return ite(self.proposition(depth - 1), self.number(depth - 1), r.randint(-2, 4))
        entries = self.numbers(depth - 1, 1, 3)
        places = r.sample(range(-3, 6), len(entries))
        return element(dict(zip(places, entries, strict=True)), self.number(depth - 1))

    def proposition(self, depth: int) -> Proposition:
        r = self.r
        kinds = ["different", "table", "order", "or", "not"] if depth else ["literal"]
        match r.choice(["compared"] * (4 if depth else 1) + kinds):
            case "literal":
                return r.choice(self.xs)
            case "different":
                return all_different(self.numbers(depth - 1, 2, 3))
            case "table":
                rows = [[r.randint(-2, 4) for _ in range(2)] for _ in range(r.randint(1, 3))]
                return table(self.numbers(depth - 1, 2, 2), rows)
            case "order":
                return lexicographic(self.numbers(depth - 1, 2, 2), self.numbers(depth - 1, 1, 2))
            case "or":
                return self.proposition(depth - 1) | self.proposition(depth - 1)
            case "not":
                return ~self.proposition(depth - 1)
        a = self.number(depth)
        if r.random() < 0.5:
            a = a - self.number(max(depth - 1, 0))
        v = r.randint(-6, 9)
        return r.choice([a <= v, a >= v, a == v, a != v])
