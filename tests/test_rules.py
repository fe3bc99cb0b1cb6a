import dataclasses
from pathlib import Path

import pytest

from analyzer.errors import QuestionError
from analyzer.rules import (
    GAMES,
    Game,
    RuleField,
    Rules,
    Value,
    fields_of,
    find_game,
    make_rules,
    parse_rule,
    read_rules_file,
    value_text,
)

pytestmark = pytest.mark.fast

TWO, THREE, FOUR, BID = (GAMES[name] for name in ("two-handed", "three-handed", "four-handed", "bid"))
EVERY_FIELD = [(game, field) for game in GAMES.values() for field in fields_of(game)]
EVERY_VALUE = [
    (game, field, value)
    for game, field in EVERY_FIELD
    for value in (field.values if isinstance(field.values, tuple) else sorted({min(field.values), max(field.values)}))
]


def _name(part: object) -> str:
    return part.name if isinstance(part, Game | RuleField) else value_text(part)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("two", "two-handed"),
        ("2", "two-handed"),
        ("three", "three-handed"),
        ("3", "three-handed"),
        ("Four", "four-handed"),
        ("4", "four-handed"),
        ("four-handed", "four-handed"),
        ("BID", "bid"),
    ],
)
def test_a_game_is_found_by_its_name_and_its_short_names(text: str, name: str) -> None:
    assert find_game(text).name == name


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(QuestionError, match=r'"for-handed": .*two-handed, .*, bid; did you mean "four-handed"\?'):
        find_game("for-handed")
    with pytest.raises(QuestionError, match=r'did you mean "three"\?'):
        find_game("thre")
    with pytest.raises(QuestionError, match=r'did you mean "two"\?'):
        find_game("tow")


def test_rules_have_an_attribute_for_every_house_rule_and_no_other() -> None:
    attributes = {field.name for field in dataclasses.fields(Rules)} - {"game"}
    assert attributes == {field.name for _, field in EVERY_FIELD}


@pytest.mark.parametrize("game", GAMES.values(), ids=_name)
def test_a_game_without_changes_has_its_defaults_and_none_for_the_rules_of_others(game: Game) -> None:
    rules = make_rules(game)
    assert rules.changed() == {}
    own = {field.name: field.default for field in fields_of(game)}
    for field in dataclasses.fields(Rules):
        if field.name != "game":
            assert getattr(rules, field.name) == own.get(field.name)


@pytest.mark.parametrize(("game", "field", "value"), EVERY_VALUE, ids=_name)
def test_every_allowed_value_can_be_typed_and_written(game: Game, field: RuleField, value: Value) -> None:
    assert parse_rule(f"{field.name}={value_text(value)}", game) == (field.name, value)
    rules = make_rules(game, {field.name: value})
    assert getattr(rules, field.name) == value
    assert rules.changed() == ({} if value == field.default else {field.name: value})
    assert make_rules(game, rules.changed()) == rules


@pytest.mark.parametrize(("game", "field"), EVERY_FIELD, ids=_name)
def test_a_wrong_value_is_refused_with_what_is_allowed(game: Game, field: RuleField) -> None:
    with pytest.raises(QuestionError) as refused:
        parse_rule(f"{field.name}=sideways", game)
    why = "is neither of its values" if isinstance(field.default, bool) else f"is not played in {game.name}"
    assert str(refused.value).startswith(f"{field.name}=sideways {why}: ")
    assert str(refused.value).endswith(f"{field.name} can be {field.allowed}")


def test_yes_and_no_are_typed_for_true_and_false() -> None:
    assert parse_rule("stick_the_dealer=Yes", FOUR) == ("stick_the_dealer", True)
    assert parse_rule("stick_the_dealer=no", FOUR) == ("stick_the_dealer", False)


@pytest.mark.parametrize(("game", "field"), EVERY_FIELD, ids=_name)
def test_every_field_says_what_it_means_and_has_a_legal_default(game: Game, field: RuleField) -> None:
    assert field.meaning
    assert field.allows(field.default)
    assert field.allows(field.default_with(48))


