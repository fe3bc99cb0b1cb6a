"""What a file whose name is no text promises: what is written holds its name spelt, and nothing breaks."""

import os
import sys
from pathlib import Path

import pytest

from analyzer.cli import main


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there")
@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("simulate --deals 50 --report a.html --output a.json --hands b.csv --resume c.json", "abc"),
        ("simulate --deals 50 --output a.csv --records b.jsonl", "ab"),
        ("compare standard --deals 50 --plot a.svg --report a.html --output a.csv --resume c.json", "a"),
        ("sweep --vary play.renege=0,1 --deals 50 --plot a.svg --report a.html --output a.json --strategy", "a"),
    ],
)
def test_a_file_whose_name_is_no_text_is_spelt_in_all_that_is_written(
    words: str, written: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"bad\xff.toml")
    Path(name).write_text('base = "bold"\n')
    option = ["--players"] if words.startswith("simulate") else []
    assert main([*words.split(), *option, name, "-g", "two"]) == 0
    files = [file for file in tmp_path.iterdir() if file.name[0] in written and file.suffix != ".toml"]
    assert all(r"bad\xff" in file.read_text(encoding="utf-8").replace(r"\\", "\\") for file in files)
    assert len(files) >= len(written)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there")
def test_files_whose_names_are_no_text_are_gone_on_with_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hands, records = os.fsdecode(b"bad\xff.csv"), os.fsdecode(b"bad\xff.jsonl")
    for deals in ("50", "60"):
        assert main(["simulate", "-g", "two", "--deals", deals, "--hands", hands, "--resume", "run.json"]) == 0
    assert len(Path(hands).read_text().splitlines()) == 61
    assert main(["simulate", "-g", "two", "--deals", "5", "--records", records]) == 0
    assert main(["replay", records, "--output", "rows.csv"]) == 0
    assert r"bad\xff.jsonl" in Path("rows.csv").read_text(encoding="utf-8")
