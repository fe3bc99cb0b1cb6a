"""The strategies once more, on card texts: what each choice of the kernels is tested against.

A `SlowPlayer` looks at a reference table through one seat's eyes and says what a strategy of the given numbers (by
their names in a strategy file, in hundredths) would say or lay. It thinks in lists of cards, shares nothing with the
kernels, and is as slow as it looks.
"""

import random
from collections.abc import Iterator
from functools import cache

import reference
from reference import JOKER, RANKS, SAME_COLOUR, SUITS, Event, Table, pack, without
from reference import trick_winner as winner_of

suit_of = cache(reference.suit_of)
trumps_in_order = cache(reference.trumps_from_the_top)

Cards = list[str]
Numbers = dict[str, int]
RANK_NAMES = {"7": "seven", "8": "eight", "9": "nine", "T": "ten", "Q": "queen", "K": "king", "A": "ace"}


def some_numbers(rng: random.Random, n_cards: int) -> Numbers:
    """A strategy made up for a game with so many cards in a hand: plausible, and different every time."""
    scale = n_cards / 5
    calls = rng.choice([-120, 0, 0, 150])

    def seats(name: str, low: int, high: int) -> Numbers:
        return {f"{name}.seat{seat}": int(scale * (rng.randint(low, high) + calls)) for seat in (1, 2, 3, 4)}

    rising = sorted(rng.randint(60, 400) for _ in range(10))
    names = ("seven", "eight", "nine", "ten", "queen", "king", "ace", "left", "right", "joker")
    numbers = {f"trump.{name}": worth for name, worth in zip(names, rising, strict=True)}
    for word in ("third", "fourth", "fifth", "further"):
        numbers[f"length.{word}"] = rng.choice([-20, 0, 50, 80])
    numbers |= {
        "side.ace": rng.randint(50, 180),
        "side.lone_ace": rng.randint(-30, 60),
        "side.king": rng.choice([0, 30]),
    }
    numbers |= {f"void.{word}": rng.choice([0, 33, 60]) for word in ("first", "second", "third")}
    numbers |= {"upcard.partner": rng.randint(0, 120), "upcard.opponent": rng.randint(0, 120)}
    numbers |= seats("call.order", 500, 800) | seats("call.order_alone", 800, 1100)
    numbers |= seats("call.next", 500, 800) | seats("call.cross", 500, 800) | seats("call.name_alone", 800, 1100)
    numbers |= {"pickup.margin": rng.choice([-100, 0, 120, 300]), "alone.maker": rng.randint(600, 1000)}
    numbers |= {"alone.defender": rng.randint(500, 900), "bid.step": rng.randint(60, 150)}
    numbers |= (
        seats("bid.first", 450, 750)
        | seats("bid.second", 500, 850)
        | seats("bid.ask", 800, 1200)
        | seats("bid.moon", 900, 1300)
    )
    numbers |= {"bid.partner": rng.randint(0, 120), "bid.opponent": rng.randint(-50, 100)}
    numbers |= {"bid.opponent_step": rng.randint(-60, 60)}
    numbers |= {"bid.over_partner": rng.randint(-50, 200), "bid.jump": rng.choice([0, 100])}
    numbers |= {"bid.moon_jacks": rng.choice([0, 0, 200, 300])}
    return numbers | {"bid.claim_below": rng.choice([-9900, 600, 9900])}


# ---------------------------------------------------------------------------------------------- worth


def in_suit(cards: Cards, suit: str, trump: str) -> Cards:
    return [card for card in cards if suit_of(card, trump) == suit]


def side_suits(trump: str) -> str:
    """The other suits in the order in which ties are broken: the two green ones, then next.

    The first green suit is the one that stands beside trump: clubs and diamonds, hearts and spades.
    """
    beside = {"C": "D", "D": "C", "H": "S", "S": "H"}
    return beside[trump] + SAME_COLOUR[beside[trump]] + SAME_COLOUR[trump]


def trump_name(card: str, trump: str) -> str:
    if card == JOKER:
        return "joker"
    if card[0] == "J":
        return "right" if card[1] == trump else "left"
    return RANK_NAMES[card[0]]


