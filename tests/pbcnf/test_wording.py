"""How messages put it: counts and names."""

import pytest

from pbcnf.wording import counted, did_you_mean, nearest, unknown_name


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (-1, "-1 rows")]
)
def test_one_is_one_and_all_other_numbers_are_many(number, said):
    assert counted(number, "row") == said


def test_a_number_is_written_as_asked():
    assert counted(1234567, "clause", ",") == "1,234,567 clauses"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("totaliser", "totalizer"),
        ("TOTALIZER", "totalizer"),
        ("brute-force", "brute_force"),
        ("--jsn", "--json"),
        ("qqqqqq", None),
        ("", None),
        # What is said of a name that is known, but not possible here, is never "did you mean it?".
        ("totalizer", None),
    ],
)
def test_the_nearest_name_is_found_whatever_its_case_and_hyphens(typed, meant):
    assert nearest(typed, ["totalizer", "brute_force", "--json"]) == meant
    asked = f"; did you mean {meant!r}?" if meant else ""
    assert did_you_mean(typed, ["totalizer", "brute_force", "--json"]) == asked


def test_all_that_is_known_is_named():
    said = unknown_name("solver", "x", ["auto", "minisat22"], ", and others")
    assert said == "unknown solver 'x' (known: auto, minisat22, and others)"
