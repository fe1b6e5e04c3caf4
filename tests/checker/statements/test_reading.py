"""Statements files that are not as the grammar says are refused, with the place and what may be."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.statements.canonical_rows import CanonicalRows
from satsweeper.checker.statements.reading import read_statements
from satsweeper.checker.statements.recheck import recheck_statements
from scripts.fuzzing.plain_statements import content, drawn

FILE: dict[str, Any] = {
    "schema": "satsweeper/statements/1",
    "booleans": 2,
    "names": {"1": "x"},
    "integers": [{"name": "n", "domain": [[1, 4], [7, 7]], "encoding": "order"}],
    "nodes": [{"literal": 1}, {"integer": 0}],
    "statements": [0],
    "objective": {"node": 1, "maximise": True},
}


def test_what_a_file_says():
    read = read_statements(content(FILE), "s.json")
    assert (read.booleans, read.names, read.statements) == (2, {1: "x"}, [0])
    assert [(integer.name, integer.domain) for integer in read.integers] == [
        ("n", [(1, 4), (7, 7)])
    ]


@pytest.mark.parametrize("file", [FILE | {"objective": None}, FILE])
def test_keys_that_may_be_missing(file):
    shorter = {key: file[key] for key in file if key not in {"names", "objective"}}
    assert read_statements(content(shorter), "s.json").names == {}
    assert read_statements(content(file), "s.json").names == {1: "x"}


def refusal(raw: bytes) -> str:
    with pytest.raises(WrongCertificateError) as refused:
        recheck_statements(raw, b"p cnf 2 0\n", b"")
    assert refused.value.file == "statements.json"
    assert str(refused.value).isprintable()
    return refused.value.fault


ANY = content(FILE).decode()
TEXTS = {
    "empty": ("", "no JSON: Expecting value"),
    "a list": ("[]", "no JSON object"),
    "cut off": (ANY[:-1], "no JSON: Expecting ',' delimiter"),
    "two objects": (ANY + ANY, "no JSON: Extra data"),
    "no ASCII": (ANY.replace('"n"', '"\u00e4"'), "byte 97: not ASCII"),
    "a fraction": (ANY.replace("[7, 7]", "[7, 7.0]"), "7.0, where an integer is expected"),
    "an exponent": (ANY.replace("[7, 7]", "[7, 7e0]"), "7e0, where an integer is expected"),
    "no number": (ANY.replace("[7, 7]", "[7, NaN]"), "NaN, where an integer is expected"),
    "a key twice": (ANY[:-1] + ', "booleans": 3}', "the name 'booleans' is there twice"),
    "a name's number twice": (ANY.replace('"1": "x"', '"1": "x", "1": "y"'), "'1' is there twice"),
    "deep nesting": ("[" * 100_000, "no JSON: maximum recursion depth exceeded"),
    "a number of 5,000 digits": (ANY.replace("[7, 7]", f"[7, {'7' * 5000}]"), "no JSON: Exceeds"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_is_no_json_object_of_integers_is_refused(name):
    text, fault = TEXTS[name]
    assert fault in refusal(text.encode("latin-1"))


TOO_LONG = 10**4000
WHOLE = {
    "no nodes": ({key: FILE[key] for key in FILE if key != "nodes"}, "where the keys booleans, "),
    "another key": (FILE | {"more": 1}, "more, names, nodes, objective"),
    "another schema": (FILE | {"schema": "satsweeper/statements/2"}, "where the schema satsweeper"),
    "a schema that is a number": (FILE | {"schema": 1}, "1 where the schema satsweeper"),
    "fewer than no Booleans": (FILE | {"booleans": -1}, "booleans: -1 where a number from 0"),
    "true Booleans": (FILE | {"booleans": True}, "booleans: true where an integer should be"),
    "names in a list": (FILE | {"names": ["x"]}, 'names: ["x"] where an object should be'),
    "no names": (FILE | {"names": None}, "names: null where an object should be"),
    "a name of no Boolean": (
        FILE | {"names": {"3": "x"}}, "names: 3 where the number of a Boolean, 1 to 2, should be"
    ),
    "a name of Boolean 0": (FILE | {"names": {"0": "x"}}, "names: 0 where the number of a Bool"),
    "a leading zero": (FILE | {"names": {"01": "x"}}, "names: 01 where the number of a Boolean"),
    "another digit": (FILE | {"names": {"\u0661": "x"}}, "where the number of a Boolean"),
    "a name that is a number": (FILE | {"names": {"1": 1}}, "names: 1 where a string should be"),
    "two Booleans of one name": (FILE | {"names": {"1": "x", "2": "x"}}, "names: 'x' twice where"),
    "a Boolean and an integer of one name": (FILE | {"names": {"1": "n"}}, "names: 'n' twice"),
    "two integers of one name": (
        FILE | {"integers": [{"name": "m", "domain": [[0, 1]]}] * 2}, "names: 'm' twice where"
    ),
    "nodes in an object": (FILE | {"nodes": {}}, "nodes: {} where a list should be"),
    "a statement that is a number": (
        FILE | {"statements": [1]}, "statements: 1 where the index of a proposition should be"
    ),
    "a statement that is no node": (
        FILE | {"statements": [2]}, "statements: 2 where the index of an earlier node, from 0 and"
    ),
    "a statement from the end": (FILE | {"statements": [-2]}, "statements: -2 where the index of"),
    "a statement that is true": (FILE | {"statements": [False]}, "statements: false where the ind"),
    "an objective that is no node": (
        FILE | {"objective": {"node": 2, "maximise": True}}, "objective: 2 where the index of an"
    ),
    "an objective of no direction": (
        FILE | {"objective": {"node": 1}}, "where null, or an object with node and maximise should"
    ),
    "an objective in direction 1": (
        FILE | {"objective": {"node": 1, "maximise": 1}}, "objective: 1 where true or false should"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_of_other_parts_is_refused(name):
    file, fault = WHOLE[name]
    assert fault in refusal(content(file))


INTEGERS = {
    "a list": ([], "[] where an object with name, domain, and perhaps encoding should be"),
    "no name": ({"domain": [[0, 1]]}, "where an object with name, domain"),
    "another key": ({"name": "m", "domain": [[0, 1]], "lower": 0}, "where an object with name,"),
    "a name that is a number": ({"name": 1, "domain": [[0, 1]]}, "1 where the name, a string,"),
    "an unknown encoding": (
        {"name": "m", "domain": [[0, 1]], "encoding": "unary"},
        """unary where one of order, direct, binary should be""",
    ),
    "an encoding that is null": (
        {"name": "m", "domain": [[0, 1]], "encoding": None},
        "null where one of order, direct",
    ),
    "an encoding that is a list": (
        {"name": "m", "domain": [[0, 1]], "encoding": []},
        "[] where one of order, direct",
    ),
    "no value": ({"name": "m", "domain": []}, "[] where a domain with at least one value should"),
    "a range that falls": ({"name": "m", "domain": [[4, 1]]}, "[4, 1] where a range [low, high] w"),
    "ranges that touch": (
        {"name": "m", "domain": [[1, 4], [5, 6]]},
        "[5, 6] where a range that begins above 5",
    ),
    "ranges that overlap": (
        {"name": "m", "domain": [[1, 4], [2, 6]]},
        "[2, 6] where a range that begins above 5",
    ),
    "ranges that descend": (
        {"name": "m", "domain": [[7, 7], [1, 4]]},
        "[1, 4] where a range that begins above 8",
    ),
    "a range of three": ({"name": "m", "domain": [[1, 2, 3]]}, "[1, 2, 3] where a list of 2"),
    "a value alone": ({"name": "m", "domain": [1, 2]}, "1 where a list should be"),
    "a value that is true": ({"name": "m", "domain": [[False, 1]]}, "false where an integer"),
    "too long a value": (
        {"name": "m", "domain": [[0, TOO_LONG]]},
        "a longer number where one of at most 4000 digits",
    ),
}


@pytest.mark.parametrize("name", INTEGERS)
def test_an_integer_variable_that_is_none_is_refused(name):
    integer, fault = INTEGERS[name]
    found = refusal(content(FILE | {"integers": [*FILE["integers"], integer]}))
    assert found.startswith("integer 1: ")
    assert fault in found


NODES = {
    "no object": (3, "3 where a node with the keys of literal, constant, not, "),
    "no key": ({}, "{} where a node with the keys of"),
    "an unknown key": ({"nand": [0]}, '{"nand": [0]} where a node with the keys of'),
    "a key too many": ({"not": 0, "and": [0]}, "where a node with the keys of"),
    "a key of another kind": ({"and": [0], "constant": True}, "where a node with the keys of"),
    "a bound missing": ({"compare": [[1, 1]], "lower": 1}, "where a node with the keys of"),
    "literal 0": ({"literal": 0}, "0 where a literal of the Booleans 1 to 2 should be"),
    "a literal of no Boolean": ({"literal": -3}, "-3 where a literal of the Booleans 1 to 2"),
    "a literal that is true": ({"literal": True}, "true where an integer should be"),
    "a constant that is 1": ({"constant": 1}, "1 where true or false should be"),
    "not of a number": ({"not": 1}, "1 where the index of a proposition should be"),
    "and of a number": ({"and": [0, 1]}, "1 where the index of a proposition should be"),
    "or of itself": ({"or": [2]}, "2 where the index of an earlier node, from 0 and below 2,"),
    "xor of a later node": ({"xor": [3]}, "3 where the index of an earlier node"),
    "xor of the last node": ({"xor": [-1]}, "-1 where the index of an earlier node"),
    "xor of true": ({"xor": [False]}, "false where the index of an earlier node"),
    "and of an index": ({"and": 0}, "0 where a list should be"),
    "ite of two": ({"ite": [0, 0]}, "[0, 0] where a list of 3 should be"),
    "ite of a number": ({"ite": [0, 0, 1]}, "1 where the index of a proposition should be"),
    "compare without weight": ({"compare": [[1]], "lower": 1, "upper": 2}, "[1] where a list of 2"),
    "compare of an index": ({"compare": [1], "lower": 1, "upper": 2}, "1 where a list should be"),
    "compare with a text": ({"compare": [], "lower": "1", "upper": 2}, "1 where an integer should"),
    "compare with true": ({"compare": [], "lower": None, "upper": True}, "true where an integer"),
    "too long a weight": (
        {"compare": [[-TOO_LONG, 1]], "lower": None, "upper": 2}, "a longer number where one of at"
    ),
    "all different from a later one": ({"all_different": [1, 9]}, "9 where the index of an earl"),
    "a row too short": ({"table": [0, 1], "rows": [[1]]}, "[1] where a list of 2 should be"),
    "a row too long": ({"table": [], "rows": [[], [1]]}, "[1] where a list of 0 should be"),
    "a row of true": ({"table": [0], "rows": [[True]]}, "true where an integer should be"),
    "a row that is a number": ({"table": [0], "rows": [1]}, "1 where a list should be"),
    "a table of rows alone": ({"rows": []}, "where a node with the keys of"),
    "three lists in order": ({"lexicographic": [[], [], []]}, "[[], [], []] where a list of 2"),
    "integer 1 of 1": ({"integer": 1}, "1 where the index of an integer variable, from 0 and bel"),
    "integer -1": ({"integer": -1}, "-1 where the index of an integer variable"),
    "a sum without constant": ({"sum": [[1, 1]]}, "where a node with the keys of"),
    "a sum of null": ({"sum": [], "constant": None}, "null where an integer should be"),
    "a product of three": ({"product": [1, 1, 1]}, "[1, 1, 1] where a list of 2 should be"),
    "the maximum of nothing": ({"maximum": []}, "[] where a list of at least one node should be"),
    "an entry without key": ({"element": 1, "entries": [1]}, "1 where a list should be"),
    "an entry of a later node": ({"element": 1, "entries": [[1, 2]]}, "2 where the index of an"),
    "an element of nothing": ({"element": None, "entries": []}, "null where the index of an earli"),
}  # fmt: skip


@pytest.mark.parametrize("name", NODES)
def test_a_node_that_is_none_is_refused_by_its_index(name):
    node, fault = NODES[name]
    # Whether a statement speaks of the node or not.
    found = refusal(content(FILE | {"nodes": [*FILE["nodes"], node]}))
    assert found.startswith("node 2: ")
    assert fault in found


def doubled(count: int, kind: str) -> list[dict[str, object]]:
    """Nodes that each take the one before twice, and a statement about the last."""
    node = {"sum": [[TOO_LONG - 1, 1], [1, 1]], "constant": 0}
    last = FILE["nodes"] + [node]
    for at in range(2, 2 + count):
        last.append({kind: [at, at]} if kind == "product" else node | {"sum": [[1, at], [7, at]]})
    return [*last, {"compare": [[1, len(last) - 1]], "lower": 0, "upper": None}]


LARGE = {
    "Booleans": (FILE | {"booleans": 10**9}, "more than 1000000 canonical variables"),
    "order literals": (
        FILE | {"integers": [{"name": "n", "domain": [[0, 10**3999]]}]},
        "more than 1000000 canonical variables",
    ),
    "a maximum": (
        FILE | {"nodes": [*FILE["nodes"], {"sum": [[10**99, 1]], "constant": 0}, {"maximum": [2]},
                          {"compare": [[1, 3]], "lower": 0, "upper": None}], "statements": [4]},
        "a maximum of more than 1000000 values",
    ),
    "digits of products": (
        FILE | {"nodes": doubled(40, "product"), "statements": [43]},
        "a number of more than 4000 digits",
    ),
    "digits of sums": (
        FILE | {"nodes": doubled(1, "sum"), "statements": [4]}, "a number of more than 4000 digits",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_what_would_be_too_large_is_refused_before_it_is_made(name):
    file, fault = LARGE[name]
    assert refusal(content(file)) == f"too large: {fault}"


def test_the_terms_of_forms_and_of_rows_are_counted(monkeypatch):
    monkeypatch.setattr("satsweeper.checker.statements.canonical_rows.MOST_TERMS", 1000)
    sums: list[dict[str, Any]] = [{"integer": 0}, {"sum": [[1, 0]] * 300, "constant": 0}]
    compared: list[dict[str, Any]] = [
        {"compare": [[1, at % 2]], "lower": 0, "upper": 1} for at in range(300)
    ]
    for nodes, what in (([*sums, *compared[1:2]], "forms"), ([*sums[:1], *compared[::2]], "canon")):
        stated = [at for at, node in enumerate(nodes) if "compare" in node]
        found = refusal(content(FILE | {"nodes": nodes, "statements": stated, "objective": None}))
        assert found.startswith(f"too large: more than 1000 terms of {what}")


def test_what_no_statement_reaches_may_be_as_large_as_it_likes():
    file = FILE | {"nodes": doubled(40, "product")}
    assert len(CanonicalRows(read_statements(content(file), "s.json")).rows) == 4


def test_files_changed_at_random_are_read_or_refused_in_one_line():
    rng = Random(5)
    refused = lines = 0
    for seed in range(400):
        text = [*json.dumps(drawn(Random(seed)))]
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(len(text))
            text[at : at + rng.randint(0, 2)] = rng.choice(["", "0", "-", "9", "[", "]", ",", '"'])
        try:
            recheck_statements("".join(text).encode(), b"", b"")
        except WrongCertificateError as error:
            refused += error.file == "statements.json"
            lines += str(error).isprintable()
    assert lines == 400
    assert 100 < refused < 400
