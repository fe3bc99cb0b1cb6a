"""Turns the rows of a result into a pandas frame and into CSV: the names and the order of the JSON rows.

A cell is what JSON has, flattened: lists are their words joined by one space, null is empty, booleans are `true` and
`false`, numbers keep every digit. A table within a row becomes columns of its own, `result.trump`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

Row = Mapping[str, Any]


def frame_of(rows: Iterable[Row], columns: Sequence[str] = ()) -> pd.DataFrame:
    """Return the rows as a frame of flat cells; `columns` come first and are there even without rows."""
    flat = [flattened(row) for row in rows]
    names = dict.fromkeys(columns)
    for row in flat:
        names = _merged(names, row)
    tables = {name.partition(".")[0] for name in names if "." in name}  # null where they are not: no column for that
    names = {name: None for name in names if name not in tables}
    return pd.DataFrame([[row.get(name) for name in names] for row in flat], columns=list(names), dtype=object)


def csv_text(rows: Iterable[Row], columns: Sequence[str] = ()) -> str:
    """Return the rows as CSV with a header."""
    text = frame_of(rows, columns).to_csv(index=False, lineterminator="\n")
    assert text is not None
    return text


def flattened(row: Row) -> dict[str, Any]:
    """Return a row with one cell a name: a number, a text, or None."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}.{inner}": cell for inner, cell in flattened(value).items()}
        else:
            flat[name] = _cell(value)
    return flat


def _cell(value: object) -> object:
    if isinstance(value, list | tuple):
        return " ".join(_word(item) for item in value)
    return _word(value) if isinstance(value, bool) else value


def _word(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_word, value))
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _merged(names: dict[str, None], row: Mapping[str, Any]) -> dict[str, None]:
    """The names of all rows: one that only some rows have stands where it does in those."""
    if row.keys() <= names.keys():
        return names
    merged = list(names)
    place = 0
    for name in row:
        if name in names:
            place = merged.index(name) + 1
        else:
            merged.insert(place, name)
            place += 1
    return dict.fromkeys(merged)
