"""Settings: arguments over environment over file over defaults; unknown names are refused."""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from pydantic_settings.exceptions import SettingsError
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

import config
from server.bridge.datum import parse_schedule
from server.bridge.grades import GRADES, Grade, GradeScale, check_name
from server.bridge.pool import Pool, ScoringMethod, Terms
from server.bridge.rating import Estimator, Rules

PREFIX = "CROSSRUFF_"
DEFAULTS = Path(config.__file__).parent / "default.toml"
_BARE = re.compile("[A-Za-z0-9_-]+")  # keys that TOML wants no quotes around


class SettingsRefused(ValueError):
    """Settings that cannot be used"""


class PoolSettings(BaseModel):
    """One pool as the configuration file writes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    method: ScoringMethod
    score_at: int = Field(ge=1)
    retire_at: int = Field(ge=0)
    trim: str
    members: bool

    @field_validator("trim")
    @classmethod
    def _sound(cls, text: str) -> str:
        return parse_schedule(text).text

    def pool(self, name: str) -> Pool:
        """As a value of the bridge floor; raises SettingsRefused when its thresholds contradict."""
        if 0 < self.retire_at < self.score_at:
            raise SettingsRefused(f"pools.{name}: retire_at is below score_at")
        terms = Terms(self.method, self.score_at, self.retire_at or None, parse_schedule(self.trim))
        return Pool(name, terms, self.members)


class RatingSettings(BaseModel):
    """How weeks are rated, as the configuration file writes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    official: Estimator
    shield_boards: int = Field(ge=0)
    partner_of_leaver: bool
    grace_minutes: int = Field(ge=0, le=7 * 24 * 60)
    late_hours: int = Field(ge=0, le=10_000)

    @property
    def rules(self) -> Rules:
        """As a value of the bridge floor."""
        return Rules(
            shield_boards=self.shield_boards,
            partner_of_leaver=self.partner_of_leaver,
            official=self.official,
        )

    @property
    def grace(self) -> timedelta:
        """After the end of a week, until it is closed by itself."""
        return timedelta(minutes=self.grace_minutes)

    @property
    def late(self) -> timedelta:
        """After the end of a week, in which results are still rated."""
        return timedelta(hours=self.late_hours)


class GradeNames(BaseModel):
    """What the grades are called, as the configuration file writes it; the first one first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    en: tuple[str, ...]
    zh: tuple[str, ...]

    @field_validator("en", "zh")
    @classmethod
    def _twelve_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if len(names) != GRADES:
            raise ValueError(f"there are twelve grades, and names for {len(names)}")
        for name in names:
            check_name(name)
        return names


class Settings(BaseSettings):
    """Everything that an operator can set, frozen. `config/default.toml` explains each key."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    host: str
    port: int = Field(ge=0, le=65535)
    data_dir: Path
    database_url: SecretStr
    week_zone: str
    week_boards: int = Field(ge=0, le=10_000)
    players_auto_create: bool
    rate_limit: int = Field(ge=0)
    jobs: bool
    assignment_minutes: int = Field(ge=1)
    clock: str
    secret_key: SecretStr = SecretStr("")
    grades: tuple[int, ...]
    grade_names: GradeNames
    rating: RatingSettings
    pools: dict[str, PoolSettings]

    @field_validator("week_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            return ZoneInfo(name).key
        except (KeyError, ValueError, OSError) as error:
            raise ValueError(f"no time zone is called {name!r}") from error

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, secret: SecretStr) -> SecretStr:
        text = secret.get_secret_value()
        if text and _kind_of_database(text) is None:
            raise ValueError("expected sqlite:///<file> or postgresql+asyncpg://<user>@<host>/<name>")
        return secret

    @field_validator("grades")
    @classmethod
    def _twelve_steps(cls, thresholds: tuple[int, ...]) -> tuple[int, ...]:
        return GradeScale(thresholds).thresholds

    @field_validator("clock")
    @classmethod
    def _sound_clock(cls, text: str) -> str:
        if text:
            parse_clock(text)
        return text

    @property
    def database(self) -> str:
        """The URL of the database."""
        return self.database_url.get_secret_value() or f"sqlite:///{self.data_dir / 'crossruff.sqlite3'}"

    @property
    def embedded(self) -> bool:
        """Whether the database is a file of ours that `serve` may migrate by itself."""
        return self.database.startswith("sqlite")

    @property
    def database_file(self) -> Path | None:
        """The file of the embedded database; None when it is on a server."""
        name = make_url(self.database).database
        return Path(name) if self.embedded and name else None

    @property
    def zone(self) -> ZoneInfo:
        """The zone of the weeks."""
        return ZoneInfo(self.week_zone)

    @property
    def grade_scale(self) -> GradeScale:
        """The grades with their thresholds and names."""
        named = zip(self.grade_names.en, self.grade_names.zh, strict=True)
        names = tuple(Grade(number, *each) for number, each in enumerate(named, start=1))
        return GradeScale(self.grades, names)

    def all_pools(self) -> dict[str, Pool]:
        """Every configured pool by its name."""
        return {name: pool.pool(name) for name, pool in self.pools.items()}

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, environment, the operator's file, defaults; nothing else is looked at."""
        files = [Path(name)] if (name := os.environ.get(f"{PREFIX}CONFIG")) else []
        own = [TomlConfigSettingsSource(settings_cls, path) for path in files]
        return (init_settings, env_settings, *own, TomlConfigSettingsSource(settings_cls, DEFAULTS))


