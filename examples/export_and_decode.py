"""A board to a DIMACS file, the file to a solver, its model back on the board and checked there."""

from pathlib import Path
from tempfile import TemporaryDirectory

from pysat.formula import CNF
from pysat.solvers import Solver

from satsweeper import Position
from satsweeper.export.decode import decode
from satsweeper.export.formula import formula_of
from satsweeper.export.name_map import read_map
from satsweeper.solvers.output import read_output

position = Position.read(Path(__file__).with_name("danamlund_8x8.txt"))
export = formula_of(position)
with TemporaryDirectory() as folder:
    cnf, map_file = Path(folder, "board.cnf"), Path(folder, "board.json")
    with cnf.open("wb") as stream:
        export.write_cnf(stream)
    with map_file.open("wb") as stream:
        export.write_map(stream)
    with Solver("cadical195", bootstrap_with=CNF(from_file=str(cnf))) as solver:
        solver.solve()
        answer = f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model()))} 0\n"
    names = read_map(map_file.read_bytes(), map_file.name)
found = decode(position, names, read_output(answer.encode().splitlines(), "the solver"))
print(found.sentence)
if found.layout is not None:
    print(*found.layout.grid(), sep="\n")
