"""A chance in words."""

from fractions import Fraction


def percent(chance: Fraction) -> str:
    """A chance as people read it; nothing that is uncertain is called 0 % or 100 %.

    >>> [percent(Fraction(n, 1000)) for n in (0, 1, 123, 500, 1000)]
    ['0 %', '0.1 %', '12.3 %', '50 %', '100 %']
    >>> percent(Fraction(1, 10**6)), percent(1 - Fraction(1, 10**6))
    ('less than 0.1 %', 'more than 99.9 %')
    """
    if 0 < chance < Fraction(1, 2000):
        return "less than 0.1 %"
    if Fraction(1999, 2000) < chance < 1:
        return "more than 99.9 %"
    return f"{float(round(chance * 100, 1)):g} %"