def worth(numbers: Numbers, hand: Cards, trump: str) -> int:
    """What a hand is worth with this trump: its trumps, its length, aces and kings, void suits."""
    trumps = in_suit(hand, trump, trump)
    total = sum(numbers["trump." + trump_name(card, trump)] for card in trumps)
    for number, word in ((3, "third"), (4, "fourth"), (5, "fifth")):
        if len(trumps) >= number:
            total += numbers["length." + word]
    total += numbers["length.further"] * max(0, len(trumps) - 5)
    n_void = 0
    for suit in side_suits(trump):
        cards = in_suit(hand, suit, trump)
        n_aces = sum(card[0] == "A" for card in cards)
        total += numbers["side.ace"] * n_aces
        if n_aces == 1 and len(cards) == 1:
            total += numbers["side.lone_ace"]
        if len(cards) > 1 and any(card[0] == "K" for card in cards):
            total += numbers["side.king"]
        n_void += not cards
    if trumps:
        total += sum(numbers["void." + word] for word in ("first", "second", "third")[:n_void])
    return total


def best_suit(numbers: Numbers, hand: Cards) -> tuple[str, int]:
    """The suit in which a hand is worth most, the first of SUITS among equals."""
    worths = {suit: worth(numbers, hand, suit) for suit in SUITS}
    suit = max(SUITS, key=lambda suit: worths[suit])
    return suit, worths[suit]


# ---------------------------------------------------------------------------------------------- which card is higher


def strength(card: str, trump: str) -> int:
    """How high a card stands within its suit."""
    if suit_of(card, trump) == trump:
        return -trumps_in_order(trump).index(card)
    return -RANKS.index(card[0])


def rank(card: str) -> int:
    """How high a side card is by its rank alone."""
    return -RANKS.index(card[0])


def lowest_in(cards: Cards, trump: str) -> str:
    return min(cards, key=lambda card: strength(card, trump))


def highest_in(cards: Cards, trump: str) -> str:
    return max(cards, key=lambda card: strength(card, trump))


def is_beaten(card: str, others: Cards, trump: str) -> bool:
    """Whether some other card of its own suit is higher; an identical card is not."""
    suit = suit_of(card, trump)
    return any(strength(other, trump) > strength(card, trump) for other in in_suit(others, suit, trump))


# ---------------------------------------------------------------------------------------------- cards to part with


def discard(numbers: Numbers, hand: Cards, trump: str, barred: str = "") -> str:
    """The lowest card of the side suit that costs least worth, of equals the lowest rank, then the first suit.

    A trump, the lowest, only from a hand of trumps; never the barred card.
    """
    value = worth(numbers, hand, trump)
    choices = []
    for place, suit in enumerate(side_suits(trump)):
        cards = in_suit(hand, suit, trump)
        if cards:
            card = lowest_in(cards, trump)
            choices.append((value - worth(numbers, without(hand, card), trump), rank(card), place, card))
    if choices:
        return min(choices)[-1]
    return lowest_in([card for card in hand if card != barred], trump)


def keep_five(numbers: Numbers, cards: Cards, trump: str) -> Cards:
    while len(cards) > 5:
        cards = without(cards, discard(numbers, cards, trump))
    return cards


def returned(own: Cards, trump: str) -> str:
    """The highest trump, else the highest side card, the first suit among equals."""
    trumps = in_suit(own, trump, trump)
    if trumps:
        return highest_in(trumps, trump)
    return max(own, key=lambda card: (rank(card), -side_suits(trump).index(card[1])))


# ---------------------------------------------------------------------------------------------- the player


