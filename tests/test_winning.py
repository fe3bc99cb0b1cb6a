"""The chance to win from every score, held against a published table and against whole games played out slowly."""

import random
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
import reference_score
from test_kernel_rules import rules_of

from analyzer.border import Payoff, payoffs_of
from analyzer.errors import QuestionError
from analyzer.rules import Rules
from analyzer.winning import WinTable, solve

Shares = dict[Payoff, float]


def table_of(rules: Rules, *seatings: Shares) -> WinTable:
    """The table from the shares of payoffs, a dict a seating."""
    paid = payoffs_of(rules).each
    assert all(payoff in paid for shares in seatings for payoff in shares)
    return solve(rules, np.array([[shares.get(payoff, 0.0) for payoff in paid] for shares in seatings]))


def two_sides(*shares: tuple[int, int, float], maker: int | None = None) -> Shares:
    """Shares of (points of the side that does not deal, points of the dealer's side)."""
    return {Payoff(int(theirs > 0) if maker is None else maker, (ours, theirs)): p for ours, theirs, p in shares}


# --- four-handed, from the rates of a published table ---

PUBLISHED_RATES = [(0, 1, 0.45), (1, 0, 0.17), (0, 2, 0.16), (2, 0, 0.12), (0, 4, 0.05), (4, 0, 0.05)]
DEALING = {(0, 0): 0.512, (8, 8): 0.545, (9, 9): 0.660, (9, 8): 0.718, (2, 8): 0.082}
NOT_DEALING = {(9, 6): 0.819, (9, 4): 0.923, (2, 8): 0.067}


@pytest.mark.fast
def test_from_benjamins_rates_come_benjamins_chances() -> None:
    table = table_of(rules_of("four-handed", {}), two_sides(*PUBLISHED_RATES))
    for (own, other), chance in DEALING.items():
        assert table.before((other, own))[1] == pytest.approx(chance, abs=0.0005)
    for (own, other), chance in NOT_DEALING.items():
        assert table.before((own, other))[0] == pytest.approx(chance, abs=0.0005)


@pytest.mark.fast
def test_a_deal_thrown_in_passes_the_deal_on_and_nothing_else() -> None:
    rules = rules_of("four-handed", {})
    rates = [(ours, theirs, 0.5 * p) for ours, theirs, p in PUBLISHED_RATES]
    table = table_of(rules, two_sides(*rates) | {Payoff(None, (0, 0)): 0.5})
    # at 9-9 whoever deals first in a deal that is played wins it with 0.66: half of these, a quarter of the others, ...
    assert table.before((9, 9))[1] == pytest.approx((0.66 + 0.5 * 0.34) / 1.5, abs=1e-12)


@pytest.mark.fast
def test_games_that_never_end_have_no_winner() -> None:
    with pytest.raises(QuestionError, match="hardly ever end"):
        table_of(rules_of("two-handed", {}), {Payoff(None, (0, 0)): 1.0})


# --- ends, to the letter of the rules ---


def ended(changes: dict[str, Any], scores: tuple[int, ...], payoff: Payoff, game: str = "bid") -> list[float]:
    """Each side's chance once a deal at this score has paid this; in all further deals the dealer makes 3 to 1."""
    rules = rules_of(game, changes)
    if game == "bid":
        table = table_of(rules, {Payoff(1, (3, 3)): 0.25, Payoff(1, (2, 4)): 0.75})
    else:
        table = table_of(rules, {Payoff(2, (0, 0, 1)): 1.0})
    chances: list[float] = table.after(scores)[payoffs_of(rules).each.index(payoff)].tolist()
    return chances


@pytest.mark.fast
def test_bid_both_home_one_more_deal_is_played_and_the_higher_total_then_wins() -> None:
    # 34 to 32 and the first side deals: it gains 2 in three deals of four; else the lead of two stands
    assert ended({}, (30, 30), Payoff(0, (4, 2))) == [1, 0]
    # 32 to 34: drawn level in three of four, and then the other side deals and gains two points, unless drawn again
    even_then = Fraction(4, 5)  # of the dealer, first, third, ... level deal: 3/4 in all + 1/4 of the rest
    assert even_then == Fraction(3, 4) + Fraction(1, 4) * (1 - even_then)
    assert ended({}, (30, 30), Payoff(1, (2, 4))) == pytest.approx([0.75 * (1 - 0.8), 0.25 + 0.75 * 0.8])
    assert ended({}, (30, 30), Payoff(0, (3, 3))) == pytest.approx([0.8, 0.2])
    assert ended({}, (32, 40), Payoff(0, (-3, 5))) == [0, 1]
    assert ended({}, (32, 40), Payoff(0, (24, 0))) == [1, 0]


