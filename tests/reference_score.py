"""What a deal pays and who has won the game: the second half of the reference, as slow and plain as the first."""

from typing import Any

Rules = dict[str, Any]
Result = dict[str, Any]

# ---------------------------------------------------------------------------------------------- scoring a deal


def score(
    game: str, rules: Rules, maker: int, alone: list[int], tricks: list[int], bid: int | str | None = None
) -> list[int]:
    """Points of the deal: a seat each in two- and three-handed, a side each with four players."""
    if game == "two-handed":
        return two_handed_points(maker, tricks)
    if game == "three-handed":
        return three_handed_points(rules, maker, alone, tricks)
    makers = 0 if maker in (1, 3) else 1
    by_side = [tricks[0] + tricks[2], tricks[1] + tricks[3]]
    if game == "four-handed":
        ours, theirs = four_handed_points(rules, maker, alone, by_side[makers])
    else:
        assert bid is not None
        ours, theirs = bid_points(rules, bid, by_side[makers], by_side[1 - makers])
    return [ours, theirs] if makers == 0 else [theirs, ours]


def two_handed_points(maker: int, tricks: list[int]) -> list[int]:
    taken = tricks[maker - 1]
    ours, theirs = (2, 0) if taken == 5 else (1, 0) if taken >= 3 else (0, 2)
    return [ours, theirs] if maker == 1 else [theirs, ours]


def three_handed_points(rules: Rules, maker: int, alone: list[int], tricks: list[int]) -> list[int]:
    taken = tricks[maker - 1]
    ours, theirs = 0, 0
    if taken == 5:
        ours = rules["lone_maker_march"] if maker in alone else 3
    elif taken >= 3:
        ours = 1
    elif taken == 0 and any(seat != maker for seat in alone):
        theirs = 4
    else:
        theirs = 2
    return [ours if seat == maker else theirs for seat in (1, 2, 3)]


def four_handed_points(rules: Rules, maker: int, alone: list[int], taken: int) -> tuple[int, int]:
    if taken == 5:
        return (rules["lone_march"] if maker in alone else 2), 0
    if taken >= 3:
        return 1, 0
    if any(seat != maker for seat in alone):
        return 0, 4
    return 0, (rules["loner_euchred"] if maker in alone else 2)


def bid_points(rules: Rules, bid: int | str, ours: int, theirs: int) -> tuple[int, int]:
    every_trick = 12 if rules["deck"] == 48 else 6
    needed = bid if isinstance(bid, int) else every_trick
    made = ours >= needed
    value_alone = {"ask": 2 * every_trick, "moon": 4 * every_trick}.get(str(bid))
    if made:
        bidders = value_alone or ours
    elif value_alone and rules["failed_alone"] == "value":
        bidders = -value_alone
    else:
        bidders = -needed
    scores = {"always": True, "when-set": not made, "never": False}[rules["defenders_score"]]
    return bidders, (theirs if scores else 0)


def fined(game: str, points: list[int], caught: list[int]) -> list[int]:
    """The points less two for every illegal play noticed: from the side of a partnership, else from the seat itself."""
    left = list(points)
    for seat in caught:
        left[(seat - 1) % 2 if game in ("four-handed", "bid") else seat - 1] -= 2
    return left


# ---------------------------------------------------------------------------------------------- winning the game


def add_up(game: str, rules: Rules, totals: list[int], result: Result) -> list[int]:
    """The totals after a deal."""
    added = [total + points for total, points in zip(totals, result["points"], strict=True)]
    if game == "bid" and not rules["negative_scores"]:
        return [max(0, total) for total in added]
    return added


def winners(
    game: str, rules: Rules, totals: list[int], *, maker: int | None = None, one_more: bool = False
) -> list[float] | str | None:
    """Each one's share of the win, "play-on" if a tie asks for one more deal, or None while nobody is home.

    Totals stand in the order of the seats of the deal just played, `maker` was its maker, and `one_more` says that it
    was played to settle a tie. A deal that was not played settles nothing: what was found before it still holds.
    """
    home = [place for place, total in enumerate(totals) if total >= rules["target"]]
    best = [place for place, total in enumerate(totals) if total == max(totals)]
    if game == "bid" and one_more:
        return shares(best, totals) if len(best) == 1 else "play-on"
    if not home:
        return None
    if len(home) == 1:
        return shares(home, totals)
    if game == "bid":
        return bid_tie(rules, totals, best, maker)
    if game == "three-handed" and rules["tie"] == "joint":
        return shares(home, totals)
    if game == "three-handed" and rules["tie"] == "eldest":
        return shares(home[:1], totals)
    return shares(best[:1], totals)


def bid_tie(rules: Rules, totals: list[int], best: list[int], maker: int | None) -> list[float] | str:
    if rules["tie"] == "bidder":
        assert maker is not None, "the bidding side wins: who bid?"
        return shares([0 if maker in (1, 3) else 1], totals)
    if rules["tie"] == "higher-total" and len(best) == 1:
        return shares(best, totals)
    return "play-on"


def shares(places: list[int], totals: list[int]) -> list[float]:
    return [1 / len(places) if place in places else 0.0 for place in range(len(totals))]
