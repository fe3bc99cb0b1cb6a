"""Turns an answer of `euchre ask`, or the answers of a bracket, into a page."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reports.brackets import LEGEND, distinct, shown_options, table_of
from reports.looks import where_table
from reports.pages.grids import Grid, grid_of
from reports.pages.render import Page, rule_facts
from reports.pages.scene import Scene, scene_of
from reports.pages.words import GAMES, asked_text, capital, heading_text, question_sentences, seated_text
from reports.standings import scores_table
from reports.tables import answer_table
from reports.text import count_text, plain_console, plural

if TYPE_CHECKING:
    from analyzer.looks import Unseen
    from analyzer.verdicts import Told
    from reports.pages.drawings import Drawing

Json = Mapping[str, Any]

_PLAY = {"base": "by rules of thumb", "open": "perfectly, with all cards in view"}


def answer_page(
    answer: Json,
    told: "Told",
    *,
    doubts: Sequence[str] = (),
    unseen: "Sequence[Unseen] | None" = None,
    all_options: bool = False,
    drawings: "Sequence[Drawing]" = (),
) -> Page:
    """The page of an answer as JSON has it; `told` is what people read of it."""
    scene = scene_of(answer["position"])
    about, verdict = answer["provenance"], answer["verdict"]
    heading = heading_text(answer["game"], scene, asked_text(answer["options"], scene))
    return Page(
        kind="ask",
        title=f"{_hand_text(scene)} - {heading}",
        heading=heading,
        verdict=list(told.sentences),
        question=question_sentences(answer, scene),
        facts=[*_facts(answer), ("Deals", _deals_text(about)), *_how(about["players"], about["play"])],
        command=about["command"] or "",
        grids=list(_grids(answer, told, unseen, all_options=all_options)),
        drawings=list(drawings),
        doubts=[*doubts, *_interrupted(about)],
        scene=scene,
        is_exact=about["exact"],
        about={
            "play": about["play"],
            "players": seated_text(about["players"]),
            "by_win": verdict["decide_by"] == "win",
            "has_wins": answer["options"][0]["win_game"] is not None,
            "has_scores": "scores" in answer,
            "has_where": unseen is not None,
            "n_options": len(answer["options"]),
            "n_sides": len(answer["position"]["hands"]),
        },
    )


def bracket_page(
    bracket: Json, *, doubts: Sequence[str] = (), all_options: bool = False, drawings: "Sequence[Drawing]" = ()
) -> Page:
    """The page of a question asked in several ways, as JSON has it."""
    scene = scene_of(bracket["position"])
    columns = distinct(bracket["columns"])
    first = columns[0]
    names = shown_options(columns, all_options=all_options)
    by_win = first["verdict"]["decide_by"] == "win"
    heading = heading_text(bracket["game"], scene, asked_text(first["options"], scene))
    grids = []
    for varies, words in (("play", "the cards played in several ways"), ("opponents", "against several opponents")):
        group = [column for column in columns if column["varies"] == varies or column is first]
        what = "Chance to win the game" if by_win else "Points a deal"
        grids.append(grid_of(table_of(group, names, by_win=by_win), f"{what}, {words}", LEGEND, has_cards=True))
    deals = [f"{' '.join(column['heading'].split())} {column['deals']:,}" for column in columns]
    return Page(
        kind="bracket",
        title=f"{_hand_text(scene)} - {heading}",
        heading=heading,
        verdict=[bracket["verdict"]["text"]],
        question=question_sentences(bracket, scene),
        facts=[*_facts(bracket), ("Deals", ", ".join(deals)), ("Players", seated_text(first["players"]))],
        command=bracket["provenance"]["command"] or "",
        grids=grids,
        drawings=list(drawings),
        doubts=[*doubts, *_interrupted(bracket["provenance"])],
        scene=scene,
        about={"by_win": by_win},
    )


def _grids(answer: Json, told: "Told", unseen: "Sequence[Unseen] | None", *, all_options: bool) -> "Sequence[Grid]":
    """Every option, and what else was asked for."""
    table, left_out = answer_table(answer, told=told, all_options=all_options)
    found = [grid_of(table, "Everything you may do, the best first", left_out, has_cards=True)]
    if "scores" in answer:
        caption, table, legend = scores_table(answer)
        found.append(grid_of(table, caption, legend, has_cards=True))
    if unseen:
        about = answer["provenance"]
        table = where_table(unseen, 0 if about["exact"] else about["effective"], plain_console())
        found.append(grid_of(table, "Where each unseen card is in these deals", has_cards=True))
    return found


def _facts(answer: Json) -> list[tuple[str, str]]:
    about = answer["provenance"]
    game = capital(GAMES[answer["game"]])
    return [
        ("Program", f"Euchre Lab {about['version']}, seed {about['seed']}"),
        ("Game", game),
        *rule_facts(answer["rules"]),
    ]


def _how(players: Sequence[str], play: str) -> list[tuple[str, str]]:
    """Who plays, and how."""
    tried = f"each card after a trial in {play.partition(':')[2]} deals"
    return [("Players", seated_text(players)), ("Play of the cards", _PLAY.get(play, tried))]


def _deals_text(about: Json) -> str:
    """The deals behind an answer, in words."""
    deals, drawn, effective = about["deals"], about["drawn"], round(about["effective"])
    if about["exact"]:
        return f"all {plural(deals, 'possible deal')}, each counted"
    fit = f" that fit what was said and played, of {count_text(drawn)} dealt" if drawn != deals else ""
    worth = f"; they tell as much as {count_text(effective)} that fit fully" if effective != deals else ""
    return f"{plural(deals, 'random deal')}{fit}{worth}"


def _interrupted(about: Json) -> list[str]:
    return ["It was stopped early: this rests on the deals tried till then."] if about["interrupted"] else []


def _hand_text(scene: Scene) -> str:
    """The hand in symbols for the title of the page: `J♥ A♥`."""
    return " ".join(card.short for card in scene.hand)