@pytest.mark.parametrize(
    ("name", "value"),
    [("deck", "24"), ("deck", True), ("deck", 24.0), ("joker", 1), ("joker", "true"), ("target", 0), ("target", 101)],
)
def test_a_value_of_another_type_or_out_of_range_is_refused(name: str, value: object) -> None:
    with pytest.raises(QuestionError, match=f"{name}=.* can be "):
        make_rules(FOUR, {name: value})


def test_a_value_too_many_is_refused_in_words() -> None:
    with pytest.raises(QuestionError, match=r"^deck=48 is not played in three-handed: deck can be 24 or 32$"):
        make_rules(THREE, {"deck": 48})
    with pytest.raises(QuestionError, match=r"both_alone_lead can be defender, maker or eldest$"):
        make_rules(THREE, {"both_alone_lead": "dealer"})
    with pytest.raises(QuestionError, match=r"lone_march can be 2 to 20$"):
        make_rules(FOUR, {"lone_march": 1})


def test_a_field_of_another_game_is_refused_with_the_games_that_have_it() -> None:
    with pytest.raises(
        QuestionError, match=r"^tie is a house rule of three-handed and bid; four-handed does not have it"
    ):
        make_rules(FOUR, {"tie": "bidder"})


def test_an_unknown_field_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        QuestionError, match=r'^there is no house rule "stick_dealer": did you mean "stick_the_dealer"\?'
    ):
        parse_rule("stick-dealer=true", FOUR)
    with pytest.raises(QuestionError, match=r'^there is no house rule "xyz": expected one of deck, target, joker, '):
        make_rules(FOUR, {"xyz": 1})


@pytest.mark.parametrize("text", ["joker", "joker=", "=true", "", "deck 32"])
def test_a_house_rule_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(QuestionError, match="expected FIELD=VALUE, as in deck=32"):
        parse_rule(text, FOUR)


def test_a_house_rule_is_read_in_any_case_and_with_hyphens() -> None:
    assert parse_rule(" Stick-The-Dealer = TRUE", FOUR) == ("stick_the_dealer", True)


def test_the_joker_is_refused_with_48_cards() -> None:
    with pytest.raises(QuestionError, match="joker=true cannot be played with deck=48"):
        make_rules(BID, {"joker": True, "deck": 48})


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_chance_that_a_renege_is_noticed_is_a_number_or_none(game: Game) -> None:
    assert make_rules(game, {"renege_caught": "none"}) == make_rules(game)
    assert not make_rules(game).can_renege
    assert parse_rule("renege_caught=None", game) == ("renege_caught", "none")
    for word, value in (("0", 0.0), ("1", 1.0), ("0.1", 0.1), (".25", 0.25), ("1e-3", 0.001)):
        name, read = parse_rule(f"renege_caught={word}", game)
        assert (name, read, type(read)) == ("renege_caught", value, float)
        rules = make_rules(game, {name: value})
        assert rules.can_renege
        assert rules.changed() == {"renege_caught": value}
        assert parse_rule(f"renege_caught={value_text(read)}", game) == (name, value)
    assert make_rules(game, {"renege_caught": 1}) == make_rules(game, {"renege_caught": 1.0})


@pytest.mark.parametrize("word", ["-0.1", "1.1", "some", "nan", "1_0", "true", "\u0660", "1e999"])
def test_what_is_no_chance_is_refused(word: str) -> None:
    with pytest.raises(QuestionError, match="renege_caught can be none or 0 to 1"):
        parse_rule(f"renege_caught={word}", FOUR)


@pytest.mark.parametrize("value", [True, -0.1, 1.5, 2, "0.1", float("nan")])
def test_a_chance_of_another_kind_is_refused(value: object) -> None:
    with pytest.raises(QuestionError, match="renege_caught can be none or 0 to 1"):
        make_rules(FOUR, {"renege_caught": value})


def test_a_double_pack_is_played_to_52_unless_said() -> None:
    double = make_rules(BID, {"deck": 48})
    assert double.target == 52
    assert double.changed() == {"deck": 48}
    assert make_rules(BID, {"deck": 48, "target": 52}).changed() == {"deck": 48}
    assert make_rules(BID, {"deck": 48, "target": 32}).changed() == {"deck": 48, "target": 32}
    assert make_rules(BID, {"target": 52}).changed() == {"target": 52}


