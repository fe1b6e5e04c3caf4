"""Byte code for the page: an archive of Python files, compiled without docstrings and line numbers.

The Python of the page runs it (``compile.mjs``), since byte code is of one version. Docstrings and
line numbers are left out so that the archive hardly grows; assertions stay. A class keeps a
docstring of one dot, as ``dataclass`` would else make one of its signature, which takes long.
"""

import ast
import io
import marshal
import zipfile
from importlib.util import MAGIC_NUMBER, source_hash
from types import CodeType
from typing import Final

_UNCHECKED: Final = (1).to_bytes(4, "little")
"""The flags of byte code that is used without a look at its source (PEP 552)."""


def compiled(archive: bytes) -> bytes:
    """Return the archive with every Python file ``NAME.py`` compiled to ``NAME.pyc``.

    Raises SyntaxError for a file that this version of Python does not read.
    """
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(archive)) as old,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new,
    ):
        for name in sorted(old.namelist()):
            content = old.read(name)
            if name.endswith(".py"):
                name, content = f"{name}c", byte_code(content, name)
            # A fixed date, so that equal files make an equal archive.
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def byte_code(source: bytes, name: str) -> bytes:
    """Return the content of a ``.pyc`` file of the file ``name``."""
    tree = ast.parse(source, name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            _without_docstring(node)
    code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
    return MAGIC_NUMBER + _UNCHECKED + source_hash(source) + marshal.dumps(_without_lines(code))


def _without_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> None:
    if ast.get_docstring(node, clean=False) is None:
        return
    if isinstance(node, ast.ClassDef):
        node.body[0] = ast.copy_location(ast.Expr(ast.Constant(".")), node.body[0])
        ast.fix_missing_locations(node.body[0])
    elif len(node.body) == 1 and not isinstance(node, ast.Module):
        node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
    else:
        del node.body[0]


def _without_lines(code: CodeType) -> CodeType:
    inner = tuple(_without_lines(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=inner)
