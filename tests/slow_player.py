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
        in_play = [other for other in table.seats if other not in table.out]
        left = len(in_play) - len(trick) - 1
        n = len(table.seats)
        after = [other for step in range(1, n) if (other := (seat + step - 1) % n + 1) in in_play][:left]
        partner_left = any(same_side(table, seat, other) for other in after)
        assert table.maker is not None
        ours = same_side(table, seat, winner_of(trick, trump))
        making = same_side(table, seat, table.maker)
        return follow(hand, trump, unseen, trick, making=making, is_ours=ours, left=left, partner_left=partner_left)


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
    in_play = len(table.seats) - len(table.out)
    laid, shown = list(plays(table)), set()
    for start in range(0, len(laid), in_play):
        trick = laid[start : start + in_play]
        if suit_of(trick[0][1], table.trump) == table.trump:
            shown |= {seat for seat, card in trick if suit_of(card, table.trump) != table.trump}
    return shown


def singleton_first(choices: Cards, hand: Cards, trump: str) -> str:
    """Of choices alike in rank, one that is alone in its suit if there is any; of equals the first suit."""
    alone = [card for card in choices if len(in_suit(hand, card[1], trump)) == 1]
    return min(alone or choices, key=lambda card: side_suits(trump).index(card[1]))


def n_above(card: str, unseen: Cards, trump: str) -> int:
    """How many unseen cards of its suit beat a card."""
    same = in_suit(unseen, suit_of(card, trump), trump)
    return sum(is_beaten(card, [other], trump) for other in same)


def lead(table: Table, seat: int, unseen: Cards) -> str:
    """The card to lead: trumps to draw them, or a late boss; else a boss; else high, or a defender low."""
    assert table.maker is not None
    hand: Cards = table.hands[seat]
    trump: str = table.trump
    trumps = in_suit(hand, trump, trump)
    sides = [card for card in hand if card not in trumps]
    out = in_suit(unseen, trump, trump)
    is_boss = bool(trumps) and not is_beaten(highest_in(trumps, trump), unseen, trump)
    is_making, draws = same_side(table, seat, table.maker), draws_trumps(table, seat)
    if not sides:
        return highest_in(trumps, trump) if is_boss else lowest_in(trumps, trump)
    if trumps and out:
        top = highest_in(trumps, trump)
        if draws and (is_boss or is_enough(table, seat, len(trumps), len(out))):
            return top
        if is_boss and len(hand) <= (2 if is_making else 3):
            return top
        mates = [other for other in table.seats if same_side(table, seat, other) and other not in table.out]
        if (
            mates == [seat]
            and draws
            and len(hand) == 2
            and n_above(top, unseen, trump) <= n_above(sides[0], unseen, trump)
        ):
            return top
    bosses = [card for card in sides if not is_beaten(card, unseen, trump)]
    choices = bosses or sides
    is_high = bool(bosses) or is_making or len(table.seats) != 4
    wanted = (max if is_high else min)(rank(card) for card in choices)
    return singleton_first([card for card in choices if rank(card) == wanted], hand, trump)


def is_enough(table: Table, seat: int, n: int, n_out: int) -> bool:
    """Whether so many trumps without the boss are enough to draw trumps."""
    is_first = not any(event[1] == "play" for event in table.events)
    is_maker = seat == table.maker
    if is_first and not is_maker:
        return True
    if table.game == "bid":
        return n >= (3 if is_maker else 2)
    return n >= 3 or (n == 2 and (is_first or n_out < 4))


def follow(
    hand: Cards,
    trump: str,
    unseen: Cards,
    trick: list[tuple[int, str]],
    *,
    making: bool,
    is_ours: bool,
    left: int,
    partner_left: bool,
) -> str:
    """Take or secure a trick as cheaply as it is sure; else low; ruff what is not safe; else throw away."""

    def wins(card: str) -> bool:
        return winner_of([*trick, (0, card)], trump) == 0

    holder = winner_of(trick, trump)
    best = next(card for seat, card in trick if seat == holder)
    is_sure = not is_beaten(best, in_suit(unseen, suit_of(best, trump), trump), trump)
    at_risk = is_ours and not is_sure and left > partner_left
    follows = in_suit(hand, suit_of(trick[0][1], trump), trump)
    if follows:
        winning = [card for card in follows if wins(card)]
        top = highest_in(follows, trump)
        takes = not is_ours and (left == 0 or not is_beaten(top, unseen, trump) or not partner_left)
        if winning and (takes or at_risk):
            return lowest_in(winning, trump) if left == 0 else top
        return lowest_in(follows, trump)
    trumps = in_suit(hand, trump, trump)
    ruffs = [card for card in trumps if wins(card)]
    if ruffs:
        leaves_it = making and partner_left and not is_sure and suit_of(best, trump) != trump and len(trumps) > 1
        if at_risk or (not is_ours and not leaves_it):
            return lowest_in(ruffs, trump)
    return throw_away(hand, trump, unseen)


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
