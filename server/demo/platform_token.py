"""The login of the simulated tables."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from server.app import Installed
from server.demo.folder import PLATFORM_TOKEN
from server.secret_files import replace_secret
from server.services import tokens
from server.services.errors import TokenInvalid
from server.services.tokens import Caller, Scope

_NAME = "demo tables"
_SCOPES = frozenset([Scope.RESULTS, Scope.BOARDS, Scope.EVENTS])


@dataclass(frozen=True, slots=True)
class Login:
    """A token and whose it is."""

    token: str
    caller: Caller
    client: int


async def login(data_dir: Path, installed: Installed) -> Login:
    """The token in the data folder, made when there is none that holds."""
    file, now = data_dir / PLATFORM_TOKEN, installed.clock.now()
    if file.exists():
        token = file.read_text(encoding="ascii").strip()
        try:
            found = await _login(token, installed, now)
        except TokenInvalid:  # somebody has revoked it
            pass
        else:
            if found.caller.scopes >= _SCOPES:
                return found
    token = await tokens.create(installed.database, _NAME, _SCOPES, now)
    replace_secret(file, token)
    return await _login(token, installed, now)


async def _login(token: str, installed: Installed, now: datetime) -> Login:
    kept = await tokens.recognise(installed.database, token)
    return Login(token, tokens.caller(kept, now), kept.client)
