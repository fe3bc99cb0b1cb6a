"""Turns the examples of README.md and docs/*.md into what the program prints now, and docs/reports into its pages.

    python docs/refresh.py

In a block marked `console` every line `$ euchre ...` is run, and what stands under it becomes what it printed; output
that differs in nothing but the time it took is left alone. A page's examples run in order in a folder of their own,
which has the blocks that follow `<!-- file: NAME -->` as files. A picture that they draw and the page shows is kept
beside the page. Lines `euchre ...` of a block marked `sh` and blocks marked `python` are run too, and must not fail.
Every command in a page that ends in `--report NAME` makes docs/reports/NAME; one that differs in
nothing but how its charts are drawn is left alone.
"""

import functools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
REPORTS = HERE / "docs" / "reports"
KITCHEN = """
import contextlib, io, json, os, sys
from analyzer import compare, equity, matches, simulate, solve, sweep
from analyzer.cli import main
from analyzer.program import run
NEW = os.O_WRONLY | os.O_CREAT
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for game, hand in (("two", "AS"), ("three", "AS"), ("four", "AS"), ("bid", "AS TC")):
        sys.argv = ["euchre", "ask", "-g", game, "9C 9D 9H 9S " + hand, *([] if game == "bid" else ["--up", "KS"])]
        main()
for line in sys.stdin:
    words, folder, out, err, seconds = json.loads(line)
    child = os.fork()
    if not child:
        import signal
        signal.alarm(seconds)
        os.chdir(folder)
        for number, name, mode in ((0, os.devnull, os.O_RDONLY), (1, out, NEW), (2, err, NEW)):
            os.dup2(os.open(name, mode), number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
        sys.argv = ["euchre", *words]
        run()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""A process that has loaded all that takes time, and turns into one `euchre` after another."""
PROMPT = "$ "
FENCE = "```"
LONGEST = 300
"""Seconds that an example may take, the compiler included."""

