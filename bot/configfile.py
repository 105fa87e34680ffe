"""The configuration file: YAML read together with the place of every value, and what else decides beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs
import yaml
from pydantic import SecretStr, ValidationError

from bot.config import Account, Config, ConfigError, NoToken
from bot.config.yamlfile import YamlFile

DEFAULT_FILE: Final = Path("config.yml")
TOKEN_VARIABLE: Final = "CENTELLA_TOKEN"
DATA_VARIABLE: Final = "CENTELLA_DATA"
TOKEN_FORM: Final = re.compile(r"[A-Za-z0-9_]{1,512}")
TOKEN_HELP: Final = (
    "create one with the scope bot:play at https://lichess.org/account/oauth/token and put it into "
    f"{TOKEN_VARIABLE}, into the file that token_file names, or into config.yml as token"
)


class Loaded(NamedTuple):
    """A configuration and the folder that its relative paths start from."""

    config: Config
    folder: Path


def load(path: Path | None) -> Loaded:
    """The configuration in that file, or in ./config.yml if there is one, or the defaults.

    Raises ConfigError with every problem of the file.
    """
    if path is None and not DEFAULT_FILE.exists():
        return Loaded(Config(), Path())
    file = path or DEFAULT_FILE
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ConfigError([f"{file}: cannot be read: {reason}"]) from None
    return Loaded(parse(text, str(file), file.parent), file.parent)


def parse(text: str, name: str, folder: Path | None = None) -> Config:
    """The configuration that a YAML text describes; `name` is what errors call it, `folder` where its paths start."""
    source = YamlFile(name)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ConfigError([source.syntax_problem(error)]) from None
    if node is None:
        return Config()
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError([source.at(node, "expected a mapping of keys to values")])
    values = _with_inheritance(source.construct(node))
    problems = list(source.problems)
    try:
        config = Config.model_validate(values, context={"folder": folder})
    except ValidationError as error:
        # by place in the file, whatever order the checks ran in
        found = [source.problem(node, dict(each)) for each in error.errors(include_url=False)]
        problems += [line for _, line in sorted(each for each in found if each is not None)]
    if problems:
        raise ConfigError(problems)
    return config


def configs(loaded: Loaded) -> dict[str, Config]:
    """What each account goes by, by its name in the configuration; the only account has none."""
    names = loaded.config.accounts
    return {name: loaded.config.of_account(name) for name in names} if names else {"": loaded.config}


def find_token(loaded: Loaded, environment: Mapping[str, str], name: str = "") -> SecretStr:
    """The token of an account: from the environment, the token file, or the configuration, in this order.

    Raises NoToken; ConfigError for what is no token.
    """
    account = loaded.config.accounts[name] if name else loaded.config
    place = f"accounts.{name}." if name else ""
    variable = account.token_variable or (None if name else TOKEN_VARIABLE)
    if variable and (text := environment.get(variable, "").strip()):
        return _checked_token(text, variable)
    if account.token_file is not None:
        path = loaded.folder / Path(account.token_file).expanduser()
        try:
            text = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise ConfigError([f"{place}token_file {path}: cannot be read: {reason}"]) from None
        return _checked_token(text, f"{place}token_file {path}")
    if account.token is not None and (text := account.token.get_secret_value().strip()):
        return _checked_token(text, f"{place}token")
    if name:
        where = f"put one into token_file, token_variable or token of accounts.{name}"
        raise NoToken([f"no token for {name}: {where}" + (f" ({variable} is not set)" if variable else "")])
    raise NoToken([f"no token: {TOKEN_HELP}"])


def find_tokens(loaded: Loaded, environment: Mapping[str, str]) -> dict[str, SecretStr]:
    """The token of every account. Raises ConfigError with all that is wrong with them, NoToken if only that."""
    tokens, problems, missing = dict[str, SecretStr](), list[str](), True
    for name in loaded.config.accounts or ("",):
        try:
            tokens[name] = find_token(loaded, environment, name)
        except ConfigError as error:
            problems += error.problems
            missing = missing and isinstance(error, NoToken)
    if problems:
        raise NoToken(problems) if missing else ConfigError(problems)
    return tokens


def data_folder(option: str | None, loaded: Loaded, environment: Mapping[str, str]) -> Path:
    """Where the database and the log are: the option, the environment, the configuration, the platform's folder."""
    if text := option or environment.get(DATA_VARIABLE, ""):
        return Path(text).expanduser()
    if loaded.config.data is not None:
        return loaded.folder / Path(loaded.config.data).expanduser()
    return Path(platformdirs.user_data_dir("centella", appauthor=False))


def prepared_data_folder(option: str | None, loaded: Loaded) -> Path:
    """The data folder, made if need be. Raises ConfigError when it cannot be written to."""
    folder = data_folder(option, loaded, os.environ)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError([f"data folder {folder}: cannot be made: {error.strerror}"]) from None
    if not os.access(folder, os.W_OK):
        raise ConfigError([f"data folder {folder}: not writable"])
    return folder


def _checked_token(text: str, place: str) -> SecretStr:
    if not TOKEN_FORM.fullmatch(text):
        raise ConfigError([f"{place}: not a token: letters, digits and _ only, at most 512"])
    return SecretStr(text)


def _with_inheritance(values: dict[Hashable, Any]) -> dict[Hashable, Any]:
    """The values of a file, those of every account completed by what stands at the top level, its token excepted."""
    accounts = values.get("accounts")
    if not isinstance(accounts, dict):
        return values
    common: dict[Hashable, Any] = {
        key: values[key] for key in Account.model_fields if key in values and not key.startswith("token")
    }
    whole = {name: _overlaid(common, own) if isinstance(own, dict) else own for name, own in accounts.items()}
    return {**values, "accounts": whole}


def _overlaid(common: Mapping[Hashable, Any], own: Mapping[Hashable, Any]) -> dict[Hashable, Any]:
    merged = dict(common)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(common.get(key), dict)
        merged[key] = _overlaid(common[key], value) if both else value
    return merged
