"""A solver's output is read strictly: one claim, one whole model, and a place for every defect."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbcnf.formats.error import FormatError
from satsweeper.solvers.output import Claim, Output, read_output
from satsweeper.solvers.solve_formula import value_lines


def read(text: str | bytes, variables: int | None = 9) -> Output:
    data = text.encode() if isinstance(text, str) else text
    return read_output(data.splitlines(keepends=True), "out", variables)


@pytest.mark.parametrize(
    ("text", "claim", "form", "literals"),
    [
        ("s SATISFIABLE\nv 1 -2 3 0\n", "SATISFIABLE", "competition", (1, -2, 3)),
        ("c hi\n\nc\nv 1 -2\nc more\nv\nv 3 0\ns SATISFIABLE", "SATISFIABLE", "competition",
         (1, -2, 3)),
        ("s SATISFIABLE\r\nv 1 0\r\n", "SATISFIABLE", "competition", (1,)),
        ("s\tSATISFIABLE \nv\t1\t-2 0", "SATISFIABLE", "competition", (1, -2)),
        ("s SATISFIABLE\nv 0\n", "SATISFIABLE", "competition", ()),
        ("s SATISFIABLE\nv 1 1 0\n", "SATISFIABLE", "competition", (1, 1)),
        ("s UNSATISFIABLE\n", "UNSATISFIABLE", "competition", ()),
        ("c x\ns UNKNOWN\n", "UNKNOWN", "competition", ()),
        ("s INDETERMINATE\n", "UNKNOWN", "competition", ()),
        ("o 3\ns OPTIMUM FOUND\nv x1 -x2\nv x3\n", "SATISFIABLE", "competition", (1, -2, 3)),
        ("SAT\n1 -2 0\n", "SATISFIABLE", "result file", (1, -2)),
        ("SAT\n 0\n", "SATISFIABLE", "result file", ()),
        ("UNSAT\n", "UNSATISFIABLE", "result file", ()),
        ("INDET\n", "UNKNOWN", "result file", ()),
        ("1 -2 3 0\n", "SATISFIABLE", "literals", (1, -2, 3)),
        ("c model\n-1\n2\n", "SATISFIABLE", "literals", (-1, 2)),
    ],
)  # fmt: skip
def test_every_form_is_read(text: str, claim: str, form: str, literals: tuple[int, ...]) -> None:
    found = read(text)
    assert (found.claim, found.form, found.literals) == (claim, form, literals)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "out: empty: no claim, no literals"),
        ("c only comments\n", "out: empty: no claim, no literals"),
        ("s SATISFIABLE\ns SATISFIABLE\nv 1 0\n", "out:2:1: 's': a second s line"),
        ("s SATISFIABLE\nv 1 0\ns UNSATISFIABLE\n", "out:3:1: 's': a second s line"),
        ("s MAYBE\n", "out:1:3: 'MAYBE': no claim: one of SATISFIABLE, UNSATISFIABLE, UNKNOWN"
         " is needed"),
        ("s\n", "out:1:1: no claim: one of SATISFIABLE, UNSATISFIABLE, UNKNOWN is needed"),
        ("v 1 2 0\n", "out: v lines, but no s line: cut off?"),
        ("s SATISFIABLE\n", "out: the claim is SATISFIABLE, and there is no model"),
        ("s SATISFIABLE\nv 1 2\n", "out: no 0 ends the model: cut off?"),
        ("SAT\n1 2\n", "out: no 0 ends the model: cut off?"),
        ("SAT\n", "out: the claim is SATISFIABLE, and there is no model"),
        ("s UNSATISFIABLE\nv 1 0\n", "out: a model, and the claim is UNSATISFIABLE"),
        ("UNSAT\n1 0\n", "out:2:1: '1': literals of a model, and the claim is UNSATISFIABLE"),
        ("s SATISFIABLE\nv 1 -2 2 0\n", "out:2:8: '2': the model holds -2 already"),
        ("s SATISFIABLE\nv 1 2\nv  -1 0\n", "out:3:4: '-1': the model holds 1 already"),
        ("s SATISFIABLE\nv 1 0 2\n", "out:2:7: '2': something after the 0 that ends the model"),
        ("s SATISFIABLE\nv 1 0\nv 2\n", "out:3:3: '2': something after the 0 that ends the model"),
        ("s SATISFIABLE\nv 1 10 0\n", "out:2:5: '10': a literal of no variable (there are 9)"),
        ("s SATISFIABLE\nv 1 99999999999 0\n", "out:2:5: '99999999999': no literal"),
        ("s SATISFIABLE\nv 1 -0\n", "out:2:5: '-0': no literal"),
        ("s SATISFIABLE\nv 1 +2 0\n", "out:2:5: '+2': no literal"),
        ("s SATISFIABLE\nv 1 2_3 0\n", "out:2:5: '2_3': no literal"),
        ("s SATISFIABLE\nv 1 0x2 0\n", "out:2:5: '0x2': no literal"),
        ("s SATISFIABLE\nv 1 \u0663 0\n", r"out:2:5: '\xd9\xa3': no literal"),
        ("s SATISFIABLE\nv 1 \0 0\n", r"out:2:5: '\x00': no literal"),
        ("s SATISFIABLE\nhello\n", "out:2:1: 'hello': neither a c, s nor v line"),
        ("SATISFIABLE\n", "out:1:1: 'SATISFIABLE': neither an s or v line, nor SAT or UNSAT, nor"
         " literals"),
        ("SAT\nv 1 0\n", "out:2:1: 'v': no literal"),
        ("1 2 0\nSAT\n", "out:2:1: 'SAT': no literal"),
    ],
)  # fmt: skip
def test_a_defect_is_one_line_with_its_place(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value) == message


def test_without_a_number_of_variables_any_is_read() -> None:
    assert read("s SATISFIABLE\nv 123456789 0", None).literals == (123456789,)


@given(st.binary(max_size=60))
def test_bytes_end_in_an_output_or_an_error(data: bytes) -> None:
    for start in (b"", b"s SATISFIABLE\nv ", b"SAT\n", b"1 -2 "):
        with suppress(FormatError):
            found = read(start + data)
            assert not {-lit for lit in found.literals} & {*found.literals}


@given(st.lists(st.booleans(), max_size=300), st.integers(0, 10**6))
def test_value_lines_are_read_back_and_stay_under_80_columns(signs: list[bool], base: int) -> None:
    model = [(base + v) * (1 if sign else -1) for v, sign in enumerate(signs, start=1)]
    lines = list(value_lines(model))
    assert max(map(len, lines)) < 80
    assert all(len(line) > 60 for line in lines[:-1])
    text = "\n".join(["s SATISFIABLE", *lines])
    found = read_output([line.encode() for line in text.splitlines()], "out")
    assert (found.claim, found.literals) == (Claim.SATISFIABLE, tuple(model))
