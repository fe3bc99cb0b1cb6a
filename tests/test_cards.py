import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cards import (
    JOKER,
    Pack,
    card_suit,
    cards_text,
    each_card,
    parse_card,
    parse_cards,
    parse_suit,
    suit_name,
)
from analyzer.errors import QuestionError

pytestmark = pytest.mark.fast

SMALL = Pack(24)
BRITISH = Pack(24, joker=True)
LONG = Pack(32)
LONG_JOKER = Pack(32, joker=True)
DOUBLE = Pack(48)
PACKS = [SMALL, BRITISH, LONG, LONG_JOKER, DOUBLE]


@st.composite
def hands(draw: st.DrawFn) -> tuple[Pack, int]:
    pack = draw(st.sampled_from(PACKS))
    cards = draw(st.sets(st.sampled_from(list(each_card(pack.cards))), max_size=12))
    return pack, sum(cards)


@pytest.mark.parametrize("pack", PACKS, ids=str)
def test_the_pack_holds_as_many_cards_as_it_says(pack: Pack) -> None:
    assert pack.cards.bit_count() == len(pack) == pack.deck + pack.joker
    assert pack.cards < 1 << 62


@pytest.mark.parametrize(
    ("text", "pack", "bit"),
    [
        ("9C", SMALL, 2),
        ("AC", SMALL, 7),
        ("7D", LONG, 16),
        ("JH", SMALL, 32 + 4),
        ("AS", SMALL, 48 + 7),
        ("JO", BRITISH, 10),
        ("9C", DOUBLE, 0),
        ("AS", DOUBLE, 48 + 10),
    ],
)
def test_every_card_has_the_bit_that_the_kernels_expect(text: str, pack: Pack, bit: int) -> None:
    assert parse_card(text, pack) == 1 << bit


def test_suits_of_one_colour_are_each_others_mirror() -> None:
    assert [suit_name(suit ^ 3) for suit in range(4)] == ["spades", "hearts", "diamonds", "clubs"]


@pytest.mark.parametrize("text", ["TH", "th", "10H", "10h", "T♥", "♥T", "10♥", "♥10", "h10", "T♡", "10\u2665\ufe0f"])
def test_people_may_write_the_ten_of_hearts_in_many_ways(text: str) -> None:
    assert parse_card(text, SMALL) == parse_card("TH", SMALL, strict=True)


@pytest.mark.parametrize("text", ["JO", "jo", "joker", "Joker", "JOKER"])
def test_people_may_write_the_joker_in_many_ways(text: str) -> None:
    assert parse_card(text, BRITISH) == JOKER


@pytest.mark.parametrize("text", ["JH, AS,9C", " JH  AS 9C ", "jh,as,9c", "JH\tAS\n9C"])
def test_cards_may_be_separated_by_spaces_and_commas(text: str) -> None:
    assert cards_text(parse_cards(text, SMALL), SMALL) == "AS JH 9C"


@pytest.mark.parametrize("text", ["th", "10H", "T♥", "HT", "joker", "JH,AS", "JH  AS", " JH", "JH ", "JH\tAS", "jo"])
def test_files_hold_cards_in_one_form_only(text: str) -> None:
    with pytest.raises(QuestionError, match="is not a card"):
        parse_cards(text, BRITISH, strict=True)


def test_cards_are_printed_suit_by_suit_from_the_highest_down_with_the_joker_first() -> None:
    mask = parse_cards("9C AD JO TS KH AS QC", BRITISH)
    assert cards_text(mask, BRITISH) == "JO AS TS KH QC 9C AD"


@given(hands())
def test_what_is_printed_is_read_again_as_the_same_cards(hand: tuple[Pack, int]) -> None:
    pack, mask = hand
    text = cards_text(mask, pack)
    for strict in (True, False):
        read = parse_cards(text, pack, strict=strict)
        assert cards_text(read, pack) == text
        assert pack.copies == 2 or read == mask
        assert read.bit_count() == mask.bit_count()


@given(hands())
def test_a_hand_falls_apart_into_its_single_cards(hand: tuple[Pack, int]) -> None:
    pack, mask = hand
    cards = list(each_card(mask))
    assert sum(cards) == mask
    for card in cards:
        suit = card_suit(card)
        assert cards_text(card, pack)[1] == ("O" if suit is None else "CDHS"[suit])


