"""What is said of each family of problems besides its row in the table of families."""

from typing import Final

from satsweeper.competition.description.text import PLANTED, Text

_TORUS: Final = (
    "Clues stand at all even rows and columns of a torus with $2n$ rows and columns; all other"
    " cells are covered. A clue counts its eight neighbours. A cell lies between two clues or amid"
    " four, so that a mine adds 2 or 4 to all clues together: in every layout they add up to an"
    " even number. Variables are the $3n^2$ covered cells, constraints the $n^2$ clues, each"
    " exactly $k$ of 8."
)
_TORUS_HARD: Final = (
    "Only parity refutes it: for odd $n$ no other modulus has anything to cancel, as neighbours"
    " would have opposite factors all round an odd cycle, and an eighth of a mine in every cell"
    " meets all clues where these are 1, so that linear programming does not refute it. It is a"
    " cardinality cousin of Tseitin's formulas [@tseitin1968], [@urquhart1987]: solvers that reason"
    " about parities [@gocht2021] have a proof of one sum."
)
_PIGEONS: Final = (
    "Every pigeon sits in at least one hole: a clause. No hole holds more pigeons than it has room"
    " for: a cardinality constraint, encoded by size."
)
_PIGEONS_HARD: Final = (
    "Pigeonhole formulas were the first that were shown to need exponentially long refutations in"
    " resolution [@haken1985]. In cutting planes the sum of all constraints does it [@cook1987]."
)
PROBLEMS: Final[dict[str, Text]] = {
    "torus": Text(
        "Ones on a torus of odd side",
        (_TORUS, "All clues are 1, and $n$ is odd."),
        ("The clues add up to $n^2$, an odd number: there is no solution.",),
        (_TORUS_HARD,),
    ),
    "torus_planted": Text(
        "Clues of a drawn layout on a torus",
        (_TORUS, PLANTED),
        ("The drawn layout meets all clues.",),
        (
            "A torus has no border at which a search could begin. `torus_planted` and `torus_bump`"
            " of one size and seed differ in a single clue, and have different answers.",
        ),
    ),
    "torus_bump": Text(
        "Clues of a drawn layout on a torus, one of them too large",
        (_TORUS, PLANTED, "Then one drawn clue, which counts a safe cell, is made larger by 1."),
        ("The clues of a layout add up to an even number; these add up to an odd one.",),
        (_TORUS_HARD,),
    ),
    "hall_with_slack": Text(
        "A lattice that violates Hall's condition, with slack",
        (
            "Squares of a chessboard of $n \\times n$ squares lie at even rows and columns of a"
            " grid of $2n - 1$ rows and columns; variables are all other cells of the grid. Around"
            " every white square exactly one variable is true, around every black one at most one,"
            " and around two opposite corners, which are black, none.",
        ),
        (
            "A variable is counted by as many black squares as white ones. The white squares ask"
            " for as many as they are, and fewer black ones allow one each: there is no solution.",
        ),
        (
            "Every black constraint has a slack of its own, so that elimination refutes it modulo"
            " no number. Adding up all constraints does, as for pigeonhole formulas [@cook1987].",
        ),
    ),
    "pigeonhole": Text(
        "Pigeonhole formulas",
        (_PIGEONS, "There are $n + 1$ pigeons and $n$ holes for one each."),
        ("Every hole takes one pigeon, and one is left over.",),
        (_PIGEONS_HARD,),
    ),
    "pigeonhole_of_three": Text(
        "Pigeonhole formulas with holes for three",
        (_PIGEONS, "There are $3n + 1$ pigeons and $n$ holes for three each."),
        ("All holes take $3n$ pigeons, and one is left over.",),
        (_PIGEONS_HARD,),
    ),
    "regular": Text(
        "Regular problems of large cardinality constraints round a solution",
        (
            "There are $2n$ variables and $n/2$ constraints that exactly $n/2$ of $n$ variables are"
            " true; every variable is in $n/4$ constraints. A solution is laid first and the"
            " constraints are drawn round it.",
        ),
        ("The laid solution meets all constraints.",),
        (
            "Every constraint is half true, which leaves propagation nothing to do until nearly all"
            " of its variables are assigned. Small problems of this kind, of many constraints on"
            " few variables in equal numbers, are hard for all solvers [@spence2010].",
        ),
    ),
    "regular_of_odd_sum": Text(
        "Regular problems of large cardinality constraints with an odd sum",
        (
            "There are $5n/2$ variables and five constraints that exactly $n/2$ of $n$ variables"
            " are true, where $n/2$ is odd; every variable is in two of them, drawn at random.",
        ),
        (
            "All constraints together count every variable twice, an even number, and ask for"
            " $5n/2$, an odd one: there is no solution.",
        ),
        (
            "Nothing shorter than counting says so, and encodings of large cardinality constraints"
            " hide it. Parity arguments on graphs are hard for resolution [@urquhart1987]; small"
            " problems of this kind are hard for all solvers [@spence2010].",
        ),
    ),
}
