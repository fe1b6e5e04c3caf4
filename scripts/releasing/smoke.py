"""The smoke test: every command once, in an installation, far from the checkout.

Each row is one run: a command, its exit code, and a pattern that its output must match. Rows run
one after the other in one folder, and later rows read files that earlier rows have written. Names
of files have blanks and letters outside ASCII.
"""

from typing import Final, NamedTuple

BOARD: Final = "ein Brett ß.txt"
PROBLEM: Final = "Rucksack ä.opb"
FILES: Final = {
    BOARD: "5 5 6\n001??\n001??\n011??\n12???\n1????\n", "contradiction.txt": "1 3 ?\n0?1\n",
    PROBLEM: "max: 3 x1 5 x2 4 x3 ;\n2 x1 3 x2 2 x3 <= 5 ;\n",
    "unsat.cnf": "p cnf 1 2\n1 0\n-1 0\n", "Seite ö/built.json": "{}\n",
    "Seite ö/index.html": "<!doctype html><title>page</title>\n",
}  # fmt: skip
"""Name -> content of the files in the folder before the first run."""

IMPORTS: Final = """\
import pbcnf, satsweeper
f = pbcnf.Formula(5)
pbcnf.encode(pbcnf.Cardinality(range(1, 6), lower=1, upper=2), f, encoder="totalizer")
board = satsweeper.Position.parse("01?\\n12?\\n???\\n")
print(pbcnf.__version__, f.num_vars, f.num_clauses, *satsweeper.classify(board).grid())
"""
DATA: Final = """\
from importlib.resources import files
names = ["pbcnf/py.typed", "satsweeper/py.typed", "pbcnf/audit/recorded.json"]
names += ["pbcnf/encoders/by_time.json"]
print(*[files(n.partition("/")[0]).joinpath(n.partition("/")[2]).is_file() for n in names])
"""
DRAWN: Final = "import sys; print(open(sys.argv[1], 'rb').read(200))"


class Row(NamedTuple):
    """A run of a command.

    Args:
        words: the arguments of the program.
        fact: a regular expression that must match in the output; ``{version}`` is the version.
        code: the exit code.
        extra: the row is run only if this extra is installed.
        lacks: the row is run only if this extra is not installed.
        program: ``satsweeper`` or ``python``.
        into: a file for the standard output.
        keys: if not empty, the program runs on a terminal, and these keys are typed once ``fact``
            is on the screen.
    """

    words: tuple[str, ...]
    fact: str = ""
    code: int = 0
    extra: str = ""
    lacks: str = ""
    program: str = "satsweeper"
    into: str = ""
    keys: str = ""

    @property
    def command(self) -> str:
        """The command of satsweeper that is run; empty for other programs and for options."""
        first = self.words[0] if self.program == "satsweeper" and self.words else ""
        return "" if first.startswith("-") else first


def _row(line: str, fact: str = "", code: int = 0, **more: str) -> Row:
    names = {"BOARD": BOARD, "PROBLEM": PROBLEM}
    return Row(tuple(names.get(w, w.replace("~", " ")) for w in line.split()), fact, code, **more)


