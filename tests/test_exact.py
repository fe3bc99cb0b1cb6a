"""That a count looks at every world once, and agrees with drawn worlds, other names of the suits and other chunks."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import comb
from typing import Any

import numpy as np
import pytest
from test_ask import IN_PLAY, LETTER, QUESTIONS, SUITED, Asked, Told, asked, colour_keeping, players_of
from test_position import decisions

import analyzer.exact
from analyzer.ask import Answer, Goal, Look, ask, will_count
from analyzer.border import door_of, kernel_players, kernel_rules, new_scratch
from analyzer.cards import cards_text, each_card
from analyzer.choices import options
from analyzer.cli import main
from analyzer.equity import win_table
from analyzer.errors import QuestionError
from analyzer.exact import (
    Counted,
    Mirror,
    _halved,
    _mirror_view,
    _n_numbers,
    _ways_of,
    count_options,
    count_worlds,
    new_walk,
)
from analyzer.looks import some_worlds, where
from analyzer.position import Position
from analyzer.position_file import read_position
from analyzer.record import HandRecord, write_record
from analyzer.rules import Rules, find_game, make_rules
from analyzer.simulate import record_hands
from analyzer.strategy import find_strategy
from analyzer.trials import Trials
from analyzer.verdicts import Aim
from analyzer.views import question_of
from kernels import exact
from kernels.compile import JIT

TWO = asked("two", "JS AS 9H TH QD", up="9S", seat=1)
FEW = [name for name in IN_PLAY if count_worlds(IN_PLAY[name].position) < 1000]


def shared() -> Told:
    """A maker who took the dummy has played two cards: they were his, or lay in the dummy."""
    return Told(
        {
            "format": 1, "game": "three-handed", "rules": {}, "seat": 3, "hands": [None, None, "9C TC KC QD 9S"],
            "upcard": "JS", "events": [
                [1, "order"], [3, "pickup", "9C"], [1, "dummy", None], [2, "together"], [3, "together"],
                [1, "play", "AD"], [2, "play", "9D"], [3, "play", "QD"], [1, "play", "AH"], [2, "play", "9H"],
            ],
        }
    )  # fmt: skip


# --- every world once ---


def lies_of_each(position: Position) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Where each unseen card lies, world by world in the order of their numbers; by the places of its deal."""
    question, ways = _ways_of(position, question_of(position, [], 0))
    rules = position.rules
    players = kernel_players([find_strategy("standard", rules)] * rules.n_seats, rules)
    n_cards = question.pools.shape[1]
    for number in range(count_worlds(position)):
        walk = new_walk(ways)
        tally = Trials.none(question).tally
        scratch = new_scratch(n_cards, 0)
        door_of(rules).count(kernel_rules(rules), players, question, ways, number, 1, scratch, walk, tally)
        yield tuple(tuple(row) for row in walk.state[:, :2].tolist())


@pytest.mark.parametrize("name", FEW)
def test_each_number_is_another_world(name: str) -> None:
    found = list(lies_of_each(IN_PLAY[name].position))
    assert len(set(found)) == len(found) == count_worlds(IN_PLAY[name].position)


@pytest.mark.skipif(not JIT, reason="counts many worlds")
def test_cards_that_lay_in_one_of_two_places_lie_in_each_in_every_way() -> None:
    """Of 14 unseen cards maker and dummy have eight, seat 2 three; of ten any five are the dummy."""
    position = shared().position
    assert count_worlds(position) == comb(14, 8) * comb(6, 3) * comb(10, 5)


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize(
    ("question", "places"),
    [(TWO, [5]), (asked("two", "JS AS 9H TH QD", rule={"joker": True}, up="9S", seat=1), [5])],
    ids=["24", "25"],
)
def test_every_card_is_in_every_place_in_as_many_worlds_as_there_are(question: Asked, places: list[int]) -> None:
    position = question.position
    (n,) = places
    unseen = len(position.rules.pack) - 6
    found = count_options(position, players_of(question), [], lies=True)
    assert found.trials.found == found.trials.drawn == count_worlds(position) == comb(unseen, n)
    whole = int(found.trials.tally.weights[0])
    assert whole % comb(unseen, n) == 0
    each = whole // comb(unseen, n)
    assert [int(row[1]) for row in found.lies] == [each * comb(unseen - 1, n - 1)] * unseen
    assert [int(sum(row)) for row in found.lies] == [whole] * unseen
    answer = ask(position, players_of(question))
    assert answer.provenance.exact
    for row in where(position, players_of(question), answer):
        assert row.shares["opponent"] == pytest.approx(n / unseen, abs=1e-15)