def test_a_dealer_who_is_ordered_must_take_the_upcard_only_in_four_handed() -> None:
    assert [make_rules(game).pickup for game in (TWO, THREE, FOUR, BID)] == ["optional", "optional", "compulsory", None]


@pytest.mark.parametrize(
    ("game", "changes", "n_seats", "hand_size", "dealt", "n_cards"),
    [
        (TWO, {}, 2, 5, (5, 5), 24),
        (THREE, {"deck": 32, "joker": True}, 3, 5, (5, 5, 5), 33),
        (FOUR, {"joker": True}, 4, 5, (5, 5, 5, 5), 25),
        (BID, {}, 4, 6, (6, 6, 6, 6), 24),
        (BID, {"joker": True}, 4, 6, (6, 6, 6, 7), 25),
        (BID, {"deck": 48}, 4, 12, (12, 12, 12, 12), 48),
    ],
)
def test_seats_and_hands_follow_from_game_and_pack(
    game: Game, changes: dict[str, Value], n_seats: int, hand_size: int, dealt: tuple[int, ...], n_cards: int
) -> None:
    rules = make_rules(game, changes)
    assert (rules.n_seats, rules.hand_size, rules.n_tricks) == (n_seats, hand_size, hand_size)
    assert rules.dealt == dealt
    assert len(rules.pack) == n_cards
    assert sorted(seat for side in rules.sides for seat in side) == list(range(1, n_seats + 1))


@pytest.mark.parametrize(
    ("changes", "levels"),
    [
        ({}, (3, 4, 5, "ask", "moon")),
        ({"plain_six": True}, (3, 4, 5, "six", "ask", "moon")),
        ({"deck": 48}, (3, 4, 5, 6, 7, 8, 9, 10, 11, "ask", "moon")),
        ({"deck": 48, "plain_six": True}, (3, 4, 5, 6, 7, 8, 9, 10, 11, "six", "ask", "moon")),
    ],
)
def test_bids_rise_to_ask_and_moon(changes: dict[str, Value], levels: tuple[int | str, ...]) -> None:
    assert make_rules(BID, changes).levels == levels


def test_nothing_is_bid_in_the_turn_up_games() -> None:
    assert make_rules(FOUR).levels == ()


def test_partners_sit_opposite_and_others_play_for_themselves() -> None:
    assert [game.sides for game in GAMES.values()] == [
        ((1,), (2,)),
        ((1,), (2,), (3,)),
        ((1, 3), (2, 4)),
        ((1, 3), (2, 4)),
    ]


def test_house_rules_are_read_from_a_flat_file(tmp_path: Path) -> None:
    path = tmp_path / "home.toml"
    path.write_text('deck = 32\njoker = true  # the British way\npickup = "optional"\n')
    assert read_rules_file(path, FOUR) == {"deck": 32, "joker": True, "pickup": "optional"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("deck = 36\n", "home.toml: deck=36 is not played in four-handed: deck can be 24 or 32"),
        ('deck = "32"\n', 'home.toml: deck="32" is not played in four-handed: deck can be 24 or 32'),
        ("dekc = 32\n", 'home.toml: there is no house rule "dekc": did you mean "deck"?'),
        ("exchange = 2\n", "home.toml: exchange is a house rule of bid; four-handed does not have it"),
        ("[bid]\ndeck = 32\n", 'home.toml: there is no house rule "bid"'),
        ("[deck]\nsize = 32\n", "home.toml: deck={'size': 32} is not played in four-handed"),
        ("deck: 32\n", "home.toml is not a TOML file of house rules, as in deck = 32: "),
    ],
)
def test_a_wrong_rules_file_is_refused_with_file_and_field(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "home.toml"
    path.write_text(text)
    with pytest.raises(QuestionError) as refused:
        read_rules_file(path, FOUR)
    assert message in str(refused.value)


def test_a_rules_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r"cannot read the rules file .*nowhere\.toml: No such file"):
        read_rules_file(tmp_path / "nowhere.toml", FOUR)
    with pytest.raises(QuestionError, match="cannot read the rules file"):
        read_rules_file(tmp_path, FOUR)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(QuestionError, match="is not a TOML file of house rules"):
        read_rules_file(tmp_path / "bytes.toml", FOUR)