ROWS: Final = (
    Row(("--version",), r"^satsweeper {version}$"),
    Row(("-m", "satsweeper", "--version"), r"^satsweeper {version}$", program="python"),
    Row(("-c", IMPORTS), r"^{version} 12 24 01\? 12\? \?\?S$", program="python"),
    Row(("-c", DATA), r"^True True True True$", program="python"),
    _row("--help", r"exit codes: 0 done"),
    _row("classify BOARD", r"4 safe, 3 mine, 6 unknown"),
    _row("classify contradiction.txt", r"No layout exists", 20),
    _row("classify nothing.txt", r"^nothing\.txt: No such file or directory$", 1),
    _row("classify --timeout 60 --solver lingeling --engine sat BOARD", r"4 safe, 3 mine"),
    _row("engines", r"portfolio"),
    _row("engines --compare BOARD --engine sat,elimination", r"disagreements: 0"),
    _row("engines --compare BOARD", r"disagreements: 0", extra="all"),
    _row("classify --engine smt BOARD", r"4 safe, 3 mine", extra="smt"),
    _row("classify --engine cp_sat BOARD", r"4 safe, 3 mine", extra="cp"),
    _row("classify --engine ilp BOARD", r"4 safe, 3 mine", extra="ilp"),
    _row("classify --engine scip BOARD", r"4 safe, 3 mine", extra="scip"),
    _row("explain BOARD 1,3", r"\(1, 3\) is safe"),
    _row("certify BOARD -o Beweis~ß", r"4 safe and 3 mines proved"),
    _row("check Beweis~ß --board BOARD", r"12MS\?"),
    _row("odds BOARD", r"layouts?, all equally likely"),
    _row("advise BOARD", r"Open what holds no mine"),
    _row("export BOARD -o b.cnf --map b~map"),
    _row("lint unsat.cnf", r"0 errors, 1 warning"),
    _row("sat b.cnf", r"^s SATISFIABLE$", 10, into="answer é"),
    _row("sat --solver lingeling --timeout 60 unsat.cnf", r"^s UNSATISFIABLE$", 20),
    _row("decode BOARD --map b~map answer~é", r"every clue is met"),
    _row("encode PROBLEM -o p.cnf.xz", r"3 of the problem"),
    _row("solve PROBLEM", r"^s OPTIMUM FOUND$", 30),
    _row("solve --timeout 60 PROBLEM --json", r'"OPTIMUM FOUND"', 30),
    _row("encode PROBLEM -o p.smt2", r"install '?.*smt", 1, lacks="smt"),
    _row("encode PROBLEM -o p.smt2", r"3 variables", extra="smt"),
    _row("convert BOARD --to json", r'"rows"|\{'),
    _row("game new Spiel~1.txt --seed 1", r"in play, 10 mines left"),
    _row("game process Spiel~1.txt", r"in play"),
    _row("game solve Spiel~1.txt", r"guessed|opened"),
    _row("render BOARD -o Bild~ü.svg"),
    _row("render BOARD -o Bild~ü.png", r"install .*render", 1, lacks="render"),
    _row("render BOARD -o Bild~ü.png", extra="render"),
    _row("render --play 5x5/3 --seed 1 -o Film~ü.gif", extra="render"),
    Row(("-c", DRAWN, "Bild ü.svg"), r"<svg", program="python"),
    Row(("-c", DRAWN, "Bild ü.png"), r"PNG", program="python", extra="render"),
    Row(("-c", DRAWN, "Film ü.gif"), r"GIF8", program="python", extra="render"),
    _row("play --print-keys", r"quit +="),
    _row("play --seed 1 --size 5x5/3", r"needs a terminal", 1),
    _row("play --seed 1 --size 5x5/3", r"is help", extra="tui", keys="q"),
    _row("compare BOARD --seeds 1 --solvers minisat22 --jobs 2 --timeout 60 -o Lauf~1", r"2 sat"),
    _row("report Lauf~1", r"2 of 2 jobs"),
    _row("report Lauf~1 --html r.html", r"install .*plot", 1, lacks="plot"),
    _row("report Lauf~1 --html r.html", r"2 of 2 jobs", extra="plot"),
    _row("compare BOARD --backend dask --scheduler x:1 -o Lauf~2", r"cluster", 1, lacks="cluster"),
    _row("simulate --boards 5x5/4 --games 10 --jobs 2 -o Spiele~1", r"safest"),
    _row("generate 5x5/4 --seed 1 --no-guess --budget 100", r"5x5:"),
    _row("family ones --size 3", r"1\?1\?0"),
    _row("families", r"pigeonhole"),
    _row("competition --list", r"satisfiable"),
    _row("competition --track counting --count 1 --hard 0 --weak-seconds 1 -o B~1", r"1 instance"),
    _row("audit totalizer --n 3", r"totalizer keeps what it claims"),
    _row("page Seite~ö", r"^Seite ö$"),
    _row("page --serve --timeout 1 Seite~ö", r"^http://127\.0\.0\.1:\d+"),
    _row("rules C", r"C \(connected\)"),
    _row("doctor", r"all that every command needs works"),
    _row("completion bash", r"_shtab_satsweeper"),
)
"""All runs, in order."""
