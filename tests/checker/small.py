"""Proofs for the small checker, right and wrong ones of an encoding, and what it says."""


def said(checker, *paths):
    """Return the claim that a small checker has verified, or its line of refusal."""
    try:
        return checker.check([str(path) for path in paths])["says"]
    except checker.NotProvedError as error:
        return f"refused: {error}"


def put(folder, *contents):
    """Write files; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    names = ["problem.opb", "formula.cnf", "proof.pbp"]
    if len(contents) == 2:
        del names[1]
    paths = [folder / name for name in names]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content)
    return paths


def rows_of(problem):
    """How many inequalities a file has, an equality counted twice."""
    rows = [line for line in problem.splitlines() if line[:1] != "*" and "min:" not in line]
    return sum(1 + (" = " in row) for row in rows)


def words_of(lits, weight=""):
    return "".join(f"{weight}{'~' * (lit < 0)}x{abs(lit)} " for lit in lits)


def clause(lits):
    return f"{words_of(lits, '1 ')}>= 1"


ROW = "* #variable= 3 #constraint= 2\n+1 x1 +1 x2 +1 x3 <= 1 ;\n+1 x1 +1 x2 >= 1 ;\n"
CLAUSES = [[-1, -2], [-1, -3], [-2, -3], [1, 2]]
FORWARD = [
    "rup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;", "rup 1 ~x1 1 ~x3 >= 1 : ~ 1 ;", "rup 1 ~x2 1 ~x3 >= 1 : ~ 1 ;",
    "rup 1 x1 1 x2 >= 1 : ~ 2 ;",
]  # fmt: skip
GONE = "del id 1 2 ;"
SUM = "pol 3 4 + 5 + 2 d ;"
AGAIN = "rup 1 x1 1 x2 >= 1 : ~ 6 ;"
HALVES = [
    "red 1 ~x5 1 ~x1 >= 1 : x5 -> 0 ;", "red 1 x5 1 x1 >= 1 : x5 -> 1 ;",
]  # fmt: skip
"""x5 is the negation of x1: one variable more than the formula has."""
WAYS = {
    "as it is": ([*FORWARD], "no solution lost"),
    "and back": ([*FORWARD, GONE, SUM, AGAIN], "equivalent"),
    "deleted one by one": ([*FORWARD, "del id 2 ;", "del id 1 ;", SUM, AGAIN], "equivalent"),
    "with a definition on the way": (
        [*FORWARD, GONE, *HALVES, "rup 1 x5 1 ~x2 >= 1 : ~ 7 8 3 ;", SUM, AGAIN], "equivalent"
    ),
    "helping steps deleted": (
        [*FORWARD, GONE, *HALVES, SUM, "del id 7 8 ;", AGAIN, "del id 3 ;"], "equivalent"
    ),
    "a row is not derived again": ([*FORWARD, GONE, SUM], "refused"),
    "no row is derived again": ([*FORWARD, GONE], "refused"),
    "rows in another order": ([*FORWARD, GONE, AGAIN, SUM], "refused"),
    "something behind the rows": ([*FORWARD, GONE, SUM, AGAIN, "pol x1 ;"], "refused"),
    "a row that says more": (
        [*FORWARD, GONE, SUM, "rup 1 x1 1 x2 1 x3 >= 1 : ~ 6 ;"], "refused"
    ),
    "one row is deleted": ([*FORWARD, "del id 1 ;", SUM], "refused"),
    "one row is deleted at the end": ([*FORWARD, "del id 1 ;"], "refused"),
    "a step between deletions": ([*FORWARD, "del id 1 ;", "pol 3 ;", "del id 2 ;"], "refused"),
    "deleted before the clauses are there": (
        [*FORWARD[:3], GONE, FORWARD[3].replace("2 ;", "6 ;"), SUM, AGAIN], "refused"
    ),
    "more than the clauses is left": ([*FORWARD, "pol 1 ;", GONE, SUM, AGAIN], "refused"),
    "a deleted row is used": (
        [*FORWARD, GONE, "pol 1 ;", AGAIN], "refused"
    ),
    "a variable of the problem defined": (
        [*FORWARD, GONE, "red 1 ~x1 >= 1 : x1 -> 0 ;", SUM, AGAIN], "refused"
    ),
    "a variable of the formula defined": (
        [*FORWARD, GONE, "red 1 x4 >= 1 : x4 -> 1 ;", SUM, AGAIN], "refused"
    ),
}  # fmt: skip
