"""Under any house rules together every deal can be recorded, replayed and asked about, and all shares make one."""

import json
import random

import pytest
import reference
from test_kernel_rules import random_change
from test_position import decisions

from analyzer.ask import ask
from analyzer.batches import How
from analyzer.looks import some_worlds, where
from analyzer.position_file import read_position
from analyzer.record import HandRecord, parse_record, replay, write_record
from analyzer.rules import GAMES, Rules, make_rules
from analyzer.simulate import record_hands, simulate
from analyzer.strategy import PRESETS, Strategy, find_strategy
from kernels.compile import JIT

N_RULES = 6 if JIT else 1
N_DEALS = 200 if JIT else 5


def players_at_random(rules: Rules, rng: random.Random) -> list[Strategy]:
    return [find_strategy(rng.choice(list(PRESETS)), rules) for _ in range(rules.n_seats)]


def assert_all_is_counted(rules: Rules, players: list[Strategy]) -> None:
    found = simulate(rules, players, N_DEALS, how=How(1))
    makers = sum(row.calls for row in found.rows if row.call == "all")
    assert makers / N_DEALS + found.thrown_in + found.claimed == pytest.approx(1)


def assert_it_can_be_asked(record: HandRecord, players: list[Strategy], rng: random.Random) -> None:
    told = json.loads(write_record(record))
    choices = list(decisions({field: value for field, value in told.items() if field != "players"}))
    if len(record.hands[0]) > 30:  # late in the play of a double pack one deal of a million may fit
        choices = [(read, legal) for read, legal in choices if legal[0][1] != "play"]
    for read, _ in rng.sample(choices, min(2, len(choices))):
        position = read_position(read)
        answer = ask(position, players, deals=20, workers=1)
        for option in answer.options:
            shares = (option.made, option.euchred, option.other_made, option.other_euchred, option.thrown_in)
            assert sum(shares) == pytest.approx(1)
            assert option.march <= option.made
        for row in where(position, players, answer, workers=1):
            assert sum(row.shares.values()) == pytest.approx(1)
        assert some_worlds(position, players, answer, 1)


@pytest.mark.parametrize("game", GAMES)
def test_any_house_rules_can_be_played_recorded_and_asked_about(game: str) -> None:
    rng = random.Random(f"house {game}")
    for _ in range(N_RULES):
        rules = make_rules(GAMES[game], random_change(game, rng))
        players = players_at_random(rules, rng)
        assert_all_is_counted(rules, players)
        hands: list[HandRecord] = []
        record_hands(rules, players, 2, hands.extend, seed=rng.randrange(1000), workers=1)
        for hand in hands:
            again = parse_record(json.loads(write_record(hand)))
            assert replay(again).result == hand.result == reference.replay(json.loads(write_record(hand)))
            assert_it_can_be_asked(hand, players, rng)