class SlowPlayer:
    """One strategy in the seat that is to act at a reference table, or in any other."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers

    def choose(self, table: Table) -> Event:
        """What it does now; the table tells what is asked of it."""
        seat = table.to_act
        assert seat is not None
        verbs = {event[1] for event in table.legal()}
        if "play" in verbs:
            return [seat, "play", self.card(table, seat)]
        for verb, answer in (
            ("order", self.order),
            ("name", self.name),
            ("pickup", self.pickup),
            ("dummy", self.dummy),
            ("together", self.defend),
            ("discard", self.lay_down),
            ("bid", self.bid),
            ("trump", self.name_trump),
            ("give", self.give),
            ("return", self.hand_back),
        ):
            if verb in verbs:
                return [seat, *answer(table, seat)]
        return [seat, "pass"]  # only left to a bidder whom a moon or a rule leaves nothing else

    def number(self, name: str, seat: int) -> int:
        return self.numbers[f"{name}.seat{seat}"]

    # Turn-up calls

    def order(self, table: Table, seat: int) -> Event:
        own, alone = self.order_worth(table, seat)
        four = table.game == "four-handed"
        if four and alone >= self.number("call.order_alone", seat):
            return ["order", "alone"]
        only_alone = table.rules.get("partner_orders_alone") and seat == 2
        if own >= self.number("call.order", seat) and not only_alone:
            return ["order"]
        return ["pass"]

    def order_worth(self, table: Table, seat: int) -> tuple[int, int]:
        """With partner and alone: the upcard counts to whoever would take it."""
        hand, trump, up = table.hands[seat], table.turned_suit, table.upcard
        if seat == table.dealer:
            six = [*hand, up]
            barred = "" if table.rules["discard_upcard"] else up
            own = worth(self.numbers, without(six, discard(self.numbers, six, trump, barred)), trump)
            return own, own
        own = worth(self.numbers, hand, trump)
        gift = self.numbers["trump." + trump_name(up, trump)]
        if table.game == "four-handed" and seat == 2:
            return own + gift * self.numbers["upcard.partner"] // 100, own
        own -= gift * self.numbers["upcard.opponent"] // 100
        return own, own

    def name(self, table: Table, seat: int) -> Event:
        """The suit furthest above its threshold."""
        best: tuple[int, str] | None = None
        for suit in SUITS:
            if suit == table.turned_suit and table.rules["turned_down_suit"] == "barred":
                continue
            kind = "call.next" if suit == SAME_COLOUR[table.turned_suit] else "call.cross"
            over = worth(self.numbers, table.hands[seat], suit) - self.number(kind, seat)
            if best is None or over > best[0]:
                best = over, suit
        assert best is not None
        over, suit = best
        value = worth(self.numbers, table.hands[seat], suit)
        if table.game == "four-handed" and value >= self.number("call.name_alone", seat):
            return ["name", suit, "alone"]
        if over >= 0 or [seat, "pass"] not in table.legal():
            return ["name", suit]
        return ["pass"]

    def pickup(self, table: Table, seat: int) -> Event:
        """The best discard, or to leave the upcard where that is free and it adds too little."""
        hand, trump = table.hands[seat], table.trump
        six = [*hand, table.upcard]
        card = discard(self.numbers, six, trump, "" if table.rules["discard_upcard"] else table.upcard)
        gain = worth(self.numbers, without(six, card), trump) - worth(self.numbers, hand, trump)
        if [seat, "leave"] in table.legal() and gain < self.numbers["pickup.margin"]:
            return ["leave"]
        return ["pickup", card]

    def dummy(self, table: Table, seat: int) -> Event:
        """Takes the dummy unless his own five are worth enough; only then does he see it."""
        hand, trump = table.hands[seat], table.trump
        if worth(self.numbers, hand, trump) >= self.numbers["alone.maker"]:
            return ["alone"]
        return ["dummy", " ".join(keep_five(self.numbers, hand + table.dummy, trump))]

    def defend(self, table: Table, seat: int) -> Event:
        value = worth(self.numbers, table.hands[seat], table.trump)
        return ["alone"] if value >= self.numbers["alone.defender"] else ["together"]

    # The auction

    def lay_down(self, table: Table, seat: int) -> Event:
        hand = table.hands[seat]
        return ["discard", discard(self.numbers, hand, best_suit(self.numbers, hand)[0])]

    def bid(self, table: Table, seat: int) -> Event:
        value = best_suit(self.numbers, table.hands[seat])[1]
        legal = [event[1:] for event in table.legal()]
        if ["claim"] in legal and value < self.numbers["bid.claim_below"]:
            return ["claim"]
        jacks = [card for card in table.hands[seat] if card[0] == "J" and card != "JO"]
        if 0 < self.numbers["bid.moon_jacks"] <= 100 * len(jacks) and ["bid", "moon"] in legal:
            return ["bid", "moon"]
        for level in ("moon", "ask"):
            if value >= self.number("bid." + level, seat) and ["bid", level] in legal:
                return ["bid", level]
        partner, stands = table.partner(seat), table.maker
        if stands == partner:
            value -= self.numbers["bid.over_partner"]
        elif stands is not None:
            standing = table.bid
            stands_at: object = len(table.dealt[1]) if standing == "six" else standing
            value -= self.numbers["bid.opponent"]
            if isinstance(stands_at, int):
                value -= self.numbers["bid.opponent_step"] * (stands_at - 3)
            calls = [event[1] for event in table.events if event[0] == partner and event[1] != "discard"]
            if calls and "pass" not in calls:
                value += self.numbers["bid.partner"]
        number = self.number_bid(table, seat, value)
        if number is not None:
            return ["bid", number]
        return ["pass"] if ["pass"] in legal else ["bid", 3]

    def number_bid(self, table: Table, seat: int, value: int) -> int | str | None:
        """The highest number bid the hand is worth, or with no jumps the lowest that is left; None if none is."""
        left: list[int | str] = [event[2] for event in table.legal() if event[1] == "bid"]
        left = [level for level in left if level not in ("ask", "moon")]
        full = 12 if table.rules["deck"] == 48 else 6
        highest = 0
        for level in range(3, full + 1):
            needed = self.number("bid.first", seat)
            if level > 3:
                needed = self.number("bid.second", seat) + (level - 4) * max(1, self.numbers["bid.step"])
            if value >= needed:
                highest = level
        reached = [level for level in left if (full if level == "six" else int(level)) <= highest]
        if not reached:
            return None
        jumps = self.numbers["bid.jump"] and seat != table.dealer  # nobody speaks after the dealer
        return reached[-1] if jumps else reached[0]

    def name_trump(self, table: Table, seat: int) -> Event:
        return ["trump", best_suit(self.numbers, table.hands[seat])[0]]

    def give(self, table: Table, seat: int) -> Event:
        return ["give", discard(self.numbers, table.hands[seat], table.trump)]

    def hand_back(self, table: Table, seat: int) -> Event:
        return ["return", returned(table.hands[seat], table.trump)]

    # The play

    def card(self, table: Table, seat: int) -> str:
        hand: Cards = table.hands[seat]
        trump: str = table.trump
        trick = present_trick(table)
        unseen = unseen_by(table, seat)
        if len(hand) == 1:
            return hand[0]
        if not trick:
            return lead(table, seat, unseen)
        follows = in_suit(hand, suit_of(trick[0][1], trump), trump)
        if self.numbers.get("play.renege") == 100:
            renege = winning_renege(table, seat, trick, follows)
            if renege:
                return renege
        if follows:
            return follow(table, seat, trick, follows, unseen)
        return ruff_or_throw(table, seat, trick, unseen)


def plays(table: Table) -> Iterator[tuple[int, str]]:
    return ((event[0], event[2]) for event in table.events if event[1] == "play")


def present_trick(table: Table) -> list[tuple[int, str]]:
    in_play = len(table.seats) - len(table.out)
    laid = list(plays(table))
    return laid[len(laid) - len(laid) % in_play :]


def unseen_by(table: Table, seat: int) -> Cards:
    """All cards but those in hand, those played, an upcard that nobody took, and what he put away himself."""
    events = table.events
    seen = table.hands[seat] + [card for _, card in plays(table)]
    took = [event for event in events if event[1] == "pickup"]
    if table.upcard and not took:
        seen.append(table.upcard)
    for event in events:
        if event[0] == seat and event[1] in ("pickup", "discard", "give"):
            seen.append(event[2])
        if event[0] == seat and event[1] == "dummy":
            held = list(table.dealt[seat])
            for pickup in took:
                if seat == table.dealer:
                    held = without([*held, table.upcard], pickup[2])
            away = held + table.dummy
            for card in event[2].split():
                away = without(away, card)
            seen += away
    unseen = pack(table.rules)
    for card in seen:
        unseen = without(unseen, card)
    return unseen


def same_side(table: Table, one: int, other: int) -> bool:
    """Whether two seats hold together in this deal."""
    if one == other:
        return True
    if len(table.seats) == 4:
        return table.partner(one) == other
    return table.maker not in (one, other)


def draws_trumps(table: Table, seat: int) -> bool:
    """Whether a leader is of the maker's side and some opponent has not shown that he is out of trumps."""
    assert table.maker is not None
    if not same_side(table, seat, table.maker):
        return False
    foes = [other for other in table.seats if not same_side(table, other, table.maker) and other not in table.out]
    return any(foe not in shown_out_of_trumps(table) for foe in foes)