@pytest.mark.fast
def test_bid_a_deal_thrown_in_is_not_the_one_that_decides() -> None:
    assert ended({}, (33, 33), Payoff(None, (0, 0))) == pytest.approx([0.8, 0.2])
    assert ended({}, (36, 32), Payoff(None, (0, 0))) == [1, 0]  # the first side deals, and cannot lose four points


@pytest.mark.fast
def test_bid_the_bidder_goes_out_first_where_the_table_plays_so() -> None:
    for maker, wins in ((0, [1, 0]), (1, [0, 1])):
        assert ended({"tie": "bidder"}, (29, 31), Payoff(maker, (3, 3))) == wins
    assert ended({"tie": "bidder"}, (31, 31), Payoff(0, (-5, 2))) == [0, 1]


@pytest.mark.fast
def test_bid_the_higher_total_wins_at_once_where_the_table_plays_so() -> None:
    assert ended({"tie": "higher-total"}, (30, 29), Payoff(0, (3, 3))) == [1, 0]
    assert ended({"tie": "higher-total"}, (29, 30), Payoff(0, (3, 3))) == [0, 1]
    assert ended({"tie": "higher-total"}, (30, 30), Payoff(0, (3, 3))) == pytest.approx([0.8, 0.2])


@pytest.mark.fast
def test_totals_below_minus_the_target_are_taken_for_that_and_below_zero_for_zero_where_none_is_negative() -> None:
    shares = {Payoff(0, (24, 0)): 0.3, Payoff(1, (3, 3)): 0.5, Payoff(1, (4, -4)): 0.2}
    table = table_of(rules_of("bid", {}), shares)
    assert table.before((-40, 3)) == table.before((-32, 3)) != table.before((-16, 3))
    floor = table_of(rules_of("bid", {"negative_scores": False}), shares)
    paid = payoffs_of(rules_of("bid", {})).each.index(Payoff(0, (-5, 2)))
    assert floor.after((1, 10))[paid].tolist() == pytest.approx(floor.before((12, 0))[::-1])
    assert table.after((1, 10))[paid].tolist() == pytest.approx(table.before((12, -4))[::-1])


@pytest.mark.fast
def test_three_handed_two_home_together_the_higher_total_wins_then_the_one_nearer_the_dealers_left() -> None:
    euchred = Payoff(0, (0, 2, 2))
    assert ended({}, (9, 8, 8), euchred, "three-handed") == [0, 1, 0]
    assert ended({}, (0, 8, 9), euchred, "three-handed") == [0, 0, 1]
    assert ended({"tie": "eldest"}, (0, 8, 9), euchred, "three-handed") == [0, 1, 0]
    assert ended({"tie": "joint"}, (0, 8, 9), euchred, "three-handed") == [0, 0.5, 0.5]
    assert ended({"tie": "joint"}, (0, 7, 9), euchred, "three-handed") == [0, 0, 1]


# --- whole games played out ---

GAMES_PLAYED = 4000
MADE_UP: dict[str, list[dict[str, Any]]] = {
    "two-handed": [{}, {"target": 5}],
    "three-handed": [{}, {"tie": "joint", "target": 7}, {"tie": "eldest", "lone_maker_march": 6}],
    "four-handed": [{}, {"defend_alone": True, "loner_euchred": 4, "lone_march": 7}],
    "bid": [
        {},
        {"tie": "bidder", "target": 15},
        {"tie": "higher-total", "target": 12, "plain_six": True},
        {"negative_scores": False, "failed_alone": "value"},
        {"defenders_score": "never", "target": 9},
    ],
}
CASES = [(game, changes) for game, each in MADE_UP.items() for changes in each]


def made_up(rules: Rules, seed: int) -> Shares:
    """Shares drawn at random; contracts that are made come more often, lest games of Bid Euchre never end."""
    dice = random.Random(seed)
    weights = {payoff: dice.random() * (4 if min(payoff.points) >= 0 else 1) for payoff in payoffs_of(rules).each}
    total = sum(weights.values())
    return {payoff: weight / total for payoff, weight in weights.items()}


