"""Imports point one way, and tools touch nothing themselves."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "codetools"
LEFT_TO_RIGHT = [
    {"core"},
    {"system"},
    {"state"},
    {"config"},
    {"files"},
    {"search", "shell", "web", "mcp"},
    {"context"},
    {"tools"},
    {"engine"},
    {"render"},
    {"cli", "serve"},
    {"__main__"},
]
RANK = {room: rank for rank, rooms in enumerate(LEFT_TO_RIGHT) for room in rooms}
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")
FORBIDDEN_IN_TOOLS = {"os", "subprocess", "socket", "io", "pathlib", "shutil", "tempfile"}
FORBIDDEN_CALLS_IN_TOOLS = {"open", "print", "exec", "eval", "__import__"}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_left(path: Path):
    room = room_of(path)
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] != "codetools" or parts[1] == "__version__":
            continue
        other = parts[1]
        assert other == room or RANK[other] < RANK[room], f"{room} imports {name}"


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "tools").rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_tools_touch_nothing_and_import_no_tool(path: Path):
    for name in imports_of(path):
        assert name.split(".")[0] not in FORBIDDEN_IN_TOOLS, f"{path.name} imports {name}"
        assert not name.startswith("codetools.tools."), f"{path.name} imports the tool {name}"
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS_IN_TOOLS, f"{path.name} calls {node.func.id}"


def test_every_source_file_says_why_it_exists():
    assert [str(path) for path in SOURCES if not ast.get_docstring(ast.parse(path.read_text()))] == []