def test_the_games_have_as_many_worlds_as_they_should() -> None:
    for name, n in (("two", 8_568), ("three", 617_512_896), ("four", 617_512_896), ("bid", 17_153_136)):
        assert count_worlds(QUESTIONS[name].position) == n


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize("every_view", [0, 20_000])
def test_threads_and_chunks_change_no_digit_of_a_count(every_view: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyzer.exact, "EVERY_VIEW", every_view)
    one = ask(TWO.position, players_of(TWO), workers=1)
    for size in (97, 1000):
        monkeypatch.setattr(analyzer.exact, "CHUNK", size)
        other = ask(TWO.position, players_of(TWO), workers=2)
        assert (other.options, other.verdict) == (one.options, one.verdict)


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize("every_view", [0, 20_000])
def test_a_question_with_its_suits_renamed_has_the_same_answer_to_the_last_digit(
    every_view: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyzer.exact, "EVERY_VIEW", every_view)
    question = asked("two", "JS 9S AH TH 9D", up="KS", calls="pass pass")
    first: dict[str, Any] = {}
    for names in colour_keeping():
        table = str.maketrans(names)
        words = {suit: SUITED["CDHS".index(names[LETTER[suit]])] for suit in SUITED}
        said = question.said | {"up": question.said["up"].translate(table)}
        moved = Asked(question.game, question.hand.translate(table), said, {})
        found = {option.option: option for option in ask(moved.position, players_of(moved)).options}
        first = first or found
        for text, option in first.items():
            other = found[" ".join(words.get(word, word) for word in text.split())]
            assert (other.points, other.made, other.march) == (option.points, option.made, option.march)


# --- counted and drawn ---


def z_of(question: Any, answer: Answer, players: Any, deals: int, seed: int) -> list[float]:
    """For each option, how many standard errors the drawn worlds are off."""
    drawn = {option.option: option for option in ask(question, players, deals=deals, seed=seed).options}
    found = []
    for option in answer.options:
        other = drawn[option.option]
        gap = other.points - option.points
        found.append(gap / other.points_se if other.points_se else 0.0 if abs(gap) < 0.01 else 99.0)
    return found


def hands_of_two(n: int) -> Iterator[Position]:
    """Two-handed questions before the first call, after a pass and in round two."""
    rng = random.Random(5)
    rules = make_rules(find_game("two"), {})
    cards = list(each_card(rules.pack.cards))
    for k in range(n):
        up, *hand = rng.sample(cards, 6)
        said = {"up": cards_text(up, rules.pack), "calls": ["", "pass", "pass pass"][k % 3]}
        yield Asked("two", cards_text(sum(hand), rules.pack), said, {}).position


def check_agreement(n_hands: int, deals: int) -> None:
    players = [find_strategy("standard", make_rules(find_game("two"), {}))] * 2
    squares = 0.0
    for seed, position in enumerate(hands_of_two(n_hands)):
        answer = ask(position, players)
        assert answer.provenance.exact
        off = z_of(position, answer, players, deals, seed)
        assert max(map(abs, off)) < 4.5, position
        squares += off[0] ** 2
    low, high = (n_hands * (1 - 2 / (9 * n_hands) + z * (2 / (9 * n_hands)) ** 0.5) ** 3 for z in (-3.29, 3.29))
    assert low < squares < high  # chi-squared, by Wilson and Hilferty


@pytest.mark.skipif(not JIT, reason="counts many worlds")
def test_counted_and_drawn_worlds_agree() -> None:
    check_agreement(n_hands=15, deals=2000)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="counts many worlds")
def test_counted_and_drawn_worlds_agree_in_two_hundred_hands() -> None:
    check_agreement(n_hands=200, deals=10_000)


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize("name", IN_PLAY)
def test_counted_and_drawn_worlds_agree_on_cards_to_play(name: str) -> None:
    question = IN_PLAY[name]
    answer = ask(question.position, players_of(question), exact=True)
    assert max(map(abs, z_of(question.position, answer, players_of(question), 4000, 3))) < 4.5


