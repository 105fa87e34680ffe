"""A YAML file whose values are known together with where they stand, so that each mistake can be pointed at."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, get_args

import yaml
from pydantic import BaseModel

from bot.config import Config, suggestion
from bot.config.sources import SOURCES

UNKNOWN_KINDS: Final = ("union_tag_invalid", "union_tag_not_found")
ACCOUNTS: Final = "accounts"
LIST_OF_SOURCES: Final = "sources"
SECRET: Final = "token"

Location = tuple[str | int, ...]


class YamlFile:
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

    def problem(self, root: yaml.Node, error: Mapping[str, Any]) -> tuple[tuple[int, int], str] | None:
        """Where one validation error stands, and the line that tells of it.

        None for a mistake that an account has from the top level, where it is told.
        """
        location, section, depth = place(tuple(part for part in error["loc"] if part != "[key]"))
        unknown = error["type"] == "extra_forbidden"
        if location[:1] == (ACCOUNTS,) and not has(root, location):
            return None
        node = self._node(root, location, key=unknown or len(location) != len(error["loc"]))
        path = ".".join(str(part) for part in location)
        if unknown:
            text = f"unknown key{suggestion(str(location[-1]), keys_at(location[depth:-1], section))}"
        elif error["type"] in UNKNOWN_KINDS:
            kind = dict(error["input"]).get("kind", "")
            text = f"no kind of source is called {str(kind)!r}{suggestion(str(kind), list(SOURCES))}"
        else:
            text = error["msg"].removeprefix("Value error, ")
            shown = isinstance(node, yaml.ScalarNode) and error["type"] != "value_error" and SECRET not in location
            text = text[0].lower() + text[1:] + (f", not {node.value!r}" if shown else "")
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


def has(root: yaml.Node, location: Location) -> bool:
    """Whether something stands at that place of the file itself."""
    node = root
    for part in location:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        elif isinstance(node, yaml.MappingNode):
            pairs = {key_node.value: value_node for key_node, value_node in node.value}
            if part not in pairs:
                return False
            node = pairs[part]
        else:
            return False
    return True


def place(location: Location) -> tuple[Location, type[BaseModel], int]:
    """A place as the file shows it, the section that is known to hold it, and how deep in the file that section is.

    What is wrong with one source of a list is told with its kind, which is no place.
    """
    start = 2 if location[:1] == (ACCOUNTS,) else 0
    shown, kind = location[start : start + 1], location[start + 2 : start + 3]
    if shown == (LIST_OF_SOURCES,) and kind and kind[0] in SOURCES:
        return location[: start + 2] + location[start + 3 :], SOURCES[str(kind[0])], start + 2
    return location, Config, 0


def keys_at(location: Sequence[str | int], section: type[BaseModel]) -> list[str]:
    """The keys that may stand at that place below a section."""
    annotation: object = section
    for part in location:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields.get(str(part))
            annotation = None if field is None else field.annotation
        else:  # a name or a number that is free to choose
            annotation = _section_in(annotation)
    found = _section_in(annotation)
    return [] if found is None else list(found.model_fields)


def _section_in(annotation: object) -> type[BaseModel] | None:
    """The section that a field is, or holds many of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _section_in(part)) is not None), None)
