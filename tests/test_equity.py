"""What `euchre equity` promises: rows in their order, and a table that is kept, or made anew."""

import csv
import io
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_kernel_rules import rules_of

import analyzer.equity
from analyzer import kept
from analyzer.cli import main
from analyzer.equity import equity, is_kept, seatings, win_table
from analyzer.rules import GAMES, Rules
from analyzer.strategy import seat_players

FIELDS = "game players scores seats dealer win_game"
FEW = 300
Printed = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "kept_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def table_of(rules: Rules, players: str = "standard", **how: Any) -> Any:
    return win_table(rules, seat_players(players, rules), deals=FEW, **how)


# --- rows ---


@pytest.mark.parametrize(
    ("game", "n"), [("two-handed", 4**2), ("three-handed", 4**3), ("four-handed", 4**2), ("bid", 64)]
)
def test_every_score_has_a_row_for_every_side_in_seat_order(game: str, n: int) -> None:
    rules = rules_of(game, {"target": 4})
    found = equity(rules, seat_players("standard", rules), deals=FEW)
    assert len(found.rows) == n * len(rules.sides)
    for row in found.rows:
        assert " ".join(asdict(row)) == FIELDS
        assert row.dealer == (rules.n_seats in row.seats)
        assert row.game == game
    for k in range(0, len(found.rows), len(rules.sides)):
        rows = found.rows[k : k + len(rules.sides)]
        assert [tuple(row.seats) for row in rows] == list(rules.sides)
        assert sum(row.win_game for row in rows) == pytest.approx(1)
    assert found.rows[0].scores == [-4 if game == "bid" else 0] * len(rules.sides)


def test_more_points_are_never_worth_less() -> None:
    rules = rules_of("four-handed", {})
    table = table_of(rules).table
    for own in range(9):
        for other in range(10):
            assert table.before((own, other))[0] <= table.before((own + 1, other))[0] + 1e-12


def test_players_who_sit_alike_after_some_deals_have_so_many_seatings() -> None:
    rules = rules_of("four-handed", {})
    for players, n in (("standard", 1), ("bold,standard,bold,standard", 2), ("bold,bold,standard,standard", 4)):
        seated = seatings(seat_players(players, rules))
        assert len(seated) == n
        assert [strategy.name for strategy in seated[-1]] == (players.split(",") * 4)[n - 1 : n + 3]


def test_the_better_players_win_more_whoever_deals() -> None:
    rules = rules_of("four-handed", {})
    table = win_table(rules, seat_players("standard,random,standard,random", rules), deals=2000).table
    assert table.before((0, 0), 0)[0] > 0.9
    assert table.before((0, 0), 1)[1] > 0.9


def test_threads_change_no_digit() -> None:
    rules = rules_of("three-handed", {})
    one = equity(rules, seat_players("standard", rules), deals=FEW, workers=1)
    shutil.rmtree(kept.kept_folder())
    other = equity(rules, seat_players("standard", rules), deals=FEW, workers=2)
    assert one.rows == other.rows


# --- what is kept ---


def test_a_table_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of("two-handed", {})
    players = seat_players("standard", rules)
    assert not is_kept(rules, players, deals=FEW)
    first = table_of(rules)
    assert is_kept(rules, players, deals=FEW)
    monkeypatch.setattr(analyzer.equity, "run_study", None)
    assert (table_of(rules).table.chances == first.table.chances).all()


def test_other_rules_players_deals_and_seeds_are_other_tables() -> None:
    rules = rules_of("two-handed", {})
    table_of(rules)
    other = rules_of("two-handed", {"stick_the_dealer": True})
    assert not is_kept(other, seat_players("standard", other), deals=FEW)
    assert not is_kept(rules, seat_players("bold", rules), deals=FEW)
    assert not is_kept(rules, seat_players("standard", rules), deals=FEW + 1)
    assert not is_kept(rules, seat_players("standard", rules), deals=FEW, seed=1)


@pytest.mark.parametrize("spoilt", ["empty", "cut", "text", "other"])
def test_a_file_that_is_spoilt_is_made_anew(spoilt: str, own_folder: Path) -> None:
    rules = rules_of("two-handed", {})
    first = table_of(rules).table
    (file,) = own_folder.iterdir()
    whole = file.read_bytes()
    other = io.BytesIO()
    np.savez(other, counts=np.zeros((1, 7), np.int64), chances=first.chances)
    file.write_bytes(
        {"empty": b"", "cut": whole[: len(whole) // 2], "text": b"PK no", "other": other.getvalue()}[spoilt]
    )
    assert not is_kept(rules, seat_players("standard", rules), deals=FEW)
    assert (table_of(rules).table.chances == first.chances).all()
    assert file.read_bytes()[:2] == b"PK"
    assert is_kept(rules, seat_players("standard", rules), deals=FEW)
    assert list(own_folder.iterdir()) == [file]


def test_a_cache_that_cannot_be_written_is_done_without(own_folder: Path) -> None:
    own_folder.write_text("no folder")
    assert 0.4 < table_of(rules_of("two-handed", {})).table.before((0, 0))[0] < 0.6


def test_only_so_many_tables_are_kept(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_FILES", 3)
    for k in range(5):
        kept.keep("equity", str(k), b"x")
    assert len(list(own_folder.iterdir())) == 3


def test_ctrl_c_leaves_what_was_counted_and_keeps_nothing(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: int) -> None:
        if done >= 2 * analyzer.simulate.CHUNK:
            raise KeyboardInterrupt

    monkeypatch.setattr(analyzer.simulate, "CHUNK", 50)
    rules = rules_of("two-handed", {})
    players = seat_players("standard", rules)
    found = win_table(rules, players, deals=10_000, progress=stop)
    assert (found.is_interrupted, found.deals) == (True, 100)
    assert not own_folder.exists()
    with pytest.raises(KeyboardInterrupt):
        win_table(rules, seat_players("standard,bold", rules), deals=10_000, progress=stop)


# --- the command ---


@pytest.mark.parametrize("game", GAMES)
def test_the_command_shows_exports_and_asks_one_score(game: str, capsys: Printed, tmp_path: Path) -> None:
    words = ["equity", "-g", game, "-r", "target=6", "--deals", "300"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines()[:-1])) <= 80
    assert "(deal" in shown
    assert main([*words, "--format", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert " ".join(whole) == "game rules rows provenance"
    assert (whole["game"], whole["rules"]) == (game, {"target": 6})
    assert main([*words, "--output", str(tmp_path / "all.csv")]) == 0
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text().splitlines()))
    assert " ".join(rows[0]) == FIELDS
    assert [float(row["win_game"]) for row in rows] == [row["win_game"] for row in whole["rows"]]
    score = [3, 5, 1][: len(GAMES[game].sides)]
    assert main([*words, "--score", ",".join(map(str, score)), "--format", "json"]) == 0
    one = json.loads(capsys.readouterr().out)["rows"]
    assert one == [row for row in whole["rows"] if row["scores"] == score]


def test_a_score_at_which_bid_plays_on_can_be_asked(capsys: Printed) -> None:
    assert main(["equity", "-g", "bid", "--score", "34,33", "--deals", "300", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert sum(row["win_game"] for row in rows) == pytest.approx(1)
