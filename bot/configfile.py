"""The configuration file: YAML read together with the place of every value, and what else decides beside it."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import platformdirs
import yaml
from pydantic import BaseModel, SecretStr, ValidationError

from bot.config import Config, ConfigError, GameStrength, NoToken, suggestion
from bot.config.sources import SOURCES

DEFAULT_FILE: Final = Path("config.yml")
TOKEN_VARIABLE: Final = "CENTELLA_TOKEN"
DATA_VARIABLE: Final = "CENTELLA_DATA"
TOKEN_FORM: Final = re.compile(r"[A-Za-z0-9_]{1,512}")
UNKNOWN_KINDS: Final = ("union_tag_invalid", "union_tag_not_found")
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
    source = _Source(name)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ConfigError([source.syntax_problem(error)]) from None
    if node is None:
        return Config()
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError([source.at(node, "expected a mapping of keys to values")])
    values = source.construct(node)
    problems = list(source.problems)
    try:
        config = Config.model_validate(values, context={"folder": folder})
    except ValidationError as error:
        # by place in the file, whatever order the checks ran in
        found = [source.problem(node, dict(each)) for each in error.errors(include_url=False)]
        problems += [line for _, line in sorted(found)]
    if problems:
        raise ConfigError(problems)
    return config


def find_token(loaded: Loaded, environment: Mapping[str, str]) -> SecretStr:
    """The token: from the environment, the token file, or the configuration, in this order. Raises NoToken."""
    config, folder = loaded
    if text := environment.get(TOKEN_VARIABLE, "").strip():
        return _checked_token(text, TOKEN_VARIABLE)
    if config.token_file is not None:
        path = folder / Path(config.token_file).expanduser()
        try:
            text = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise ConfigError([f"token_file {path}: cannot be read: {reason}"]) from None
        return _checked_token(text, f"token_file {path}")
    if config.token is not None and (text := config.token.get_secret_value().strip()):
        return _checked_token(text, "token")
    raise NoToken([f"no token: {TOKEN_HELP}"])


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


class _Source:
    """A YAML file whose values are known together with where they stand."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[str] = []
        self._scalars = yaml.constructor.SafeConstructor()

    def at(self, node: yaml.Node, text: str) -> str:
        return f"{self.name}:{node.start_mark.line + 1}:{node.start_mark.column + 1}: {text}"

    def syntax_problem(self, error: yaml.YAMLError) -> str:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        place = f"{self.name}:{mark.line + 1}:{mark.column + 1}" if mark else self.name
        return f"{place}: not YAML: {getattr(error, 'problem', None) or getattr(error, 'reason', 'unreadable')}"

    def construct(self, node: yaml.Node) -> Any:
        """The node's value, sequences as tuples; a key that stands twice is a problem."""
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.construct(item) for item in node.value)
        if not isinstance(node, yaml.MappingNode):
            try:
                return self._scalars.construct_object(node)
            except (yaml.YAMLError, ValueError):
                self.problems.append(self.at(node, f"{node.value!r} is not a value that can be used here"))
                return None
        values: dict[Hashable, Any] = {}
        for key_node, value_node in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else str(key_node.value)
            if key in values:
                self.problems.append(self.at(key_node, f"{key}: stands here a second time"))
            values[key] = self.construct(value_node)
        return values

    def problem(self, root: yaml.Node, error: Mapping[str, Any]) -> tuple[tuple[int, int], str]:
        """Where one validation error stands, and the line that tells of it."""
        location, section = _place(tuple(part for part in error["loc"] if part != "[key]"))
        unknown = error["type"] == "extra_forbidden"
        node = self._node(root, location, key=unknown or len(location) != len(error["loc"]))
        path = ".".join(str(part) for part in location)
        if unknown:
            text = f"unknown key{suggestion(str(location[-1]), _keys_at(location[:-1], section))}"
        elif error["type"] in UNKNOWN_KINDS:
            kind = dict(error["input"]).get("kind", "")
            text = f"no kind of source is called {str(kind)!r}{suggestion(str(kind), list(SOURCES))}"
        else:
            text = error["msg"].removeprefix("Value error, ")
            scalar = isinstance(node, yaml.ScalarNode) and error["type"] != "value_error" and location[:1] != ("token",)
            text = text[0].lower() + text[1:] + (f", not {node.value!r}" if scalar else "")
        return (node.start_mark.line, node.start_mark.column), self.at(node, f"{path}: {text}")

    def _node(self, root: yaml.Node, location: Sequence[str | int], *, key: bool) -> yaml.Node:
        node = root
        for depth, part in enumerate(location):
            if isinstance(node, yaml.SequenceNode) and isinstance(part, int):
                node = node.value[part]
            elif isinstance(node, yaml.MappingNode):
                pairs = {key_node.value: (key_node, value_node) for key_node, value_node in node.value}
                if part not in pairs:
                    break
                node = pairs[part][0 if key and depth == len(location) - 1 else 1]
        return node


def _place(location: tuple[str | int, ...]) -> tuple[tuple[str | int, ...], type[BaseModel]]:
    """A place as the file shows it, and the section at it, or above it: one source of the list is of one kind."""
    if location[:1] == ("sources",) and len(location) > 2 and location[2] in SOURCES:
        return location[:2] + location[3:], SOURCES[str(location[2])]
    return location, Config


def _keys_at(location: Sequence[str | int], section: type[BaseModel]) -> list[str]:
    """The keys that may stand in the section at that place."""
    for part in location[2:] if section is not Config else location:
        field = section.model_fields.get(str(part))
        if field is None:  # the name of a game: below it, what a game may change
            section = GameStrength
            continue
        found = _section_type(field.annotation)
        if found is not None:
            section = found
    return list(section.model_fields)


def _section_type(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return None
