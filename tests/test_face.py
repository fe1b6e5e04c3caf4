"""What `import pbcnf` and `import satsweeper` offer: all there, documented, each from one home."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import pbcnf
import satsweeper

FACES = [pbcnf, satsweeper]


def imported_for_type_checkers(path: Path) -> dict[str, str]:
    """Name -> module, of the imports that only type checkers see."""
    tree = ast.parse(path.read_text("utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.name: str(node.module)
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_every_name_is_there_and_comes_from_the_home_that_type_checkers_see(face) -> None:
    seen = imported_for_type_checkers(Path(face.__file__))
    assert sorted(face.__all__) == sorted(seen)
    assert seen == face._HOME
    for name in face.__all__:
        assert getattr(face, name) is getattr(import_module(seen[name]), name)


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_classes_and_functions_are_documented(face) -> None:
    offered = [getattr(face, name) for name in face.__all__]
    assert [each for each in offered if callable(each) and not each.__doc__] == []


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_what_is_not_offered_is_said_to_be_missing(face) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_ours'"):
        face.nothing_of_ours  # noqa: B018


def test_both_have_the_version_of_the_project() -> None:
    citation = (Path(__file__).parents[1] / "CITATION.cff").read_text("utf-8")
    assert pbcnf.__version__ == satsweeper.__version__
    assert f"\nversion: {pbcnf.__version__}\n" in citation
