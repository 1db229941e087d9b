"""The data folder of a demonstration."""

import os
import stat

import pytest

from server.demo import folder
from server.demo.folder import FolderRefused, Kept
from server.demo.plan import Plan

KEPT = Kept(Plan(seed=3, players=40, weeks=2, speed=60.0), played=True)


def test_what_it_was_made_from_is_read_again(tmp_path):
    here = tmp_path / "demo"
    assert folder.read(here) is None
    with folder.held(here):
        assert folder.read(here) is None
        folder.write(here, KEPT)
    assert folder.read(here) == KEPT
    assert stat.S_IMODE((here / "demo.json").stat().st_mode) == 0o600


def test_what_is_something_else_is_refused(tmp_path):
    (tmp_path / "crossruff.sqlite3").touch()
    with pytest.raises(FolderRefused, match="no demonstration"):
        folder.read(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"plan":{"seed":1}}', "\udcff"])
def test_what_cannot_be_read_is_refused(tmp_path, content):
    (tmp_path / "demo.json").write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(FolderRefused, match=r"demo\.json"):
        folder.read(tmp_path)


def test_it_is_held_by_one_at_a_time(tmp_path):
    with folder.held(tmp_path), pytest.raises(FolderRefused, match="another"), folder.held(tmp_path):
        pass
    with folder.held(tmp_path):
        pass


def test_clearing_leaves_alone_what_is_not_its_own(tmp_path):
    folder.write(tmp_path, KEPT)
    for name in ("crossruff.sqlite3", "crossruff.sqlite3-wal", "admin-token", "notes.txt"):
        (tmp_path / name).touch()
    folder.clear(tmp_path)
    assert os.listdir(tmp_path) == ["notes.txt"]
    folder.clear(tmp_path)
