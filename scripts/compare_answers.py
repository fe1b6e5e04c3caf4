"""Compare what two versions of the program answer, or record the answers of one.

An answer is the standard output, standard error, exit code and files of a command, or what a
public function of `pbcnf` or `satsweeper` returns. Times, versions and paths are left out. All
inputs are files of this checkout, and boards and problems drawn from fixed seeds. The packages of a
checkout are imported in a process of their own, so that two versions are compared in one run.

Each difference is named, with the first line that differs. The files of certificates and proofs
may differ: they are listed apart, with both sizes. Exit code 1 if any other answer differs or is
missing on one side.
"""

import argparse
import bz2
import gzip
import json
import lzma
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import product, zip_longest
from pathlib import Path
from random import Random
from typing import Any, Final

# Scripts are imported from this checkout; the packages may be those of another checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.answers.encodings import PROOF, Record, outcome, record_encodings
from scripts.frame.arguments import parser_of


def _language(record: Record) -> None:
    from pbcnf import Builder, all_different, element, iff, ite, maximum, minimum, xor

    def problem(encoding: Any) -> Any:
        b = Builder()
        x, y, z = b.booleans("xyz")
        i, j, k = (b.integer(name, 1, 6, encoding=encoding) for name in "ijk")
        b.add(x | y & ~z, xor([x, y, z]), iff(x, i + j <= 7), all_different([i, j, k]))
        b.add(ite(x, i < j, j < k), maximum([i, j]) >= 3, minimum([j, k]) <= 4)
        b.add(element([3, 1, 4, 1, 5, 9], i) >= 1, 2 * x + 3 * y + z <= 4)
        b.minimise(2 * i - j + 3 * k)
        return b

    def clauses(encoding: str, transformation: str) -> str:
        return str(list(problem(encoding).formula(transformation).clauses()))

    for encoding in ("direct", "order", "binary"):
        for transformation in ("plaisted_greenbaum", "tseitin"):
            name = f"language: {encoding}, {transformation}"
            record.call(name, clauses, encoding, transformation)
        record.call(f"language: {encoding}, problem", lambda e: str(problem(e).problem()), encoding)