def shown_out_of_trumps(table: Table) -> set[int]:
    return {seat for seat in table.seats if table.trump in shown_void_of(table, seat)}


def singleton_first(choices: Cards, hand: Cards, trump: str) -> str:
    """Of choices alike in rank, one that is alone in its suit if there is any; of equals the first suit."""
    alone = [card for card in choices if len(in_suit(hand, card[1], trump)) == 1]
    return min(alone or choices, key=lambda card: side_suits(trump).index(card[1]))


def n_above(card: str, unseen: Cards, trump: str) -> int:
    """How many unseen cards of its suit beat a card."""
    same = in_suit(unseen, suit_of(card, trump), trump)
    return sum(is_beaten(card, [other], trump) for other in same)


def is_four_handed(table: Table) -> bool:
    return bool(table.game == "four-handed")


def mates(table: Table, seat: int) -> list[int]:
    """Who plays on the side of a seat, itself among them."""
    return [other for other in table.seats if same_side(table, seat, other) and other not in table.out]


def is_against_loner(table: Table, seat: int) -> bool:
    """Whether the maker plays alone and the seat is of the other side."""
    return table.maker in table.alone and not same_side(table, seat, table.maker)


def n_lost(table: Table, seat: int) -> int:
    """Tricks that the other side has taken."""
    in_play = len(table.seats) - len(table.out)
    laid = list(plays(table))
    tricks = [laid[start : start + in_play] for start in range(0, len(laid) - len(laid) % in_play, in_play)]
    return sum(not same_side(table, seat, winner_of(trick, table.trump)) for trick in tricks)