def load_settings(**arguments: Any) -> Settings:
    """The settings of this process. Raises SettingsRefused, naming each wrong one."""
    _refuse_unknown(os.environ)
    _check_file(os.environ.get(f"{PREFIX}CONFIG"))
    try:
        settings = Settings(**{key: value for key, value in arguments.items() if value is not None})
    except ValidationError as error:
        lines = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise SettingsRefused("\n".join(lines)) from error
    except SettingsError as error:  # a variable that should hold JSON
        raise SettingsRefused(f"{error}: {error.__cause__}") from error
    settings.all_pools()
    return settings


def lines(settings: Settings) -> Iterator[str]:
    """Every setting as a line of TOML, secrets masked."""
    return _lines("", settings.model_dump(mode="json"))


def _lines(prefix: str, values: Mapping[str, Any]) -> Iterator[str]:
    for name, value in values.items():
        key = prefix + (name if _BARE.fullmatch(name) else json.dumps(name))
        if isinstance(value, dict):
            yield from _lines(f"{key}.", value)
        else:
            yield f"{key} = {json.dumps(value, ensure_ascii=False)}"  # TOML writes texts and numbers likewise


def parse_clock(text: str) -> tuple[datetime, float]:
    """Start and speed of a simulated clock, ``2026-11-27T12:00:00Z,60``."""
    start, _, speed = text.partition(",")
    try:
        instant, factor = datetime.fromisoformat(start), float(speed or "1")
    except ValueError as error:
        raise ValueError("expected <instant>,<speed> such as 2026-11-27T12:00:00Z,60") from error
    if instant.tzinfo is None or not 0 < factor <= 1_000_000:
        raise ValueError("the instant needs its zone (Z), the speed is above 0 and at most 1000000")
    return instant, factor


def _refuse_unknown(environment: "os._Environ[str]") -> None:
    """pydantic-settings passes over names that it does not know; a misspelt one must not go unnoticed."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | {f"{PREFIX}CONFIG"}
    ours = (name for name in environment if name.upper().startswith(PREFIX))
    unknown = sorted(name for name in ours if name.upper() not in known)
    if unknown:
        raise SettingsRefused(f"unknown environment variable {', '.join(unknown)}")


def _check_file(name: str | None) -> None:
    """pydantic-settings passes over a file that is not there. Others may read it: it holds no secret."""
    if not name:
        return
    try:
        with Path(name).open("rb") as file:
            values = tomllib.load(file)
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SettingsRefused(f"{name}: {error}") from error
    url = values.get("database_url", "")
    if isinstance(url, str) and _kind_of_database(url) is not None and make_url(url).password:
        raise SettingsRefused(f"{name}: database_url: a password belongs into {PREFIX}DATABASE_URL alone")
    if values.get("secret_key"):
        raise SettingsRefused(f"{name}: secret_key: belongs into {PREFIX}SECRET_KEY alone")


def _kind_of_database(url: str) -> str | None:
    """``sqlite`` or ``postgresql+asyncpg``; None for what we cannot open."""
    try:
        found = make_url(url)
    except (ArgumentError, ValueError):
        return None
    if found.drivername == "sqlite":
        return "sqlite" if found.database and found.database != ":memory:" else None
    return found.drivername if found.drivername == "postgresql+asyncpg" else None