def played_by_standard(rules: Rules, n: int) -> Iterator[Position]:
    """Decisions in the play of hands that standard players played, with few worlds."""
    records: list[HandRecord] = []
    record_hands(rules, [find_strategy("standard", rules)] * rules.n_seats, n, records.extend, seed=2)
    for record in records:
        for read, legal in decisions(json.loads(write_record(record))):
            n_played = sum(event[1] == "play" for event in read["events"])
            if len(legal) > 1 and n_played >= 2 * rules.n_seats:
                position = read_position(read)
                if 1 < count_worlds(position) <= 20_000:
                    yield position


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize("game", ["three", "four", "bid"])
def test_counted_and_drawn_worlds_agree_late_in_the_play(game: str) -> None:
    """Three-handed a maker's cards may have come from the dummy."""
    rules = make_rules(find_game(game), {})
    players = [find_strategy("standard", rules)] * rules.n_seats
    n = 0
    for position, _ in zip(played_by_standard(rules, 60), range(12), strict=False):
        answer = ask(position, players, exact=True)
        assert max(map(abs, z_of(position, answer, players, 1000, n))) < 5, position
        n += 1
    assert n > 3


# --- half of the worlds ---

ALIKE = {
    "two, before the first call": asked("two", "JS AS KC 9H 9D", up="QS", seat=1),
    "two, in round two": asked("two", "JS AS KC 9H 9D", up="QS", calls="pass pass"),
    "two, a discard": asked("two", "JS 9H 9D AH AD", up="QS", calls="order"),
    "three, dummy or alone": asked("three", "JS AS KC 9H 9D", up="QS", calls="order pickup"),
    "three, in round two": asked("three", "JC TC 9C QH QD", "bold,cautious,standard", up="AS", calls="pass pass pass"),
    "four, before the first call": asked("four", "JH JD AH KH QD", up="QH", seat=1),
    "four, after passes": asked("four", "JH 9C 9S KH QD", up="QH", calls="pass pass"),
    "four, in round two": asked("four", "JH 9C 9S KH QD", up="AD", calls="pass pass pass pass"),
    "four, next was named": asked(
        "four", "JH 9C 9S KH QD", rule={"defend_alone": True}, up="AD", calls="pass pass pass pass hearts alone"
    ),
    "bid": asked("bid", "JH JD AH KH 9C 9S"),
    "bid, after calls": asked("bid", "JS JC AS AC KH KD", calls="3 pass"),
}
"""Questions that stay what they are when two suits of a colour change names."""
UNLIKE = {
    "a card of one suit": asked("four", "JH JD AH KH 9S", up="QH", seat=1),
    "a suit that was turned down": asked("two", "9C TC 9S TS QD", up="KS", calls="pass pass"),
    "a suit that was named": asked(
        "four", "JH 9C 9S KH QD", rule={"defend_alone": True}, up="AD", calls="pass pass pass pass clubs alone"
    ),
}