def test_of_a_double_pack_one_card_is_the_lower_bit_and_two_are_both() -> None:
    one, two = parse_cards("JH", DOUBLE), parse_cards("JH JH", DOUBLE)
    assert (one, two) == (1 << (32 + 4), 3 << (32 + 4))
    assert cards_text(two, DOUBLE) == "JH JH"


def test_a_second_hand_takes_the_copy_that_the_first_left() -> None:
    first = parse_cards("JH AS", DOUBLE)
    second = parse_cards("JH 9C", DOUBLE, taken=first)
    assert not first & second
    assert cards_text(second, DOUBLE) == "JH 9C"


@pytest.mark.parametrize(
    ("text", "pack", "message"),
    [
        ("JH AS jh", SMALL, "JH is there twice: the pack has it once (24 cards, 9 to A)"),
        ("JO joker", BRITISH, "the joker is there twice: the pack has it once (24 cards, 9 to A, and the joker)"),
        ("JH JH JH", DOUBLE, "JH is there three times: the pack has it twice (48 cards, 9 to A, two of each)"),
        ("8H", SMALL, "8H is not in the pack (24 cards, 9 to A); a pack of 32 has it"),
        ("8H", DOUBLE, "8H is not in the pack (48 cards, 9 to A, two of each)"),
        ("2h", LONG, "2H is not in the pack (32 cards, 7 to A)"),
        ("JO", SMALL, "the joker is not in the pack (24 cards, 9 to A); the house rule joker=true adds it"),
        ("JO", DOUBLE, "the joker is not in the pack (48 cards, 9 to A, two of each); a double pack has none"),
        (
            "1H",
            SMALL,
            '"1H" is not a card: expected a rank of 9 T J Q K A and a suit of C D H S, as in JH; spaces between cards',
        ),
    ],
)
def test_a_wrong_card_is_refused_with_what_is_possible(text: str, pack: Pack, message: str) -> None:
    with pytest.raises(QuestionError) as refused:
        parse_cards(text, pack)
    assert str(refused.value) == message
    assert refused.value.exit_status == 2


@pytest.mark.parametrize("text", ["JHJD", "J", "H", "JX", "ZH", "JHH", "100H", "T10", "♥♥", "hearts", "JO KER", "10"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(QuestionError, match="is not a card"):
        parse_cards(text, BRITISH)


@pytest.mark.parametrize("text", ["", "JH AS"])
def test_one_card_means_one_card(text: str) -> None:
    with pytest.raises(QuestionError, match="expected one card"):
        parse_card(text, SMALL)


@pytest.mark.parametrize("strict", [True, False])
def test_no_card_at_all_is_an_empty_hand(strict: bool) -> None:
    assert parse_cards("", SMALL, strict=strict) == 0
    assert cards_text(0, SMALL) == ""


@given(st.text(max_size=12), st.sampled_from(PACKS), st.booleans())
def test_any_text_is_read_or_refused_in_words(text: str, pack: Pack, strict: bool) -> None:
    try:
        mask = parse_cards(text, pack, strict=strict)
    except QuestionError:
        return
    assert mask & ~pack.cards == 0


@pytest.mark.parametrize("text", ["hearts", "Hearts", "heart", "h", "H", "♥", "♡", " hearts "])
def test_people_may_write_a_suit_in_many_ways(text: str) -> None:
    assert suit_name(parse_suit(text)) == "hearts"


@pytest.mark.parametrize(("text", "suit"), [("C", 0), ("D", 1), ("H", 2), ("S", 3)])
def test_files_hold_a_suit_as_one_letter(text: str, suit: int) -> None:
    assert parse_suit(text, strict=True) == suit


@pytest.mark.parametrize("text", ["h", "hearts", "", "CD", "♥", "X"])
def test_files_hold_a_suit_in_no_other_form(text: str) -> None:
    with pytest.raises(QuestionError, match="expected C, D, H or S"):
        parse_suit(text, strict=True)


def test_a_misspelt_suit_is_answered_with_the_nearest() -> None:
    with pytest.raises(QuestionError, match=r'"heards" is not a suit: .* did you mean "hearts"\?'):
        parse_suit("heards")


@pytest.mark.parametrize("pack", [(28, False), (48, True)])
def test_there_is_no_other_pack(pack: tuple[int, bool]) -> None:
    with pytest.raises(ValueError, match="no such pack"):
        Pack(*pack)
