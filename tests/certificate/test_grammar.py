"""Every line that is written is one that VeriPB 3 reads, by its grammar written down here anew.

Source: the grammar of the proof format, version 3.0, as its document in VeriPB's repository
(docs/grammar.tex) gives it, as mmcilree/tree-sitter-veripb restates it (grammar.js), read with the
overview on veripb.org. Blanks separate words, ``;`` ends a rule, ``%`` begins a comment.
Only the rules of which certificates consist are here; labels and subproofs are left out.
"""

import re
from collections import Counter
from typing import Any, Final

import pytest

from pbcnf.encoders.table import expresses
from satsweeper.certificate.certify import certify
from satsweeper.certificate.formula import ENCODINGS, TOTAL_ENCODINGS
from satsweeper.position import Position
from tests.boards import PROVABLE

SIGNED = r"[+-]?(?:0|[1-9][0-9]*)"
UNSIGNED = r"(?:0|[1-9][0-9]*)"
POSITIVE = r"[1-9][0-9]*"
ID = r"-?[1-9][0-9]*"
"""Of a constraint; counted from the last one if it is negative. Unlike in 2.0, without a +."""
VARIABLE = r"[A-Za-z_][A-Za-z0-9_^\[\]{}-]+"
"""Two characters at least."""
LITERAL = rf"~?{VARIABLE}"
CONSTRAINT = rf"(?:{SIGNED} {LITERAL} )*(?:>=|<=) {SIGNED}"
ASSIGNMENT = rf"{VARIABLE} (?:-> )?(?:0|1|{LITERAL})"

RULES: Final = {
    "header": r"pseudo-Boolean proof version 3\.[0-9]+",
    "f": rf"f {UNSIGNED} ;",
    "pol": rf"pol (?:(?:{ID}|{LITERAL}|{POSITIVE} [*d]|\+|s|w) )+;",
    "rup": rf"rup {CONSTRAINT} (?::(?: (?:~|{ID}))* )?;",
    "red": rf"red {CONSTRAINT} (?::(?: {ASSIGNMENT})* )?;",
    "del": rf"del id (?:{ID} )*;",
    "output": r"output NONE ;",
    "conclusion NONE": r"conclusion NONE ;",
    "conclusion UNSAT": rf"conclusion UNSAT (?:: {ID} )?;",
    "end": r"end pseudo-Boolean proof ;",
}
ORDER: Final = r"header f (?:(?:pol|rup|red|del) )*output conclusion (?:NONE|UNSAT) end "


def rules_of(line: str) -> list[str]:
    return [name for name, rule in RULES.items() if re.fullmatch(rule, line)]


def balanced(line: str) -> bool:
    """Whether the operations of ``pol`` find what they work on, and leave one constraint."""
    words = line.split()[1:-1]
    depth = 0
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else ""
        if word in ("*", "d", "w"):  # the word before them was no constraint
            continue
        need, gives = {"+": (2, 1), "s": (1, 1)}.get(word, (0, 1))
        if behind in ("*", "d", "w") and need == 0:
            need, gives = 1, 1
        if depth < need:
            return False
        depth += gives - need
    return depth == 1


def seen(certificate: Any) -> Counter[str]:
    """The rules of all lines of its proofs, each line of just one."""
    met = Counter[str]()
    for text in (data for name, data in certificate.files.items() if name.endswith(".pbp")):
        assert not re.search(rb"  |\t|%|[^\n -~]", text)
        *lines, end = text.decode().split("\n")
        assert end == ""
        found = [rules_of(line) for line in lines]
        for line, names in zip(lines, found, strict=True):
            assert len(names) == 1, f"{line!r}: {names}"
            assert names != ["pol"] or balanced(line), line
        rules = [name for (name,) in found]
        assert re.fullmatch(ORDER, "".join(f"{name} " for name in rules))
        met.update(rules)
    return met


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if expresses(name, 8, 3, 3)])
def test_each_line_of_a_proof_is_of_exactly_one_rule(encoding: str) -> None:
    met: Counter[str] = Counter()
    for board in PROVABLE.values():
        position = Position.parse(board)
        total = encoding if encoding in TOTAL_ENCODINGS else "totalizer"
        met += seen(certify(position, encoding=encoding, total_encoding=total, cells=()))
    assert met.keys() >= {"header", "f", "rup", "output", "conclusion UNSAT", "end"}


def test_all_rules_are_met_on_a_whole_board(sample: list[Any]) -> None:
    met: Counter[str] = Counter()
    for record in sample[:3]:
        met += seen(certify(Position.parse(record.text), encoding="totalizer", cells="all"))
    assert met.keys() == RULES.keys()


def test_sums_are_written_by_the_grammar(sums_first: None, sample: list[Any]) -> None:
    boards = [*PROVABLE.values(), *(record.text for record in sample[:4])]
    ways = set()
    for board in boards:
        found = certify(Position.parse(board))
        ways.add(found.about.get("proof"))
        seen(found)
    assert "sums" in ways


@pytest.mark.parametrize(
    "line",
    # Of 2.0: no semicolon, hints behind a semicolon, an identifier with a sign.
    ["f 2", "rup 1 x1 >= 1 ; 1", "rup 1 x1 >= 1 : ~ +1 ;", "rup 1 x1 1 >= 1 : ~ ;",
     "rup x1 >= 1 : ~ ;", "rup 1 x1 = 1 ;", "red 1 x4 >= 1 ; x4 -> 1", "red 1 x4 >= 1 : x4 -> 2 ;",
     "pol 1 2 + 0 d ;", "pol ;", "del 4 ;", "conclusion UNSAT 4 ;", "output NONE",
     "end pseudo-Boolean proof", "c 4 0", "rup 1 y >= 1 ;", "rup 1 x1 >= 01 ;"],
)  # fmt: skip
def test_what_the_format_does_not_know_is_of_no_rule(line: str) -> None:
    assert rules_of(line) == []


def test_operations_without_operands_are_noticed() -> None:
    assert not any(map(balanced, ["pol 1 2 ;", "pol 1 + ;", "pol 3 * ;", "pol x1 w ;"]))