_FILE = re.compile(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", re.DOTALL)
_PICTURE = re.compile(r"!\[[^\]]+\]\((\S+\.svg)\)")
_WORDS = re.compile(r">([^<>]+)</text>")
_TIMES = (
    (re.compile(r",\s(?:\d+ min )?\d+(?:\.\d)? s$", re.MULTILINE), ", 0.0 s"),
    (re.compile(r'"seconds": [\d.e-]+'), '"seconds": 0.0'),
)
_REPORT = re.compile(r"^(euchre .* --report (\S+\.html))$", re.MULTILINE)
_CHART = re.compile(r'(<svg aria-label="Chart: [^"]*").*?</svg>', re.DOTALL)
# how long it will take depends on the machine, and so does whether that is said
_IN_THE_MEANTIME = re.compile(r"^(?:Compiling|Counting) .*\n", re.MULTILINE)
_OWN_COMPILER = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_CACHE_DIR")


def pages() -> list[Path]:
    """Every page that may have examples."""
    return [HERE / "README.md", *sorted((HERE / "docs").glob("*.md"))]


def timeless(text: str) -> str:
    """The text with every time taken replaced by the same one."""
    for time, same in _TIMES:
        text = time.sub(same, text)
    return text


@functools.cache
def _kitchen() -> subprocess.Popen[str]:
    """The process that examples are run by; it ends with this one."""
    env = {name: value for name, value in os.environ.items() if name not in _OWN_COMPILER}
    env |= {"PYTHONPATH": str(HERE), "PYTHONUTF8": "1", "NO_COLOR": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", KITCHEN], env=env, stdin=pipe, stdout=pipe, encoding="utf-8")


def run(words: list[str], folder: Path) -> tuple[int, str]:
    """The exit status of `euchre` in this folder, and what it prints, its notes and errors last.

    It is run once more where the compiler took the time. Raises RuntimeError where it ends in a traceback.
    """
    kitchen = _kitchen()
    assert kitchen.stdin is not None
    assert kitchen.stdout is not None
    again = False
    while True:
        with tempfile.TemporaryDirectory() as name:
            out, err = Path(name, "out"), Path(name, "err")
            kitchen.stdin.write(json.dumps([words, str(folder), str(out), str(err), LONGEST]) + "\n")
            kitchen.stdin.flush()
            status = int(kitchen.stdout.readline())
            if status < 0:
                raise TimeoutError(f"euchre {shlex.join(words)} was ended by signal {-status}")
            said = err.read_text(encoding="utf-8")
            if "Traceback (" in said:
                raise RuntimeError(f"euchre {shlex.join(words)} broke: {said}")
            if again or "Compiling " not in said:
                return status, out.read_text(encoding="utf-8") + _IN_THE_MEANTIME.sub("", said)
        again = True


def must_run(line: str, folder: Path) -> None:
    """Run a line of a block marked `sh` that calls euchre; raises RuntimeError where it ends in an error."""
    status, said = run(shlex.split(line, comments=True)[1:], folder)
    if status:
        raise RuntimeError(f"{line.strip()} ended with {status}: {said}")


def must_run_python(code: str, folder: Path) -> None:
    """Run a block marked `python`; raises CalledProcessError where it ends in an error."""
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, timeout=LONGEST, stdout=subprocess.DEVNULL)


def files_of(page: str) -> list[tuple[str, str]]:
    """Name and text of every file that a page shows."""
    return _FILE.findall(page)


def pictures_of(page: str) -> list[str]:
    """The names of the pictures that a page shows."""
    return _PICTURE.findall(page)


def words_of(picture: str) -> list[str]:
    """Every text in a picture: what it says, however it is drawn."""
    return _WORDS.findall(picture)


def refreshed(page: str) -> tuple[str, dict[str, str]]:
    """A page with the output under every example as it is now, and the pictures it shows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in files_of(page):
            (folder / file).write_text(text, encoding="utf-8")
        text = "".join(_lines(page, folder))
        return text, {name: (folder / name).read_text(encoding="utf-8") for name in pictures_of(page)}


def _lines(page: str, folder: Path) -> Iterator[str]:
    """The lines of a refreshed page."""
    kind = ""
    files = {text for _, text in files_of(page)}
    lines = page.splitlines(keepends=True)
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        yield line
        if line.startswith(FENCE):
            kind = line.strip().removeprefix(FENCE)
            if kind == "python":
                code = "".join(lines[place:]).partition(FENCE)[0]
                if code not in files:
                    must_run_python(code, folder)
        elif kind == "sh" and line.startswith("euchre ") and not _REPORT.match(line):
            must_run(line, folder)
        elif kind == "console" and line.startswith(PROMPT + "euchre "):
            first = place
            while not lines[place].startswith((PROMPT, FENCE)):
                place += 1
            shown = "".join(lines[first:place])
            _, now = run(shlex.split(line.removeprefix(PROMPT))[1:], folder)
            yield shown if timeless(shown) == timeless(now) else now


def reports() -> dict[str, str]:
    """The command that makes each file of docs/reports."""
    found = (_REPORT.findall(path.read_text(encoding="utf-8")) for path in pages())
    return {name: command for each in found for command, name in each}


def reported(name: str) -> str:
    """A file of docs/reports as its command makes it now."""
    with tempfile.TemporaryDirectory() as folder:
        run(shlex.split(reports()[name])[1:], Path(folder))
        return Path(folder, name).read_text(encoding="utf-8")


def pictureless(html: str) -> str:
    """A report without the lines of its charts, which other versions of a library draw otherwise."""
    return _CHART.sub(r"\1>", html)


def main() -> None:
    """Write every page anew whose examples print something else than it shows, and every report that says otherwise."""
    REPORTS.mkdir(exist_ok=True)
    for name in reports():
        path = REPORTS / name
        now = reported(name)
        if not path.exists() or pictureless(path.read_text(encoding="utf-8")) != pictureless(now):
            path.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(HERE)} is new\n")
    for path in pages():
        page = path.read_text(encoding="utf-8")
        now, pictures = refreshed(page)
        for name, picture in pictures.items():
            kept = path.parent / name
            if not kept.exists() or kept.read_text(encoding="utf-8") != picture:
                kept.write_text(picture, encoding="utf-8")
                sys.stdout.write(f"{kept.relative_to(HERE)} is new\n")
        if now != page:
            path.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(HERE)} is new\n")


if __name__ == "__main__":
    main()
