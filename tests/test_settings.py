"""Settings: arguments over environment over file over defaults, and nothing unknown passes."""

import tomllib
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from server.bridge.grades import NAMES, GradeScale
from server.bridge.pool import ScoringMethod
from server.settings import DEFAULTS, Settings, SettingsRefused, lines, load_settings, parse_clock


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Writes the operator's file and names it in the environment."""

    def write(text: str):
        path = tmp_path / "crossruff.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setenv("CROSSRUFF_CONFIG", str(path))
        return path

    return write


def test_the_defaults_are_the_documented_ones():
    settings = load_settings()
    assert (settings.host, settings.port, str(settings.data_dir)) == ("127.0.0.1", 8080, "var")
    assert (settings.week_zone, settings.week_boards, settings.zone.key) == (
        "Asia/Shanghai",
        200,
        "Asia/Shanghai",
    )
    assert (settings.players_auto_create, settings.rate_limit, settings.jobs) == (True, 200, True)
    assert (settings.assignment_minutes, settings.clock) == (30, "")
    assert settings.database == "sqlite:///var/crossruff.sqlite3"
    assert settings.embedded


def test_every_setting_but_the_secret_key_stands_in_the_file_of_defaults():
    assert tomllib.loads(DEFAULTS.read_text(encoding="utf-8")).keys() == Settings.model_fields.keys() - {
        "secret_key"
    }


def test_arguments_win_over_environment_over_file_over_defaults(file, monkeypatch):
    assert load_settings().port == 8080
    file("port = 1\nhost = 'file'")
    assert (load_settings().port, load_settings().host) == (1, "file")
    monkeypatch.setenv("CROSSRUFF_PORT", "2")
    assert (load_settings().port, load_settings().host) == (2, "file")
    assert (load_settings(port=3).port, load_settings(port=None).port) == (3, 2)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("jobs", "false", False),
        ("players_auto_create", "0", False),
        ("rate_limit", "0", 0),
        ("week_zone", "Australia/Lord_Howe", "Australia/Lord_Howe"),
        ("clock", "2026-11-27T12:00:00Z,60", "2026-11-27T12:00:00Z,60"),
    ],
)
def test_every_setting_is_a_variable(monkeypatch, name, value, expected):
    monkeypatch.setenv(f"CROSSRUFF_{name.upper()}", value)
    assert getattr(load_settings(), name) == expected


def test_settings_do_not_change():
    with pytest.raises(ValidationError, match="frozen"):
        load_settings().port = 1


@pytest.mark.parametrize("name", ["CROSSRUFF_PROT", "CROSSRUFF_", "CROSSRUFF_POOLS_IMPS", "crossruff_prot"])
def test_unknown_variables_are_refused_by_name(monkeypatch, name):
    monkeypatch.setenv(name, "1")
    with pytest.raises(SettingsRefused, match=f"unknown environment variable {name}"):
        load_settings()


