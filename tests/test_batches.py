"""What a long run promises: rows that are the deals, a break that changes nothing, another question refused."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_kernel_rules import rules_of
from test_simulate import TEAMS, some

import analyzer.batches
import analyzer.checkpoints
import analyzer.files
import analyzer.simulate
from analyzer.batches import How, Ran, run_study
from analyzer.checkpoints import Checkpoint
from analyzer.cli import main
from analyzer.engine import chunks
from analyzer.errors import QuestionError, RunError
from analyzer.files import GrowingFile
from analyzer.hands import columns_of
from analyzer.matches import MatchStudy
from analyzer.record import HandRecord
from analyzer.rules import GAMES, Rules
from analyzer.simulate import SimulateStudy, record_hands
from analyzer.strategy import seat_players
from reports.hand_rows import CsvHands, ParquetHands

Printed = pytest.CaptureFixture[str]
DTYPES: dict[str, Any] = {"text": "string", "integer": "Int64", "boolean": "boolean"}


def study_of(rules: Rules, *, with_rows: bool = False) -> SimulateStudy:
    return SimulateStudy(rules, seat_players(TEAMS[rules.n_seats], rules), 3, with_rows)


def stop_at(deals: int) -> Any:
    """Progress that presses Ctrl-C once so many deals are done."""

    def progress(done: int) -> None:
        if done >= deals:
            raise KeyboardInterrupt

    return progress


def same(one: Ran, other: Ran) -> bool:
    return one.deals == other.deals and all((one.sums[name] == other.sums[name]).all() for name in one.sums)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzer.simulate, "CHUNK", 100)


# --- rows ---


def hands_of(rules: Rules, n: int, file: Path) -> pd.DataFrame:
    """The hands as `--hands` writes them, read back with the kinds of the data dictionary."""
    players = seat_players(TEAMS[rules.n_seats], rules)
    columns = columns_of(rules, players, 0)
    with GrowingFile(file, "--hands") as growing:
        run_study(SimulateStudy(rules, players, 0, with_rows=True), n, How(), growing=CsvHands(growing, columns))
    return pd.read_csv(file, dtype={column.name: DTYPES[column.kind] for column in columns})


def call_of(record: HandRecord) -> str:
    """The call that made trump, from the events of a record."""
    result = record.result
    if record.game == "bid":
        return str(result["bid"])
    verb = next(event[1] for event in record.events if event[1] in ("order", "name"))
    return f"{verb} alone" if result["maker"] in result["alone"] else str(verb)


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        *((game, {}) for game in GAMES),
        ("three-handed", {"stick_the_dealer": False, "deck": 32}),
        ("bid", {"deck": 48}),
        ("bid", {"joker": True, "ace_no_face": True}),
    ],
    ids=str,
)
def test_a_row_tells_of_a_deal_what_its_record_tells(game: str, changes: dict[str, Any], tmp_path: Path) -> None:
    rules = rules_of(game, changes)
    n = some(400)
    records: list[HandRecord] = []
    record_hands(rules, seat_players(TEAMS[rules.n_seats], rules), n, records.extend)
    hands = hands_of(rules, n, tmp_path / "hands.csv")
    assert hands["deal"].tolist() == [record.deal for record in records]
    assert set(hands["players"]) == {TEAMS[rules.n_seats]}
    for (_, row), record in zip(hands.iterrows(), records, strict=True):
        result = record.result
        told = {name: None if pd.isna(value) else value for name, value in row.items()}
        assert told["upcard"] == record.upcard
        assert (told["claimed"], told["thrown_in"]) == ("claimed" in result, "thrown_in" in result)
        if told["claimed"] or told["thrown_in"]:
            played = ("trump", "maker", "strategy", "call", "bid", "alone", "tricks_1", "made", "march", "euchred")
            assert all(told[name] is None for name in played)
            assert told["points_1"] == told["points_2"] == 0
            continue
        sides = rules.sides
        tricks = [sum(result["tricks"][seat - 1] for seat in side) for side in sides]
        assert [told[f"tricks_{side + 1}"] for side in range(len(sides))] == tricks
        assert [told[f"points_{side + 1}"] for side in range(len(sides))] == result["points"]
        assert (told["maker"], told["trump"]) == (result["maker"], result["trump"])
        assert told["strategy"] == TEAMS[rules.n_seats].split(",")[result["maker"] - 1]
        assert told["call"] == call_of(record)
        assert told["bid"] == (str(result["bid"]) if game == "bid" else None)
        assert told["alone"] == (result["maker"] in result["alone"])
        defenders = [seat for seat in result["alone"] if seat != result["maker"]]
        assert told["lone_defender"] == (defenders[0] if defenders else None)
        own = next(side for side, seats in enumerate(sides) if result["maker"] in seats)
        needed = 3
        if game == "bid":
            needed = result["bid"] if isinstance(result["bid"], int) else rules.hand_size
        assert told["made"] == (tricks[own] >= needed) != told["euchred"]
        assert told["march"] == (tricks[own] == rules.n_tricks)


@pytest.mark.parametrize("game", GAMES)
def test_parquet_holds_what_csv_holds(game: str, tmp_path: Path) -> None:
    rules = rules_of(game, {})
    players = seat_players(TEAMS[rules.n_seats], rules)
    columns = columns_of(rules, players, 0)
    text = hands_of(rules, some(300), tmp_path / "hands.csv")
    study = SimulateStudy(rules, players, 0, with_rows=True)
    run_study(study, some(300), How(), growing=ParquetHands(tmp_path / "hands.parquet", columns))
    table = pd.read_parquet(tmp_path / "hands.parquet")
    assert list(table) == list(text)
    for column in columns:
        assert table[column.name].astype(DTYPES[column.kind]).equals(text[column.name]), column.name


# --- breaks ---


def test_chunks_are_cut_at_the_same_deals_wherever_they_begin() -> None:
    assert [(part.first, part.n) for part in chunks(25, 10)] == [(0, 10), (10, 10), (20, 5)]
    assert [(part.first, part.n) for part in chunks(25, 10, 7)] == [(7, 3), (10, 10), (20, 5)]
    assert list(chunks(25, 10, 25)) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_run_that_was_stopped_and_gone_on_with_equals_one_that_was_not(
    game: str, tmp_path: Path, small_chunks: None
) -> None:
    study, file = study_of(rules_of(game, {})), tmp_path / "run.json"
    whole = run_study(study, 750, How())
    first = run_study(study, 750, How(1, stop_at(300), Checkpoint(file)))
    assert (first.is_interrupted, first.deals) == (True, 300)
    assert same(run_study(study, 750, How(2, checkpoint=Checkpoint(file))), whole)
    assert same(run_study(study, 750, How(checkpoint=Checkpoint(file))), whole)  # nothing is left to do
    further = run_study(study, 1000, How(checkpoint=Checkpoint(file)))
    assert same(further, run_study(study, 1000, How()))


def test_hands_beyond_the_last_checkpoint_are_cut_back(tmp_path: Path, small_chunks: None) -> None:
    rules = rules_of("two-handed", {})
    study = study_of(rules, with_rows=True)
    columns = columns_of(rules, study.players, study.seed)
    whole, part, run = tmp_path / "whole.csv", tmp_path / "part.csv", tmp_path / "run.json"
    with GrowingFile(whole, "--hands") as file:
        run_study(study, 500, How(), growing=CsvHands(file, columns))
    with GrowingFile(part, "--hands") as file:
        run_study(study, 500, How(1, stop_at(200), Checkpoint(run)), growing=CsvHands(file, columns))
        file.append(b"two-handed,3,200,half a li")  # as after a power cut
    with GrowingFile(part, "--hands") as file:
        run_study(study, 500, How(checkpoint=Checkpoint(run)), growing=CsvHands(file, columns))
    assert part.read_bytes() == whole.read_bytes()


def test_parquet_parts_beyond_the_last_checkpoint_are_taken_back(tmp_path: Path, small_chunks: None) -> None:
    rules = rules_of("two-handed", {})
    study = study_of(rules, with_rows=True)
    columns = columns_of(rules, study.players, study.seed)
    folder, run = tmp_path / "hands.parquet", tmp_path / "run.json"
    run_study(study, 500, How(1, stop_at(200), Checkpoint(run)), growing=ParquetHands(folder, columns))
    (folder / "part-000000000000200.parquet").write_bytes(b"half a part")
    run_study(study, 500, How(checkpoint=Checkpoint(run)), growing=ParquetHands(folder, columns))
    assert pd.read_parquet(folder)["deal"].tolist() == list(range(500))


def test_a_full_disk_leaves_whole_lines_and_a_run_to_go_on_with(
    tmp_path: Path, small_chunks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = rules_of("two-handed", {})
    study = study_of(rules, with_rows=True)
    columns = columns_of(rules, study.players, study.seed)
    whole, part, run = tmp_path / "whole.csv", tmp_path / "part.csv", tmp_path / "run.json"
    with GrowingFile(whole, "--hands") as file:
        run_study(study, 500, How(), growing=CsvHands(file, columns))
    monkeypatch.setattr(analyzer.checkpoints, "EVERY", 0.0)
    with GrowingFile(part, "--hands") as file:
        hands = CsvHands(file, columns)
        append, room = file._file.write, [30_000]

        class Full:
            """A disk on which little is left."""

            def __getattr__(self, name: str) -> Any:
                return getattr(real, name)

            def write(self, piece: bytes) -> int:
                if room[0] == 0:
                    raise OSError(28, os.strerror(28))
                written = int(append(piece[: room[0]]) or 0)
                room[0] -= written
                return written

        real, file._file = file._file, Full()  # type: ignore[assignment]
        with pytest.raises(RunError, match="No space left"):
            run_study(study, 500, How(1, checkpoint=Checkpoint(run)), growing=hands)
        file._file = real
    left = part.read_bytes()
    assert whole.read_bytes().startswith(left)
    assert left.endswith(b"\n")
    with GrowingFile(part, "--hands") as file:
        run_study(study, 500, How(checkpoint=Checkpoint(run)), growing=CsvHands(file, columns))
    assert part.read_bytes() == whole.read_bytes()


def test_another_question_is_refused_and_what_differs_is_said(tmp_path: Path, small_chunks: None) -> None:
    rules, file = rules_of("two-handed", {}), tmp_path / "run.json"
    players = seat_players("standard", rules)
    run_study(SimulateStudy(rules, players, 0), 100, How(checkpoint=Checkpoint(file)))
    before = file.read_bytes()
    others = {
        "seed was 0 and is 1": SimulateStudy(rules, players, 1),
        "deck was null and is 32": SimulateStudy(rules_of("two-handed", {"deck": 32}), players, 0),
        'strategies was \\["standard","standard"\\]': SimulateStudy(rules, seat_players("bold", rules), 0),
    }
    for words, other in others.items():
        with pytest.raises(QuestionError, match=words):
            run_study(other, 100, How(checkpoint=Checkpoint(file)))
    assert file.read_bytes() == before


@pytest.mark.parametrize("is_whole_games", [False, True])
def test_fewer_deals_than_the_file_holds_are_refused(is_whole_games: bool, tmp_path: Path, small_chunks: None) -> None:
    rules, file = rules_of("two-handed", {}), tmp_path / "run.json"
    players = seat_players("standard", rules)
    study = MatchStudy(rules, players) if is_whole_games else SimulateStudy(rules, players)
    run_study(study, 30, How(checkpoint=Checkpoint(file)))
    before = file.read_bytes()
    said = "30 games .* --matches 30" if is_whole_games else "30 deals .* --deals 30"
    with pytest.raises(QuestionError, match=said):
        run_study(study, 29, How(checkpoint=Checkpoint(file)))
    assert file.read_bytes() == before
    assert run_study(study, 30, How(checkpoint=Checkpoint(file))).deals == 30


@pytest.mark.parametrize("text", ["", "{}", "[1]", "not JSON", '{"format":1,"runs":[', "\xff"])
def test_a_file_that_is_no_run_is_refused_and_kept(text: str, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(QuestionError, match=r"run\.json is no file of --resume, or cut short: expected"):
        run_study(study_of(rules_of("two-handed", {})), 100, How(checkpoint=Checkpoint(file)))
    assert file.read_text(encoding="latin-1") == text


def test_a_run_that_wrote_hands_is_not_gone_on_with_without_them(tmp_path: Path, small_chunks: None) -> None:
    rules, run = rules_of("two-handed", {}), tmp_path / "run.json"
    study = study_of(rules, with_rows=True)
    columns = columns_of(rules, study.players, study.seed)
    with GrowingFile(tmp_path / "hands.csv", "--hands") as file:
        run_study(study, 100, How(checkpoint=Checkpoint(run)), growing=CsvHands(file, columns))
    with pytest.raises(QuestionError, match=r"hands\.csv"):
        run_study(study, 200, How(checkpoint=Checkpoint(run)))


# --- the command ---


def started(*words: str, cwd: Path) -> subprocess.Popen[bytes]:
    euchre = Path(sys.executable).with_name("euchre")
    return subprocess.Popen([euchre, *words], cwd=cwd, stdout=subprocess.PIPE)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_killed_and_gone_on_with_the_files_are_those_of_one_run(how: signal.Signals, tmp_path: Path) -> None:
    words = ["simulate", "-g", "two", "--hands", "hands.csv", "--resume", "run.json", "--format", "csv"]
    run = started(*words, "--deals", "100000000", cwd=tmp_path)
    hands = tmp_path / "hands.csv"
    while run.poll() is None and not (hands.exists() and hands.stat().st_size > 10_000_000):
        time.sleep(0.05)
    run.send_signal(how)
    run.communicate()
    assert run.returncode == (130 if how is signal.SIGINT else -9)
    done = json.loads((tmp_path / "run.json").read_text())["runs"][0]["deals"] if how is signal.SIGINT else 0
    deals = str(done + 70_000)
    gone_on = started(*words, "--deals", deals, cwd=tmp_path)
    rows, _ = gone_on.communicate()
    fresh = [word if word != "hands.csv" else "fresh.csv" for word in words if word not in ("--resume", "run.json")]
    whole, _ = started(*fresh, "--deals", deals, cwd=tmp_path).communicate()
    assert rows == whole
    assert hands.read_bytes() == (tmp_path / "fresh.csv").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--hands", "same.csv", "--output", "same.csv"], "both same.csv"),
        (["--hands", "x.csv", "--matches", "10"], "leave out --deals"),
        (["--records", "x.jsonl", "--resume", "run.json"], "--records cannot"),
        (["--hands", "q.txt"], "ends in .csv or .parquet"),
        (["--hands", "q"], "ends in .csv or .parquet"),
        (
            ["--hands", "no/such/folder/x.csv"],
            "cannot write --hands no/such/folder/x.csv: there is no folder no/such/folder; make it first",
        ),
        (["--resume", "."], "--resume . is a folder"),
    ],
)
def test_files_that_do_not_go_together_are_refused_before_a_card_is_dealt(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Printed
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "-g", "two", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_every_deal_counts_once_however_they_are_numbered() -> None:
    rules = rules_of("bid", {})
    players = seat_players("standard", rules)
    numbers = np.array([7, 3, 500, 12], np.int64)
    some_rows = analyzer.batches.play_deals(rules, players, 5, numbers, with_rows=True).rows
    one_by_one = [
        analyzer.batches.play_deals(rules, players, 5, numbers[k : k + 1], with_rows=True).rows for k in range(4)
    ]
    assert (some_rows == np.concatenate(one_by_one)).all()
