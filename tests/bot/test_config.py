"""The configuration: its defaults, its file, and how each mistake is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from bot.config import Config, ConfigError, NoToken, SearchLimits
from bot.config.sources import SOURCES, Book, SourceTerms
from bot.configfile import Loaded, configs, data_folder, find_token, find_tokens, load, parse

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "lip_secretSecret"


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        parse(text, "config.yml")
    return caught.value.problems


def test_the_example_is_exactly_the_defaults() -> None:
    assert load(ROOT / "config.yml.example").config == Config()


def test_the_example_shows_every_key() -> None:
    """A key that is left out of the example would load to its default unseen."""

    def keys(section: object) -> set[str]:
        if not isinstance(section, dict):
            return set()
        return set(section) | {key for part in section.values() for key in keys(part)}

    text = re.sub("#.*", "", (ROOT / "config.yml.example").read_text(encoding="utf-8"))
    shown = set(re.findall(r"(?:^|[{,]) *(\w+):", text, re.MULTILINE))
    assert keys(Config().model_dump()) <= shown


def test_the_example_shows_every_source_with_its_defaults() -> None:
    text = (ROOT / "config.yml.example").read_text(encoding="utf-8")
    comment = re.search(r"^#  - kind:(?:.*\n#.*)*", text, re.MULTILINE)
    assert comment is not None
    shown = "sources:\n" + "".join(line.removeprefix("#") + "\n" for line in comment[0].splitlines())
    sources = parse(shown, "example").sources
    assert [source.kind for source in sources] == list(SOURCES), "each once, in this order"
    common = set(SourceTerms.model_fields)
    assert common <= sources[0].model_fields_set
    for source in sources:
        needed = {name for name, field in SOURCES[source.kind].model_fields.items() if field.is_required()}
        own = set(SOURCES[source.kind].model_fields) - common
        assert own <= source.model_fields_set, source.kind
        assert source == SOURCES[source.kind](**{name: getattr(source, name) for name in needed})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "sources:\n- kind: bok\n  files: [a]\n",
            "config.yml:2:3: sources.0: no kind of source is called 'bok'; did you mean 'book'?",
        ),
        ("sources: [{kind: book}]\n", "config.yml:1:11: sources.0.files: field required"),
        (
            "sources:\n- kind: engine\n  command: x\n  limits: {dept: 3}\n",
            "config.yml:4:12: sources.0.limits.dept: unknown key; did you mean 'depth'?",
        ),
        ("sources:\n- kind: cloud\n  urk: x\n", "config.yml:3:3: sources.0.urk: unknown key; did you mean 'url'?"),
        (
            "sources: [{kind: explorer, games_of: player}]\n",
            "config.yml:1:11: sources.0: `player` names the one whose games are asked for by `games_of: player`",
        ),
        (
            "sources: [{kind: function, target: choose}]\n",
            "config.yml:1:28: sources.0.target: a function is named as module:function",
        ),
        (
            "sources: [{kind: engine, command: 'a \"b'}]\n",
            "config.yml:1:26: sources.0.command: not a command: No closing quotation",
        ),
        (
            "sources: [{kind: cloud, url: 'ftp://x'}]\n",
            "config.yml:1:25: sources.0.url: an address is https://HOST, perhaps with :PORT and a path",
        ),
        (
            "strength: {levels_in: [casual, rated]}\n",
            "config.yml:1:23: strength.levels_in: in rated games the strength is the same for everybody: "
            "levels are for casual games only",
        ),
        (
            "chat: {greeting: 'Hello {oponent}'}\n",
            "config.yml:1:18: chat.greeting: there is no placeholder {oponent}; did you mean 'opponent'?",
        ),
    ],
)
def test_a_mistake_about_sources_levels_and_greetings_is_told_with_its_place(text: str, line: str) -> None:
    assert problems(text) == (line,)


def test_the_paths_of_sources_start_where_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("sources: [{kind: book, files: [a.bin, /b.bin]}]\n", encoding="utf-8")
    (book,) = load(tmp_path / "config.yml").config.sources
    assert isinstance(book, Book)
    assert book.files == (str(tmp_path / "a.bin"), "/b.bin")


def test_no_file_and_an_empty_file_are_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load(None).config == Config()
    assert parse("# nothing yet\n", "config.yml") == Config()


def test_config_yml_of_the_working_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.yml").write_text("accept: {max_games: 7}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load(None).config.accept.max_games == 7


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("acept: {}\n", "config.yml:1:1: acept: unknown key; did you mean 'accept'?"),
        (
            "accept:\n  humans:\n    sped: [blitz]\n",
            "config.yml:3:5: accept.humans.sped: unknown key; did you mean 'speeds'?",
        ),
        (
            "accept:\n  humans:\n    casual:\n    - standard\n    - atomc\n",
            "config.yml:5:7: accept.humans.casual.1: no game has the key 'atomc'; did you mean 'atomic'?",
        ),
        (
            "strength:\n  variants:\n    sparc: {}\n",
            "config.yml:3:5: strength.variants.sparc: no game has the key 'sparc'; did you mean 'spark'?",
        ),
        (
            "strength:\n  network: 5\n",
            "config.yml:2:12: strength.network: input should be a valid string, not '5'",
        ),
        (
            "strength: {variants: {spark: {hash: 4}}}\n",
            "config.yml:1:31: strength.variants.spark.hash: unknown key; did you mean 'hash_mb'?",
        ),
        (
            "network:\n  settle_s: -1\n",
            "config.yml:2:13: network.settle_s: input should be greater than 0, not '-1'",
        ),
        (
            "accept: {max_games: many}\n",
            "config.yml:1:21: accept.max_games: input should be a valid integer, not 'many'",
        ),
        (
            "accept: 3\n",
            "config.yml:1:9: accept: input should be a valid dictionary or instance of Acceptance, not '3'",
        ),
        ("accept: {}\naccept: {}\n", "config.yml:2:1: accept: stands here a second time"),
        ("- 1\n", "config.yml:1:1: expected a mapping of keys to values"),
    ],
)
def test_a_mistake_is_told_with_its_place(text: str, line: str) -> None:
    assert problems(text) == (line,)


def test_a_reservation_that_leaves_bots_no_place_is_told() -> None:
    (line,) = problems("accept: {max_games: 2, reserved_for_humans: 2}\n")
    assert line.startswith("config.yml:1:9: accept: with all places reserved for humans there is none for bots")
    assert parse("accept: {max_games: 2, reserved_for_humans: 2, bots: {allow: false}}\n", "config.yml").accept


def test_files_of_names_are_found_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("lists: {block: {files: [bad.txt, /etc/worse.txt]}}\n", encoding="utf-8")
    assert load(tmp_path / "config.yml").config.lists.block.files == (str(tmp_path / "bad.txt"), "/etc/worse.txt")


def test_broken_yaml_is_told_with_its_place() -> None:
    (line,) = problems("accept:\n  max_games: [1\n")
    assert line.startswith("config.yml:3:1: not YAML: ")


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    found = problems("zzz: 1\naccept: {max_games: 0}\nlog: {level: loud}\nlogg: {}\n")
    assert [line.split(":")[1] for line in found] == ["1", "2", "3", "4"]
    assert "did you mean 'log'?" in found[-1]
    assert "(known: " in found[0]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("lichess.org", "an address is https://HOST"),
        ("https://lichess.org/path", "an address is https://HOST"),
        ("ftp://lichess.org", "an address is https://HOST"),
        ("https://", "an address is https://HOST"),
        ("https://lichess.org:many", "not an address"),
        ("https://me:secret@lichess.org", "no name or password"),
        ("http://lichess.org", "the token would travel unencrypted"),
    ],
)
def test_an_address_that_would_not_do_is_refused(url: str, says: str) -> None:
    (line,) = problems(f"url: {url}\n")
    assert line.startswith("config.yml:1:6: url: ")
    assert says in line


@pytest.mark.parametrize("url", ["https://lichess.dev/", "http://localhost:8080", "http://127.0.0.1:9", "http://lila"])
def test_near_addresses_need_no_encryption(url: str) -> None:
    assert parse(f"url: {url}\n", "config.yml").url == url


def test_a_token_is_never_repeated_in_an_error() -> None:
    found = problems(f"token: [{TOKEN}]\n")
    assert len(found) == 1
    assert TOKEN not in found[0]
    with pytest.raises(ConfigError) as caught:
        find_token(Loaded(Config(), Path()), {"CENTELLA_TOKEN": f"{TOKEN} {TOKEN}"})
    assert TOKEN not in str(caught.value)
    assert TOKEN not in repr(parse(f"token: {TOKEN}\n", "config.yml"))


def test_the_token_comes_from_environment_file_or_config_in_this_order(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from_file\n", encoding="utf-8")
    both = Config(token=SecretStr("from_config"), token_file="token")
    assert find_token(Loaded(both, tmp_path), {"CENTELLA_TOKEN": "from_environment"}).get_secret_value() == (
        "from_environment"
    )
    assert find_token(Loaded(both, tmp_path), {"CENTELLA_TOKEN": " "}).get_secret_value() == "from_file"
    own = Config(token=SecretStr("from_config"))
    assert find_token(Loaded(own, tmp_path), {}).get_secret_value() == "from_config"


def test_no_token_and_an_unreadable_token_file_are_told(tmp_path: Path) -> None:
    with pytest.raises(NoToken, match="bot:play"):
        find_token(Loaded(Config(), tmp_path), {})
    with pytest.raises(ConfigError, match=r"token_file .*nowhere: cannot be read: No such file"):
        find_token(Loaded(Config(token_file="nowhere"), tmp_path), {})


def test_the_data_folder_is_the_option_then_the_environment_then_the_config(tmp_path: Path) -> None:
    loaded = Loaded(Config(data="games"), tmp_path)
    assert data_folder("/a", loaded, {"CENTELLA_DATA": "/b"}) == Path("/a")
    assert data_folder(None, loaded, {"CENTELLA_DATA": "/b"}) == Path("/b")
    assert data_folder(None, loaded, {}) == tmp_path / "games"
    assert data_folder(None, Loaded(Config(), tmp_path), {}).name == "centella"


def test_a_game_changes_of_the_strength_only_what_it_names() -> None:
    text = "strength: {hash_mb: 8, limits: {depth: 9, nodes: 50}, variants: {atomic: {limits: {depth: 3}}}}\n"
    strength = parse(text, "config.yml").strength
    assert strength.limits_for("atomic") == SearchLimits(depth=3, nodes=50)
    assert strength.limits_for("spark") == SearchLimits(depth=9, nodes=50)
    assert strength.hash_mb_for("atomic") == 8


@pytest.mark.parametrize(
    ("written", "meant"),
    [("auto", "auto"), ("none", "none"), ("nets/atomic.net", "{folder}/nets/atomic.net"), ("/a/nets", "/a/nets")],
)
def test_a_network_is_a_word_or_a_path_from_the_configuration(written: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text(f"strength: {{network: {written}}}\n")
    assert load(tmp_path / "config.yml").config.strength.network == meant.format(folder=tmp_path)


def test_a_game_can_lift_a_limit_that_the_others_have() -> None:
    text = "strength: {limits: {depth: 1}, variants: {atomic: {limits: {depth: null, time_ms: 600}}}}\n"
    strength = parse(text, "config.yml").strength
    assert strength.limits_for("atomic") == SearchLimits(depth=None, time_ms=600)
    assert strength.limits_for("spark") == SearchLimits(depth=1)


def test_a_configuration_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Config().accept.max_games = 2  # type: ignore[misc]


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load(tmp_path / "nothing.yml")
    (tmp_path / "latin.yml").write_bytes(b"contact: caf\xe9\n")
    with pytest.raises(ConfigError, match="not UTF-8 text"):
        load(tmp_path / "latin.yml")


FAMILY = """
accept:
  max_games: 3
  humans: {casual: [standard], rated: []}
