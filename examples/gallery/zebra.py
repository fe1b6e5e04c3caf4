"""The zebra puzzle: five houses in a row, and fifteen things said of who lives there."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different

KINDS = ["red green ivory yellow blue", "English Spaniard Ukrainian Norwegian Japanese",
         "coffee tea milk juice water", "dog snail fox horse zebra",
         "Old_Gold Kools Chesterfield Lucky_Strike Parliament"]  # fmt: skip
b = Builder()
at = {name: b.integer(name, 1, 5) for kind in KINDS for name in kind.split()}
b.add(*(all_different(at[name] for name in kind.split()) for kind in KINDS))
SAME = "English=red Spaniard=dog coffee=green Ukrainian=tea Old_Gold=snail Kools=yellow"
for pair in f"{SAME} Lucky_Strike=juice Japanese=Parliament".split():
    b.add(at[pair.split("=")[0]] == at[pair.split("=")[1]])
for left, right in (("Chesterfield", "fox"), ("Kools", "horse"), ("Norwegian", "blue")):
    b.add((at[left] == at[right] + 1) | (at[left] == at[right] - 1))
b.add(at["green"] == at["ivory"] + 1, at["milk"] == 3, at["Norwegian"] == 1)

with Solver(bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
for house in range(1, 6):
    print(house, *(name for name in answer if answer[name] == house))
