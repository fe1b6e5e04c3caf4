"""Messages count as people do: "1 row", "2 rows". Read from the syntax trees."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]

NOUNS = """
bit board boundary bound byte case cell clause clue column condition conflict constraint contender
digit encoder error file flag game input instance integer job layout lemma line literal mine model
neighbour number operation pair region row run seed shard square state step system term value
variable verdict warning weight
""".split()  # noqa: SIM905
COUNTED = re.compile(rf" (?!takes )(?:[a-z]+ )?(?:{'|'.join(NOUNS)})s\b")

VERB = re.compile(r" (?:are|were|have|do|need|take)\b")
DECLARED = re.compile(r" are declared")

NEVER_ONE = {
    "encodings/pbcnf/constraints/problem.py": ["{self.num_vars} variables"],
    "encodings/pbcnf/emission/whole_problems.py": [
        "{_rounded(clauses)} clauses",
        "{found.inputs} literals",
    ],
    "encodings/pbcnf/encoders/cardinality/direct.py": ["{n} inputs"],
    "encodings/pbcnf/encoders/parity/direct.py": ["{n - 1} clauses"],
    "encodings/pbcnf/formats/compressed.py": ["{limit} bytes", "{produced} bytes"],
    "encodings/pbcnf/formats/read/cnfplus.py": ["{variables} variables"],
    "encodings/pbcnf/formats/read/knf.py": ["{int(variables)} variables"],
    "encodings/pbcnf/formats/opb/variables.py": ["{last} variables"],
    "encodings/pbcnf/formats/read/opb.py": ["{int(text)} variables"],
    "encodings/pbcnf/formats/read/wcnf.py": ["{own + len(soft)} variables"],
    "encodings/pbcnf/formats/statements.py": ["{header.variables} variables"],
    "encodings/pbcnf/formats/write/knf.py": ["{n} literals"],
    "encodings/pbcnf/formats/zero_one.py": ["{size} bits"],
    "satsweeper/cli/encode.py": ["{kind} constraints"],
    "satsweeper/solvers/sum_range.py": ["{most} clauses"],
    "satsweeper/compare/job/normal_forms.py": ["{clauses} clauses"],
    "satsweeper/compare/report/sentences.py": ["{instances_needed(tests)} instances"],
    "satsweeper/compare/sweep/answerable.py": ["{self.needed} instances"],
    "satsweeper/compare/sweep/plan.py": ["{self.seeds} seeds"],
    "satsweeper/count/bound.py": [
        "{width} clues",
        "{bits} pairs",
        "{pairs} pairs",
        "{many} of states",
    ],
    "satsweeper/engines/enumeration.py": ["{steps} steps"],
    "satsweeper/notation/danamlund.py": ["{record.mines} mines"],
    "satsweeper/reasons/sentence.py": ["{value} flags", "{value} neighbours"],
    "satsweeper/search/searched_region.py": ["{number} mines"],
    "satsweeper/solvers/solve_formula.py": ["{formula.num_vars} variables"],
}
"""No numbers, the format of somebody else's program, numbers beyond a limit, and defects."""

APART = ("encodings/pbcnf/proof",)
"""What checks shares no words with what is checked."""


def is_counted(value: ast.expr) -> bool:
    """Whether it is a number with its noun, as ``counted`` says them."""
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "counted"


def is_size(value: ast.expr) -> bool:
    """Whether it is the size of a board in words."""
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "size_text"


def many(source: str) -> list[str]:
    """The f-strings in which a number that may be 1 is followed by a noun or verb that may not."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.JoinedStr):
            continue
        parts = ["", *node.values]
        for before, value, text in zip(parts, parts[1:], parts[2:], strict=False):
            # As in "5x1 cells".
            if isinstance(before, ast.Constant) and str(before.value) in ("x", " x "):
                continue
            if isinstance(value, ast.FormattedValue) and is_size(value.value):
                continue
            if isinstance(value, ast.FormattedValue) and isinstance(text, ast.Constant):
                wrong = [VERB] if is_counted(value.value) else [COUNTED, DECLARED]
                said = next(filter(None, (each.match(str(text.value)) for each in wrong)), None)
                # Names in capitals are numbers that we have chosen ourselves.
                if said and not ast.unparse(value.value).rpartition(".")[2].isupper():
                    found.append(f"{node.lineno}: {{{ast.unparse(value.value)}}}{said[0]}")
    return found


def test_the_reader_sees_what_it_should() -> None:
    wrong = ['f"{n} rows"', 'f"a {len(x):,} covered cells b"', 'f"{counted(n, noun)} are here"']
    wrong += ['f"{n} are declared"']
    right = [
        'f"{a} x {b} cells"',
        'f"{n} row"',
        'f"{MOST} rows"',
        'f"{name} classifies"',
        'f"{counted(n, noun)} here"',
    ]
    assert [len(many(text)) for text in wrong + right] == [1, 1, 1, 1, 0, 0, 0, 0, 0]


def test_no_message_says_1_rows() -> None:
    wrong = []
    packages = (ROOT / "satsweeper", ROOT / "encodings" / "pbcnf")
    for path in sorted(path for package in packages for path in package.rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if not name.startswith(APART):
            known = NEVER_ONE.get(name, [])
            lines = many(path.read_text("utf-8"))
            wrong += [f"{name}:{line}" for line in lines if line.partition(": ")[2] not in known]
    assert wrong == []
