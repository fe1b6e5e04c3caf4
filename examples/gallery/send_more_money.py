"""SEND + MORE = MONEY: every letter is another digit, and no number begins with 0."""

from pysat.solvers import Solver

from pbcnf.language import Builder, all_different, total

b = Builder()
digit = dict(zip("SENDMORY", b.integers("SENDMORY", 0, 9), strict=True))


def number(word):
    """Return the sum that a word stands for."""
    return total(10**place * digit[letter] for place, letter in enumerate(reversed(word)))


b.add(all_different(digit.values()), digit["S"] >= 1, digit["M"] >= 1)
b.add(number("SEND") + number("MORE") == number("MONEY"))

with Solver("cadical195", bootstrap_with=b.formula()) as solver:
    solver.solve()
    answer = b.decode(solver.get_model())
print({word: b.value(number(word), answer) for word in ("SEND", "MORE", "MONEY")})
