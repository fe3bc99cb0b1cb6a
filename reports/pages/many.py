"""Turns what many deals told of strategies, of `euchre compare`, `sweep` and `simulate`, into pages."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reports.batches import comparison_table, length_text, matches_table, sweep_table
from reports.pages.grids import grid_of
from reports.pages.render import Page, rule_facts
from reports.pages.words import GAMES, capital, seated_text
from reports.tables import simulation_table, thrown_in_text
from reports.text import percent_text, players_text, plural, points_text

if TYPE_CHECKING:
    from analyzer.compare import Comparison
    from analyzer.matches import Matches
    from analyzer.simulate import Simulation
    from analyzer.sweep import Sweep
    from reports.pages.drawings import Drawing

Facts = list[tuple[str, str]]


def comparison_page(found: "Comparison", command: str, drawings: "Sequence[Drawing]" = ()) -> Page:
    """The page of strategies against each other."""
    about = found.provenance
    heading = f"{_versus(about.strategies)}: which is better?"
    games = [("Games", plural(about.games, "whole game") + " at each table")] if about.games else []
    how = f"at {about.seatings} tables, so that each holds every hand of a deal"
    return Page(
        kind="compare",
        title=f"{heading} {capital(GAMES[found.game])}",
        heading=heading,
        verdict=found.ranking,
        question=[
            f"{capital(GAMES[found.game])}. Every two of {_listed(about.strategies)} meet on the same deals, {how}."
        ],
        facts=[
            *_program(found.game, found.rules, about.version, about.seed),
            ("Deals", f"{plural(about.deals, 'deal')}, each at {about.seatings} tables for a pair"),
            *games,
            ("Margin", f"{about.margin:g} points a deal count as equal"),
        ],
        command=command,
        grids=[grid_of(comparison_table(found), "Points a deal that the strategy gains", heads=2)],
        drawings=list(drawings),
        doubts=_interrupted(is_interrupted=about.interrupted),
        about={"sure": f"{about.sure:.0%}", "has_games": bool(about.games), "n_pairs": len(found.rows)},
    )


def sweep_page(found: "Sweep", command: str, drawings: "Sequence[Drawing]" = ()) -> Page:
    """The page of one number, or one house rule, over a range."""
    about, vary = found.provenance, found.rows[0].vary
    heading = f"{vary}: which value is best?"
    who = f"the strategy {about.strategy} with {vary} varied, against {about.against}"
    if about.against is None:
        who = f"the strategy {about.strategy} in every seat, under each value of the rule; points are those of seat 1"
    return Page(
        kind="sweep",
        title=f"{heading} {capital(GAMES[found.game])}",
        heading=heading,
        verdict=[found.verdict],
        question=[f"{capital(GAMES[found.game])}. {capital(who)}. All values play the same deals."],
        facts=[
            *_program(found.game, found.rules, about.version, about.seed),
            ("Deals", plural(about.deals, "deal")),
            ("Margin", f"{about.margin:g} points a deal count as equal"),
        ],
        command=command,
        grids=[grid_of(sweep_table(found), f"What each value of {vary} brings")],
        drawings=list(drawings),
        doubts=_interrupted(is_interrupted=about.interrupted),
        about={"sure": f"{about.sure:.0%}", "is_rule": about.against is None},
    )


def simulation_page(found: "Simulation", command: str, drawings: "Sequence[Drawing]" = ()) -> Page:
    """The page of what every seat called and what came of it."""
    about = found.provenance
    whole = [row for row in found.rows if row.call == "all"]
    points = [f"seat {row.seat} {points_text(row.points, row.points_se, row.deals)}" for row in whole]
    called = [f"seat {row.seat} in {percent_text(row.call_share, n=row.deals)}" for row in whole]
    heading = f"{capital(players_text(about.players))}: what is called, and what comes of it?"
    return Page(
        kind="simulate",
        title=f"{heading} {capital(GAMES[found.game])}",
        heading=heading,
        verdict=[
            f"Points a deal: {', '.join(points)}.",
            f"Maker: {', '.join(called)} of the deals.",
            thrown_in_text(found),
        ],
        question=[f"{capital(GAMES[found.game])}. Seats count from the dealer's left; the last one deals."],
        facts=[
            *_program(found.game, found.rules, about.version, about.seed),
            ("Deals", plural(about.deals, "random deal")),
            ("Players", seated_text(about.players)),
        ],
        command=command,
        grids=[grid_of(simulation_table(found, is_filled=True), "What each seat called, and what came of it", heads=3)],
        drawings=list(drawings),
        doubts=_interrupted(is_interrupted=about.interrupted),
        about={"n_seats": len(about.players)},
    )


def matches_page(found: "Matches", command: str, drawings: "Sequence[Drawing]" = ()) -> Page:
    """The page of whole games and who won them."""
    about = found.provenance
    won = [f"player {row.player} ({row.strategy}) {percent_text(row.win_rate, row.win_rate_se)}" for row in found.rows]
    heading = f"{capital(players_text(about.players))}: who wins the game?"
    return Page(
        kind="matches",
        title=f"{heading} {capital(GAMES[found.game])}",
        heading=heading,
        verdict=[
            f"Games won: {', '.join(won)}.",
            length_text(found),
        ],
        question=[
            f"{capital(GAMES[found.game])}, whole games; the deal goes round, and who deals first changes each game."
        ],
        facts=[
            *_program(found.game, found.rules, about.version, about.seed),
            ("Games", f"{plural(about.games, 'game')}, {plural(about.deals, 'deal')} in all"),
            ("Players", seated_text(about.players)),
        ],
        command=command,
        grids=[grid_of(matches_table(found), "Who won the games, and with which scores they ended", heads=2)],
        drawings=list(drawings),
        doubts=_interrupted(is_interrupted=about.interrupted),
    )


def _program(game: str, rules: Mapping[str, Any], version: str, seed: int) -> Facts:
    return [
        ("Program", f"Euchre Lab {version}, seed {seed}"),
        ("Game", capital(GAMES[game])),
        *rule_facts(rules),
    ]


def _interrupted(*, is_interrupted: bool) -> list[str]:
    return ["It was stopped early: this rests on the deals played till then."] if is_interrupted else []


def _versus(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]])


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]])