def is_first_lead(table: Table) -> bool:
    return not any(event[1] == "play" for event in table.events)


def lead(table: Table, seat: int, unseen: Cards) -> str:
    """The card to lead: trumps to draw them, or a late boss; else a boss; else high or low."""
    assert table.maker is not None
    hand: Cards = table.hands[seat]
    trump: str = table.trump
    trumps = in_suit(hand, trump, trump)
    sides = [card for card in hand if card not in trumps]
    making = same_side(table, seat, table.maker)
    bosses = [card for card in sides if not is_beaten(card, unseen, trump)]
    if not sides:
        top = highest_in(trumps, trump)
        wants_all = making and is_four_handed(table) and n_lost(table, seat) != 1
        return top if wants_all or not is_beaten(top, unseen, trump) else lowest_in(trumps, trump)
    if trumps and leads_low_trump(table, seat, trumps, unseen, bosses):
        return lowest_in(trumps, trump)
    if trumps and keeps_trumps(table, seat, trumps, unseen, bosses):
        return side_card(sides, sides, trump, high=False)
    if trumps and (makers_lead_trumps if making else defender_leads_trumps)(table, seat, trumps, unseen, bosses):
        return highest_in(trumps, trump)
    if not trumps and making and is_four_handed(table) and not table.alone:
        suits = [suit for suit in side_suits(trump) if in_suit(sides, suit, trump)]
        most = in_suit(sides, max(suits, key=lambda suit: len(in_suit(unseen, suit, trump))), trump)
        if len(hand) == 4 and not bosses:
            return lowest_in(most, trump)
        if len(hand) == 3 and len(in_suit(unseen, trump, trump)) > 4:
            return highest_in(most, trump)
    if len(table.seats) == 4 and not making:
        return defenders_side_card(table, seat, sides, bosses, unseen)
    low = making and table.game == "bid" and not table.alone and not bosses
    return side_card(bosses or sides, sides, trump, high=not low)


def side_card(choices: Cards, sides: Cards, trump: str, *, high: bool) -> str:
    """One of the highest or of the lowest rank, a singleton first."""
    wanted = (max if high else min)(rank(card) for card in choices)
    return singleton_first([card for card in choices if rank(card) == wanted], sides, trump)


def is_high(card: str, trump: str) -> bool:
    """Whether a trump is a king or better."""
    return trump_name(card, trump) in ("king", "ace", "left", "right", "joker")


def plays_next(table: Table, seat: int) -> int:
    """The seat at one's left."""
    return seat % len(table.seats) + 1


def leads_low_trump(table: Table, seat: int, trumps: Cards, unseen: Cards, bosses: Cards) -> bool:
    """Whether one of four, nobody alone, leads his lowest trump."""
    assert table.maker is not None
    if not is_four_handed(table) or table.alone:
        return False
    right = "J" + table.trump
    is_boss = not is_beaten(highest_in(trumps, table.trump), unseen, table.trump)
    if not same_side(table, seat, table.maker):
        is_before_maker = plays_next(table, seat) == table.maker
        return is_first_lead(table) and len(trumps) >= 3 and not is_boss and is_before_maker
    took_right = table.upcard == right and any(event[1] == "pickup" for event in table.events)
    if table.partner(seat) == table.dealer and took_right and right in unseen:
        return True
    is_enough = len(trumps) > (1 if bosses else 2)
    return not is_boss and is_enough and len(table.hands[seat]) > 3


