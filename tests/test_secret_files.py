"""Secrets in the data folder: made once, by one, whole."""

import stat
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from server.secret_files import replace_secret, secret_key
from server.settings import load_settings
from tests.processes import crossruff

STARTS = 6


@pytest.fixture
def settings(tmp_path):
    """Settings with a data folder of their own."""
    return load_settings(data_dir=tmp_path)


def test_starts_at_once_agree_on_the_key(settings, tmp_path):
    with ThreadPoolExecutor(STARTS) as threads:
        for _ in range(50):
            barrier = Barrier(STARTS)

            def start(barrier=barrier):
                barrier.wait()
                return secret_key(settings)

            keys = {future.result() for future in [threads.submit(start) for _ in range(STARTS)]}
            file = tmp_path / "secret-key"
            assert keys == {file.read_bytes().strip()}
            assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]
            file.unlink()


def test_a_key_is_long_kept_and_for_the_owner_alone(settings, tmp_path):
    key = secret_key(settings)
    assert len(key) >= 43
    assert secret_key(settings) == key
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_a_key_of_the_environment_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("CROSSRUFF_SECRET_KEY", "hush")
    assert secret_key(load_settings(data_dir=tmp_path)) == b"hush"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", " \n"])
async def test_an_empty_key_is_refused(tmp_path, content):
    file = tmp_path / "secret-key"
    file.write_text(content)
    refused = await crossruff("serve", "--port", "0", "--data-dir", str(tmp_path))
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert f"Error: {file} is empty" in refused.err
    assert " listens on " not in refused.out
    assert file.read_text() == content


def test_a_secret_is_replaced_not_overwritten(tmp_path):
    file, same = tmp_path / "secret", tmp_path / "same"
    replace_secret(file, "one")
    same.hardlink_to(file)
    replace_secret(file, "two")
    assert (file.read_text(), same.read_text()) == ("two\n", "one\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"secret", "same"}
