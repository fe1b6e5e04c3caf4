"""First lines of docstrings, names of files and names of classes, read from the syntax trees."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {"pbcnf": ROOT / "encodings" / "pbcnf", "satsweeper": ROOT / "satsweeper"}


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OPENING_PRONOUN = re.compile(
    r"(Return |Yield |Whether )?"
    r"(Its?|This|That|These|Those|They|Them|Their|He|She|What|Which|Who|Whose|Whoever|Whatever"
    r"|How|Ones?|Such|So|Same|Another|Nor|Neither|And|But|Also"
    r"|it|its|this|that|these|those|they|them|what|which|such|the (same|one|other|others))\b"
)
"""A first line that begins so speaks of something that only its author has before the eyes."""

PRONOUNS = words(
    "it its itself they them their that those this these what which who whose ones such so same"
    " other others another"
)
RIDDLES = re.compile(
    r"\b(so many|as many as|that of|those of|one of (its|them)|the one|the same|(of|in|for) it)\b"
)

NOT_FILES = words(
    "ahead again apart asked became bell beyond came drawn fifty found given hands keeping named"
    " own plain reach ready retold said second sitting stated told wrong"
)
"""Words that say nothing to a stranger as names of files."""


SEVERAL_MEANINGS = {"EncType": 2}
"""PySAT has two classes of this name, and `pbcnf.pysat` has PySAT's names."""


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """The line and text of each docstring, of attributes as well."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield statement.lineno, text


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def riddle(text: str) -> bool:
    """Whether a first line begins with a pronoun or consists of pronouns."""
    first = text.strip().split("\n\n")[0].split("\n")[0]
    found = re.findall(r"[a-z]+", first.lower())
    return (
        bool(OPENING_PRONOUN.match(first))
        or bool(RIDDLES.search(first))
        or sum(word in PRONOUNS for word in found) * 4 > len(found)
    )


def riddles(paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line}: {text.strip().splitlines()[0]}"
        for path in paths
        for line, text in docstrings(path)
        if text.strip() and riddle(text)
    ]


def repeated_classes() -> dict[str, int]:
    """How often a package has a class of a name, where that is not once."""
    found = Counter(
        (package, node.name)
        for package, folder in PACKAGES.items()
        for path in folder.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    return {name: times for (_, name), times in found.items() if times > 1}


def test_first_lines_of_docstrings_are_understood_without_the_body() -> None:
    assert riddles(sources("satsweeper", "encodings", "scripts")) == []


def test_a_class_name_has_one_meaning_in_a_package() -> None:
    assert repeated_classes() == SEVERAL_MEANINGS


def test_files_are_named_by_words_of_the_field() -> None:
    names = {path.stem for path in sources("satsweeper", "encodings", "scripts")}
    assert names & NOT_FILES == set()


def test_the_rule_knows_a_riddle_from_a_sentence() -> None:
    for text in (
        "Return that the one falls to the other, over those between them.",
        "What is said of it to those who do not see it.",
        "The same without the one proof.",
        "Its parts joined by slashes; all of them if none is named.",
    ):
        assert riddle(text), text
    for text in (
        "Return the row ``lits[i] >= lits[i + 1]``, chained over the skipped literals in between.",
        "Alternative text: glyph, kind, and why the cell is marked.",
        "Whether every assignment of `cells` cells with `mines` mines satisfies a clause.",
        "Read a board and check it.",
    ):
        assert not riddle(text), text


if __name__ == "__main__":
    found = riddles(sources(*sys.argv[1:]) or sources("satsweeper", "encodings", "scripts"))
    print(*found, sep="\n")
    print(len(found), "first lines to rewrite")
    print("class names with several meanings:", repeated_classes())
