"""That no question waits for the compiler twice: one signature a door, and a cache that knows the kernels' text."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from test_kernel_rules import packs, rules_of

from analyzer import border
from analyzer.ask import ask
from analyzer.asked import position_from_options
from analyzer.record import HandRecord
from analyzer.rules import GAMES
from analyzer.simulate import deal_hands, record_hands, simulate
from analyzer.strategy import seat_players
from kernels import compile as compiling
from kernels import doors

HANDS = {
    ("two-handed", False): ("JS AS 9H TH QD", "9S"),
    ("three-handed", False): ("JS AS 9H TH QD", "9S"),
    ("four-handed", False): ("JS AS 9H TH QD", "9S"),
    ("bid", False): ("JH JD AH KH QH AS", None),
    ("bid", True): ("JH JD AH KH QH AS 9S", None),
}


@pytest.mark.skipif(not compiling.JIT, reason="nothing is compiled")
def test_every_game_and_pack_calls_each_door_with_one_and_the_same_signature() -> None:
    used = set()
    written: list[list[HandRecord]] = []
    for game in GAMES:
        for pack in packs(game):
            rules = rules_of(game, pack)
            if pack.get("deck") == 48:
                hand, up = "JH JH JD AH KH QH AS AS KS 9C TC 9D", None
            else:
                hand, up = HANDS[game, bool(pack.get("joker")) and game == "bid"]
            players = seat_players("standard", rules)
            coins = seat_players("random", rules)
            dealer = rules.n_seats if game == "bid" and pack.get("joker") else 0
            ask(position_from_options(rules, hand, up=up, seat=dealer or 1), players, deals=2, workers=1)
            ask(position_from_options(rules, hand, up=up, seat=dealer or 2), coins, deals=2, workers=1)
            simulate(rules, players, 2, seed=2**62)
            record_hands(rules, players, 2, written.append, seed=1)
            list(deal_hands(rules, 1))
            door = border.door_of(rules)
            used |= {door.ask, door.simulate, door.record, door.options, door.apply, doors.deal_table}
    assert len(used) == 11
    for each in used | {doors.begin_table, doors.score_table}:
        assert len(each.signatures) == 1, each.__name__


# --- the digest ---


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the kernels that the digest is taken of."""
    folder = tmp_path / "kernels"
    shutil.copytree(compiling.HERE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(compiling, "HERE", folder)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return folder


def test_a_copy_of_the_kernels_has_their_digest(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = compiling.digest()
    (copied / "notes.txt").write_text("no kernel", encoding="utf-8")
    assert compiling.digest() == own
    monkeypatch.undo()
    assert compiling.digest() == own


@pytest.mark.parametrize("name", sorted(path.name for path in compiling.HERE.glob("*.py")))
def test_an_edit_of_any_file_of_the_kernels_changes_the_digest(name: str, copied: Path) -> None:
    before = compiling.digest()
    text = (copied / name).read_text(encoding="utf-8")
    (copied / name).write_text(text + "\n", encoding="utf-8")
    edited = compiling.digest()
    (copied / name).unlink()
    assert len({before, edited, compiling.digest()}) == 3


def test_a_file_renamed_and_text_moved_from_one_to_another_change_the_digest(copied: Path) -> None:
    before = compiling.digest()
    (copied / "bits.py").rename(copied / "bites.py")
    renamed = compiling.digest()
    (copied / "bites.py").rename(copied / "bits.py")
    assert compiling.digest() == before
    (copied / "a1.py").write_text("x = 1\ny = 2\n", encoding="utf-8")
    (copied / "a2.py").write_text("", encoding="utf-8")
    together = compiling.digest()
    (copied / "a1.py").write_text("x = 1\n", encoding="utf-8")
    (copied / "a2.py").write_text("y = 2\n", encoding="utf-8")
    assert len({before, renamed, together, compiling.digest()}) == 4


# --- the folder ---


def test_the_cache_lies_beside_the_kernels_where_that_can_be_written(copied: Path) -> None:
    folder = compiling.cache_folder()
    assert folder == copied / "__pycache__" / f"euchre-{compiling.digest()}"
    assert folder.is_dir()
    (copied / "bits.py").write_text("other", encoding="utf-8")
    assert compiling.cache_folder() not in (None, folder)


def test_where_the_package_cannot_be_written_the_cache_is_the_users(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands where the folder would be made: nobody can write there, not even root."""
    (copied / "__pycache__").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(compiling, "user_cache", lambda: tmp_path / "home")
    folder = compiling.cache_folder()
    assert folder == tmp_path / "home" / "euchre-lab" / f"euchre-{compiling.digest()}"
    assert folder.is_dir()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_package_without_leave_to_write_has_its_cache_with_the_user(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "user_cache", lambda: tmp_path / "home")
    copied.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        folder = compiling.cache_folder()
    finally:
        copied.chmod(stat.S_IRWXU)
    assert folder is not None
    assert folder.is_relative_to(tmp_path / "home")


def test_where_nothing_can_be_written_there_is_no_cache(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("kernels/__pycache__", "home"):
        (tmp_path / name).write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(compiling, "user_cache", lambda: tmp_path / "home")
    assert compiling.cache_folder() is None


def test_a_folder_that_the_user_sets_goes_before_all_others(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "set"))
    assert compiling.cache_folder() == tmp_path / "set" / f"euchre-{compiling.digest()}"
    assert not (copied / "__pycache__").exists()


def test_the_users_cache_follows_the_conventions_of_his_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setenv("HOME", str(tmp_path))
    found = []
    for system in ("linux", "darwin", "win32"):
        monkeypatch.setattr(sys, "platform", system)
        found.append(compiling.user_cache())
    assert found == [tmp_path / "xdg", tmp_path / "Library" / "Caches", tmp_path / "local"]
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert compiling.user_cache() == tmp_path / ".cache"


def aged(place: Path, *ages: int) -> list[Path]:
    """Cache folders of ours so many hours old, each with a file in it."""
    folders = []
    for hours in ages:
        folder = place / f"euchre-{hours:016d}"
        (folder / "doors").mkdir(parents=True)
        (folder / "doors" / "ask.nbi").write_bytes(b"compiled")
        when = 1_700_000_000 - 3600 * hours
        os.utime(folder, (when, when))
        folders.append(folder)
    return folders


def test_all_but_the_newest_folders_are_pruned_and_nothing_else(tmp_path: Path) -> None:
    aged(tmp_path, 5, 1, 4, 2, 3)
    (tmp_path / "other").mkdir()
    (tmp_path / "module.pyc").write_bytes(b"")
    compiling.prune(tmp_path)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [*(f"euchre-{hours:016d}" for hours in (1, 2, 3)), "module.pyc", "other"]


def test_the_folder_in_use_is_kept_however_old_it_was(copied: Path) -> None:
    place = copied / "__pycache__"
    own = compiling.cache_folder()
    assert own is not None
    os.utime(own, (0, 0))
    aged(place, 1, 2, 3, 4)
    assert compiling.cache_folder() == own
    left = {path.name for path in place.iterdir()}
    assert left == {own.name, f"euchre-{1:016d}", f"euchre-{2:016d}"}


# --- warm and cold ---


@pytest.mark.skipif(not compiling.JIT, reason="nothing is compiled")
def test_a_door_is_warm_once_it_lies_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "CACHE", tmp_path)
    assert not compiling.is_warm("ask_bid")
    (tmp_path / "kernels_1").mkdir()
    (tmp_path / "kernels_1" / "doors.ask_bid-12.py311.1.nbc").write_bytes(b"")
    assert compiling.is_warm("ask_bid")
    assert not compiling.is_warm("ask_turn_up")
    monkeypatch.setattr(compiling, "CACHE", None)
    assert not compiling.is_warm("ask_bid")


def test_with_the_jit_off_nothing_waits_for_the_compiler() -> None:
    code = "from kernels import compile as c; print(c.JIT, c.CACHE, c.is_warm('ask_bid'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=compiling.HERE.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "None", "True"]
