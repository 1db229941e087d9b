"""`make .venv` and `.ci/run`, with stand-ins for the programs that they call."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BASH = shutil.which("bash")
only_with_make = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
PYTHON = """#!/bin/sh
echo "$@" >> log
[ "$1" = -m ] || exit 0
case "$*" in *--clear*) rm -rf .venv ;; esac
mkdir -p .venv/bin
cat > .venv/bin/pip <<'END'
#!/bin/sh
echo pip >> log
test -e online
END
chmod +x .venv/bin/pip
"""


def write(path, text):
    """A program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def tree(tmp_path):
    """The files that say how things are made, and a Python that makes environments without `pip install`."""
    (tmp_path / "requirements").mkdir()
    for name in ("Makefile", "requirements/dev.txt", ".ci/run"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    write(tmp_path / "python", PYTHON)
    return tmp_path


def make(tree):
    """Run it: its exit code, and what was called."""
    (tree / "log").write_text("")
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    ended = subprocess.run(
        ["make", ".venv", "PYTHON=./python"], cwd=tree, env=own, capture_output=True, check=False
    )
    called = [line for line in (tree / "log").read_text().splitlines() if not line.startswith("-c")]
    return ended.returncode, called


@only_with_make
def test_what_failed_half_way_is_made_afresh(tree):
    assert make(tree) == (2, ["-m venv --clear .venv", "pip"])
    (tree / ".venv" / "half").touch()
    (tree / "online").touch()
    assert make(tree) == (0, ["-m venv --clear .venv", "pip", "pip"])
    assert not (tree / ".venv" / "half").exists()
    assert make(tree) == (0, [])


@only_with_make
def test_newer_requirements_are_installed_into_what_there_is(tree):
    (tree / "online").touch()
    make(tree)
    installed = (tree / ".venv" / "installed").stat().st_mtime
    os.utime(tree / "requirements" / "dev.txt", (installed + 5, installed + 5))
    (tree / "online").unlink()
    assert make(tree) == (2, ["-m venv .venv", "pip"])
    (tree / "online").touch()
    assert make(tree) == (0, ["-m venv --clear .venv", "pip", "pip"])


def ci(tree, *, fails="nothing", without=()):
    """Run it where only a few programs are; its exit code, and what it called."""
    programs = tree / "programs"
    for name in ("dirname", "sh"):
        programs.mkdir(exist_ok=True)
        (programs / name).symlink_to(shutil.which(name))
    stand_ins = {"make": f'[ "$1" != {fails} ]', "apt-get": "exit 0", "python3": "exit 0"}
    for name in {"curl": "", "git": "", "chromium": ""} | stand_ins:
        if name not in without:
            code = stand_ins.get(name, "")
            write(programs / name, f'#!/bin/sh\n[ {name} = python3 ] || echo "{name} $@" >> log\n{code}\n')
    (tree / "log").write_text("")
    own = {"PATH": str(programs)}
    ended = subprocess.run([BASH, ".ci/run"], cwd=tree, env=own, capture_output=True, check=False)
    return ended.returncode, (tree / "log").read_text().splitlines()


@pytest.mark.parametrize("fails", [".venv", "check", "test", "failures"])
def test_it_fails_when_anything_does(tree, fails):
    code, called = ci(tree, fails=fails)
    assert code != 0
    assert called[-1] == f"make {fails}"


def test_it_does_everything_in_order(tree):
    code, called = ci(tree)
    assert code == 0
    assert called[-4:] == ["make .venv", "make check", "make test", "make failures"]


def test_what_a_bare_machine_lacks_is_installed(tree):
    code, called = ci(tree, without=("git", "python3", "chromium"))
    assert code == 0
    assert called[0] == "apt-get update -qq"
    wanted = "git python3 python3-venv chromium fonts-wqy-microhei"
    assert called[1].startswith(f"apt-get install -y -qq {wanted}")