def drawn_boards(number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield names and texts of `number` boards: layouts drawn at random, partly opened."""
    draw = Random(seed)
    for board in range(number):
        rows, columns = draw.randint(1, 12), draw.randint(2, 14)
        cells = product(range(rows), range(columns))
        mines = {cell for cell in cells if draw.random() < (0.12, 0.2, 0.3)[board % 3]}
        chances = draw.choice((0.25, 0.5, 0.8)), 0.03 if board % 7 == 6 else 0.0
        grid = [
            "".join(_cell(draw, mines, row, column, *chances) for column in range(columns))
            for row in range(rows)
        ]
        total = str(len(mines)) if board % 2 else "?"
        yield f"board {seed}.{board}", "\n".join([f"{rows} {columns} {total}", *grid]) + "\n"


def _cell(draw: Random, mines: Any, row: int, column: int, share: float, wrong: float) -> str:
    """Return the character of a cell.

    A cell without a mine is open with probability `share`; its clue is too large by 1 with
    probability `wrong`. A tenth of the mines is flagged.
    """
    if (row, column) in mines:
        return "F" if draw.random() < 0.1 else "?"
    near = sum((row + r, column + c) in mines for r in (-1, 0, 1) for c in (-1, 0, 1))
    near += draw.random() < wrong
    return str(min(8, near)) if draw.random() < share else "?"


def _boards(record: Record, inputs: Path, more: bool) -> None:
    from satsweeper import Position, odds

    files = sorted((inputs / "tests/data/positions").glob("*.txt"))
    files += sorted((inputs / "examples").glob("*.txt"))
    boards = [(path.name, path.read_text("utf-8")) for path in files]
    corpus = (inputs / "tests/data/corpus/sample.txt").read_text("utf-8").split("\n\n")
    boards += [(f"corpus {number}", text) for number, text in enumerate(corpus) if text.strip()]
    boards += drawn_boards(1000 if more else 120, 3)
    for name, text in boards:
        try:
            position = Position.parse(text)
        except Exception as error:
            record.add(f"parse: {name}", f"{type(error).__name__}: {error}")
            continue
        size = len(position.covered_cells())
        record.call(f"classify: {name}", _classified, position, size)
        record.call(f"odds: {name}", _json, partial(odds, position, max_width=25))
        record.call(f"explain: {name}", _explained, position)
        record.call(f"session: {name}", _session, position)


def _classified(position: Any, size: int) -> str:
    from satsweeper import classify

    ways: list[dict[str, Any]] = [{}, {"flags": "ignore"}, {"engine": "single_clue"}]
    if size <= 70:
        ways += [{"encoding": "totalizer", "total_encoding": "adder"}, {"engine": "sat"}]
        ways += [{"engine": "subset"}, {"engine": "elimination"}]
    if size <= 20:
        ways += [{"plain": True}, {"engine": "enumeration"}, {"engine": "assumption"}]
    if size <= 12:
        ways += [{"engine": "brute_force"}]
    return "\n".join(f"{way}: {outcome(_json, partial(classify, position, **way))}" for way in ways)


def _json(answer: Callable[[], Any]) -> str:
    return json.dumps(answer().as_json())


def _explained(position: Any) -> str:
    from satsweeper import explain

    cells = position.covered_cells()
    chosen = cells[:: max(1, len(cells) // 4)]
    answers = [outcome(_json, partial(explain, position, cell)) for cell in chosen]
    return "\n".join(f"{cell}: {answer}" for cell, answer in zip(chosen, answers, strict=True))


def _session(position: Any) -> str:
    """Return the answers of a session that opens up to four safe cells, each with a clue of 1."""
    from satsweeper import Session

    steps = []
    with Session(position) as session:
        for _ in range(4):
            found = session.classify()
            steps.append(json.dumps([found.grid(), str(found.status)]))
            if not found.safe:
                break
            session.reveal(found.safe[0], 1)
    return "\n".join(steps)


_UNPACK: Final = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}
_PROOFS: Final = (".drat", ".lrat", ".pbp", ".lidrup", ".drup")
_CERTIFICATES: Final = ("certificate", "cell", "certified", "chain")
"""Folders whose files may differ: certificates."""

SCENARIOS: Final = (Path(__file__).parent / "answers" / "scenarios.txt").read_text("utf-8")
"""Scenarios, one a line: commands that run one after the other in a folder of their own. With
`for NAME in ...:` before the commands the scenario is repeated for each name. A line that begins
with ``+`` is for long runs only."""


def record_commands(record: Record, inputs: Path, more: bool) -> None:
    """Record the answers of all scenarios, with the files of the checkout `inputs`."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shutil.copytree(inputs / "examples", data / "examples")
        shutil.copytree(inputs / "tests" / "data", data / "tests")
        _draw_problems(data / "drawn")
        for name, text in drawn_boards(6, 11):
            (data / "drawn" / f"{name.replace(' ', '_')}.txt").write_text(text)
        for number, scenario in enumerate(_scenarios(more)):
            if record.wants(f"command: {scenario}"):
                here = Path(folder) / str(number)
                here.mkdir()
                for name in ("examples", "tests", "drawn"):
                    (here / name).symlink_to(data / name)
                _run(record, scenario, here)
                shutil.rmtree(here)


def _scenarios(more: bool) -> list[str]:
    found = []
    for line in SCENARIOS.splitlines():
        if not line or line.startswith("#") or (line.startswith("+") and not more):
            continue
        line = line.removeprefix("+").strip()
        if line.startswith("for "):
            names, _, command = line.removeprefix("for NAME in ").partition(": ")
            found += [command.replace("NAME", name) for name in names.split()]
        else:
            found.append(line)
    return found


def _run(record: Record, scenario: str, here: Path) -> None:
    """Run the commands of a scenario in the folder `here`; record answers and files."""
    text = []
    for command in scenario.split(" && "):
        if command.startswith("fixed-times "):
            _fix_times(here / command.split()[1] / "results.jsonl")
            continue
        command, _, target = command.partition(" > ")
        words = [sys.executable, "-P", "-m", "satsweeper", *shlex.split(command)]
        streams: dict[str, Any] = {"capture_output": True, "stdin": subprocess.DEVNULL}
        ran = subprocess.run(words, cwd=here, check=False, **streams)
        if target:
            (here / target.strip()).write_bytes(ran.stdout)
        out, err = (b.decode("utf-8", "surrogateescape") for b in (ran.stdout, ran.stderr))
        text.append(f"$ {command}\n{out}{err}exit code {ran.returncode}")
    answer = "\n".join(text).replace(str(here), "HERE")
    record.add(f"command: {scenario}", answer)
    for path in sorted(here.rglob("*")):
        if path.is_file() and path.name != ".lock" and not path.is_symlink():
            inside = path.relative_to(here)
            proof = path.suffix in _PROOFS or inside.parts[0] in _CERTIFICATES
            kind = PROOF if proof else "file: "
            unpack = _UNPACK.get(path.suffix, bytes)
            data = unpack(path.read_bytes()).decode("utf-8", "surrogateescape")
            record.add(f"{kind}{scenario} | {inside}", data.replace(str(here), "HERE"))


def _fix_times(results: Path) -> None:
    """Replace the times in a file of results by random numbers, drawn from the rest of each line.

    Times differ from run to run; the numbers do not, so reports of the file can be compared.
    """
    lines = []
    for line in sorted(results.read_text("utf-8").splitlines()):
        entry = json.loads(line)
        measured = entry.pop("measured")
        draw = Random(str(entry))
        entry["measured"] = _drawn(measured, draw)
        lines.append(json.dumps(entry, separators=(",", ":")))
    results.write_text("\n".join(lines) + "\n", "utf-8")


def _drawn(measured: Any, draw: Random) -> Any:
    """Return `measured` with a random number for each float, and one number for other values."""
    if isinstance(measured, dict):
        return {name: _drawn(value, draw) for name, value in measured.items()}
    if isinstance(measured, list):
        return [_drawn(value, draw) for value in measured]
    return draw.randint(1, 9999) / 1000 if isinstance(measured, float) else 40_000_000


def _draw_problems(folder: Path) -> None:
    """Write OPB problems drawn at random: `folder`/0.opb and so on, every second one optimised."""
    os.makedirs(folder)
    draw = Random(7)
    for number in range(6):
        n = draw.randint(6, 14)

        def terms(most: int, n: int = n) -> str:
            chosen = sorted(draw.sample(range(1, n + 1), draw.randint(2, n)))
            signs = "", "~"
            return " ".join(f"+{draw.randint(1, most)} {draw.choice(signs)}x{x}" for x in chosen)

        relations = (">=", ">=", "=")
        rows = [
            f"{terms(draw.choice((1, 1, 9)))} {draw.choice(relations)} {draw.randint(1, 4)} ;"
            for _ in range(draw.randint(3, 8))
        ]
        goal = [f"min: {terms(20)} ;"] if number % 2 else []
        head = f"* #variable= {n} #constraint= {len(rows)}"
        (folder / f"{number}.opb").write_text("\n".join([head, *goal, *rows]) + "\n")


HERE: Final = Path(__file__).resolve().parents[1]
sys.path.remove(str(HERE))
EXAMPLE: Final = """examples:
  python scripts/compare_answers.py --against ../old-checkout
  python scripts/compare_answers.py -o today.json
  python scripts/compare_answers.py yesterday.json today.json
  python scripts/compare_answers.py --against ../old-checkout --only encode"""


def main(argv: Sequence[str] | None = None) -> int:
    """Record or compare answers, and return the exit code."""
    parser = parser_of(__doc__, prog="compare_answers", epilog=EXAMPLE)
    add = parser.add_argument
    add("recorded", nargs="*", metavar="FILE", help="two files of answers to compare")
    add("--against", type=Path, metavar="CHECKOUT", help="compare with this checkout (the old one)")
    add("-o", "--output", type=Path, metavar="FILE", help="write the digests of this checkout")
    add("--only", default="", metavar="TEXT", help="only answers whose names contain TEXT")
    add("--more", action="store_true", help="more boards, shapes and games: about 5 times as long")
    add("--jobs", type=int, default=1, metavar="N", help="checkouts run at once, 1 or 2 (1)")
    add("--child", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args(argv)
    if arguments.child:
        _child(arguments)
        return 0
    if arguments.recorded:
        old, new = (json.loads(Path(path).read_text("utf-8")) for path in arguments.recorded)
        return _compare(old, new)
    with tempfile.TemporaryDirectory() as scratch:
        checkouts = [HERE] if arguments.against is None else [arguments.against.resolve(), HERE]
        folders = [Path(scratch) / str(number) for number in range(len(checkouts))]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            records = [*pool.map(partial(_answers, arguments), checkouts, folders)]
    if arguments.output:
        arguments.output.write_text(json.dumps(records[-1]["digests"], indent=1), "utf-8")
    if arguments.against is None:
        print(f"{len(records[0]['digests'])} answers recorded")
        return 0
    first, second = records
    return _compare(first["digests"], second["digests"], first["texts"], second["texts"])


Texts = Mapping[str, str]
"""Digests or answers by name."""


def _answers(arguments: argparse.Namespace, checkout: Path, scratch: Path) -> dict[str, Any]:
    """Return the digests and texts of the answers of ``checkout``, computed in another process."""
    if not (checkout / "satsweeper").is_dir():
        sys.exit(f"{checkout}: not a checkout")
    scratch.mkdir()
    out = scratch / "answers.json"
    command = [sys.executable, "-P", __file__, "--child", str(checkout), "-o", str(out)]
    command += ["--more"] if arguments.more else []
    command += ["--only", arguments.only] if arguments.only else []
    paths = os.pathsep.join([str(checkout), str(checkout / "encodings")])
    # Both checkouts get the same width of the terminal, no colours, and one order of sets.
    fixed = {"PYTHONHASHSEED": "0", "COLUMNS": "100", "NO_COLOR": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment = os.environ | fixed | {"PYTHONPATH": paths}
    subprocess.run(command, env=environment, cwd=scratch, check=True)
    return dict(json.loads(out.read_text("utf-8")))


def _child(arguments: argparse.Namespace) -> None:
    """Compute the answers of the checkout `arguments.child`, and write them to the output file."""
    checkout = arguments.child
    sys.path[1:1] = [str(checkout), str(checkout / "encodings")]
    import pbcnf
    import satsweeper

    for package in (pbcnf, satsweeper):
        if not Path(str(package.__file__)).is_relative_to(checkout):
            sys.exit(f"{package.__name__} was imported from {package.__file__}")
    record = Record(checkout, arguments.only)
    record_encodings(record, arguments.more)
    _language(record)
    _boards(record, HERE, arguments.more)
    record_commands(record, HERE, arguments.more)
    text = json.dumps({"digests": record.digests, "texts": record.texts})
    arguments.output.write_text(text, "utf-8")


def _compare(old: Texts, new: Texts, *texts: Texts) -> int:
    """Print every difference between the digests ``old`` and ``new``; return the exit code.

    The code is 1 if any answer differs that is not a file of a proof or a certificate.
    """
    differ = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    matter = [key for key in differ if not key.startswith(PROOF)]
    for key in matter:
        print(f"{key}: {_size(old, key)} -> {_size(new, key)}")
        lines = zip_longest(*(text.get(key, "").splitlines() for text in texts))
        for number, (before, after) in enumerate(lines, 1):
            if before != after:
                print(f"  line {number}\n  - {str(before)[:300]}\n  + {str(after)[:300]}")
                break
    may = [key for key in differ if key.startswith(PROOF)]
    for key in may:
        print(f"may differ: {key}: {_size(old, key)} -> {_size(new, key)}")
    equal = len(old.keys() | new.keys()) - len(differ)
    print(f"{equal} answers equal, {len(matter)} differ; {len(may)} files of proofs differ")
    return 1 if matter else 0


def _size(digests: Texts, key: str) -> str:
    return f"{digests[key].partition(' ')[2]} bytes" if key in digests else "missing"


if __name__ == "__main__":
    sys.exit(main())