strength: {hash_total_mb: 100, limits: {depth: 9}}
token: top_level
accounts:
  gentle:
    token_file: gentle.token
    strength: {limits: {nodes: 500}}
  strong-one:
    token_variable: STRONG_TOKEN
    accept: {humans: {casual: [atomic, spark]}}
    url: http://127.0.0.1:9
"""


def test_an_account_differs_only_in_what_stands_below_its_name() -> None:
    found = configs(Loaded(parse(FAMILY, "config.yml"), Path()))
    gentle, strong = found["gentle"], found["strong-one"]
    assert gentle.strength.limits == SearchLimits(depth=9, nodes=500)
    assert strong.strength.limits == SearchLimits(depth=9)
    assert (gentle.accept.max_games, gentle.accept.humans.casual) == (3, ("standard",))
    assert (strong.accept.max_games, strong.accept.humans.casual, strong.accept.humans.rated) == (
        3, ("atomic", "spark"), (),
    )  # fmt: skip
    assert (gentle.url, strong.url) == ("https://lichess.org", "http://127.0.0.1:9")
    assert gentle.strength.hash_total_mb == strong.strength.hash_total_mb == 50


def test_no_account_inherits_the_token(tmp_path: Path) -> None:
    loaded = Loaded(parse(FAMILY, "config.yml"), tmp_path)
    (tmp_path / "gentle.token").write_text("of_gentle\n", encoding="utf-8")
    tokens = find_tokens(loaded, {"STRONG_TOKEN": "of_strong", "CENTELLA_TOKEN": "of_nobody"})
    assert {name: token.get_secret_value() for name, token in tokens.items()} == {
        "gentle": "of_gentle", "strong-one": "of_strong",
    }  # fmt: skip
    with pytest.raises(NoToken, match=r"no token for strong-one: .*STRONG_TOKEN is not set"):
        find_tokens(loaded, {"CENTELLA_TOKEN": "of_nobody"})
    (tmp_path / "gentle.token").unlink()
    with pytest.raises(ConfigError) as caught:
        find_tokens(loaded, {})
    assert len(caught.value.problems) == 2, "all that is wrong is told at once"


def test_another_variable_may_hold_the_only_token() -> None:
    loaded = Loaded(parse("token_variable: OTHER\n", "config.yml"), Path())
    assert find_token(loaded, {"OTHER": "good", "CENTELLA_TOKEN": "bad"}).get_secret_value() == "good"
    with pytest.raises(NoToken):
        find_token(loaded, {"CENTELLA_TOKEN": "bad"})


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "accounts:\n  gentle: {acept: {}}\n",
            ["config.yml:2:12: accounts.gentle.acept: unknown key; did you mean 'accept'?"],
        ),
        (
            "accounts:\n  gentle: {accept: {humans: {sped: []}}}\n",
            ["config.yml:2:30: accounts.gentle.accept.humans.sped: unknown key; did you mean 'speeds'?"],
        ),
        (
            "accounts:\n  gentle: {log: {}}\n",
            ["config.yml:2:12: accounts.gentle.log: unknown key"],
        ),
        (
            "accept: {max_games: 0}\naccounts: {a: {}, b: {}}\n",
            ["config.yml:1:21: accept.max_games: input should be greater than 0, not '0'"],
        ),
        (
            "accounts: {a: {sources: [{kind: book, files: [x], weight: 1}]}}\n",
            ["config.yml:1:51: accounts.a.sources.0.weight: unknown key"],
        ),
        ("accounts: {a: {token: [x]}}\n", ["config.yml:1:23: accounts.a.token: "]),
        ("accounts: {a: 3}\n", ["config.yml:1:15: accounts.a: "]),
        ("accounts: {'a b': {}}\n", ["config.yml:1:12: accounts.a b: "]),
    ],
)
def test_a_mistake_in_an_account_is_told_once_with_its_place(text: str, lines: list[str]) -> None:
    found = problems(text)
    assert len(found) == len(lines)
    assert all(line.startswith(start) for line, start in zip(found, lines, strict=True)), found