def keeps_trumps(table: Table, seat: int, trumps: Cards, unseen: Cards, bosses: Cards) -> bool:
    """Whether the maker's side leads low beside its trumps: four players, nobody alone, no sure card to lead."""
    assert table.maker is not None
    if len(table.seats) != 4 or table.alone or bosses or not same_side(table, seat, table.maker):
        return False
    n_out = len(in_suit(unseen, table.trump, table.trump))
    if table.game == "bid":
        is_boss = not is_beaten(highest_in(trumps, table.trump), unseen, table.trump)
        return n_out <= 2 and not (seat == table.maker and is_boss)
    if len(trumps) > 2:
        return False
    if len(table.hands[seat]) == 3 and all(is_high(card, table.trump) for card in trumps):
        return True
    return n_lost(table, seat) == 0 if seat == table.maker else n_out <= 3


def makers_lead_trumps(table: Table, seat: int, trumps: Cards, unseen: Cards, bosses: Cards) -> bool:
    """Whether one of the maker's side leads his highest trump though he holds other cards."""
    trump, hand = table.trump, table.hands[seat]
    top, n_out = highest_in(trumps, trump), len(in_suit(unseen, trump, trump))
    is_boss, draws = not is_beaten(top, unseen, trump), draws_trumps(table, seat)
    is_lone = mates(table, seat) == [seat]
    if is_four_handed(table):
        led = four_lead_trumps(table, seat, trumps, unseen, bosses)
        if led is not None:
            return led
    elif len(table.seats) == 4:
        lost = n_lost(table, seat)
        if is_lone and not lost and (len(trumps) > 1 or is_boss or not draws):
            return True
        if lost == len(table.dealt[1]) - wanted(table) and is_boss:
            return True
    if not n_out:
        return False
    if draws and (is_boss or is_enough(table, seat, len(trumps), n_out)):
        return True
    if is_boss and len(hand) <= 2:
        return True
    others = [card for card in hand if card not in trumps]
    is_last = is_lone and draws and len(hand) == 2
    return is_last and n_above(top, unseen, trump) <= n_above(others[0], unseen, trump)


def four_lead_trumps(table: Table, seat: int, trumps: Cards, unseen: Cards, bosses: Cards) -> bool | None:
    """The same by the rules that only four-handed has; None where they say nothing."""
    trump, hand, lost = table.trump, table.hands[seat], n_lost(table, seat)
    higher = [card for card in in_suit(unseen, trump, trump) if is_beaten(highest_in(trumps, trump), [card], trump)]
    n_out, draws = len(in_suit(unseen, trump, trump)), draws_trumps(table, seat)
    if mates(table, seat) == [seat]:
        if len(hand) == 2 and lost < 2:
            return lost == 0
        runs = not lost and (len(trumps) > 1 or not higher or not draws)
        runs = runs or (len(hand) == 3 and higher == ["J" + trump])
    else:
        foes = [other for other in table.seats if not same_side(table, seat, other)]
        is_drawn = any(foe in shown_out_of_trumps(table) for foe in foes)
        is_long = any(len(in_suit(hand, suit, trump)) > 2 for suit in side_suits(trump))
        runs = seat != table.maker and n_out > 3 and not is_drawn and not is_long
        runs = runs or (bool(bosses) and lost == 1 and len(hand) == 3 and len(trumps) == 2)
    return True if runs or (lost == 2 and n_out > 1) else None


def wanted(table: Table) -> int:
    """The tricks of a contract of Bid Euchre; ask and moon want all."""
    return table.bid if isinstance(table.bid, int) else len(table.dealt[1])


def defender_leads_trumps(table: Table, seat: int, trumps: Cards, unseen: Cards, bosses: Cards) -> bool:
    """Whether a defender leads his highest trump though he holds other cards."""
    trump, size = table.trump, len(table.hands[seat])
    n_out, is_boss = len(in_suit(unseen, trump, trump)), not is_beaten(highest_in(trumps, trump), unseen, trump)
    if is_four_handed(table) and not table.alone:
        if is_first_lead(table):
            return len(trumps) >= 3 and plays_next(table, seat) == table.maker
        if table.partner(seat) in shown_out_of_trumps(table) and is_high(highest_in(trumps, trump), trump):
            return True
    if not n_out:
        return False
    if table.game == "bid":
        foes = [other for other in table.seats if not same_side(table, seat, other)]
        if is_boss and not any(foe in shown_out_of_trumps(table) for foe in foes):
            return True
    if is_four_handed(table) and size == 2 and n_out <= 4 and n_lost(table, seat) == 2:
        return True
    return is_boss and size <= (2 if is_four_handed(table) and not bosses else 3)


