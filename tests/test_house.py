"""The house rules that no other tool checks: sizes, names, docstrings, words that must not appear."""

import ast
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
GENERATED = ROOT / "migrations" / "versions"
BUILT = {".git", ".venv", "var", "build", "dist", "__pycache__", "node_modules"}
BUILT |= {".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".import_linter_cache"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def repository_files():
    """Every file that belongs to the repository."""
    for path in sorted(ROOT.rglob("*")):
        inside = path.relative_to(ROOT).parts
        if path.is_file() and not any(part in BUILT or part.endswith(".egg-info") for part in inside):
            yield path


FILES = list(repository_files())
PYTHON = [path for path in FILES if path.suffix == ".py" and GENERATED not in path.parents]
ROOMS = [path for path in PYTHON if path.relative_to(ROOT).parts[0] in ("server", "jobs")]
BRIDGE = [path for path in ROOMS if path.parent == ROOT / "server" / "bridge"]


def name_of(path):
    return str(path.relative_to(ROOT))


def functions(path):
    """Name and number of lines of every function in a file, nested ones too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield f"{name_of(path)}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def test_the_rooms_are_found():
    assert {"server/bridge/score.py", "server/bridge/traveller.py"} <= {name_of(path) for path in ROOMS}


def test_files_have_at_most_three_hundred_lines():
    sizes = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in ROOMS}
    assert {name: size for name, size in sizes.items() if size > 300} == {}


def test_functions_have_at_most_forty_lines():
    sizes = {name: size for path in ROOMS for name, size in functions(path)}
    assert {name: size for name, size in sizes.items() if size > 40} == {}


def test_the_median_function_is_under_twelve_lines():
    assert median(size for path in ROOMS for _, size in functions(path)) < 12


def test_no_room_is_named_for_leftovers():
    leftovers = {"util", "utils", "helper", "helpers", "common", "manager", "managers", "misc"}
    assert [name_of(path) for path in PYTHON if path.stem in leftovers or path.parent.name in leftovers] == []


def words_that_must_not_appear():
    """Addresses of package indexes and of folders on one machine; in pieces, so that this file has none."""
    index_hosts = [("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com")]
    index_hosts += [("conda", "anaconda", "org"), ("aliyun", "com"), ("tuna", "tsinghua", "edu", "cn")]
    options = [("--index", "url"), ("--extra-index", "url"), ("index", "url ="), ("--trusted", "host")]
    folders = [("", "work", "main"), ("", "work", "shared"), ("", "home", "")]
    return [
        *(".".join(pieces) for pieces in index_hosts),
        *("-".join(pieces) for pieces in options),
        *("/".join(pieces) for pieces in folders),
    ]


def test_no_file_names_a_package_index_or_a_folder_of_one_machine():
    words = [word.encode() for word in words_that_must_not_appear()]
    contents = {name_of(path): path.read_bytes().lower() for path in FILES}
    assert [(name, word) for name, content in contents.items() for word in words if word in content] == []


def public(nodes):
    """The functions and classes among the nodes that others may use, and the methods of these classes."""
    for node in nodes:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            yield node
            yield from public(node.body if isinstance(node, ast.ClassDef) else ())


def undocumented(path):
    """What is public in a file and has no docstring; the file itself if it has none."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    if ast.get_docstring(module) is None:
        yield name_of(path)
    for node in public(module.body):
        if ast.get_docstring(node) is None:
            yield f"{name_of(path)}:{node.lineno} {node.name}"


def test_everything_public_in_the_laws_has_a_docstring():
    assert [name for path in BRIDGE for name in undocumented(path)] == []


def imported(path):
    """Top-level packages that a file imports from outside the standard library and the house."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        packages = {module.split(".")[0] for module in modules}
        yield from packages - sys.stdlib_module_names - {"server"}


def test_the_laws_stand_on_the_standard_library():
    # Rooms that do arithmetic in bulk have numpy and scipy, the one that draws rounds has networkx.
    allowed = {
        "bulk": {"numpy", "scipy"},
        "field": {"numpy"},
        "rating": {"numpy", "scipy"},
        "swiss": {"networkx"},
    }
    found = {
        name_of(path): set(imported(path)) - allowed.get(path.stem.split("_")[0], set()) for path in BRIDGE
    }
    assert {name: packages for name, packages in found.items() if packages} == {}
