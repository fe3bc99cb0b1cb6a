"""Turns the chances of `euchre equity` to win the game into a page."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reports.pages.grids import Grid, grid_of
from reports.pages.render import Page, rule_facts
from reports.pages.words import GAMES, capital, seated_text
from reports.standings import chance_text, good_to, left_out_text, one_score_table, score_grids, side_text
from reports.text import plural

if TYPE_CHECKING:
    from reports.pages.drawings import Drawing


def equity_page(
    equity: Mapping[str, Any], command: str, *, is_one: bool = False, drawings: "Sequence[Drawing]" = ()
) -> Page:
    """The page of the chances as JSON has them; `is_one`: of a single score."""
    about, rows = equity["provenance"], equity["rows"]
    deals = about["deals"]
    groups = [list(each) for _, each in groupby(rows, key=lambda row: str(row["players"]))]
    first = rows[0]["scores"] if is_one else [0] * len(rows[0]["scores"])
    score = ", ".join(map(str, first))
    heading = f"At {score}: who wins the game?" if is_one else "From every score: who wins the game?"
    told = [
        f"{side_text(row)} with {total}: {chance_text(row['win_game'], deals)}%"
        for row, total in zip((row for row in groups[0] if row["scores"] == first), first, strict=True)
    ]
    at = "" if is_one else f"At {score}, before the deal: "
    return Page(
        kind="equity",
        title=f"{heading} {capital(GAMES[equity['game']])}",
        heading=heading,
        verdict=[f"{at}{'; '.join(told)}."],
        question=[
            f"{capital(GAMES[equity['game']])}: the chance to win the game, before the cards of the next deal are seen."
        ],
        facts=[
            ("Program", f"Euchre Lab {about['version']}, seed {about['seed']}"),
            ("Game", capital(GAMES[equity["game"]])),
            *rule_facts(equity["rules"]),
            ("Deals", f"{plural(deals, 'deal')} counted{' for each seating of the players' if groups[1:] else ''}"),
            ("Players", seated_text(about["players"])),
        ],
        command=command,
        grids=[grid for rows in groups for grid in _grids(rows, deals, is_one=is_one, is_many=len(groups) > 1)],
        drawings=list(drawings),
        doubts=["It was stopped early: this rests on the deals counted till then."] if about["interrupted"] else [],
        about={"is_one": is_one, "good_to": f"{100 * good_to(deals):.1g}"},
    )


def _grids(rows: Sequence[Mapping[str, Any]], deals: int, *, is_one: bool, is_many: bool) -> list[Grid]:
    """The tables of one seating."""
    seated = f", players by seat: {rows[0]['players'].replace(',', ', ')}" if is_many else ""
    if is_one:
        return [grid_of(one_score_table(rows, deals), f"The chance of each side{seated}")]
    told = left_out_text(rows)
    grids = list(score_grids(rows, deals))
    return [grid_of(table, heading + seated, told if heading == grids[-1][0] else "") for heading, table in grids]
