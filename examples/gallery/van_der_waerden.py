"""Van der Waerden: 8 numbers in two colours without three in arithmetic progression; 9 are none."""

from pysat.solvers import Solver

from pbcnf.language import Builder


def coloured(n):
    """Return two colours of 1 to n without a progression in one of them, None if there are none."""
    b = Builder()
    red = [b.boolean(i) for i in range(1, n + 1)]
    for step in range(1, n):
        for i in range(n - 2 * step):
            three = [red[i], red[i + step], red[i + 2 * step]]
            b.add(sum(three) >= 1, sum(three) <= 2)
    with Solver(bootstrap_with=b.formula()) as solver:
        return b.decode(solver.get_model()) if solver.solve() else None


answer = next(n for n in range(1, 30) if coloured(n) is None)
print(f"W(3, 3) = {answer};", "".join("BR"[red] for red in coloured(answer - 1).values()))