def defenders_side_card(table: Table, seat: int, sides: Cards, bosses: Cards, unseen: Cards) -> str:
    """The side card that a defender with a partner leads."""
    trump = table.trump
    if not is_four_handed(table):
        return side_card(bosses or sides, sides, trump, high=bool(bosses))
    nexts = in_suit(sides, SAME_COLOUR[trump], trump)
    if is_against_loner(table, seat):
        if is_first_lead(table):
            return first_against_loner(sides, nexts, bosses, trump)
    elif not bosses:
        is_named = any(event[1] == "name" for event in table.events)
        if is_first_lead(table):
            return highest_in(nexts, trump) if nexts and is_named else side_card(sides, sides, trump, high=False)
        if len(table.hands[seat]) == 4 and not is_named:
            suits = [suit for suit in side_suits(trump) if in_suit(sides, suit, trump)]
            fewest = min(suits, key=lambda suit: len(in_suit(unseen, suit, trump)))
            return lowest_in(in_suit(sides, fewest, trump), trump)
        return side_card(sides, sides, trump, high=True)
    return side_card(bosses or sides, sides, trump, high=bool(bosses))


def first_against_loner(sides: Cards, nexts: Cards, bosses: Cards, trump: str) -> str:
    """Next first, but not a sure card of it while there is a green one; without next a singleton beside a sure card."""
    greens = [card for card in sides if card not in nexts]
    if nexts:
        is_kept = any(card in bosses for card in nexts) and greens
        return side_card(greens, sides, trump, high=True) if is_kept else highest_in(nexts, trump)
    singles = [card for card in sides if len(in_suit(sides, card[1], trump)) == 1]
    if bosses and singles:
        return side_card(singles, sides, trump, high=False)
    return side_card(bosses or sides, sides, trump, high=bool(bosses))


def is_enough(table: Table, seat: int, n: int, n_out: int) -> bool:
    """Whether so many trumps without the boss are enough to draw trumps."""
    is_first = is_first_lead(table)
    is_maker = seat == table.maker
    if is_first and not is_maker:
        return True
    if table.game == "bid":
        return n >= (3 if is_maker else 2)
    return n >= 3 or (n == 2 and (is_first or n_out < 4))


class Trick:
    """A trick begun, as the seat sees it that plays to it."""

    def __init__(self, table: Table, seat: int, trick: list[tuple[int, str]], unseen: Cards) -> None:
        trump = table.trump
        in_play = [other for other in table.seats if other not in table.out]
        n = len(table.seats)
        self.left = len(in_play) - len(trick) - 1
        after = [other for step in range(1, n) if (other := (seat + step - 1) % n + 1) in in_play][: self.left]
        self.partner_left = any(same_side(table, seat, other) for other in after)
        self.holder = winner_of(trick, trump)
        self.best = next(card for player, card in trick if player == self.holder)
        self.is_ours = same_side(table, seat, self.holder)
        self.is_sure = not is_beaten(self.best, unseen, trump)
        self.at_risk = self.is_ours and not self.is_sure and self.left > self.partner_left

    def won_by(self, cards: Cards, trick: list[tuple[int, str]], trump: str) -> Cards:
        return [card for card in cards if winner_of([*trick, (0, card)], trump) == 0]


def follow(table: Table, seat: int, laid: list[tuple[int, str]], follows: Cards, unseen: Cards) -> str:
    """Take or secure a trick as cheaply as it is sure; else low."""
    assert table.maker is not None
    trump: str = table.trump
    trick = Trick(table, seat, laid, unseen)
    making = same_side(table, seat, table.maker)
    winning = trick.won_by(follows, laid, trump)
    if not winning:
        return lowest_in(follows, trump)
    top = highest_in(follows, trump)
    is_sure = not is_beaten(top, unseen, trump)
    if trick.at_risk or (not trick.is_ours and (trick.left == 0 or is_sure or not trick.partner_left)):
        saves_top = (
            is_four_handed(table)
            and not making
            and not table.alone
            and trick.holder == table.maker
            and suit_of(trick.best, trump) == trump
            and len(table.hands[seat]) <= 3
        )
        return lowest_in(winning, trump) if trick.left == 0 or saves_top else top
    is_partner = table.game == "bid" and making and seat != table.maker
    takes_over = is_partner and trick.is_ours and trick.is_sure and is_sure
    return lowest_in(winning, trump) if takes_over else lowest_in(follows, trump)