def halved_of(question: Asked) -> tuple[Any, exact.Ways, Mirror | None]:
    position = question.position
    tried = [option.step for option in options(position)]
    views, ways = _ways_of(position, question_of(position, tried, 0))
    return (views, *_halved(views, ways))


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize("name", [name for name in ALIKE if name.startswith("two")])
def test_half_of_the_worlds_give_the_answer_of_all(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question = ALIKE[name]
    position, players = question.position, players_of(question)
    half = ask(position, players)
    lies = where(position, players, half)
    monkeypatch.setattr(analyzer.exact, "EVERY_VIEW", 10**9)
    monkeypatch.setattr(analyzer.exact, "_halved", lambda _, ways: (ways, None))
    whole = ask(position, players)
    assert (half.options, half.verdict) == (whole.options, whole.verdict)
    assert half.provenance.deals == whole.provenance.deals
    assert half.provenance.drawn == whole.provenance.drawn == count_worlds(position)
    assert lies == where(position, players, whole)


@pytest.mark.parametrize("name", ALIKE)
def test_each_world_left_out_is_the_image_of_one_that_is_not(name: str) -> None:
    _, ways, mirror = halved_of(ALIKE[name])
    assert mirror is not None
    n = _n_numbers(ways)
    assert 2 * mirror.n_doubled + (n - mirror.n_doubled) == count_worlds(ALIKE[name].position)
    assert n < 0.6 * count_worlds(ALIKE[name].position)


@pytest.mark.parametrize("name", UNLIKE)
def test_a_question_that_its_suits_tell_apart_is_counted_whole(name: str) -> None:
    _, ways, mirror = halved_of(UNLIKE[name])
    assert mirror is None
    assert not len(ways.firsts)


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize("name", ALIKE)
def test_what_comes_of_a_world_comes_of_its_image_under_the_other_names(name: str) -> None:
    """Drawn from all worlds there are, each looked at in all views; whoever plays and however ties are broken."""
    question = ALIKE[name]
    position = question.position
    tried = [option.step for option in options(position)]
    views, ways = _ways_of(position, question_of(position, tried, 0))
    ways, n = ways._replace(n_views=8), _n_numbers(ways)
    view = _mirror_view(views)
    _, mirror = _halved(views, ways)
    assert view is not None
    assert mirror is not None
    image = [ways.cards[0].tolist().index(card) for card in ways.cards[view].tolist()]
    rules = position.rules
    table = (kernel_rules(rules), kernel_players(players_of(question), rules))
    count = partial(counted_at, door_of(rules).count, table, views, ways)
    rng = random.Random(7)
    for _ in range(12):
        number = rng.randrange(1, n)
        _, before = count(number - 1)
        other = number_of(ways, [moved(held, image) for held in before.state[:, exact.HELD].tolist()])
        (one, _), (twin, _) = count(number), count(other)
        both = mirror.with_images(one)
        for sums, first, second in zip(both.trials.tally, one.trials.tally, twin.trials.tally, strict=True):
            assert (np.asarray(sums) == np.asarray(first) + np.asarray(second)).all(), (number, other)
        assert (both.lies == one.lies + twin.lies).all()
        assert both.trials.found == one.trials.found + twin.trials.found


def counted_at(
    door: Any, table: tuple[Any, Any], views: Any, ways: exact.Ways, number: int
) -> tuple[Counted, exact.Walk]:
    """What comes of one world, and the walk, which then stands at the next."""
    n_cards = views.pools.shape[1]
    walk = new_walk(ways, n_cards)
    trials = Trials.none(views)
    scratch = new_scratch(n_cards, views.options.shape[1], 1)
    trials.found, trials.drawn = door(*table, views, ways, number, 1, scratch, walk, trials.tally), 1
    trials.tally.payoffs[:, :, 1] = 0  # squares of weights, which a count does not use
    return Counted(trials, walk.lies.astype(object)), walk


def moved(held: int, image: list[int]) -> int:
    return sum(1 << image[k] for k in range(len(image)) if held >> k & 1)


def number_of(ways: exact.Ways, sets: list[int]) -> int:
    """The number of the world in which places hold these sets, none of them shared."""
    number, rest = 0, list(range(int(ways.unseen).bit_length()))
    for (_, wants, of, _), held in zip(ways.places.tolist(), sets, strict=True):
        at = [k for k, card in enumerate(rest) if held >> card & 1]
        assert (len(at), len(rest)) == (wants, of)
        number = number * comb(of, wants) + sum(comb(place, k + 1) for k, place in enumerate(at))
        rest = [card for card in rest if not held >> card & 1]
    return number


# --- the answer ---

UNREAD_SQUARES = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
"""A count has no error: the squares of its weights are not read, and may run over. Plain Python says so."""


@UNREAD_SQUARES
@pytest.mark.parametrize("name", FEW)
def test_a_count_has_no_error(name: str) -> None:
    answer = ask(IN_PLAY[name].position, players_of(IN_PLAY[name]))
    assert answer.provenance.exact
    assert answer.provenance.deals == answer.provenance.effective <= answer.provenance.drawn
    assert answer.verdict.sure == 1
    assert answer.verdict.kind in ("better", "equal", "only")
    assert ("exact" in answer.verdict.text) == (len(answer.options) > 1)
    for option in answer.options:
        assert option.points_se == option.difference_se == 0
        assert option.difference_low == option.difference == option.difference_high
        assert option.made_low == option.made == option.made_high
    assert some_worlds(IN_PLAY[name].position, players_of(IN_PLAY[name]), answer, 2)


def test_few_worlds_are_counted_unless_told_otherwise_or_coins_are_flipped() -> None:
    position, players = TWO.position, players_of(TWO)
    assert will_count(position, players)
    assert not will_count(position, players, deals=100_000)
    assert not will_count(position, players, max_deals=8_567)
    assert not will_count(position, players_of(replace(TWO, players="random")))
    assert not will_count(QUESTIONS["four"].position, players_of(QUESTIONS["four"]))
    assert will_count(QUESTIONS["four"].position, players_of(QUESTIONS["four"]), exact=True)


@pytest.mark.skipif(not JIT, reason="counts many worlds")
@pytest.mark.parametrize("goal", ["points", "win"])
def test_a_count_that_was_broken_off_is_an_answer_from_the_worlds_counted(
    goal: Aim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chunks of worlds are counted in no order, and tell as much as they differ."""

    def stop(look: Look) -> None:
        if look.deals >= 5_000:
            raise KeyboardInterrupt

    monkeypatch.setattr(analyzer.exact, "CHUNK", 8)
    position, players = replace(TWO.position, scores=(6, 8)), players_of(TWO)
    how: dict[str, Any] = {"goal": Goal(goal, win_table(position.rules, players, deals=10_000).table)}
    whole = ask(position, players, **how)
    early = ask(position, players, watch=stop, **how)
    assert early.provenance.interrupted
    assert not early.provenance.exact
    assert 5_000 <= early.provenance.deals == early.provenance.drawn < 5_100
    assert early.provenance.effective == pytest.approx(early.provenance.deals / 8)
    assert [option.option for option in early.options] == [option.option for option in whole.options]
    for one, all_ in zip(early.options, whole.options, strict=True):
        assert 0 < one.points_se < 0.2
        assert abs(one.points - all_.points) < 4.5 * one.points_se
        assert one.win_game is not None
        assert one.win_game_se is not None
        assert all_.win_game is not None
        assert 0 < one.win_game_se < 0.02
        assert abs(one.win_game - all_.win_game) < 4.5 * one.win_game_se
        assert one.difference_low <= all_.difference <= one.difference_high


def test_a_count_that_was_broken_off_before_its_first_chunk_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*given: Any) -> Iterator[Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(analyzer.exact, "in_order", stopped)
    name = FEW[0]
    with pytest.raises(KeyboardInterrupt):
        ask(IN_PLAY[name].position, players_of(IN_PLAY[name]))


@UNREAD_SQUARES
def test_the_time_is_forecast_before_the_count() -> None:
    told: list[tuple[int, float]] = []
    name = FEW[0]
    ask(IN_PLAY[name].position, players_of(IN_PLAY[name]), forecast=lambda n, seconds: told.append((n, seconds)))
    assert [n for n, _ in told] == [count_worlds(IN_PLAY[name].position)]
    assert told[0][1] > 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["-g", "two", "JS AS 9H TH QD", "--up", "9S", "--players", "random"], "random flips coins"),
        (["JS AS 9H TH QD", "--up", "9S", "-r", "deck=32"], "the unseen cards can lie in 5,846,817,936,960 ways"),
        (["-g", "two", "JS AS 9H TH QD", "--up", "9S", "--deals", "9"], "leave out --deals"),
    ],
)
def test_what_cannot_be_counted_is_refused(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--exact", *words]) == 2
    assert reason in capsys.readouterr().err


def test_too_many_worlds_and_coins_are_refused_before_the_work() -> None:
    with pytest.raises(QuestionError, match="flips coins"):
        ask(TWO.position, players_of(replace(TWO, players="random")), exact=True)


@pytest.mark.skipif(not JIT, reason="counts many worlds")
def test_the_table_says_that_it_is_exact(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "-g", "two", "JS AS 9H TH QD", "--up", "9S", "--exact"]) == 0
    printed = capsys.readouterr().out
    assert "exact: all 8,568 possible deals" in " ".join(printed.split())
    assert "(exact)" in printed
    assert "±" not in printed
