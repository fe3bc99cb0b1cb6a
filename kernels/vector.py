"""The places of a strategy's numbers, and of the tables made of them, in the players vector.

A strategy is a block of int64[BLOCK]: its numbers, every one in hundredths, then the tables of `kernels.worth`. The
players of a table are one int64 vector: for each of four seats where its strategy's block begins, then the blocks.
What each number is called, its bounds and what it means to a player stand in `analyzer.strategy`.
"""

IS_RANDOM = 0  # 100: every choice uniform over what is legal
TRUMP_WORTH = 1  # +k: seven, eight, nine, ten, queen, king, ace, left, right, joker
LENGTH_WORTH = 11  # +k: third, fourth, fifth trump, each further one
ACE_WORTH = 15  # a side ace
LONE_ACE_WORTH = 16  # more for an ace that is the only card of its suit
KING_WORTH = 17  # a side king with the ace or a smaller card beside it
VOID_WORTH = 18  # +k: first, second, third void side suit, while a trump is held
UPCARD_PARTNER = 21  # share of the upcard's worth when it goes to the partner
UPCARD_OPPONENT = 22  # share taken off when it goes to an opponent
CALL_ORDER = 23  # +seat: worth from which a seat orders
CALL_ORDER_ALONE = 27  # +seat: ... from which a seat that orders goes alone
CALL_NEXT = 31  # +seat: worth from which it names next
CALL_CROSS = 35  # +seat: ... a green suit (or the turned-down suit where that is allowed)
CALL_NAME_ALONE = 39  # +seat: ... from which a seat that names goes alone
PICKUP_MARGIN = 43  # worth the upcard must add to be taken where that is free
DUMMY_ALONE = 44  # three-handed: worth from which the maker leaves the dummy
DEFEND_ALONE = 45  # worth from which a defender plays alone
BID_FIRST = 46  # +seat: worth for the lowest bid, three
BID_STEP = 50  # more for each level above four
BID_ASK = 51  # +seat
BID_MOON = 55  # +seat
BID_PARTNER = 59  # added when the partner has bid and an opponent's bid stands
BID_OPPONENT = 60  # taken off when an opponent's bid stands
BID_OVER_PARTNER = 61  # more worth needed to go over a standing bid of the partner
BID_JUMP = 62  # 100: bids what the hand is worth at once; 0: the least that stands
CLAIM_BELOW = 63  # claims an ace-no-face hand worth less
BID_SECOND = 64  # +seat: worth for four
BID_OPPONENT_STEP = 68  # more taken off for each level above four
BID_MOON_JACKS = 69  # so many jacks shoot the moon whatever the hand is worth; 0: never
PLAY_RENEGE = 70  # the chance to renege where that wins the trick
N_NUMBERS = 71

SHAPE_AT = 80  # 16 * 4: worth of so many trumps with so many void side suits
NEXT_AT = SHAPE_AT + 64  # 4096: worth of a holding of the next suit
GREEN_AT = NEXT_AT + 4096  # 4096: ... of a green suit
TRUMPS_AT = GREEN_AT + 4096  # 65536: ... of trumps
BLOCK = TRUMPS_AT + 65536