def play_out(rules: Rules, seatings: list[Shares], scores: tuple[int, ...], dice: random.Random) -> list[float]:
    """One game from this score, deal by deal: each side's share of the win, in the seat order of the first deal."""
    named = {name: getattr(rules, name) for name in ("target", "tie", "negative_scores")}
    game, n = rules.game.name, len(rules.sides)
    totals, one_more, deal = list(scores), False, 0
    while True:
        shares = seatings[deal % len(seatings)]
        payoff = dice.choices(list(shares), list(shares.values()))[0]
        totals = reference_score.add_up(game, named, totals, {"points": list(payoff.points)})
        if payoff.side is not None:
            won = reference_score.winners(game, named, totals, maker=payoff.side + 1, one_more=one_more)
            if isinstance(won, list):
                return [won[(side - deal) % n] for side in range(n)]
            one_more = won == "play-on"
        totals = totals[1:] + totals[:1]
        deal += 1


@pytest.mark.parametrize(("game", "changes"), CASES, ids=str)
def test_the_table_agrees_with_whole_games_played_out_slowly(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes)
    n, target = len(rules.sides), rules.target
    seatings = [made_up(rules, 7), made_up(rules, 8)] if rules.n_seats != 3 else [made_up(rules, k) for k in (1, 2, 3)]
    table = table_of(rules, *seatings)
    dice = random.Random(5)
    for scores in (
        (0,) * n,
        tuple(target - 1 - k for k in range(n)),
        tuple(min(target - 1, target // 2 + 3 * (k & 1)) for k in range(n)),
    ):
        played = [play_out(rules, seatings, scores, dice) for _ in range(GAMES_PLAYED)]
        for side, chance in enumerate(table.before(scores)):
            won = sum(each[side] for each in played) / GAMES_PLAYED
            error = (chance * (1 - chance) / GAMES_PLAYED) ** 0.5
            assert abs(won - chance) < 4.5 * error + 1e-9, (scores, side)


@pytest.mark.parametrize(("game", "changes"), CASES, ids=str)
def test_every_chance_is_what_follows_from_the_deal_before_it(game: str, changes: dict[str, Any]) -> None:
    rules = rules_of(game, changes)
    shares = made_up(rules, 3)
    table = table_of(rules, shares)
    weights = [shares[payoff] for payoff in payoffs_of(rules).each]
    low = -3 if rules.negative_scores else 0
    for scores in product(range(low, rules.target, 4), repeat=len(rules.sides)):
        before, after = table.before(scores), table.after(scores)
        assert np.dot(weights, after) == pytest.approx(before, abs=1e-11)
        assert sum(before) == pytest.approx(1, abs=1e-11)


def test_long_games_are_found_as_well_as_short_ones() -> None:
    """Where contracts fail so often that scores fall back again and again, the next deal must still agree."""
    rules = rules_of("bid", {"target": 8})
    shares = {Payoff(0, (-5, 2)): 0.47, Payoff(1, (2, -5)): 0.47}
    shares |= {Payoff(0, (12, 0)): 0.02, Payoff(1, (0, 12)): 0.04}
    table = table_of(rules, shares)
    weights = [shares.get(payoff, 0.0) for payoff in payoffs_of(rules).each]
    for scores in product(range(-8, 8, 3), repeat=2):
        assert np.dot(weights, table.after(scores)) == pytest.approx(table.before(scores), abs=1e-11)


@cache
def _paid(game: str, deck: int) -> set[tuple[int, ...]]:
    return {payoff.points for payoff in payoffs_of(rules_of(game, {"deck": deck})).each}


@pytest.mark.fast
def test_what_a_deal_can_pay_is_what_the_rules_say() -> None:
    assert _paid("two-handed", 24) == {(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)}
    assert _paid("four-handed", 24) == {(0, 0), (1, 0), (2, 0), (4, 0), (0, 1), (0, 2), (0, 4)}
    ones = {(1, 0, 0), (3, 0, 0), (0, 2, 2), (0, 4, 4)}
    assert _paid("three-handed", 24) == {(0, 0, 0)} | {one[k:] + one[:k] for one in ones for k in range(3)}
    assert {(4, 2), (-5, 2), (6, 0), (12, 0), (-6, 1), (24, 0), (-6, 3)} < _paid("bid", 24)
    assert {(7, 5), (24, 0), (48, 0), (-12, 1)} < _paid("bid", 48)