def test_variables_of_others_are_none_of_ours(monkeypatch):
    monkeypatch.setenv("TEST_POSTGRES_URL", "x")
    monkeypatch.setenv("XCROSSRUFF_PORT", "x")
    assert load_settings().port == 8080


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("prot = 1", "prot"),
        ("[server]\nport = 1", "server"),
        ("[pools.imps]\nscore_from = 6", r"pools\.imps\.score_from"),
        ("port = 70000", "port"),
        ("port = 'many'", "port"),
        ("week_boards = -1", "week_boards"),
        ("week_boards = 10001", "week_boards"),
        ("rate_limit = -1", "rate_limit"),
        ("assignment_minutes = 0", "assignment_minutes"),
        ("week_zone = 'Asia/Shangri-La'", "week_zone.*Asia/Shangri-La"),
        ("week_zone = '../../etc/passwd'", "week_zone"),
        ("week_zone = ''", "week_zone"),
        ("week_zone = 'Asia'", "week_zone"),
        ("clock = 'noon'", "clock"),
        ("grades = [0, 1, 5]", "grades: .*twelve"),
        ("[grade_names]\nen = ['One', 'Two']", r"grade_names\.en: .*twelve grades, and names for 2"),
        (f"[grade_names]\nzh = {['级'] * 13}", r"grade_names\.zh: .*twelve grades, and names for 13"),
        (f"[grade_names]\nen = {[*'abcdefghijk', ' ']}", r"grade_names\.en: .*' ' is no name"),
        (f"[grade_names]\nzh = {['', *'abcdefghijk']}", r"grade_names\.zh: .*'' is no name"),
        (f"[grade_names]\nfr = {[*'abcdefghijkl']}", r"grade_names\.fr"),
        ("port = ", "crossruff.toml"),
        ("[pools.imps]\nmethod = 'guesswork'", r"pools\.imps\.method"),
        ("[pools.imps]\ntrim = 'a lot'", r"pools\.imps\.trim"),
        ("[pools.imps]\nscore_at = 0", r"pools\.imps\.score_at"),
        ("[pools.imps]\nretire_at = -1", r"pools\.imps\.retire_at"),
        ("[pools.imps]\nretire_at = 5", r"pools\.imps: retire_at is below score_at"),
        ("[pools.new]\nmethod = 'datum'", r"pools\.new\.score_at"),
        ("secret_key = 'in a file that others may read'", "secret_key"),
        ("database_url = 'postgresql+asyncpg://ann:secret@host/db'", "database_url.*password"),
        ("database_url = 'nonsense'", "database_url"),
        ("database_url = 'postgresql://ann@host/db'", "database_url"),
        ("database_url = 'sqlite://'", "database_url"),
        ("database_url = 'sqlite:///:memory:'", "database_url"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(file, text, named):
    file(text)
    with pytest.raises(SettingsRefused, match=named):
        load_settings()


def test_every_wrong_setting_is_named_at_once(file):
    file("port = -1\nweek_zone = 'Nowhere'")
    with pytest.raises(SettingsRefused) as caught:
        load_settings()
    assert [line.partition(":")[0] for line in str(caught.value).splitlines()] == ["port", "week_zone"]


def test_a_file_that_is_not_there_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("CROSSRUFF_CONFIG", str(tmp_path / "missing.toml"))
    with pytest.raises(SettingsRefused, match=r"missing\.toml"):
        load_settings()


@pytest.mark.parametrize("value", ["no json", "[]", '{"imps": 1}'])
def test_pools_in_the_environment_that_are_none_are_refused(monkeypatch, value):
    monkeypatch.setenv("CROSSRUFF_POOLS", value)
    with pytest.raises(SettingsRefused, match="pools"):
        load_settings()


def test_grades_are_named_in_either_language_or_both(file):
    assert load_settings().grade_scale == GradeScale()
    file(f"[grade_names]\nen = {[*'ABCDEFGHIJKL']}")
    settings = load_settings()
    assert [each.english for each in settings.grade_scale.names] == [*"ABCDEFGHIJKL"]
    assert [each.chinese for each in settings.grade_scale.names] == [each.chinese for each in NAMES]
    assert 'grade_names.en = ["A", "B", ' in "\n".join(lines(settings))
    assert "专业牌手" in "\n".join(lines(settings))


def test_the_default_pools():
    pools = load_settings().all_pools()
    assert {
        name: (pool.name, pool.terms.method, pool.terms.score_at, pool.terms.retire_at, pool.members_only)
        for name, pool in pools.items()
    } == {
        "imps": ("imps", ScoringMethod.DATUM, 6, 40, True),
        "mp": ("mp", ScoringMethod.MATCHPOINTS, 6, 40, True),
        "guests": ("guests", ScoringMethod.HCP_COMPENSATION, 1, None, False),
    }


def test_a_pool_may_be_changed_in_part_and_another_added(file):
    file(
        "[pools.imps]\nscore_at = 2\nretire_at = 2\n"
        "[pools.cross]\nmethod = 'cross_imps'\nscore_at = 6\nretire_at = 0\ntrim = 'none'\nmembers = false\n"
    )
    pools = load_settings().all_pools()
    assert pools.keys() == {"imps", "mp", "guests", "cross"}
    assert (pools["imps"].terms.score_at, pools["imps"].terms.retire_at, pools["imps"].members_only) == (
        2,
        2,
        True,
    )
    assert (pools["cross"].terms.method, pools["cross"].terms.retire_at) == (ScoringMethod.CROSS_IMPS, None)


def test_secrets_are_masked_wherever_settings_are_shown(monkeypatch):
    monkeypatch.setenv("CROSSRUFF_SECRET_KEY", "hush-key")
    monkeypatch.setenv("CROSSRUFF_DATABASE_URL", "postgresql+asyncpg://ann:hush-word@host/db")
    settings = load_settings()
    assert "hush" not in f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"
    assert settings.secret_key.get_secret_value() == "hush-key"
    assert settings.database == "postgresql+asyncpg://ann:hush-word@host/db"
    assert not settings.embedded


def test_a_refused_address_of_the_database_does_not_show_its_password(monkeypatch):
    monkeypatch.setenv("CROSSRUFF_DATABASE_URL", "mysql://ann:hush@host/db")
    with pytest.raises(SettingsRefused, match="database_url") as caught:
        load_settings()
    assert "hush" not in str(caught.value)


def test_a_database_without_password_may_stand_in_the_file(file):
    file("database_url = 'postgresql+asyncpg://ann@/db?host=/run/postgresql'")
    assert load_settings().database == "postgresql+asyncpg://ann@/db?host=/run/postgresql"


def test_the_embedded_database_lies_in_the_data_folder(tmp_path):
    assert load_settings(data_dir=tmp_path).database == f"sqlite:///{tmp_path}/crossruff.sqlite3"


@pytest.mark.parametrize(
    ("text", "start", "speed"),
    [
        ("2026-11-27T12:00:00Z,60", datetime(2026, 11, 27, 12, tzinfo=UTC), 60),
        ("2026-11-27T12:00:00Z", datetime(2026, 11, 27, 12, tzinfo=UTC), 1),
        ("2026-11-27T20:00:00+08:00,0.5", datetime(2026, 11, 27, 12, tzinfo=UTC), 0.5),
        ("2026-11-27T12:00:00Z,1000000", datetime(2026, 11, 27, 12, tzinfo=UTC), 1_000_000),
    ],
)
def test_a_simulated_clock_is_a_start_and_a_speed(text, start, speed):
    assert parse_clock(text) == (start, speed)
    assert parse_clock(text)[0].utcoffset() is not None


@pytest.mark.parametrize(
    "text",
    [
        "noon",
        ",60",
        "2026-11-27T12:00:00,60",
        "2026-11-27",
        "2026-11-27T12:00:00Z,fast",
        "2026-11-27T12:00:00Z,0",
    ]
    + [f"2026-11-27T12:00:00Z,{speed}" for speed in ("-1", "nan", "inf", "1000001", "1,2")],
)
def test_what_is_no_clock_is_refused(monkeypatch, text):
    with pytest.raises(ValueError, match=r"instant|speed"):
        parse_clock(text)
    monkeypatch.setenv("CROSSRUFF_CLOCK", text)
    with pytest.raises(SettingsRefused, match="clock"):
        load_settings()


def test_a_clock_may_start_in_any_zone():
    start, _ = parse_clock("2026-11-27T20:00:00+08:00")
    assert start.utcoffset() == timedelta(hours=8)