def winning_renege(table: Table, seat: int, laid: list[tuple[int, str]], follows: Cards) -> str | None:
    """The lowest card that takes the trick from the other side against the rules, where no legal card takes it."""

    def would_win(card: str) -> bool:
        return winner_of([*laid, (seat, card)], table.trump) == seat

    if same_side(table, seat, winner_of(laid, table.trump)) or any(map(would_win, follows)):
        return None
    breaking = [event[2] for event in table.reneges() if would_win(event[2])]
    return lowest_in(breaking, table.trump) if breaking else None


def ruff_or_throw(table: Table, seat: int, laid: list[tuple[int, str]], unseen: Cards) -> str:
    """Ruff what is not safe, as low as will do; else throw away."""
    assert table.maker is not None
    hand: Cards = table.hands[seat]
    trump: str = table.trump
    trick = Trick(table, seat, laid, unseen)
    trumps = in_suit(hand, trump, trump)
    sides = [card for card in hand if card not in trumps]
    ruffs = trick.won_by(trumps, laid, trump)
    leaves_it = False
    if ruffs and trick.partner_left and suit_of(trick.best, trump) != trump:
        making = same_side(table, seat, table.maker)
        all_sure = not is_beaten(lowest_in(trumps, trump), unseen, trump)
        n_out = len(in_suit(unseen, trump, trump))
        if table.game == "bid":
            leaves_it = all_sure and not trick.is_sure and not making
        elif (all_sure and n_out > 2) or (seat == table.maker and len(hand) == 4 and rank(trick.best) <= rank("QC")):
            leaves_it = True
        elif trick.is_sure:
            leaves_it = False
        else:
            others_lose = all(is_beaten(card, unseen, trump) for card in sides)
            leaves_it = (all_sure and (n_out > 1 or not making)) or (making and len(trumps) > 1 and others_lose)
    if ruffs and (trick.at_risk or (not trick.is_ours and not leaves_it)):
        return lowest_in(ruffs, trump)
    if len(table.seats) == 4 and is_against_loner(table, seat) and sides:
        if is_four_handed(table):
            idle = [card for card in sides if card[1] in shown_void_of(table, table.maker)]
            if idle:
                return least_missed(idle, unseen, trump)
            if len(sides) == len(hand) == 2:
                return one_of_two(sides, unseen, trump)
        return least_missed(sides, unseen, trump)
    if is_four_handed(table) and len(sides) == len(hand) == 2:
        return one_of_two(sides, unseen, trump)
    return throw_away(hand, trump, unseen)


def least_missed(sides: Cards, unseen: Cards, trump: str) -> str:
    """The side card that beats fewest unseen ones, of equals the lowest rank, then the first suit."""
    return min(sides, key=lambda card: (n_beaten(card, unseen, trump), rank(card), side_suits(trump).index(card[1])))


def one_of_two(sides: Cards, unseen: Cards, trump: str) -> str:
    """Not a sure card beside another that some unseen card could still fall to."""
    losers = [card for card in sides if is_beaten(card, unseen, trump)]
    if len(losers) == 1:
        boss = next(card for card in sides if card not in losers)
        if in_suit(unseen, boss[1], trump):
            return losers[0]
    return least_missed(sides, unseen, trump)


def shown_void_of(table: Table, seat: int) -> set[str]:
    """The suits that a seat has shown itself void of."""
    in_play = len(table.seats) - len(table.out)
    laid, shown = list(plays(table)), set()
    for start in range(0, len(laid), in_play):
        trick = laid[start : start + in_play]
        led = suit_of(trick[0][1], table.trump)
        shown |= {led for player, card in trick if player == seat and suit_of(card, table.trump) != led}
    return shown


def n_beaten(card: str, unseen: Cards, trump: str) -> int:
    """How many unseen cards of its suit a side card beats."""
    return sum(is_beaten(other, [card], trump) for other in in_suit(unseen, card[1], trump))


def throw_away(hand: Cards, trump: str, unseen: Cards) -> str:
    """No boss, and low, with trumps in hand a singleton first; trumps last."""
    sides = [card for card in hand if suit_of(card, trump) != trump]
    if not sides:
        return lowest_in(hand, trump)
    choices = [card for card in sides if is_beaten(card, unseen, trump)] or sides
    if len(sides) < len(hand):
        choices = [card for card in choices if len(in_suit(hand, card[1], trump)) == 1] or choices
    low = min(rank(card) for card in choices)
    return singleton_first([card for card in choices if rank(card) == low], hand, trump)
