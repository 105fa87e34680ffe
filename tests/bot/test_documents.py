"""The documents name settings that exist, and commands and metrics that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.__main__ import COMMANDS
from bot.config import Config
from bot.config.sources import SOURCES
from bot.config.yamlfile import keys_at
from bot.meters import Meters
from bot.operation.help import HELP
from bot.operation.watch import GAUGES

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMING = (DOCS / "coming-from-lichess-bot.md").read_text(encoding="utf-8")
OPERATING = (DOCS / "operating.md").read_text(encoding="utf-8")



def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


LICHESS_BOT = words(
    """
token url dir name working_dir protocol ponder polyglot enabled book min_weight selection max_depth draw_or_resign
resign_enabled resign_score resign_for_egtb_minus_two resign_moves offer_draw_enabled offer_draw_score
offer_draw_for_egtb_zero offer_draw_moves offer_draw_pieces online_moves chessdb_book min_time move_quality min_depth
contribute lichess_cloud_analysis max_score_difference min_knodes lichess_opening_explorer source player_name sort
min_games online_egtb max_pieces lichess_bot_tbs syzygy gaviota min_dtm_to_consider_as_wdl_1 max_out_of_book_moves
max_retries engine_options homemade_options uci_options go_commands xboard_options silence_stderr interpreter
interpreter_options abort_time fake_think_time rate_limiting_delay move_overhead max_takebacks_accepted
quit_after_all_games_finish correspondence move_time checkin_period disconnect_time challenge concurrency sort_by
preference accept_bot only_bot max_increment min_increment bullet_requires_increment max_base min_base max_days min_days
variants time_controls modes block_list online_block_list allow_list recent_bot_challenge_age max_recent_bot_challenges
max_simultaneous_games_per_user greeting hello goodbye hello_spectators goodbye_spectators pgn_directory
pgn_file_grouping matchmaking allow_matchmaking allow_during_games challenge_variant challenge_timeout
challenge_initial_time challenge_increment challenge_days opponent_min_rating opponent_max_rating
opponent_rating_difference rating_preference opponent_allow_tos_violation challenge_mode challenge_filter
include_challenge_block_list overrides
"""
)
BOTLI = words(
    """
token engines dir name ponder silence_stderr move_overhead_multiplier uci_options limits time depth nodes syzygy paths
max_pieces instant_play gaviota opening_books priority books selection names max_depth online_moves opening_explorer
player only_without_book use_for_variants min_time timeout min_games only_with_wins anti max_moves lichess_cloud
min_eval_depth chessdb min_candidates online_egtb offer_draw score consecutive_moves min_game_length against_humans
min_rating resign challenge concurrency max_takebacks bullet_with_increment_only min_increment max_increment min_initial
max_initial variants time_controls bot_modes human_modes matchmaking delay types tc rated variant weight multiplier
min_rating_diff max_rating_diff messages greeting goodbye greeting_spectators goodbye_spectators whitelist blacklist
"""
)


def section(title: str) -> str:
    return COMING.split(f"## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize(("title", "keys"), [("lichess-bot", LICHESS_BOT), ("BotLi", BOTLI)])
def test_every_key_of_the_others_is_mapped_or_refused_with_a_reason(title: str, keys: list[str]) -> None:
    mapped = set(words(" ".join(re.findall(r"`[^`]*`", section(title)))))
    assert [key for key in keys if key not in mapped] == []


def test_every_setting_that_a_document_names_exists() -> None:
    roots = "|".join(Config.model_fields)
    named = set(re.findall(rf"`((?:{roots})(?:\.\w+)+)`", COMING + OPERATING))
    assert len(named) > 40
    theirs = {name for name in named if name.split(".")[1] in (*LICHESS_BOT, *BOTLI, "yml")}
    unknown = [
        name for name in sorted(named - theirs) if name.split(".")[-1] not in keys_at(name.split(".")[:-1], Config)
    ]
    assert unknown == []


def test_every_kind_of_source_that_is_named_exists() -> None:
    kinds = set(re.findall(r"kind: (\w+)", COMING))
    assert kinds <= SOURCES.keys()
    for row in re.findall(r"sources: \[\{kind: (\w+), ([^}]*)\}\]", COMING):
        keys = set(re.findall(r"(\w+):", row[1]))
        assert keys <= SOURCES[row[0]].model_fields.keys(), row


def test_every_command_that_is_named_exists() -> None:
    for text in (COMING, OPERATING):
        named = set(re.findall(r"(?<!exec )centella (?!centella)([a-z]+)(?: |`)", text))
        assert named <= COMMANDS.keys()
    told = {name.split()[0] for name in HELP}
    assert set(re.findall(r"centella ctl ([a-z]+)", OPERATING)) <= told
    assert told - {"help", "health"} <= set(re.findall(r"`(?:centella ctl )?([a-z]+)[` ]", OPERATING))


def test_every_metric_is_explained() -> None:
    meters = Meters()
    metrics = meters.registry.collect()
    names = {f"{metric.name}_total" if metric.type == "counter" else metric.name for metric in metrics}
    explained = set(re.findall(r"centella_\w+", OPERATING))
    assert (names | GAUGES.keys()) - explained == set()
